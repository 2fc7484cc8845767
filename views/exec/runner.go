package exec

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"cxdeck/driver/request"
	"cxdeck/ui/widget"
)

// Status is how a command ended; as a number it is the exit code.
type Status int

// The statuses.
const (
	Done          Status = 0
	Failed        Status = 1
	NotUnderstood Status = 2
)

// SchemaVersion is the version of the JSON documents. It rises with an incompatible change.
const SchemaVersion = 1

// maxScriptLines bounds a script.
const maxScriptLines = 100_000

// Runner runs commands on a host.
type Runner struct {
	// Table has the commands.
	Table *Table
	// Open returns the host; it is called when the first command needs it. When another process owns the host it returns
	// none and sets Elsewhere.
	Open func(context.Context) (Host, error)
	// Elsewhere runs a command in the process that owns the host, which prints what it says; place precedes the
	// sentence about a failure. ErrOwnerEnded asks for another Open. nil while this process owns the host.
	Elsewhere func(ctx context.Context, words []string, place string) (Status, error)
	// Shelf keeps the draft and the profiles; nil is one for this run alone. Open may set it.
	Shelf Shelf
	// Files are the files that commands read and write; nil has none.
	Files Files
	// LabText is the lab's description as it was written.
	LabText []byte
	// JSON writes a document for each command, on a line of its own, instead of text.
	JSON bool
	// KeepGoing continues with the next line of a script when one failed.
	KeepGoing bool
	// ReadOnly refuses commands that change the host.
	ReadOnly bool
	// ReadOnlyWhy is the reason why it does and what to do, when it is not the operator's --read-only.
	ReadOnlyWhy string
	// Unwritable refuses commands that change the host, because nothing of it could be kept; Open sets it.
	Unwritable error
	// Changing says, for Open, that the command or one of the script that it comes from may change the host.
	Changing bool
	// InBytes shows rates in bytes per second instead of bits.
	InBytes bool
	// Zone is whose clock text shows; nil is UTC. JSON is in UTC always.
	Zone *time.Location
	// Out takes what commands say, Err a sentence for each that failed.
	Out, Err io.Writer
	// Ask reads the answer to a printed question; it is empty when none came. nil in a run without a terminal.
	Ask func(ctx context.Context) string
	// Log is called with each command and how it ended; may be nil.
	Log func(line string, status Status)

	// NIC is the connection that $NIC represents.
	NIC string

	host Host
}

// document is the JSON document of a command.
type document struct {
	Schema  int    `json:"schema"`
	Command string `json:"command"`
	Status  Status `json:"status"`
	Error   string `json:"error,omitempty"`
	Result  any    `json:"result,omitempty"`
	// Notes are what versions of Windows, driver or firmware do not allow of it.
	Notes []string `json:"notes,omitempty"`
}

// errInterrupted ends a run. What was done until then stays done, and time that has passed stays passed.
var errInterrupted = errors.New("interrupted; completed changes are kept")

// Call is one run of a command.
type Call struct {
	Ctx       context.Context
	Runner    *Runner
	Command   *Command
	Host      Host
	Arguments []string
	Flags     map[string]string
	// whatIf reports that a plan is tried on a copy of the host alone.
	WhatIf bool
	// notes are sentences that go with the answer: requirements of the request that versions don't meet.
	notes []string
}

// ErrOwnerEnded is an owner of the host that ended before it ran a command.
var ErrOwnerEnded = errors.New("the owner of the host has ended")

// Run runs one command.
func (r *Runner) Run(ctx context.Context, words []string) Status {
	return r.RunAt(ctx, words, "")
}

// RunAt runs one command; place precedes the sentence about a failure.
func (r *Runner) RunAt(ctx context.Context, words []string, place string) Status {
	name, said, err := r.answer(ctx, words, place)
	status := statusOf(err)
	if said.printed {
		status = said.status
	}
	if r.Log != nil {
		r.Log(Join(words), status)
	}
	if said.printed {
		return status
	}
	if r.JSON {
		d := document{Schema: SchemaVersion, Command: name, Status: status}
		if err != nil {
			d.Error = shorten(place + err.Error())
		} else {
			d.Result, d.Notes = said.Result, said.notes
		}
		encoder := json.NewEncoder(r.Out)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(d); err != nil {
			return max(status, Failed)
		}
	} else if err == nil && said.Text != nil {
		if said.Text(r.Out) != nil || said.writeNotes(r.Out) != nil {
			return Failed // the owner of the output says why
		}
	}
	if err != nil {
		fmt.Fprintln(r.Err, "cxdeck: "+shorten(place+err.Error())) //nolint:errcheck // there is no other output
	}
	return status
}

func statusOf(err error) Status {
	var wrong *MistakeError
	switch {
	case err == nil:
		return Done
	case errors.As(err, &wrong):
		return NotUnderstood
	default:
		return Failed
	}
}

