package linuxcli

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/linux"
	"cxdeck/views/exec"
)

//go:embed texts.toml
var linuxTexts string

// maxLines is the maximum number of lines.
const maxLines = 200

// Family returns the console of the Linux host.
func Family() *exec.Family {
	return &exec.Family{
		Texts: linuxTexts,
		Commands: []exec.Command{
			{Name: "linux console", Min: 1, Max: maxLines, Changes: true, Run: console},
			{Name: "linux try", Min: 1, Max: maxLines, Run: tryLines},
		},
	}
}

// box is the host of a console: the real one, or a copy.
type box interface {
	look(do func(*driver.Host) error) error
	apply(plan driver.Plan) (uint64, error)
}

type live struct{ c *exec.Call }

func (b live) look(do func(*driver.Host) error) error { return b.c.Host.ReadHost(b.c.Ctx, do) }

func (b live) apply(plan driver.Plan) (uint64, error) {
	entry, err := b.c.Host.Apply(b.c.Ctx, plan)
	return entry.Sequence, err
}

type trial struct{ host *driver.Host }

func (b trial) look(do func(*driver.Host) error) error { return do(b.host) }

func (b trial) apply(plan driver.Plan) (uint64, error) {
	entry, err := b.host.Apply(plan)
	return entry.Sequence, err
}

// lineRow is a line of the console as JSON.
type lineRow struct {
	Line    string   `json:"line"`
	Output  []string `json:"output,omitempty"`
	Changes []uint64 `json:"changes,omitempty"`
}

// shell is a console in use.
type shell struct {
	box
	line    string
	output  []string
	changes []uint64
}

func (s *shell) print(format string, values ...any) {
	s.output = append(s.output, fmt.Sprintf(format, values...))
}

// do applies Operations, with the line as their title.
func (s *shell) do(operations ...driver.Operation) error {
	sequence, err := s.apply(driver.Plan{Title: linux.Host + ": " + s.line, Operations: operations})
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

// runLines runs lines. at is the line that failed.
func runLines(ctx context.Context, b box, lines []string) (rows []lineRow, at int, err error) {
	rows = []lineRow{}
	for at, line := range lines {
		if err := ctx.Err(); err != nil {
			return nil, at, err
		}
		s := &shell{box: b, line: strings.TrimSpace(line)}
		if err := s.run(); err != nil {
			return nil, at, err
		}
		rows = append(rows, lineRow{s.line, s.output, s.changes})
	}
	return rows, 0, nil
}

// console runs lines on the Linux host: first on a copy, so that no line is applied if one is refused.
func console(c *exec.Call) (exec.Answer, error) {
	copied, err := c.CopyHost()
	if err != nil {
		return exec.Answer{}, err
	}
	if _, at, err := runLines(c.Ctx, trial{copied}, c.Arguments); err != nil {
		return exec.Answer{}, fmt.Errorf("line %d of the console is refused, and no line was applied: %w", at+1, err)
	}
	rows, at, err := runLines(c.Ctx, live{c}, c.Arguments)
	if err != nil {
		return exec.Answer{}, fmt.Errorf("line %d of the console failed; the lines before it were applied: %w", at+1, err)
	}
	return transcript(rows), nil
}

// tryLines runs lines on a copy, so that nothing changes.
func tryLines(c *exec.Call) (exec.Answer, error) {
	copied, err := c.CopyHost()
	if err != nil {
		return exec.Answer{}, err
	}
	rows, at, err := runLines(c.Ctx, trial{copied}, c.Arguments)
	if err != nil {
		return exec.Answer{}, fmt.Errorf("line %d of the console is refused: %w", at+1, err)
	}
	for i := range rows {
		rows[i].Changes = nil // they are changes of the copy
	}
	return transcript(rows), nil
}

func transcript(rows []lineRow) exec.Answer {
	return exec.Answer{
		Result: struct {
			Lines []lineRow `json:"lines"`
		}{rows},
		Text: func(w io.Writer) error {
			var lines []string
			for i := range rows {
				lines = append(lines, "["+linux.Host+"]# "+rows[i].Line)
				lines = append(lines, rows[i].Output...)
			}
			_, err := io.WriteString(w, exec.CleanLines(lines))
			return err
		},
	}
}
