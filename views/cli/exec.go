package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

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
		Open: bench.open, LabText: text, JSON: s.options.json, KeepGoing: s.options.keepGoing,
		ReadOnly: s.options.readOnly, InBytes: s.options.inBytes, Zone: time.Local, Out: s.streams.Out, Err: s.streams.Err,
		Log: func(line string, status exec.Status) { s.log.Info("command", "line", line, "status", int(status)) },
	}
	var status exec.Status
	if len(s.arguments) > 0 {
		status = runner.Run(s.ctx, s.arguments)
	} else {
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

// open opens the history and restores the host that it holds.
func (b *execBench) open(ctx context.Context) (exec.Host, error) {
	s := b.session
	description, err := s.parseLab(b.text)
	if err != nil {
		return nil, err
	}
	if err := b.openHistory(ctx); err != nil {
		return nil, err
	}
	lab, err := s.restoreLab(ctx, description, b.db)
	if err != nil {
		return nil, err
	}
	if lab.notice != "" {
		complain(s.streams.Err, errors.New(lab.notice))
	}
	var keeper exec.Keeper
	if b.db != nil && !s.options.readOnly {
		// What was done is kept even when the run is interrupted.
		b.scribe = &scribe{ctx: context.WithoutCancel(ctx), db: b.db, source: lab.source}
		keeper = b.scribe
	}
	b.host = exec.OnLab(lab.source, keeper)
	return b.host, nil
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
	ctx, cancel := context.WithTimeout(context.WithoutCancel(b.session.ctx), closingTime)
	defer cancel()
	if b.host != nil {
		problems = append(problems, b.host.Close())
	}
	if b.scribe != nil {
		problems = append(problems, b.scribe.close(ctx))
	}
	if b.db != nil {
		problems = append(problems, b.db.Close())
	}
	return errors.Join(problems...)
}
