// Command cast records a minute of the console in a pseudo-terminal, as a file for asciinema (version 2). Linux only.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/creack/pty"
)

// The size of the terminal.
const width, height = 120, 40

// step is keys that are typed after a pause.
type step struct {
	pause time.Duration
	keys  string
}

// steps show the screens: a port and its counters, a registry key, teams, functions, QoS, findings, and a scene of the lab.
var steps = []step{
	{5 * time.Second, "j"}, {time.Second, "j"}, {2 * time.Second, "\r"}, {7 * time.Second, "3"},
	{2 * time.Second, "j"}, {time.Second, "j"}, {time.Second, "j"}, {4 * time.Second, "4"},
	{6 * time.Second, "5"}, {6 * time.Second, "6"}, {6 * time.Second, "0"}, {6 * time.Second, "9"},
	{2 * time.Second, " "}, {6 * time.Second, "1"}, {4 * time.Second, "q"},
}

func main() {
	out := flag.String("out", "docs/pictures/console.cast", "file to write")
	program := flag.String("program", "bin/cxdeck", "program to record")
	flag.Parse()
	if err := record(*program, *out); err != nil {
		fmt.Fprintln(os.Stderr, "cast:", err)
		os.Exit(1)
	}
}

func record(program, out string) error {
	home, err := os.MkdirTemp("", "cxdeck-cast-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home) //nolint:errcheck // nothing in it is needed
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // the last write is checked
	encoder := json.NewEncoder(file)
	if err := encoder.Encode(map[string]any{"version": 2, "width": width, "height": height, "title": "cxdeck on its lab",
		"env": map[string]string{"TERM": "xterm-256color"}}); err != nil {
		return err
	}
	cmd := exec.Command(program, "--ephemeral", "--theme", "dark") //nolint:noctx // the developer's own build
	cmd.Env = []string{"HOME=" + home, "XDG_STATE_HOME=" + home, "XDG_CONFIG_HOME=" + home, "TZ=UTC", "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8"}
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: width, Rows: height})
	if err != nil {
		return err
	}
	began := time.Now()
	var reading sync.WaitGroup
	var failed error
	reading.Go(func() { failed = copyOutput(terminal, encoder, began) })
	for _, s := range steps {
		time.Sleep(s.pause)
		if _, err := terminal.WriteString(s.keys); err != nil {
			break // it has ended
		}
	}
	time.Sleep(time.Second)
	_, _ = terminal.WriteString("y") // the answer, in case it asks before it ends
	time.AfterFunc(5*time.Second, func() { _ = cmd.Process.Kill() })
	reading.Wait()
	_ = cmd.Wait() // the recording is complete
	return failed
}

// copyOutput writes the program's output with its times. A character that is cut by the end of a read is completed first.
func copyOutput(terminal *os.File, encoder *json.Encoder, began time.Time) error {
	buffer := make([]byte, 64<<10)
	var rest []byte
	for {
		n, err := terminal.Read(buffer)
		data := slices.Concat(rest, buffer[:n])
		whole := len(data)
		for whole > 0 && len(data)-whole < utf8.UTFMax && !utf8.FullRune(data[lastStart(data[:whole]):]) {
			whole = lastStart(data[:whole])
		}
		if whole > 0 {
			if err := encoder.Encode([]any{float64(time.Since(began).Milliseconds()) / 1000, "o", string(data[:whole])}); err != nil {
				return err
			}
		}
		rest = append([]byte(nil), data[whole:]...)
		if err != nil {
			return nil //nolint:nilerr // Linux reports the end of the program as an error
		}
	}
}

// lastStart returns the index of the first byte of the last character.
func lastStart(data []byte) int {
	for i := len(data) - 1; i >= 0; i-- {
		if utf8.RuneStart(data[i]) {
			return i
		}
	}
	return 0
}