// answer finds the command that words begin with and does it. The name is as far as it was understood.
func (r *Runner) answer(ctx context.Context, words []string, place string) (name string, said Answer, err error) {
	if len(words) == 0 {
		return "", said, Mistake("a command is required; help lists them")
	}
	command, rest, err := r.Table.find(words)
	if err != nil {
		return words[0], said, err
	}
	arguments, flags, err := command.read(rest)
	if err != nil {
		return command.Name, said, err
	}
	if command.Changes && r.ReadOnly {
		why := "omit --read-only to do it"
		if r.ReadOnlyWhy != "" {
			why = r.ReadOnlyWhy
		}
		return command.Name, said, fmt.Errorf("read-only mode is on, and %s would change the host; %s", command.Name, why)
	}
	if !command.NoHost {
		if said, err = r.reach(ctx, words, place); err != nil || said.printed {
			return command.Name, said, err
		}
	}
	if command.Changes && r.Unwritable != nil {
		return command.Name, said, r.Unwritable
	}
	if r.Shelf == nil && !command.NoHost {
		r.Shelf = NewShelf()
	}
	c := &Call{Ctx: ctx, Runner: r, Command: command, Host: r.host, Arguments: arguments, Flags: flags}
	if !command.NoHost {
		err = c.limited(command, arguments)
	}
	if err == nil {
		said, err = command.Run(c)
		said.notes = c.notes
	}
	if errors.Is(err, context.Canceled) {
		err = errInterrupted
	}
	if already, ok := err.(*request.UnchangedError); ok { //nolint:errorlint // a plan with such a step is not applied, and an error
		said, err = NothingChanges(command.Name, []string{already.Why}), nil
	}
	return command.Name, said, err
}

// reach gets the host; where another process owns it, that runs the command, and the answer is printed.
func (r *Runner) reach(ctx context.Context, words []string, place string) (said Answer, err error) {
	for r.host == nil {
		if r.Elsewhere == nil {
			if found, ok := r.Table.Find(words); ok {
				r.Changing = found.Changes || place != ""
			}
			r.host, err = r.Open(ctx)
			if errors.Is(err, context.Canceled) {
				return said, errInterrupted
			}
			if err != nil {
				return said, err
			}
		}
		if r.host != nil {
			break
		}
		status, err := r.Elsewhere(ctx, words, place)
		switch {
		case errors.Is(err, ErrOwnerEnded):
			r.Elsewhere = nil
		case errors.Is(err, context.Canceled):
			return said, errInterrupted
		case err != nil:
			return said, err
		default:
			return Answer{printed: true, status: status}, nil
		}
	}
	return said, nil
}

// Script runs the lines of a script until one fails, or all of them when the runner keeps going. The status is the
// worst of all.
func (r *Runner) Script(ctx context.Context, script io.Reader) Status {
	lines := bufio.NewReaderSize(script, maxLineBytes+2) // with the end of the line
	worst := Done
	for number := 1; ; number++ {
		place := fmt.Sprintf("line %d: ", number)
		line, err := nextLine(lines)
		switch {
		case errors.Is(err, io.EOF):
			return worst
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return max(worst, r.complain("", fmt.Errorf("the script can't be read: %w", err)))
		case ctx.Err() != nil:
			return max(worst, r.complain(place, errInterrupted))
		case number > maxScriptLines:
			return max(worst, r.complain(place, Mistake("a script can have at most %d lines", maxScriptLines)))
		}
		if number == 1 {
			line = strings.TrimPrefix(line, "\ufeff") // which editors of Windows put there
		}
		for head, more := splitContinuation(line); more && err == nil && len(line) <= maxLineBytes; head, more = splitContinuation(line) {
			var next string
			if next, err = nextLine(lines); err != nil && errors.Is(err, io.EOF) {
				line = head
				break
			}
			line = head + next
			number++
		}
		status := Done
		words, err := r.Table.Split(line)
		if err != nil {
			status = r.complain(place, &MistakeError{err.Error()})
		} else if len(words) > 0 {
			status = r.RunAt(ctx, words, place)
		}
		worst = max(worst, status)
		if status != Done && !r.KeepGoing {
			return worst
		}
	}
}

// maxSkipped is how many bytes of a line that is too long are passed over.
const maxSkipped = 4 << 20

var errEndless = errors.New("a line is too long; give a text file")

// nextLine returns the next line of a script without its end, or so much of one that is too long that Split refuses it; then
// the error is bufio.ErrBufferFull. The last line may have no end.
func nextLine(lines *bufio.Reader) (string, error) {
	part, err := lines.ReadSlice('\n')
	line := strings.TrimSuffix(strings.TrimSuffix(string(part), "\n"), "\r")
	if errors.Is(err, io.EOF) && line != "" {
		return line, nil
	}
	skipped := len(part)
	for rest := err; errors.Is(rest, bufio.ErrBufferFull); skipped += len(part) {
		if skipped > maxSkipped {
			return line, errEndless
		}
		part, rest = lines.ReadSlice('\n')
	}
	return line, err
}

// complain reports what no command could.
func (r *Runner) complain(place string, err error) Status {
	status := statusOf(err)
	if r.JSON {
		d := document{Schema: SchemaVersion, Status: status, Error: shorten(place + err.Error())}
		_ = json.NewEncoder(r.Out).Encode(d) // the sentence follows
	}
	fmt.Fprintln(r.Err, "cxdeck: "+shorten(place+err.Error())) //nolint:errcheck // there is no other output
	return status
}

// maxSentence is how many characters a sentence may have that quotes what was typed.
const maxSentence = 600

// shorten returns a sentence for the operator: without control characters, with short names, and without its middle when it
// is still too long.
func shorten(sentence string) string {
	text := []rune(Sentence(sentence))
	if len(text) <= maxSentence {
		return string(text)
	}
	const end = maxSentence / 2
	return string(text[:end]) + " ... " + string(text[len(text)-end:])
}

// Sentence returns one line of a text from outside, with the names that it quotes shortened.
func Sentence(text string) string { return widget.CutQuoted(Clean(text)) }

// Clean makes one line of a text from outside: without what would move the cursor.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case widget.RuneWidth(r) == 0:
			return -1
		}
		return r
	}, text)
}
