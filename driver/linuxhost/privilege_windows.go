package linuxhost

import "golang.org/x/sys/windows"

// Privilege is what changes require.
const Privilege = "an administrator"

// Privileged reports whether this program runs as an administrator, who may write the registry of the machine.
func Privileged() bool { return windows.GetCurrentProcessToken().IsElevated() }
