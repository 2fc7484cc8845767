//go:build !linux

package store

import "testing"

// mountDisk can't mount a disk on this system.
func mountDisk(*testing.T, string) (directory string, ok bool) { return "", false }

func protectDisk(*testing.T, string) {}
