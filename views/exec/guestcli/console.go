package guestcli

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
)

//go:embed texts.toml
var guestTexts string

// maxLines is the maximum number of lines.
const maxLines = 200

// Family returns the console of a virtual machine.
func Family() *exec.Family {
	return &exec.Family{
		Texts: guestTexts,
		Commands: []exec.Command{
			{Name: "vm console", Min: 2, Max: 1 + maxLines, Changes: true, Interrupts: true, Run: exec.Bound(console)},
			{Name: "vm try", Min: 2, Max: 1 + maxLines, Run: exec.Bound(tryLines)},
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

// arguments are the arguments of a console.
type arguments struct {
	VM    *virtualization.VMView
	Lines []string
}

// guest is a console in use at a virtual machine.
type guest struct {
	box
	name    string
	line    string
	output  []string
	changes []uint64
}

func (g *guest) print(format string, values ...any) {
	g.output = append(g.output, fmt.Sprintf(format, values...))
}

// do applies an Operation, with the line as its title.
func (g *guest) do(o driver.Operation) error {
	sequence, err := g.apply(driver.Plan{Title: g.name + ": " + g.line, Operations: []driver.Operation{o}})
	if err != nil {
		var failure *driver.OperationError
		if errors.As(err, &failure) && failure.Unwrap() != nil {
			err = failure.Unwrap()
		}
		return err
	}
	g.changes = append(g.changes, sequence)
	return nil
}

// runLines runs lines in a machine. at is the line that failed.
func runLines(ctx context.Context, b box, name string, lines []string) (rows []lineRow, at int, err error) {
	rows = []lineRow{}
	for at, line := range lines {
		if err := ctx.Err(); err != nil {
			return nil, at, err
		}
		g := &guest{box: b, name: name, line: strings.TrimSpace(line)}
		if err := g.run(); err != nil {
			return nil, at, err
		}
		rows = append(rows, lineRow{g.line, g.output, g.changes})
	}
	return rows, 0, nil
}

// console runs lines in a machine: first on a copy of the host, so that no line is applied if one is refused.
func console(c *exec.Call, in *arguments) (exec.Answer, error) {
	if _, err := tryLines(c, in); err != nil {
		return exec.Answer{}, fmt.Errorf("%w; no line was applied", err)
	}
	rows, at, err := runLines(c.Ctx, live{c}, in.VM.Name, in.Lines)
	if err != nil {
		return exec.Answer{}, fmt.Errorf("line %d of the console failed; the lines before it were applied: %w", at+1, err)
	}
	return transcript(rows), nil
}

// tryLines runs lines on a copy, so that nothing changes.
func tryLines(c *exec.Call, in *arguments) (exec.Answer, error) {
	copied, err := c.CopyHost()
	if err != nil {
		return exec.Answer{}, err
	}
	rows, at, err := runLines(c.Ctx, trial{copied}, in.VM.Name, in.Lines)
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
				lines = append(append(lines, `C:\> `+rows[i].Line), rows[i].Output...)
			}
			_, err := io.WriteString(w, exec.CleanLines(lines))
			return err
		},
	}
}
