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

// SchemaVersion is that of the JSON documents. It rises when a reader of the documents would have to change.
const SchemaVersion = 1

// mostLines bounds a script.
const mostLines = 100_000

// Runner runs commands on a host.
type Runner struct {
	// Open gives the host; it is called when the first command needs it.
	Open func(context.Context) (Host, error)
	// LabText is the lab's description as it was written.
	LabText []byte
	// JSON writes a document for each command, on a line of its own, instead of text.
	JSON bool
	// KeepGoing goes on with the next line of a script when one failed.
	KeepGoing bool
	// ReadOnly refuses commands that change the host.
	ReadOnly bool
	// InBytes shows rates in bytes a second instead of bits.
	InBytes bool
	// Zone is whose clock text shows; nil is UTC. JSON is in UTC always.
	Zone *time.Location
	// Out takes what commands say, Err a sentence for each that failed.
	Out, Err io.Writer
	// Log is told of each command and how it ended; may be nil.
	Log func(line string, status Status)

	host Host
}

// document is what a command says to a program.
type document struct {
	Schema  int    `json:"schema"`
	Command string `json:"command"`
	Status  Status `json:"status"`
	Error   string `json:"error,omitempty"`
	Result  any    `json:"result,omitempty"`
}

// call is one run of a command.
type call struct {
	ctx       context.Context
	runner    *Runner
	host      Host
	arguments []string
	flags     map[string]string
}

// Run runs one command.
func (r *Runner) Run(ctx context.Context, words []string) Status {
	return r.run(ctx, words, "")
}

// run runs one command; place stands before the sentence about a failure.
func (r *Runner) run(ctx context.Context, words []string, place string) Status {
	name, said, err := r.answer(ctx, words)
	status := statusOf(err)
	if r.Log != nil {
		r.Log(Join(words), status)
	}
	if r.JSON {
		d := document{Schema: SchemaVersion, Command: name, Status: status}
		if err != nil {
			d.Error = Clean(place + err.Error())
		} else {
			d.Result = said.result
		}
		encoder := json.NewEncoder(r.Out)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(d); err != nil {
			return max(status, Failed)
		}
	} else if err == nil && said.text != nil {
		if err = said.text(r.Out); err != nil {
			status = Failed
		}
	}
	if err != nil {
		fmt.Fprintln(r.Err, "cxdeck: "+Clean(place+err.Error())) //nolint:errcheck // there is nobody left to tell
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
func (r *Runner) answer(ctx context.Context, words []string) (name string, said answer, err error) {
	if len(words) == 0 {
		return "", said, mistake("there is no command; help lists all")
	}
	command, rest, err := find(words)
	if err != nil {
		return words[0], said, err
	}
	arguments, flags, err := command.read(rest)
	if err != nil {
		return command.Name, said, err
	}
	if command.Changes && r.ReadOnly {
		return command.Name, said, fmt.Errorf("read-only mode is on, and %s would change the host; leave --read-only out to do it", command.Name)
	}
	if r.host == nil && !command.hostless {
		if r.host, err = r.Open(ctx); err != nil {
			return command.Name, said, err
		}
	}
	said, err = command.run(&call{ctx: ctx, runner: r, host: r.host, arguments: arguments, flags: flags})
	return command.Name, said, err
}

// Script runs the lines of a script until one fails, or all of them when the runner keeps going. The status is the worst
// of all.
func (r *Runner) Script(ctx context.Context, script io.Reader) Status {
	lines := bufio.NewScanner(script)
	lines.Buffer(make([]byte, 4096), longestLine+2)
	worst := Done
	for number := 1; lines.Scan(); number++ {
		place := fmt.Sprintf("line %d: ", number)
		if number > mostLines {
			return r.complain(place, mistake("a script has at most %d lines", mostLines))
		}
		words, err := Split(strings.TrimSuffix(lines.Text(), "\r"))
		status := Done
		switch {
		case ctx.Err() != nil:
			return r.complain(place, errors.New("interrupted"))
		case err != nil:
			status = r.complain(place, &MistakeError{err.Error()})
		case len(words) > 0:
			status = r.run(ctx, words, place)
		}
		worst = max(worst, status)
		if status != Done && !r.KeepGoing {
			return worst
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return r.complain("", mistake("a line of the script is longer than %d bytes", longestLine))
	} else if err != nil {
		return r.complain("", fmt.Errorf("the script can't be read: %w", err))
	}
	return worst
}

// complain reports what no command could.
func (r *Runner) complain(place string, err error) Status {
	status := statusOf(err)
	if r.JSON {
		d := document{Schema: SchemaVersion, Status: status, Error: Clean(place + err.Error())}
		_ = json.NewEncoder(r.Out).Encode(d) // the sentence follows
	}
	fmt.Fprintln(r.Err, "cxdeck: "+Clean(place+err.Error())) //nolint:errcheck // there is nobody left to tell
	return status
}

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
