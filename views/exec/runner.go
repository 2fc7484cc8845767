package exec

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"cxdeck/driver/request"
	"cxdeck/ui/widget"
	"cxdeck/views/exec/shell"
	"cxdeck/views/exec/syntax"
)

// Status is the result of a command, and its exit code.
type Status int

// Exit codes: NotUnderstood is a usage error.
const (
	Done          Status = 0
	Failed        Status = 1
	NotUnderstood Status = 2
)

// SchemaVersion is the version of the JSON documents. It is incremented for incompatible changes.
const SchemaVersion = 1

// maxScriptLines is the maximum number of lines of a script.
const maxScriptLines = 100_000

// Runner runs commands on a host.
type Runner struct {
	Table *Table
	// Open returns the host; it is called by the first command that needs the host. If another process owns the host, it
	// returns nil and sets Elsewhere.
	Open func(context.Context) (Host, error)
	// Elsewhere runs a command in the process that owns the host, and prints its answer; place is put before an error message.
	// After ErrOwnerEnded, Open is called again. It is nil while this process owns the host.
	Elsewhere func(ctx context.Context, words []string, place string) (Status, error)
	// Drafts keeps the draft and the profiles; with nil they are kept for this run only. Open may set it.
	Drafts DraftStore
	// Files reads and writes files; with nil, commands that need files fail.
	Files Files
	// LabText is the text of the lab file.
	LabText []byte
	// JSON writes a document for each command, on a line of its own, instead of text.
	JSON bool
	// KeepGoing continues a script after a line that failed.
	KeepGoing bool
	// ReadOnly refuses commands that change the host.
	ReadOnly bool
	// ReadOnlyWhy is the reason for ReadOnly, with advice; it is empty for --read-only.
	ReadOnlyWhy string
	// Unwritable is the error of commands that change the host, if the host can't be saved; Open sets it.
	Unwritable error
	// Changing is true for Open of a command that changes the host, or may do so as a line of a script.
	Changing bool
	// Version is the version of the program, for reports.
	Version string
	// InBytes shows rates in bytes per second instead of bits.
	InBytes bool
	// Zone is the time zone of times in text; nil is UTC. JSON always has UTC.
	Zone *time.Location
	// Out gets the answers, Err a sentence for each command that failed.
	Out, Err io.Writer
	// Ask reads the answer to a printed question; it is empty if none was typed. Ask is nil without a terminal.
	Ask func(ctx context.Context) string
	// Input returns the next line for a command that reads lines, such as switch console; ok is false at the end. It is nil
	// where there are none. The lines of a script come from the script.
	Input func() (line string, ok bool)
	// Log is called with each command and its status; it may be nil.
	Log func(line string, status Status)

	// Session has the variables of PowerShell that earlier lines have set; nil for none. Scripts of this run add theirs.
	Session *shell.Session

	// changes reports that the script that is about to run changes the host.
	changes bool
	host    Host
}

// document is the JSON document of a command.
type document struct {
	Schema  int    `json:"schema"`
	Command string `json:"command"`
	Status  Status `json:"status"`
	Error   string `json:"error,omitempty"`
	Result  any    `json:"result,omitempty"`
	// Notes lists parts of the request that the versions of Windows, driver or firmware do not support.
	Notes []string `json:"notes,omitempty"`
}

// errInterrupted ends a run. Completed changes are kept, and host time that has passed is not turned back.
var errInterrupted = errors.New("interrupted; completed changes are kept")

// Call is one run of a command.
type Call struct {
	Ctx       context.Context
	Runner    *Runner
	Command   *Command
	Host      Host
	Arguments []string
	Flags     map[string]string
	// WhatIf reports that plans are applied only to a copy of the host.
	WhatIf bool
	// notes are sentences that are printed after the answer; see Note.
	notes []string
}

// ErrOwnerEnded reports that the process that owned the host ended before it ran the command.
var ErrOwnerEnded = errors.New("the owner of the host has ended")

// Run runs one command.
func (r *Runner) Run(ctx context.Context, words []string) Status {
	return r.RunAt(ctx, words, "")
}

// RunAt runs one command, or lines of PowerShell; place, such as "line 3: ", is put before an error message of a command.
func (r *Runner) RunAt(ctx context.Context, words []string, place string) Status {
	if r.Table.NeedsShell(words) {
		return r.runShell(ctx, ShellText(words), 1)
	}
	return r.runCommand(ctx, words, place)
}

// runCommand runs one command.
func (r *Runner) runCommand(ctx context.Context, words []string, place string) Status {
	name, answer, err := r.answer(ctx, words, place)
	status := statusOf(err)
	if err == nil && answer.Failed {
		status = max(Failed, answer.Exit)
	}
	if answer.printed {
		status = answer.status
	}
	if r.Log != nil {
		r.Log(syntax.Join(words), status)
	}
	if answer.printed {
		return status
	}
	if err == nil {
		if r.print(name, status, &answer) != nil {
			return max(status, Failed) // the caller, who owns the output, reports the error
		}
		return status
	}
	if r.JSON {
		d := document{Schema: SchemaVersion, Command: name, Status: status, Error: Sentence(place + err.Error())}
		encoder := json.NewEncoder(r.Out)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(d); err != nil {
			return max(status, Failed)
		}
	}
	fmt.Fprintln(r.Err, "cxdeck: "+Sentence(place+err.Error())) //nolint:errcheck // there is no other output
	return status
}

