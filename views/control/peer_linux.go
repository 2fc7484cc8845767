package control

import (
	"net"

	"golang.org/x/sys/unix"
)

// peerOf returns the user and the number of the process at the other end; known is false on an error.
func peerOf(conn *net.UnixConn) (uid, pid int, known bool) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, 0, false
	}
	var credentials *unix.Ucred
	failed := raw.Control(func(fd uintptr) {
		credentials, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	})
	if failed != nil || err != nil {
		return 0, 0, false
	}
	return int(credentials.Uid), int(credentials.Pid), true
}
