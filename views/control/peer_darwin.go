package control

import (
	"net"

	"golang.org/x/sys/unix"
)

// peerOf returns the user of the process at the other end; pid is 0, and known is false on an error.
func peerOf(conn *net.UnixConn) (uid, pid int, known bool) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, 0, false
	}
	var credentials *unix.Xucred
	failed := raw.Control(func(fd uintptr) {
		credentials, err = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	})
	if failed != nil || err != nil {
		return 0, 0, false
	}
	return int(credentials.Uid), 0, true
}
