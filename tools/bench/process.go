package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/creack/pty"
)

// process is a program in a pseudo-terminal that answers no queries.
type process struct {
	cmd     *exec.Cmd
	pty     *os.File
	started time.Time
	ended   chan struct{}

	mu     sync.Mutex
	output []byte
	total  int64
	last   time.Time
	news   chan struct{}
}

// start starts a program at 120x40 with its own home directory.
func start(home, name string, arguments ...string) (*process, error) {
	command := exec.Command(name, arguments...) //nolint:gosec,noctx // the developer names the programs to compare; kill ends them
	p := &process{cmd: command, ended: make(chan struct{}), news: make(chan struct{}, 1)}
	p.cmd.Env = []string{
		"HOME=" + home, "XDG_STATE_HOME=" + home, "XDG_CONFIG_HOME=" + home, "TERM=xterm-256color",
		"COLORTERM=truecolor", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH"),
	}
	p.started = time.Now()
	file, err := pty.StartWithSize(p.cmd, &pty.Winsize{Cols: 120, Rows: 40})
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	p.pty = file
	go p.read()
	return p, nil
}

func (p *process) read() {
	buffer := make([]byte, 64<<10)
	for {
		n, err := p.pty.Read(buffer)
		p.mu.Lock()
		p.output = append(p.output, buffer[:n]...)
		if len(p.output) > 4<<20 {
			p.output = p.output[len(p.output)-1<<20:]
		}
		p.total += int64(n)
		if n > 0 {
			p.last = time.Now()
		}
		p.mu.Unlock()
		select {
		case p.news <- struct{}{}:
		default:
		}
		if err != nil {
			break
		}
	}
	_ = p.cmd.Wait()
	close(p.ended)
}

func (p *process) write(keys string) { _, _ = p.pty.WriteString(keys) }

func (p *process) resize(width, height int) {
	_ = pty.Setsize(p.pty, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)})
}

func (p *process) bytes() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.total
}

// waitFor waits up to five seconds for a text in the output and returns the time of the chunk that completed it.
func (p *process) waitFor(text string) (time.Time, error) { return p.waitForCount(text, 1) }

// waitForCount waits up to five seconds until a text has been written count times.
func (p *process) waitForCount(text string, count int) (time.Time, error) {
	deadline := time.After(5 * time.Second)
	for {
		p.mu.Lock()
		found, at := bytes.Count(p.output, []byte(text)) >= count, p.last
		p.mu.Unlock()
		if found {
			return at, nil
		}
		select {
		case <-p.news:
		case <-p.ended:
			return time.Time{}, fmt.Errorf("the program ended before it wrote %q", text)
		case <-deadline:
			return time.Time{}, fmt.Errorf("%q was never written", text)
		}
	}
}

func (p *process) waitEnd(waitTimeout time.Duration) error {
	select {
	case <-p.ended:
		return nil
	case <-time.After(waitTimeout):
		p.kill()
		return fmt.Errorf("the program did not end within %v", waitTimeout)
	}
}

// answer returns the time from an action to the next byte of output.
func (p *process) answer(act func()) (time.Duration, error) {
	before := p.bytes()
	began := time.Now()
	act()
	for p.bytes() == before {
		select {
		case <-p.news:
		case <-time.After(2 * time.Second):
			return 0, fmt.Errorf("no answer within 2 s")
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last.Sub(began), nil
}

// settled returns the time from an action to the last byte before a silence of 30 ms.
func (p *process) settled(act func()) (time.Duration, error) {
	began := time.Now()
	if _, err := p.answer(act); err != nil {
		return 0, err
	}
	for {
		select {
		case <-p.news:
			continue
		case <-time.After(30 * time.Millisecond):
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.last.Sub(began), nil
	}
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.ended
	_ = p.pty.Close()
}

// cost is the resources that a run used.
type cost struct {
	processor    time.Duration
	resident     int64
	growthAnHour float64
	bytesASecond float64
}

// measureCost runs a program for length, and ends it.
func measureCost(home, name string, length time.Duration, arguments []string) (cost, error) {
	p, err := start(home, name, arguments...)
	if err != nil {
		return cost{}, err
	}
	defer p.kill()
	return p.cost(length)
}

// cost waits for length and returns the resources used, start-up included.
func (p *process) cost(length time.Duration) (cost, error) {
	var c cost
	var middle int64
	half := p.started.Add(length / 2)
	for time.Since(p.started) < length {
		select {
		case <-p.ended:
			return c, fmt.Errorf("the program ended by itself")
		case <-time.After(250 * time.Millisecond):
		}
		resident, err := residentBytes(p.cmd.Process.Pid)
		if err != nil {
			return c, err
		}
		c.resident = max(c.resident, resident)
		if middle == 0 && time.Now().After(half) {
			middle = resident
		}
	}
	last, err := residentBytes(p.cmd.Process.Pid)
	if err != nil {
		return c, err
	}
	c.growthAnHour = float64(last-middle) / time.Since(half).Seconds() * 3600
	c.bytesASecond = float64(p.bytes()) / length.Seconds()
	c.processor, err = processorTime(p.cmd.Process.Pid)
	return c, err
}

// residentBytes returns the memory of a process in RAM, from /proc.
func residentBytes(pid int) (int64, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(data))
	if len(fields) < 2 {
		return 0, fmt.Errorf("/proc/%d/statm: %q", pid, data)
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize()), err
}

// processorTime returns the user and system time of a process and its ended children; a tick is 10 ms on Linux.
func processorTime(pid int) (time.Duration, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, rest, ok := strings.Cut(string(data), ") ")
	fields := strings.Fields(rest)
	if !ok || len(fields) < 15 {
		return 0, fmt.Errorf("/proc/%d/stat: %q", pid, data)
	}
	var ticks int64
	for _, field := range fields[11:15] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond, nil
}
