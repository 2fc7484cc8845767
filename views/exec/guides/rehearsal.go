package guides

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"cxdeck/driver"
	"cxdeck/driver/guide"
	"cxdeck/driver/script"
	"cxdeck/driver/wording"
	"cxdeck/perf/lab"
	"cxdeck/views/exec"
	"cxdeck/views/exec/hosts"
)

// rehearsal is a guide that was carried out to its end on a copy of the host, so that a runbook has the commands of a real host for
// each step, also for steps that are still to do.
type rehearsal struct {
	// steps are the steps that were carried out, by their index in the guide.
	steps map[int]Done
	// answers are the answers, with the ones that steps gave.
	answers guide.Answers
	// undo are the commands that undo them, the newest change first, undoByHand what has no command.
	undo, undoByHand []string
	// stopped is the reason why the copy did not reach the end; nil if it did.
	stopped error
}

// rehearse carries out the steps that are left on a copy of the host, and undoes the guide there. Neither host nor progress change.
func (c *Course) rehearse(ctx context.Context) (rehearsal, error) {
	var copied *driver.Host
	if err := c.Host.ReadHost(ctx, func(h *driver.Host) error { copied = h.Clone(); return nil }); err != nil {
		return rehearsal{}, err
	}
	source, err := lab.New(copied)
	if err != nil {
		return rehearsal{}, fmt.Errorf("rehearsing the guide: %w", err)
	}
	runner := exec.Runner{ // a new one: the course's runner has opened the real host
		Table: c.Runner.Table, Drafts: exec.NewDraftStore(), Files: &scratchFiles{files: c.Runner.Files, written: map[string][]byte{}},
		LabText: c.Runner.LabText, Version: c.Runner.Version, InBytes: c.Runner.InBytes, Zone: c.Runner.Zone,
	}
	trial := &Course{
		Guide: c.Guide, Runner: &runner, Host: hosts.OnLab(source, nil, nil), Forms: c.Forms, all: all{},
		Progress: &Progress{Began: c.Progress.Began, Answers: maps.Clone(c.Progress.Answers), Done: slices.Clone(c.Progress.Done)},
	}
	r := rehearsal{steps: map[int]Done{}}
	if len(c.Progress.Done) == 0 {
		_, _ = trial.Meet(ctx) // a step says what is still missing
	}
	r.stopped, r.answers = trial.restByHand(ctx), trial.Progress.Answers
	for _, done := range trial.Progress.Done {
		r.steps[done.Step] = done
	}
	if c.Guide.NoUndo == "" {
		r.undo, r.undoByHand, err = trial.undoCommands(ctx)
	}
	return r, err
}

// restByHand carries out the steps that are left; steps that only the operator can do count as done.
func (c *Course) restByHand(ctx context.Context) error {
	for {
		at, more := c.Progress.next(c.Guide)
		if !more {
			return nil
		}
		err := c.Step(ctx, at)
		if _, hand := errors.AsType[*HandError](err); hand {
			err = c.Tick(ctx, at)
		}
		if err != nil {
			return err
		}
	}
}

// realStep is a step as a real host has it.
type realStep struct {
	// at is its index in the guide.
	at int
	// place is where its lines are typed, when that is not the host: "At the switch".
	place string
	// lines are the commands. own are lines of the console that a real host has no command for, hand what is done by hand there.
	lines, own, hand []string
}

// consoles are the commands that type lines into other machines: the number of arguments before the lines, and the place.
var consoles = map[string]struct {
	before int
	place  string
}{"switch console": {1, "At the switch"}, "linux console": {0, "On the Linux host"}, "vm console": {1, "In the virtual machine"}}

// realSteps returns the steps that apply, with the commands of the rehearsal.
func (c *Course) realSteps(r *rehearsal) (steps []realStep) {
	for i := range c.Guide.Steps {
		s := &c.Guide.Steps[i]
		if !r.answers.Applies(s.When) {
			continue
		}
		ran := r.steps[i].Lines
		for n := len(ran); s.Kind != guide.Plan && n < len(s.Run); n++ { // the copy did not reach it
			ran = append(ran, Ran{Line: r.answers.Fill(s.Run[n])})
		}
		step := realStep{at: i}
		for _, line := range ran {
			step.add(c.Runner.Table, line, s.Kind == guide.Outside)
		}
		steps = append(steps, step)
	}
	return steps
}

// add adds a line. What the lab does for a step outside the host is left out, except for what is typed at another machine.
func (s *realStep) add(table *exec.Table, line Ran, outside bool) {
	words, err := table.Split(line.Line)
	if err == nil && len(words) > 2 {
		if console, ok := consoles[words[0]+" "+words[1]]; ok {
			s.place = console.place
			s.lines = append(s.lines, words[min(2+console.before, len(words)):]...)
			return
		}
	}
	if outside {
		return
	}
	if lines := line.real(table); len(lines) > 0 {
		s.lines = append(s.lines, lines...)
		return
	}
	if err != nil || line.sentence || table.Unknown(words) != nil {
		s.hand = append(s.hand, line.Line)
		return
	}
	s.own = append(s.own, line.Line)
}

// undoCommands undoes the guide and returns the commands for it, and descriptions of what has no command.
func (c *Course) undoCommands(ctx context.Context) (commands, byHand []string, err error) {
	last, err := c.lastChange(ctx)
	if err != nil {
		return nil, nil, err
	}
	_, _ = c.Undo(ctx) // the commands up to the change that can't be undone, if there is such a change
	return c.commandsSince(ctx, last)
}

// lastChange returns the sequence number of the newest change of the host; 0 if it has no change.
func (c *Course) lastChange(ctx context.Context) (sequence uint64, err error) {
	err = c.Host.ReadHost(ctx, func(h *driver.Host) error {
		sequence = h.LastChange()
		return nil
	})
	return sequence, err
}

// commandsSince returns the commands of a real host for the changes after a sequence number, and descriptions of Operations without a
// command.
func (c *Course) commandsSince(ctx context.Context, sequence uint64) (commands, byHand []string, err error) {
	err = c.Host.ReadHost(ctx, func(h *driver.Host) error {
		for _, entry := range h.Journal() {
			if entry.Sequence > sequence && entry.Err == "" {
				row := exec.EntryOf(&entry)
				commands = append(commands, row.Commands...)
				for _, o := range entry.Plan.Operations {
					if len(h.Commands(o)) == 0 {
						byHand = append(byHand, wording.UpperFirst(o.Describe()))
					}
				}
			}
		}
		return nil
	})
	return commands, byHand, err
}

// scratchFiles reads files as the runner does, and keeps in memory what is written.
type scratchFiles struct {
	files   exec.Files
	written map[string][]byte
}

// Read returns what was written, or else the file.
func (f *scratchFiles) Read(path string, limit int64) ([]byte, error) {
	if data, ok := f.written[path]; ok {
		return data, nil
	}
	if f.files == nil {
		return nil, exec.ErrNoFiles
	}
	return f.files.Read(path, limit)
}

// Write keeps files.
func (f *scratchFiles) Write(files []script.File, _ bool) error {
	for _, file := range files {
		f.written[file.Path] = file.Data
	}
	return nil
}

// Stream keeps a file.
func (f *scratchFiles) Stream(path string, _ bool, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	f.written[path] = b.Bytes()
	return nil
}

// Folder returns the name: the folder exists only in memory.
func (*scratchFiles) Folder(name string) (string, error) { return name, nil }
