//go:build unix

package regular

import "syscall"

// nonBlocking keeps opening from waiting for the other end of a FIFO, and from making a terminal the controlling one.
const nonBlocking = syscall.O_NONBLOCK | syscall.O_NOCTTY
