package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// frameBytes and frameRate are the traffic of these tests: 8 Mb/s.
const (
	frameBytes = 1000
	frameRate  = 1000 // frames per second
)

// flow sends frames at an even pace until the test ends.
func flow(t *testing.T, send func() error) {
	t.Helper()
	stop, stopped := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(stop); <-stopped })
	go func() {
		defer close(stopped)
		ticker := time.NewTicker(5 * time.Millisecond)
		defer ticker.Stop()
		began, sent := time.Now(), 0
		for {
			select {
			case <-stop:
				return
			case <-ticker.C:
			}
			for due := int(time.Since(began).Seconds() * frameRate); sent < due; sent++ {
				if send() != nil {
					return // the interface was removed
				}
			}
		}
	}()
}

// rateOf returns the first rate in Mb/s in an interface's line of a screen; 0 if there is none.
func rateOf(screen, name string) float64 {
	for line := range strings.Lines(screen) {
		found := regexp.MustCompile(`\b` + name + `\b.*?([0-9.]+) Mb/s`).FindStringSubmatch(line)
		if found != nil {
			rate, _ := strconv.ParseFloat(found[1], 64)
			return rate
		}
	}
	return 0
}

func near(got, want float64) bool { return got > want*0.95 && got < want*1.05 }

func TestTerminalLocalLoopback(t *testing.T) {
	t.Parallel()
	receiver, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	sender, err := net.Dial("udp4", receiver.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sender.Close(); receiver.Close() })
	// Loopback counts an invented Ethernet header, and the IP and UDP headers.
	payload := make([]byte, frameBytes-14-20-8)
	flow(t, func() error { _, err := sender.Write(payload); return err })
	c := startTerminal(t, 120, 40, "", "--source", "local", "--ephemeral")
	c.waitFor("8 Mb/s on lo", func(screen string) bool { return near(rateOf(screen, "lo"), 8) })
}

// inNamespaceOf runs work in the network namespace of a process.
func inNamespaceOf(pid int, work func() error) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		space, err := os.Open(fmt.Sprintf("/proc/%d/ns/net", pid))
		if err != nil {
			done <- err
			return
		}
		defer space.Close()
		if err := unix.Setns(int(space.Fd()), unix.CLONE_NEWNET); err != nil {
			done <- err
			return
		}
		done <- work()
	}()
	return <-done
}

// TestTerminalLocalVeth sends frames through a veth pair in a network namespace, which requires root, and removes one interface
// while the console shows it.
func TestTerminalLocalVeth(t *testing.T) {
	t.Parallel()
	if exec.Command("unshare", "-n", "ip", "link").Run() != nil {
		return
	}
	home := t.TempDir()
	command := exec.Command("unshare", "-n", "/bin/sh", "-c",
		`ip link add name cxa type veth peer name cxb && ip link set cxa up && ip link set cxb up && exec "$0" --source local`, binary)
	command.Env = append(environment(home), "TERM=xterm-256color", "LANG=C.UTF-8")
	c := startCommand(t, 120, 40, home, command)
	c.waitText("cxa", "cxb", "REC")
	var socket int
	var address unix.SockaddrLinklayer
	err := inNamespaceOf(c.cmd.Process.Pid, func() (err error) {
		if socket, err = unix.Socket(unix.AF_PACKET, unix.SOCK_RAW, 0); err != nil {
			return err
		}
		link, err := net.InterfaceByName("cxa")
		if err == nil {
			address.Ifindex = link.Index
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(socket) })
	frame := make([]byte, frameBytes)
	copy(frame, "\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x01\x88\xb5") // a local experiment's type
	flow(t, func() error { return unix.Sendto(socket, frame, 0, &address) })
	c.waitFor("8 Mb/s on both", func(screen string) bool {
		return near(rateOf(screen, "cxa"), 8) && near(rateOf(screen, "cxb"), 8)
	})
	err = inNamespaceOf(c.cmd.Process.Pid, func() error { return exec.Command("ip", "link", "delete", "cxa").Run() })
	if err != nil {
		t.Fatal(err)
	}
	c.waitFor("cxa has gone", func(screen string) bool {
		return regexp.MustCompile(`cxa.*(gone|removed|absent|missing)`).MatchString(screen)
	})
	c.press("7")
	c.waitText("cxa", "cxb")
	c.press("q")
	if code := c.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if list := sessions(t, home); len(list.Sessions) != 1 || list.Sessions[0].Samples < 2 {
		t.Errorf("sessions: %+v", list)
	}
}
