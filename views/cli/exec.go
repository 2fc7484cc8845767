package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/views/exec"
)

// runExec runs one command, or a script from the standard input.
func runExec(s *session) error {
	if len(s.arguments) == 0 && (s.streams.In == nil || isTerminal(s.streams.In)) {
		return mistake("exec needs a command, or a script on its standard input; cxdeck exec help lists the commands")
	}
	text, err := s.labText()
	if err != nil {
		return err
	}
	bench := &execBench{session: s, text: text}
	runner := &exec.Runner{
		Files: disk{}, LabText: text, JSON: s.options.json, KeepGoing: s.options.keepGoing,
		ReadOnly: s.options.readOnly, InBytes: s.options.inBytes, Zone: time.Local, Out: s.streams.Out, Err: s.streams.Err,
		Log: func(line string, status exec.Status) { s.log.Info("command", "line", line, "status", int(status)) },
	}
	runner.Open = func(ctx context.Context) (host exec.Host, err error) {
		host, runner.Shelf, err = bench.open(ctx)
		return host, err
	}
	var status exec.Status
	if s.streams.In != nil && isTerminal(s.streams.In) {
		runner.Ask = s.typed
	}
	switch {
	case len(s.arguments) == 1 && strings.ContainsAny(s.arguments[0], " \t\n"):
		// No command is called so: these are whole lines in quotes, as PowerShell lines with $ and | are handed to a shell.
		status = runner.Script(s.ctx, strings.NewReader(s.arguments[0]))
	case len(s.arguments) > 0:
		status = runner.Run(s.ctx, s.arguments)
	default:
		status = runner.Script(s.ctx, s.streams.In)
	}
	if err := bench.close(); err != nil {
		return err
	}
	if status != exec.Done {
		return &toldError{int(status)}
	}
	return nil
}

// typed is the line that the operator types at a question; it is empty when none comes.
func (s *session) typed(ctx context.Context) string {
	lines := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(s.streams.In).ReadString('\n') // without a line the usual answer counts
		lines <- line
	}()
	select {
	case line := <-lines:
		return line
	case <-ctx.Done():
		return ""
	}
}

// toldError is a failure that the operator was told of already.
type toldError struct{ code int }

// Error is for whoever looks at it all the same.
func (e *toldError) Error() string { return "a command failed" }

// execBench is the host that the commands of a run work on, with what keeps it.
type execBench struct {
	session *session
	text    []byte
	db      *store.DB
	scribe  *scribe
	host    *exec.Lab
}

// open opens the history and restores the host that it holds. Without a history the shelf is nil.
func (b *execBench) open(ctx context.Context) (exec.Host, exec.Shelf, error) {
	s := b.session
	description, err := s.parseLab(b.text)
	if err != nil {
		return nil, nil, err
	}
	if err := b.openHistory(ctx); err != nil {
		return nil, nil, err
	}
	lab, err := s.restoreLab(ctx, description, b.db)
	if err != nil {
		return nil, nil, err
	}
	if lab.notice != "" {
		complain(s.streams.Err, errors.New(lab.notice))
	}
	b.host = exec.OnLab(lab.source, b.keeper(ctx, lab.source), b.anew)
	if err := b.lapse(ctx); err != nil {
		return nil, nil, err
	}
	if b.db == nil {
		return b.host, nil, nil
	}
	return b.host, dbShelf{b.db, lab.source.Info()}, nil
}

// lapse takes back a change that nobody confirmed in time, and says so.
func (b *execBench) lapse(ctx context.Context) error {
	if b.session.options.readOnly {
		return nil
	}
	guard, taken, err := b.host.Lapse(ctx, time.Now())
	if taken && err == nil {
		complain(b.session.streams.Err, fmt.Errorf("change %d (%s) was taken back: nobody confirmed it before %s", guard.Sequence, guard.Title, stamp(guard.Deadline)))
	}
	return err
}

// keeper keeps what happens on a source in the history, when there is one that may be written.
func (b *execBench) keeper(ctx context.Context, source *perf.Lab) exec.Keeper {
	if b.db == nil || b.session.options.readOnly {
		return nil
	}
	// What was done is kept even when the run is interrupted.
	b.scribe = &scribe{ctx: context.WithoutCancel(ctx), db: b.db, source: source}
	return b.scribe
}

// anew ends the session of the host and begins with a new one.
func (b *execBench) anew(ctx context.Context) (*perf.Lab, exec.Keeper, error) {
	description, err := b.session.parseLab(b.text)
	if err != nil {
		return nil, nil, err
	}
	lab, err := b.session.newLab(description, time.Now().Truncate(time.Second))
	if err != nil {
		return nil, nil, err
	}
	if err := b.endSession(); err != nil {
		return nil, nil, err
	}
	return lab.source, b.keeper(ctx, lab.source), nil
}

// endSession writes what the session of the host still waits for.
func (b *execBench) endSession() error {
	if b.scribe == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(b.session.ctx), closingTime)
	defer cancel()
	return b.scribe.close(ctx)
}

// openHistory opens the history, which may not be there when it is only read.
func (b *execBench) openHistory(ctx context.Context) (err error) {
	o := b.session.options
	if o.ephemeral {
		return nil
	}
	b.db, err = store.Open(ctx, o.db, store.Options{ReadOnly: o.readOnly, Version: b.session.version})
	var file *store.FileError
	switch {
	case o.readOnly && errors.Is(err, store.ErrNoFile):
		return nil
	case errors.Is(err, store.ErrInUse) && errors.As(err, &file):
		return fmt.Errorf("the host in %s is in use by a running cxdeck%s: type the command after : there, look at what was saved last "+
			"with --read-only, or choose another host with --db or --ephemeral", file.Path, processNumber(file.PID))
	case err == nil && b.db.Notice() != "":
		complain(b.session.streams.Err, errors.New(b.db.Notice()))
	}
	return err
}

// close saves what is not saved yet.
func (b *execBench) close() error {
	var problems []error
	if b.host != nil {
		problems = append(problems, b.host.Close())
	}
	problems = append(problems, b.endSession())
	if b.db != nil {
		problems = append(problems, b.db.Close())
		if moved := b.db.Rescue().Moved; moved != "" {
			complain(b.session.streams.Err, errors.New(moved))
		}
	}
	return errors.Join(problems...)
}
