package shell

import (
	"context"
	"fmt"
	"strings"
)

// Host runs the commands of a script.
type Host interface {
	// Call runs a command with the values that it gets from a pipe; call.Piped reports that there is one. With call.Needed it returns
	// its output as values, else it prints it.
	Call(ctx context.Context, call *Call) ([]Value, error)
	// Show prints values.
	Show(values []Value) error
	// Save writes a text to a file, in place of an existing one.
	Save(path, text string) error
}

// Call is a call of a command.
type Call struct {
	Words         []string
	Input         []Value
	Piped, Needed bool
	Line          int
}

// RunError is an error while a script runs, with its line.
type RunError struct {
	Line int
	Err  error
}

// Error returns the error's text without the line, which the caller prints.
func (f *RunError) Error() string { return f.Err.Error() }

// Unwrap returns the error.
func (f *RunError) Unwrap() error { return f.Err }

// Statements returns the number of statements of a script.
func (s *Script) Statements() int { return len(s.block.statements) }

// Words returns the words of a statement that is one command with literal words; nil for any other.
func (s *Script) Words(statement int) (words []string, line int) {
	at := s.block.statements[statement]
	line, _ = s.source.place(at.offset())
	if p, ok := at.(*pipeline); ok && p.first == nil && len(p.stages) == 1 {
		if c, ok := p.stages[0].(*command); ok {
			return c.words, line
		}
	}
	return nil, line
}

// Run runs a statement of a script. The error is a *RunError.
func (s *Script) Run(ctx context.Context, statement int, session *Session, host Host) error {
	r := &run{ctx: ctx, script: s, session: session, host: host}
	_, err := r.statement(s.block.statements[statement], false)
	return err
}

// run is one run of a statement.
type run struct {
	ctx     context.Context
	script  *Script
	session *Session
	host    Host
	current []Value // the values of $_ of the script blocks around
	steps   int
	calls   int
}

// fail returns an error with its line.
func (r *run) fail(at interface{ offset() int }, err error) error {
	if err == nil {
		return nil
	}
	if f, ok := err.(*RunError); ok { //nolint:errorlint // only an unwrapped one has its line
		return f
	}
	line, _ := r.script.source.place(at.offset())
	return &RunError{line, err}
}

// step counts a step, and reports an interrupt.
func (r *run) step(at interface{ offset() int }) error {
	if r.steps++; r.steps > maxSteps {
		return r.fail(at, fmt.Errorf("the statement has taken more than %d steps", maxSteps))
	}
	return r.fail(at, r.ctx.Err())
}

// block runs statements. With needed it returns their output, else it is printed.
func (r *run) block(b *block, needed bool) (all []Value, err error) {
	for _, s := range b.statements {
		list, err := r.statement(s, needed)
		if err != nil {
			return nil, err
		}
		if all = append(all, list...); len(all) > maxValues {
			return nil, r.fail(s, errTooMany())
		}
	}
	return all, nil
}

func errTooMany() error { return fmt.Errorf("a list can have at most %d values", maxValues) }

func (r *run) statement(s statement, needed bool) ([]Value, error) {
	if err := r.step(s); err != nil {
		return nil, err
	}
	switch s := s.(type) {
	case *assignment:
		return nil, r.assign(s)
	case *condition:
		for _, clause := range s.clauses {
			v, err := r.statement(clause.test, true)
			if err != nil {
				return nil, err
			}
			if truth(v) {
				return r.block(clause.body, needed)
			}
		}
		if s.other != nil {
			return r.block(s.other, needed)
		}
		return nil, nil
	case *loop:
		return r.loop(s, needed)
	case *pipeline:
		return r.pipeline(s, needed)
	}
	return nil, r.fail(s, fmt.Errorf("unknown statement"))
}

func (r *run) assign(s *assignment) error {
	p, isPipeline := s.value.(*pipeline)
	var v Value
	var err error
	if isPipeline && p.first != nil && len(p.stages) == 0 {
		v, err = r.evaluate(p.first) // a list with one value stays a list
	} else {
		var list []Value
		list, err = r.statement(s.value, true)
		v = one(list)
	}
	if err != nil {
		return err
	}
	if s.adds {
		if v, err = add(r.session.get(s.name), v); err != nil {
			return r.fail(s, err)
		}
	}
	r.session.set(s.name, v)
	return nil
}

