//go:build !linux && !windows

package linuxhost

// Privilege is what changes require.
const Privilege = "another system"

// Privileged reports whether this program may change the settings of network interfaces.
func Privileged() bool { return false }
