package machine

import "syscall"

// self is the path of this program, also after an update has replaced its file.
func self() (string, error) { return "/proc/self/exe", nil }

// detached puts a process into a session of its own: the end of the terminal sends it no signal.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
