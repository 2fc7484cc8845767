package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/script"
	"cxdeck/perf/lab"
	"cxdeck/views/exec"
	"cxdeck/views/exec/catalog"
	"cxdeck/views/exec/hosts"
)

// transcript is a file of the folder of transcripts; its README describes the format.
type transcript struct {
	lab string
	// before are the commands that run first, line is the command under test.
	before []string
	line   string
	// answer is typed at a question; asked reports whether there is one.
	answer   string
	asked    bool
	status   exec.Status
	expected []string
}

// readTranscript reads a file of the folder.
func readTranscript(text string) (t transcript, err error) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		number := i + 1
		for _, prompt := range []string{">", "PS $"} {
			if command, is := strings.CutPrefix(line, prompt); is {
				t.line, t.expected = strings.TrimSpace(command), collapse(lines[number:])
				return t, nil
			}
		}
		name, value, given := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch {
		case strings.TrimSpace(line) == "" || line[0] == '#':
		case !given:
			return t, fmt.Errorf("line %d is neither NAME: VALUE nor the command behind its prompt", number)
		case name == "lab":
			t.lab = value
		case name == "run":
			t.before = append(t.before, value)
		case name == "answer":
			t.answer, t.asked = value, true
		case name == "status":
			status, err := strconv.Atoi(value)
			if err != nil {
				return t, fmt.Errorf("line %d: %q is no status", number, value)
			}
			t.status = exec.Status(status)
		default:
			return t, fmt.Errorf("line %d: there is no %q; there are lab, run, answer and status", number, name)
		}
	}
	return t, fmt.Errorf("there is no command: a line that begins with > or PS $")
}

// collapse replaces each run of blanks by one, and removes empty lines at the end.
func collapse(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.Join(strings.Fields(line), " ")
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

// matches reports whether lines are as expected; an expected line of three dots matches any number of lines, also none.
func matches(expected, lines []string) bool {
	switch {
	case len(expected) == 0:
		return len(lines) == 0
	case expected[0] == "...":
		return matches(expected[1:], lines) || len(lines) > 0 && matches(expected, lines[1:])
	}
	return len(lines) > 0 && expected[0] == lines[0] && matches(expected[1:], lines[1:])
}

// play runs a transcript on a fresh host and returns the difference from the expected output.
func (t *transcript) play(ctx context.Context) error {
	host, text, err := transcriptHost(t.lab)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	runner := exec.Runner{
		Table: catalog.Commands(),
		Open:  func(context.Context) (exec.Host, error) { return host, nil }, LabText: text, Out: &out, Err: &out, Files: noFiles{},
	}
	for _, line := range t.before {
		if status := runner.Script(ctx, strings.NewReader(line)); status != exec.Done {
			return fmt.Errorf("%s, which is run first, ends with status %d: %s", line, status, out.String())
		}
	}
	out.Reset()
	asked := false
	if t.asked {
		runner.Ask = func(context.Context) string {
			asked = true
			out.WriteString(t.answer + "\n") // the terminal echoes input
			return t.answer
		}
	}
	status := runner.Script(ctx, strings.NewReader(t.line))
	lines := collapse(strings.Split(strings.ReplaceAll(out.String(), "cxdeck: line 1: ", "cxdeck: "), "\n"))
	switch {
	case t.asked && !asked:
		return fmt.Errorf("%s asks nothing that %q could answer", t.line, t.answer)
	case status != t.status:
		return fmt.Errorf("%s ends with status %d and not %d: %s", t.line, status, t.status, strings.Join(lines, "\n"))
	case !matches(t.expected, lines):
		return fmt.Errorf("%s\ngives\n%s\nand not\n%s", t.line, strings.Join(lines, "\n"), strings.Join(t.expected, "\n"))
	}
	return nil
}

// noFiles is a file system that discards what is written.
type noFiles struct{}

func (noFiles) Read(path string, _ int64) ([]byte, error) {
	return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
}

func (noFiles) Write([]script.File, bool) error { return nil }

func (noFiles) Stream(_ string, _ bool, write func(io.Writer) error) error { return write(io.Discard) }
func (noFiles) Folder(name string) (string, error)                         { return name, nil }

// transcriptHost returns a fresh host of a named lab, or of the default one.
func transcriptHost(name string) (exec.Host, []byte, error) {
	text := description.DefaultText()
	if name != "" && name != "default" {
		text = nil
		for _, model := range description.NamedLabs() {
			if model.Name == name {
				text = model.Text()
			}
		}
	}
	if text == nil {
		return nil, nil, fmt.Errorf("no lab is called %q", name)
	}
	description, err := description.ParseText(text)
	if err != nil {
		return nil, nil, err
	}
	model, err := device.New(description, 1)
	if err != nil {
		return nil, nil, err
	}
	source, err := lab.New(driver.NewHost(model))
	if err != nil {
		return nil, nil, err
	}
	return hosts.OnLab(source, nil, nil), text, nil
}

// TestTranscripts plays all files of testdata/transcripts, or of the folder that CXDECK_TRANSCRIPTS names. To add a
// transcript, add a file.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	folder := "testdata/transcripts"
	if named := os.Getenv("CXDECK_TRANSCRIPTS"); named != "" {
		folder = named
	}
	var paths []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && filepath.Ext(path) == ".txt" {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil || len(paths) == 0 {
		t.Fatalf("no transcripts in %s: %v", folder, err)
	}
	var failed atomic.Int32
	t.Run("files", func(t *testing.T) {
		for _, path := range paths {
			t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
				t.Parallel()
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				parsed, err := readTranscript(string(text))
				if err == nil {
					err = parsed.play(t.Context())
				}
				if err != nil {
					failed.Add(1)
					t.Errorf("%s: %v", path, err)
				}
			})
		}
	})
	t.Logf("%d transcripts, %d of them failed", len(paths), failed.Load())
}

// TestTranscriptRunnerFindsDifferences: the runner must report a difference.
func TestTranscriptRunnerFindsDifferences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, problem string
	}{
		{"# the first line is given, the rest is not\n> reg get 'Ethernet 7' *RSS\n*RSS  (REG_SZ\n", "gives"},
		{"> journal\nThere are\tno changes   yet.\n\n", ""},
		{"> journal\nThere are no changes yet. Nothing.\n", "gives"},
		{"> journal\n...\n", ""},
		{"lab: manual-winof\nrun: cable pull 'Ethernet 2'\n> journal\nNUMBER ...\n", "gives"},
		{"lab: manual-winof\nrun: cable pull 'Ethernet 2'\n> journal\n...\n1 2026-03-02 14:00:00 Pull the cable of " +
			"Ethernet 2 applied\n", ""},
		{"run: cable pull nothing\n> journal\n", "run first"},
		{"> cable pull nothing\n...\n", "status 1"},
		{"status: 1\n> cable pull nothing\n...\n", ""},
		{"answer: y\n> journal\n...\n", "asks nothing"},
		{"lab: none\n> journal\n...\n", "no lab"},
		{"lba: none\n> journal\n...\n", `there is no "lba"`},
		{"journal\n", "line 1"},
		{"lab: default\n", "no command"},
	} {
		parsed, err := readTranscript(c.text)
		if err == nil {
			err = parsed.play(t.Context())
		}
		if (err == nil) != (c.problem == "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%q: got %v, want %q", c.text, err, c.problem)
		}
	}
}
