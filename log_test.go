//go:build unix

package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
)

// writeLog writes a log, and returns its path.
func writeLog(t *testing.T, data []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "night.csv")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

const logHeader = `"(PDH-CSV 4.0) (UTC)(0)","\\N4\Network Interface(Ethernet 7)\Bytes Received/sec"` + "\r\n"

func TestCommandRejectsInvalidLogs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		data string
		says []string
	}{
		{"empty", "", []string{"night.csv", "is empty"}},
		{"binary", "\x7fELF\x00\x01\x02\x1b]0;owned\a", []string{"night.csv", "relog -f csv"}},
		{"header only", logHeader, []string{"no rows yet"}},
		{"a name of 10 KB", strings.Replace(logHeader, "Ethernet 7", strings.Repeat("e", 10_000), 1), []string{"line 1, column 2", "4096 bytes"}},
		{"some table", "a,b\n1,2\n", []string{"first line", "typeperf"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			log := writeLog(t, []byte(c.data))
			ask(t, t.TempDir(), "counters", "--source", log).mustComplain(t, 1, c.says...)
		})
	}
	directory := t.TempDir()
	ask(t, directory, "counters", "--source", directory).mustComplain(t, 2, "is a directory", "--source")
	ask(t, directory, "counters", "--source", "/dev/null").mustComplain(t, 2, "not a regular file")
}

func TestCommandReadsLocalisedLogs(t *testing.T) {
	t.Parallel()
	german := `"(PDH-CSV 4.0) (Mitteleuropäische Zeit)(-60)";"\\N4\Prozessor(_Total)\Prozessorzeit (%)"` + "\r\n" +
		`"13.02.2026 10:00:00,000";"1,5"` + "\r\n" + `"13.02.2026 10:00:01,000";" "` + "\r\n" + `"13.02.2026 10:00:02,000";"2,25"` + "\r\n"
	wide := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(german)) {
		wide = append(wide, byte(unit), byte(unit>>8))
	}
	cut := logHeader + "\"02/13/2026 09:00:00.000\",\"1.5\"\r\n\"02/13/2026 09:00:01.000\",\"2.25\"\r\n\"02/13/2026 09:00:0"
	for name, c := range map[string]struct {
		data []byte
		rows []string
		says string
	}{
		"decimal comma":       {[]byte(german), []string{`"02/13/2026 09:00:00.000","1.5"`, `"02/13/2026 09:00:02.000","2.25"`}, "another language than English"},
		"UTF-16":              {wide, []string{`"02/13/2026 09:00:00.000","1.5"`, `"02/13/2026 09:00:01.000"," "`}, "another language than English"},
		"truncated last line": {[]byte(cut), []string{`"02/13/2026 09:00:00.000","1.5"`, `"02/13/2026 09:00:01.000","2.25"`}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := ask(t, t.TempDir(), "counters", "--format", "csv", "--speed", "1000", "--source", writeLog(t, c.data))
			if got.code != 0 || c.says == "" && got.errors != "" || !strings.Contains(got.errors, c.says) {
				t.Errorf("%+v", got)
			}
			for _, row := range c.rows {
				if !strings.Contains(got.out, row) {
					t.Errorf("no row %s in\n%s", row, got.out)
				}
			}
		})
	}
}

