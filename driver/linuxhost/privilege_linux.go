package linuxhost

import "golang.org/x/sys/unix"

// Privilege is what changes require.
const Privilege = "root, or the capability CAP_NET_ADMIN"

// Privileged reports whether this program may change the settings of network interfaces.
func Privileged() bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if unix.Capget(&header, &data[0]) != nil {
		return unix.Geteuid() == 0
	}
	return data[unix.CAP_NET_ADMIN/32].Effective&(1<<(unix.CAP_NET_ADMIN%32)) != 0
}
