// Package console runs lines in the console of another machine of the lab: a virtual machine, a Linux host or a switch. Lines are tried
// on a copy of the host first, so that no line is applied if one is refused.
package console

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"cxdeck/driver"
	"cxdeck/views/exec"
)

// MaxLines is the maximum number of lines of a call.
const MaxLines = 200

// Host is the host of a console: the real one, or a copy on which lines are tried.
type Host interface {
	// Look reads the host.
	Look(do func(*driver.Host) error) error
	// Apply applies a plan, and returns the number of the change.
	Apply(plan driver.Plan) (sequence uint64, err error)
}

// Live is the host of a call.
type Live struct{ Call *exec.Call }

// Look reads the host.
func (l Live) Look(do func(*driver.Host) error) error { return l.Call.Host.ReadHost(l.Call.Ctx, do) }

// Apply applies a plan on the host.
func (l Live) Apply(plan driver.Plan) (uint64, error) {
	entry, err := l.Call.Host.Apply(l.Call.Ctx, plan)
	return entry.Sequence, err
}

// Trial is a copy of a host.
type Trial struct{ Copy *driver.Host }

// Look reads the copy.
func (t Trial) Look(do func(*driver.Host) error) error { return do(t.Copy) }

// Apply applies a plan on the copy.
func (t Trial) Apply(plan driver.Plan) (uint64, error) {
	entry, err := t.Copy.Apply(plan)
	return entry.Sequence, err
}

// Session is a line of a console while it runs.
type Session struct {
	Host
	// Name is the name of the machine, Line the line that was typed, Output what it printed.
	Name, Line string
	Output     []string
	changes    []uint64
}

// Print adds a line to the output.
func (s *Session) Print(format string, values ...any) {
	s.Output = append(s.Output, fmt.Sprintf(format, values...))
}

// Do applies Operations, with the line as their title. An error says why, without the title.
func (s *Session) Do(operations ...driver.Operation) error {
	sequence, err := s.Apply(driver.Plan{Title: s.Name + ": " + s.Line, Operations: operations})
	if err != nil {
		var failure *driver.OperationError
		if errors.As(err, &failure) && failure.Unwrap() != nil {
			err = failure.Unwrap()
		}
		return err
	}
	s.changes = append(s.changes, sequence)
	return nil
}

// row is a line of a console as JSON.
type row struct {
	Line    string   `json:"line"`
	Output  []string `json:"output,omitempty"`
	Changes []uint64 `json:"changes,omitempty"`
}

// Console is the console of a machine.
type Console struct {
	// Name is the machine's name, Prompt stands before each line of the transcript.
	Name, Prompt string
	// Run runs the line of a session.
	Run func(*Session) error
}

// lines runs lines. at is the line that failed.
func (k *Console) lines(c *exec.Call, host Host, lines []string) (rows []row, at int, err error) {
	rows = []row{}
	for at, line := range lines {
		if err := c.Ctx.Err(); err != nil {
			return nil, at, err
		}
		s := &Session{Host: host, Name: k.Name, Line: strings.TrimSpace(line)}
		if err := k.Run(s); err != nil {
			return nil, at, err
		}
		rows = append(rows, row{s.Line, s.Output, s.changes})
	}
	return rows, 0, nil
}

// Apply runs lines: first on a copy of the host, so that no line is applied if one is refused.
func (k *Console) Apply(c *exec.Call, lines []string) (exec.Answer, error) {
	copied, err := c.CopyHost()
	if err != nil {
		return exec.Answer{}, err
	}
	if _, at, err := k.lines(c, Trial{copied}, lines); err != nil {
		return exec.Answer{}, fmt.Errorf("line %d of the console is refused, and no line was applied: %w", at+1, err)
	}
	rows, at, err := k.lines(c, Live{c}, lines)
	if err != nil {
		return exec.Answer{}, fmt.Errorf("line %d of the console failed; the lines before it were applied: %w", at+1, err)
	}
	return k.transcript(rows), nil
}

// Try runs lines on a copy, so that nothing changes.
func (k *Console) Try(c *exec.Call, lines []string) (exec.Answer, error) {
	copied, err := c.CopyHost()
	if err != nil {
		return exec.Answer{}, err
	}
	rows, at, err := k.lines(c, Trial{copied}, lines)
	if err != nil {
		return exec.Answer{}, fmt.Errorf("line %d of the console is refused: %w", at+1, err)
	}
	for i := range rows {
		rows[i].Changes = nil // they are changes of the copy
	}
	return k.transcript(rows), nil
}

func (k *Console) transcript(rows []row) exec.Answer {
	return exec.Answer{
		Result: struct {
			Lines []row `json:"lines"`
		}{rows},
		Text: func(w io.Writer) error {
			var lines []string
			for i := range rows {
				lines = append(append(lines, k.Prompt+rows[i].Line), rows[i].Output...)
			}
			_, err := io.WriteString(w, exec.CleanLines(lines))
			return err
		},
	}
}
