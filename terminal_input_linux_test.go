package main

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// waitRead waits until the program has read everything that was typed.
func (c *terminal) waitRead() {
	c.t.Helper()
	input, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/0", c.cmd.Process.Pid), os.O_RDONLY|unix.O_NOCTTY, 0)
	if err != nil {
		return // it has ended, and what the test waits for next says so
	}
	defer input.Close()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if unread, err := unix.IoctlGetInt(int(input.Fd()), unix.TIOCINQ); err != nil || unread == 0 {
			return
		}
	}
	c.t.Fatal("the program reads no keys")
}