// print prints the answer of a command, as text or as a JSON document.
func (r *Runner) print(name string, status Status, answer *Answer) error {
	if r.JSON {
		encoder := json.NewEncoder(r.Out)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(document{Schema: SchemaVersion, Command: name, Status: status, Result: answer.Result, Notes: answer.notes})
	}
	if answer.Text == nil {
		return nil
	}
	if err := answer.Text(r.Out); err != nil {
		return err
	}
	return answer.writeNotes(r.Out)
}

func statusOf(err error) Status {
	var mistake *MistakeError
	switch {
	case err == nil:
		return Done
	case errors.As(err, &mistake):
		return NotUnderstood
	default:
		return Failed
	}
}

// answer finds the command whose name begins words, and runs it. name is the first word if there is no such command.
func (r *Runner) answer(ctx context.Context, words []string, place string) (name string, answer Answer, err error) {
	if len(words) == 0 {
		return "", answer, Mistake("a command is required; help lists them")
	}
	command, rest, err := r.Table.find(words)
	if err != nil {
		return words[0], answer, err
	}
	arguments, flags, err := command.read(rest)
	if err != nil {
		return command.Name, answer, err
	}
	if command.Reads != nil && len(arguments) == command.Min && r.Input != nil {
		lines, err := r.readLines(command)
		if err != nil {
			return command.Name, answer, err
		}
		arguments, words = append(arguments, lines...), append(append(slices.Clone(words), "--"), lines...)
	}
	if command.Changes && r.ReadOnly {
		return command.Name, answer, r.refusesChanges(command.Name)
	}
	if !command.NoHost {
		if answer, err = r.reachHost(ctx, words, place); err != nil || answer.printed {
			return command.Name, answer, err
		}
	}
	if command.Changes && r.Unwritable != nil {
		return command.Name, answer, r.Unwritable
	}
	if r.Drafts == nil && !command.NoHost {
		r.Drafts = NewDraftStore()
	}
	c := &Call{Ctx: ctx, Runner: r, Command: command, Host: r.host, Arguments: arguments, Flags: flags}
	if !command.NoHost {
		if err = c.CheckProduct(command.family.Product, command.Name, false); err == nil {
			err = c.checkLimits(command, arguments)
		}
	}
	if err == nil {
		answer, err = command.Run(c)
		answer.notes = c.notes
	}
	if errors.Is(err, context.Canceled) {
		err = errInterrupted
	}
	if already, ok := err.(*request.UnchangedError); ok { //nolint:errorlint // a wrapped one is the failure of a plan
		answer, err = NothingChanges(command.Name, []string{already.Why}), nil
	}
	return command.Name, answer, err
}

// readLines reads the lines of a command from the input.
func (r *Runner) readLines(command *Command) (lines []string, err error) {
	last := command.Reads()
	for line, ok := r.Input(); ok; line, ok = r.Input() {
		switch {
		case len(line) > syntax.MaxLineBytes:
			return nil, Mistake("a line for %s is too long: it may have %d bytes", command.Name, syntax.MaxLineBytes)
		case len(lines) == command.Max-command.Min:
			return nil, Mistake("%s takes at most %d lines", command.Name, command.Max-command.Min)
		}
		lines = append(lines, line)
		if last(line) {
			break
		}
	}
	return lines, nil
}

