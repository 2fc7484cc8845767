package exec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"cxdeck/driver/script"
	"cxdeck/views/exec/shell"
	"cxdeck/views/exec/syntax"
)

// maxUnitLines is the maximum number of lines of a statement of a script that goes on after errors.
const maxUnitLines = 1000

// NeedsShell reports whether words are lines of PowerShell and not one command: they have a pipe, a second statement, a variable or
// a script block.
func (t *Table) NeedsShell(words []string) bool {
	if command, _ := t.Match(words); command != nil && command.Pipes {
		return false
	}
	for i, word := range words {
		if word == syntax.PipeSign || word == ";" || i == 0 && strings.HasPrefix(word, "$") && len(words) > 1 {
			return true
		}
	}
	return len(words) > 0 && strings.EqualFold(TrimExe(words[0]), PowerShell)
}

// ShellText returns words as lines of PowerShell. A shell has removed the quotes of words, so that a word with blanks is quoted, unless
// it is a part of PowerShell itself.
func ShellText(words []string) string {
	if len(words) > 0 && strings.EqualFold(TrimExe(words[0]), PowerShell) {
		words = words[1:]
		for len(words) > 0 && strings.HasPrefix(words[0], "-") {
			name := strings.ToLower(words[0])
			if words = words[1:]; name == "-executionpolicy" && len(words) > 0 {
				words = words[1:]
			}
		}
		if len(words) == 1 {
			return words[0]
		}
	}
	parts := make([]string, len(words))
	for i, word := range words {
		if parts[i] = word; strings.ContainsAny(word, " \t") && !strings.ContainsAny(word[:1], "{}$@(|;'\"") {
			parts[i] = syntax.Quote(word)
		}
	}
	return strings.Join(parts, " ")
}

// Effect is what a script would do. Commands are the names of its commands.
type Effect struct {
	Changes, Interrupts, Asks bool
	Commands                  []string
}

// Examine reads lines of PowerShell without running them.
func (r *Runner) Examine(text string) (Effect, error) {
	s, err := r.parse(&shell.Source{Text: withoutPrompts(text), Line: 1})
	if err != nil {
		return Effect{}, err
	}
	effect := Effect{Changes: s.Changes, Interrupts: s.Interrupts, Asks: s.Asks}
	for _, words := range s.Commands {
		if command, _ := r.Table.Match(words); command != nil {
			effect.Commands = append(effect.Commands, command.Name)
		}
	}
	return effect, nil
}

