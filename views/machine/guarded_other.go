//go:build !linux && !windows

package machine

import (
	"os"
	"syscall"
)

func self() (string, error) { return os.Executable() }

func detached() *syscall.SysProcAttr { return nil }
