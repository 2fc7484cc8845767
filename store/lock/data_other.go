//go:build !linux

package lock

import "os"

// lockData does nothing: only the lock file protects the database, and Restore takes it again when it was removed.
func lockData(*os.File) bool { return true }

// unlockData has nothing to release.
func unlockData(*os.File) {}
