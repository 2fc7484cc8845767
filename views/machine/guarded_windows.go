package machine

import (
	"os"
	"syscall"
)

// self is the path of this program.
func self() (string, error) { return os.Executable() }

// detached takes a process away from the console, whose end would end it too.
func detached() *syscall.SysProcAttr {
	const detachedProcess = 0x8
	return &syscall.SysProcAttr{CreationFlags: detachedProcess | syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}