func (r *run) loop(s *loop, needed bool) (all []Value, err error) {
	list, err := r.statement(s.in, true)
	if err != nil {
		return nil, err
	}
	for _, v := range list {
		r.session.set(s.name, v)
		one, err := r.block(s.body, needed)
		if err != nil {
			return nil, err
		}
		if all = append(all, one...); len(all) > maxValues {
			return nil, r.fail(s, errTooMany())
		}
	}
	return all, nil
}

// pipeline runs the stages of a pipeline.
func (r *run) pipeline(p *pipeline, needed bool) (list []Value, err error) {
	piped := p.first != nil
	if piped {
		v, err := r.evaluate(p.first)
		if err != nil {
			return nil, err
		}
		list = values(v)
		if v == nil && len(p.stages) > 0 {
			list = nil
		}
	}
	printed := false
	for i, s := range p.stages {
		last := i == len(p.stages)-1
		if c, ok := s.(*command); ok {
			list, err = r.command(c, list, piped || i > 0, needed || !last)
			printed = last && !needed
		} else if e, ok := s.(*each); ok && last && !needed {
			list, err = r.each(e, list, false)
			printed = true
		} else {
			list, err = r.stage(s, list)
		}
		if err != nil {
			return nil, r.fail(s, err)
		}
		if len(list) > maxValues {
			return nil, r.fail(s, errTooMany())
		}
	}
	if needed || printed {
		return list, nil
	}
	return nil, r.fail(p, r.host.Show(list))
}

// command calls a command of the host.
func (r *run) command(c *command, input []Value, piped, needed bool) ([]Value, error) {
	if r.calls++; r.calls > maxCalls {
		return nil, fmt.Errorf("the statement has called more than %d commands", maxCalls)
	}
	if err := r.step(c); err != nil {
		return nil, err
	}
	words := c.words
	if words == nil {
		words = []string{c.name}
		for i := range c.arguments {
			more, err := r.argument(c, &c.arguments[i])
			if err != nil {
				return nil, err
			}
			words = append(words, more...)
		}
	}
	line, _ := r.script.source.place(c.offset())
	return r.host.Call(r.ctx, &Call{Words: words, Input: input, Piped: piped, Needed: needed, Line: line})
}

// argument returns the words of an argument.
func (r *run) argument(c *command, a *argument) ([]string, error) {
	if a.splat != "" {
		t, ok := r.session.get(a.splat).(*Table)
		if !ok {
			return nil, fmt.Errorf("$%s is no hashtable", a.splat)
		}
		var words []string
		for i, key := range t.keys {
			word, err := argumentWord(c, t.values[i])
			if err != nil {
				return nil, err
			}
			words = append(words, "-"+key+":"+word)
		}
		return words, nil
	}
	if a.value == nil {
		return []string{"-" + a.parameter}, nil
	}
	v, err := r.evaluate(a.value)
	if err != nil {
		return nil, err
	}
	word, err := argumentWord(c, v)
	if a.parameter != "" {
		word = "-" + a.parameter + ":" + word
	}
	return []string{word}, err
}

// argumentWord returns a value as a word of a command.
func argumentWord(c *command, v Value) (string, error) {
	for _, value := range values(v) {
		if o, ok := value.(*Object); ok {
			return "", fmt.Errorf("%s takes a text, not an object; write .%s behind the variable", c.name, strings.Join(o.names()[:min(1, len(o.names()))], ""))
		}
	}
	return wordOf(v), nil
}

// wordOf returns a value as a word: bools as PowerShell spells them, lists with commas.
func wordOf(v Value) string {
	switch v := v.(type) {
	case bool:
		return "$" + strings.ToLower(Text(v))
	case []Value:
		parts := make([]string, len(v))
		for i, element := range v {
			if parts[i] = Text(element); element == true || element == false {
				parts[i] = "$" + strings.ToLower(parts[i])
			}
		}
		return strings.Join(parts, ",")
	}
	return Text(v)
}