// writeMillion writes a log of a million cells: a thousand counters, a thousand rows.
func writeMillion(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "million.csv")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewWriterSize(file, 1<<20)
	fmt.Fprint(out, `"(PDH-CSV 4.0) (UTC)(0)"`)
	for n := range 1000 {
		fmt.Fprintf(out, `,"\\N4\Network Interface(Ethernet %d)\Bytes Received/sec"`, n)
	}
	start := time.Date(2026, 2, 13, 9, 0, 0, 0, time.UTC)
	for row := range 1000 {
		fmt.Fprintf(out, "\r\n\"%s\"", start.Add(time.Duration(row)*time.Second).Format("01/02/2006 15:04:05.000"))
		for n := range 1000 {
			fmt.Fprintf(out, `,"%d.5"`, n*1000+row)
		}
	}
	fmt.Fprint(out, "\r\n")
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestTerminalPlaysAMillionCells(t *testing.T) {
	t.Parallel()
	c := startTerminal(t, 120, 40, "", "--ephemeral", "--speed", "100", "--source", writeMillion(t))
	c.waitText("million.csv", "2026-02-13 09:0", "x100")
	c.waitText("2026-02-13 09:01")
	c.press("2")
	c.waitText("Ethernet", "auto scale")
	c.press("space")
	c.waitText("paused")
	clock := regexp.MustCompile(`2026-02-13 \d\d:\d\d:\d\d`)
	before := clock.FindString(c.text())
	c.press(",", "{") // a minute: the header may show the pause before the last sample
	c.waitFor("an earlier time than "+before, func(screen string) bool {
		now := clock.FindString(screen)
		return now != "" && now < before && !strings.Contains(screen, "moving") // until then it can't be played
	})
	c.press(">", ">", ">", "space")
	c.waitGone("paused")
	c.waitText("at its end")
	c.press("q")
	if code := c.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// own matches the escape sequences that the program itself writes: cursor, erasing, colours and modes.
var own = regexp.MustCompile(`\x1b\[\?[0-9]+[hl]|\x1b\[[0-9;]*[mHABCDGJKXdrLMST@P]|\x1b\[[0-9;]*:[0-9;:]*m|\x1b\([B0]|\x1b[78]`)

// mustBeOwn fails the test for control characters and direction overrides outside the program's own sequences.
func mustBeOwn(t *testing.T, out string) {
	t.Helper()
	rest := own.ReplaceAllString(out, "")
	for _, bad := range []string{"\x1b", "\a", "\u202e", "\u2066", "\u200f", "\u0085", "\u009b", "\x00"} {
		if at := strings.Index(rest, bad); at >= 0 {
			t.Errorf("%q reached the terminal: %q", bad, rest[max(0, at-40):min(len(rest), at+40)])
		}
	}
}

const hostile = "\x1b]0;owned\a\x1b[2J\u202eevil\u2066\u009b31m日本語"

func TestTerminalHostileLog(t *testing.T) {
	t.Parallel()
	var data strings.Builder
	data.WriteString(`"(PDH-CSV 4.0) (UTC)(0)"`)
	for n := range 12 {
		fmt.Fprintf(&data, `,"\\%s\Network Interface(%s %d%s)\Bytes Received/sec"`, "host"+hostile, hostile, n, strings.Repeat("w", n*300))
	}
	for row := range 60 {
		fmt.Fprintf(&data, "\r\n\"02/13/2026 09:00:%02d.000\"", row)
		for n := range 12 {
			fmt.Fprintf(&data, `,"%d"`, row*n*1000)
		}
	}
	data.WriteString("\r\n")
	c := startTerminal(t, 120, 40, "", "--ephemeral", "--speed", "20", "--no-mouse", "--source", writeLog(t, []byte(data.String())))
	c.waitText("night.csv", "日本語", "? help")
	for _, screen := range []string{"2", "3", "4", "5", "6", "7", "1"} {
		c.press(screen)
		c.waitText("? help")
	}
	c.press("2")
	c.waitText("auto scale", "日")
	mustBeAligned(t, c.text(), 120)
	c.press(":", "evil")
	c.waitText("evil")
	c.press("esc", "q")
	c.exit()
	mustBeOwn(t, c.output())
}

// mustBeAligned fails the test unless header and tabs are on their lines, and no line is wider than the screen.
func mustBeAligned(t *testing.T, screen string, width int) {
	t.Helper()
	lines := strings.Split(screen, "\n")
	if len(lines) < 3 || !strings.Contains(lines[0], "cxdeck") || !strings.Contains(lines[1], "1 Overview") {
		t.Errorf("the frame is broken:\n%s", screen)
	}
	for _, line := range lines {
		if n := len([]rune(line)); n > width {
			t.Errorf("a line of %d cells: %s", n, line)
		}
	}
}

func TestTerminalHostileSession(t *testing.T) {
	t.Parallel()
	home := recorded(t)
	if got := look(t, historyOf(home), "UPDATE session SET host = '"+hostile+"\n', note = '"+hostile+strings.Repeat("n", 4000)+"' RETURNING 1"); got != "1" {
		t.Fatalf("the history was not changed: %q", got)
	}
	c := startTerminal(t, 120, 40, home, "--no-mouse")
	c.waitText("REC")
	c.press("8")
	c.waitText("owned", "being recorded")
	c.press("down")
	c.waitText("evil")
	mustBeAligned(t, c.text(), 120)
	c.press("q")
	c.exit()
	mustBeOwn(t, c.output())
	if got := ask(t, home, "sessions", "list"); strings.ContainsAny(got.out, "\x1b\a\u202e\u009b") || strings.Count(got.out, "\n") != 3 {
		t.Errorf("%q", got.out)
	}
}