// withoutPrompts removes prompts from the lines of a script; blanks take their place, so that columns stay. The continuation
// character of cmd becomes the one of PowerShell.
func withoutPrompts(text string) string {
	lines := strings.Split(strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n"), "\n")
	for i, line := range lines {
		plain := syntax.WithoutPrompt(line)
		if first, _, _ := strings.Cut(plain, " "); strings.EqualFold(TrimExe(first), PowerShell) {
			if words, err := syntax.Split(plain); err == nil {
				plain = ShellText(words)
			}
		}
		head, more := syntax.SplitContinuation(plain)
		switch {
		case more && i == len(lines)-1:
			plain = head
		case more:
			plain = head + "`"
		}
		lines[i] = strings.Repeat(" ", max(len([]rune(line))-len([]rune(plain)), 0)) + plain
		if more {
			lines[i] = strings.TrimRight(lines[i], " ")
		}
	}
	return strings.Join(lines, "\n")
}

// parse reads lines of PowerShell.
func (r *Runner) parse(source *shell.Source) (*shell.Script, error) {
	s, err := shell.Parse(source, catalogue{r.Table}, r.Session)
	var refused *shell.Error
	if errors.As(err, &refused) && !refused.Incomplete {
		return nil, &MistakeError{refused.Error()}
	}
	return s, err
}

// runShell runs lines of PowerShell. All of them are read and checked before the first one runs. With KeepGoing each statement is
// read by itself.
func (r *Runner) runShell(ctx context.Context, text string, line int) Status {
	text = withoutPrompts(text)
	if r.KeepGoing {
		return r.runUnits(ctx, text, line)
	}
	status, _ := r.runUnit(ctx, &shell.Source{Text: text, Line: line}, text)
	return status
}

// runUnits runs statements one after the other, also after errors. It returns the highest status.
func (r *Runner) runUnits(ctx context.Context, text string, line int) (highest Status) {
	lines := strings.Split(text, "\n")
	first, input := 0, r.Input
	defer func() { r.Input = input }()
	r.Input = func() (line string, ok bool) {
		if first == len(lines) {
			return "", false
		}
		first++
		return lines[first-1], true
	}
	for first < len(lines) {
		words, plain := (catalogue{r.Table}).Line(lines[first])
		if !plain && !r.Table.needsShell(lines[first]) && !strings.HasSuffix(lines[first], "`") {
			var err error
			words, err = r.Table.Split(lines[first])
			if plain = true; err != nil {
				highest = max(highest, r.reportError(fmt.Sprintf("line %d: ", line+first), &MistakeError{err.Error()}))
			}
		}
		if plain {
			if first++; len(words) > 0 {
				highest = max(highest, r.runCommand(ctx, words, fmt.Sprintf("line %d: ", line+first-1)))
			}
			continue
		}
		end := first + 1
		var status Status
		for ; ; end++ {
			for end < len(lines) && (strings.HasSuffix(lines[end-1], "`") || continuesIf(lines[end])) {
				end++
			}
			unit := shell.Source{Text: strings.Join(lines[first:end], "\n"), Line: line + first, Partial: end < len(lines) && end-first < maxUnitLines}
			var more, handed bool
			if status, more, handed = r.tryUnit(ctx, &unit, strings.Join(lines[first:], "\n")); handed {
				return max(highest, status)
			}
			if !more {
				break
			}
		}
		if highest = max(highest, status); ctx.Err() != nil {
			return highest
		}
		first = end
	}
	return highest
}

// continuesIf reports whether a line continues the if of the line before.
func continuesIf(line string) bool {
	word := strings.ToLower(strings.TrimSpace(line))
	return strings.HasPrefix(word, "else") && strings.ContainsAny(word, "{(") || word == "else"
}

// tryUnit runs a statement. more reports that it needs more lines, and has not run; handed that the process that owns the host has run
// the rest of the script.
func (r *Runner) tryUnit(ctx context.Context, unit *shell.Source, rest string) (status Status, more, handed bool) {
	if unit.Partial {
		var refused *shell.Error
		if _, err := r.parse(unit); errors.As(err, &refused) && refused.Incomplete {
			return Done, true, false
		}
	}
	status, handed = r.runUnit(ctx, unit, rest)
	return status, false, handed
}

// runUnit reads a script and runs it. rest is the script from there on; handed reports that the process that owns the host has run
// it.
func (r *Runner) runUnit(ctx context.Context, source *shell.Source, rest string) (status Status, handed bool) {
	s, err := r.parse(source)
	if err == nil && s.Changes {
		err = r.refusesChanges(PowerShell)
	}
	if err != nil {
		var refused *shell.Error
		if errors.As(err, &refused) {
			err = &MistakeError{refused.Error()}
		}
		return r.reportError("", err), false
	}
	if !s.Simple && s.Statements() > 0 {
		r.changes = s.Changes
		answer, err := r.reachHost(ctx, []string{PowerShell, strings.Repeat("\n", source.Line-1) + rest}, "")
		if err != nil {
			return r.reportError(fmt.Sprintf("line %d: ", source.Line), err), false
		}
		if answer.printed {
			return answer.status, true
		}
		if s.Changes && r.Unwritable != nil {
			return r.reportError("", r.Unwritable), false
		}
	}
	for i := range s.Statements() {
		if status = max(status, r.runStatement(ctx, s, i)); status != Done {
			break
		}
	}
	return status, false
}

// refusesChanges returns why nothing may be changed; nil if it may.
func (r *Runner) refusesChanges(name string) error {
	if !r.ReadOnly {
		return nil
	}
	why := "omit --read-only to do it"
	if r.ReadOnlyWhy != "" {
		why = r.ReadOnlyWhy
	}
	return fmt.Errorf("read-only mode is on, and %s would change the host; %s", name, why)
}

// runStatement runs a statement of a script.
func (r *Runner) runStatement(ctx context.Context, s *shell.Script, i int) Status {
	words, line := s.Words(i)
	place := fmt.Sprintf("line %d: ", line)
	if words != nil {
		return r.runCommand(ctx, words, place)
	}
	if ctx.Err() != nil {
		return r.reportError(place, errInterrupted)
	}
	if r.Session == nil {
		r.Session = &shell.Session{}
	}
	host := &scriptHost{runner: r}
	err := s.Run(ctx, i, r.Session, host)
	if err == nil {
		err = host.flush()
	}
	var failure *shell.RunError
	if errors.As(err, &failure) {
		place = fmt.Sprintf("line %d: ", failure.Line)
	}
	if errors.Is(err, context.Canceled) {
		err = errInterrupted
	}
	if err != nil {
		return max(host.status, r.reportError(place, err))
	}
	return host.status
}

// scriptHost runs the commands of a statement.
type scriptHost struct {
	runner *Runner
	status Status
	notes  []string
}

// Call runs a command. With a pipe it runs it once for the objects that differ only in one list, else once for each.
func (h *scriptHost) Call(ctx context.Context, call *shell.Call) (all []shell.Value, err error) {
	lines := [][]string{call.Words}
	if call.Piped {
		if lines, err = h.bind(call); err != nil {
			return nil, err
		}
	}
	for _, words := range lines {
		if ctx.Err() != nil {
			return nil, errInterrupted
		}
		list, err := h.call(ctx, words, call)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// bind returns the words of each call with objects from a pipe.
func (h *scriptHost) bind(call *shell.Call) ([][]string, error) {
	command, rest, err := h.runner.Table.find(call.Words)
	if err != nil {
		return nil, err
	}
	var objects []*shell.Object
	for _, v := range call.Input {
		o, ok := v.(*shell.Object)
		if !ok || command.family.Bind == nil {
			return nil, Mistake("%s takes objects from a pipe, not the text %q", command.Name, shell.Text(v))
		}
		objects = append(objects, o)
	}
	switch {
	case len(objects) == 0 && command.Changes:
		return nil, fmt.Errorf("no object came from the pipe; %s changed nothing", command.Name)
	case len(objects) == 0:
		return nil, nil
	}
	calls, err := command.family.Bind(command.Name, rest, objects)
	for i := range calls {
		calls[i] = append([]string{command.Name}, calls[i]...)
	}
	return calls, err
}

func (h *scriptHost) call(ctx context.Context, words []string, call *shell.Call) ([]shell.Value, error) {
	r := h.runner
	name, answer, err := r.answer(ctx, words, "")
	status := statusOf(err)
	if err == nil && answer.Failed {
		status = max(Failed, answer.Exit)
	}
	if r.Log != nil {
		r.Log(syntax.Join(words), status)
	}
	if err != nil {
		return nil, err
	}
	h.status = max(h.status, status)
	command, _ := r.Table.Match(words)
	if call.Needed && (command == nil || !command.Changes) {
		h.notes = append(h.notes, answer.notes...)
		return r.rows(words, &answer)
	}
	return nil, r.print(name, status, &answer)
}

// rows returns what a command has printed, as values: the objects of a cmdlet, or the lines of a program.
func (r *Runner) rows(words []string, answer *Answer) ([]shell.Value, error) {
	if answer.Text == nil {
		return nil, nil
	}
	c := catalogue{r.Table}
	if c.IsCmdlet(words[0]) {
		w := &rowWriter{noun: c.Noun(words)}
		err := answer.Text(w)
		return w.objects, err
	}
	var b bytes.Buffer
	if err := answer.Text(&b); err != nil {
		return nil, err
	}
	var list []shell.Value
	for _, line := range strings.Split(strings.TrimRight(b.String(), "\n"), "\n") {
		list = append(list, line)
	}
	return list, nil
}

// Save writes a text to a file that only its owner can read.
func (h *scriptHost) Save(path, text string) error {
	switch {
	case h.runner.Files == nil:
		return ErrNoFiles
	case path == "":
		return errNoName
	}
	if err := h.runner.Files.Write([]script.File{{Path: path, Data: []byte(text)}}, true); err != nil {
		return fmt.Errorf("can't write %s: %w", path, FailureReason(err))
	}
	return nil
}

// flush prints the notes of the commands whose output went on to others.
func (h *scriptHost) flush() error {
	if h.runner.JSON {
		return nil
	}
	a := Answer{notes: h.notes}
	return a.writeNotes(h.runner.Out)
}
