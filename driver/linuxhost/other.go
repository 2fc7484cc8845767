//go:build !linux

package linuxhost

// Reason says why an operation on a machine failed.
func Reason(err error) string { return clean(err.Error()) }

// Privileged reports whether this program may change the settings of network interfaces.
func Privileged() bool { return false }