// reachHost opens the host. If another process owns it, that process runs the command, and the returned Answer is printed.
func (r *Runner) reachHost(ctx context.Context, words []string, place string) (answer Answer, err error) {
	for r.host == nil {
		if r.Elsewhere == nil {
			if found, ok := r.Table.Find(words); ok {
				r.Changing = found.Changes || place != "" || r.changes
			}
			r.host, err = r.Open(ctx)
			if errors.Is(err, context.Canceled) {
				return answer, errInterrupted
			}
			if err != nil {
				return answer, err
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
			return answer, errInterrupted
		case err != nil:
			return answer, err
		default:
			return Answer{printed: true, status: status}, nil
		}
	}
	return answer, nil
}

// Script runs the lines of a script until one fails, or with KeepGoing all of them. It returns the highest status.
func (r *Runner) Script(ctx context.Context, script io.Reader) Status {
	if text, ok := readWhole(script); ok {
		if !r.KeepGoing && slices.ContainsFunc(strings.Split(text, "\n"), r.Table.needsShell) {
			return r.runShell(ctx, text, 1)
		}
		script = strings.NewReader(text)
	}
	lines := bufio.NewReaderSize(script, syntax.MaxLineBytes+2) // with the line end
	highest := Done
	number := 1
	input := r.Input
	defer func() { r.Input = input }()
	r.Input = func() (line string, ok bool) {
		if line, ok = NextLine(lines); !ok && input != nil {
			return input()
		}
		number++
		return line, ok
	}
	for ; ; number++ {
		place := fmt.Sprintf("line %d: ", number)
		line, err := nextLine(lines)
		switch {
		case errors.Is(err, io.EOF):
			return highest
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return max(highest, r.reportError("", fmt.Errorf("the script can't be read: %w", err)))
		case ctx.Err() != nil:
			return max(highest, r.reportError(place, errInterrupted))
		case number > maxScriptLines:
			return max(highest, r.reportError(place, Mistake("a script can have at most %d lines", maxScriptLines)))
		}
		if number == 1 {
			line = strings.TrimPrefix(line, "\ufeff") // byte order mark of Windows editors
		}
		started := number
		for head, more := syntax.SplitContinuation(line); more && err == nil && len(line) <= syntax.MaxLineBytes; head, more = syntax.SplitContinuation(line) {
			var next string
			if next, err = nextLine(lines); err != nil && errors.Is(err, io.EOF) {
				line = head
				break
			}
			line = head + next
			number++
		}
		if r.Table.needsShell(line) {
			rest, err := readRest(lines)
			if err != nil {
				return max(highest, r.reportError(place, err))
			}
			return max(highest, r.runShell(ctx, line+strings.Repeat("\n", number-started+1)+rest, started))
		}
		status := Done
		words, err := r.Table.Split(line)
		if err != nil {
			status = r.reportError(place, &MistakeError{err.Error()})
		} else if len(words) > 0 {
			status = r.runCommand(ctx, words, place)
		}
		highest = max(highest, status)
		if status != Done && !r.KeepGoing {
			return highest
		}
	}
}

// readWhole reads a script that is a file or a text, which has an end; ok is false for one that arrives line by line, or is too long.
func readWhole(script io.Reader) (text string, ok bool) {
	file, ok := script.(io.ReadSeeker)
	if !ok {
		return "", false
	}
	start, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return "", false
	}
	data, err := io.ReadAll(io.LimitReader(file, shell.MaxBytes+1))
	if err == nil && len(data) <= shell.MaxBytes {
		return string(data), true
	}
	_, _ = file.Seek(start, io.SeekStart) // the script is read line by line
	return "", false
}

// readRest returns the further lines of a script, which is read as a whole.
func readRest(lines *bufio.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(lines, shell.MaxBytes+1))
	if err != nil {
		return "", fmt.Errorf("the script can't be read: %w", err)
	}
	return string(text), nil
}

// maxSkipped is the maximum number of bytes to skip at the end of a line that is too long.
const maxSkipped = 4 << 20

var errEndless = errors.New("a line is too long; give a text file")

// nextLine returns the next line of a script without its line end, which the last line may lack. Of a line that is too long it
// returns enough for Split to refuse it, with bufio.ErrBufferFull.
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

// NextLine returns the next line for a command that reads lines; ok is false at the end. A line that is too long is cut behind
// the limit, so that it is refused.
func NextLine(lines *bufio.Reader) (line string, ok bool) {
	line, err := nextLine(lines)
	return line, err == nil || errors.Is(err, bufio.ErrBufferFull)
}

// WriteDocument writes the answer of a command as a JSON document.
func WriteDocument(w io.Writer, command string, a *Answer) error {
	d := document{Schema: SchemaVersion, Command: command, Result: a.Result, Notes: a.notes}
	if a.Failed {
		d.Status = max(a.Exit, Failed)
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(d)
}

// reportError reports an error that does not belong to a command.
func (r *Runner) reportError(place string, err error) Status {
	status := statusOf(err)
	if r.JSON {
		d := document{Schema: SchemaVersion, Status: status, Error: Sentence(place + err.Error())}
		_ = json.NewEncoder(r.Out).Encode(d) // Err gets the sentence
	}
	fmt.Fprintln(r.Err, "cxdeck: "+Sentence(place+err.Error())) //nolint:errcheck // there is no other output
	return status
}

// The maximum numbers of characters of an error message and of a cell of a table, both of which may quote long input.
const (
	maxSentence = 600
	maxCell     = 2000
)

// cutMiddle returns a text without its middle if it has more characters than maximum.
func cutMiddle(sentence string, maximum int) string {
	if len(sentence) <= maximum {
		return sentence
	}
	text := []rune(sentence)
	if len(text) <= maximum {
		return sentence
	}
	half := maximum / 2
	return string(text[:half]) + " ... " + string(text[len(text)-half:])
}

// Sentence returns an error message as one line without control characters, with shortened quoted names, and without its
// middle if it is still longer than maxSentence.
func Sentence(text string) string { return cutMiddle(widget.CutQuoted(Clean(text)), maxSentence) }

// Clean returns a text from outside as one line, without control characters and other characters of width 0.
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
