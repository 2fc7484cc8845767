//go:build !linux

package linuxhost

// Reason says why an operation on a machine failed.
func Reason(err error) string { return clean(err.Error()) }
