//go:build unix

package regular

import "syscall"

// neverWait has opening neither wait for the other end of a FIFO, nor make a terminal the process's own.
const neverWait = syscall.O_NONBLOCK | syscall.O_NOCTTY
