package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/wording"
	"cxdeck/perf/lab"
	"cxdeck/store"
	"cxdeck/store/fault"
	"cxdeck/views/cli/labs"
	"cxdeck/views/cli/process"
	"cxdeck/views/cli/saving"
	"cxdeck/views/control"
	"cxdeck/views/exec"
	"cxdeck/views/exec/catalog"
	"cxdeck/views/exec/hosts"
)

// execBench owns the host of a run of exec, with its saver, or the connection to the process that owns the host.
type execBench struct {
	session *session
	text    []byte
	// deadline ends the wait for the host.
	deadline time.Time
	// ownerTimeout is the minimum time to wait for an answer of the owner; 0 is a second.
	ownerTimeout time.Duration
	db           *store.DB
	saver        *saving.Run
	host         *hosts.Lab
	// changing reports that a command may change the host. unwritable is the reason why the history is open read-only without
	// --read-only.
	changing   bool
	unwritable error
	// server runs the commands of other processes while this run owns the host; remote is the connection to another
	// owner.
	server *control.Server
	remote *control.Client
}

// Pauses between two checks whether the host is free. They grow, so that many waiting processes leave the processor to the
// owner.
const (
	minPause = 4 * time.Millisecond
	maxPause = 60 * time.Millisecond
)

// open opens the history and restores its host, or connects to the process that owns the host, and sets remote. Without a
// history the store of drafts is nil.
func (b *execBench) open(ctx context.Context) (exec.Host, exec.DraftStore, error) {
	s := b.session
	lab := s.lab()
	description, err := lab.Parse(b.text)
	if err != nil {
		return nil, nil, err
	}
	hello := control.Hello{Version: s.version, LabHash: description.Hash(), Seed: s.options.seed}
	if err := b.openOrConnect(ctx, hello); err != nil || b.remote != nil {
		return nil, nil, err
	}
	restored, err := lab.Restore(ctx, labs.LayOut(description), b.db)
	if err != nil {
		return nil, nil, err
	}
	if restored.Notice != "" {
		process.Complain(s.streams.Err, errors.New(restored.Notice))
	}
	b.host = hosts.OnLab(restored.Source, b.record(ctx, restored.Source), b.recreateHost)
	b.host.Progress = s.progress
	if err := b.revertUnconfirmed(); err != nil {
		return nil, nil, err
	}
	if b.db == nil {
		return b.host, nil, nil
	}
	drafts := saving.Drafts{DB: b.db, Info: restored.Source.Info()}
	if b.readOnly() {
		return b.host, drafts, nil
	}
	b.serve(ctx, hello, drafts)
	return b.host, drafts, nil
}

// openOrConnect opens the history, or connects to the process that owns it. Until the deadline it waits while neither is
// possible.
func (b *execBench) openOrConnect(ctx context.Context, hello control.Hello) error {
	if b.session.options.ephemeral {
		return nil
	}
	line := process.NewWaitLine(b.session.streams.Err, "the host, which another cxdeck has")
	defer line.End()
	for pause := minPause; ; pause = min(pause*2, maxPause) {
		connected, err := b.connect(ctx, hello)
		if err != nil || connected {
			return err
		}
		err = b.openHistory(ctx)
		left := time.Until(b.deadline)
		if !errors.Is(err, fault.ErrInUse) || left <= 0 {
			return err
		}
		line.Show(left)
		timer := time.NewTimer(min(left, pause/2+rand.N(pause)))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}

// connect connects to the process that owns the host, and reports whether there is one. An owner with another host is an error
// if it is a console; an exec releases the history soon.
func (b *execBench) connect(ctx context.Context, hello control.Hello) (bool, error) {
	o := b.session.options
	limit := max(time.Until(b.deadline), cmp.Or(b.ownerTimeout, time.Second))
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	client, err := control.Dial(limited, o.db, hello)
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case errors.Is(err, control.ErrNobody), err != nil && o.readOnly:
		return false, nil
	case err != nil:
		return false, err
	}
	if owner := client.Owner; owner.LabHash != hello.LabHash || owner.Seed != hello.Seed {
		client.Close()
		if owner.Owner == control.Exec || o.readOnly {
			return false, nil
		}
		return false, otherOwner(o.db, owner, hello)
	}
	b.remote = client
	return true, nil
}

// otherOwner returns the error for a console that runs another host than the requested one.
func otherOwner(db string, owner, wanted control.Hello) error {
	console := fmt.Sprintf("the cxdeck with process number %d records in %s", owner.PID, db)
	switch {
	case owner.LabHash == "":
		return fmt.Errorf("%s, and its source, %s, is not a lab: end it, or choose another host with --db or --ephemeral",
			console, exec.Clean(owner.Source))
	case owner.LabHash != wanted.LabHash:
		return fmt.Errorf("%s, and its host, %s, is of another lab description: give exec the same --lab, end that cxdeck, or choose "+
			"another host with --db or --ephemeral", console, exec.Clean(owner.LabName))
	}
	return fmt.Errorf("%s, and its host has the seed %d, not %d: give exec --seed %d, end that cxdeck, or choose another host with --db "+
		"or --ephemeral", console, owner.Seed, wanted.Seed, owner.Seed)
}

// send runs a command in the process that owns the host.
func (b *execBench) send(ctx context.Context, runner *exec.Runner, words []string, place string) (exec.Status, error) {
	s := b.session
	exit, err := b.remote.Run(ctx, control.Request{
		Words: words, Place: place, JSON: runner.JSON, ReadOnly: runner.ReadOnly, InBytes: runner.InBytes, Zone: control.LocalZone(),
		KeepGoing: runner.KeepGoing, Environment: runner.Environment(),
	}, control.ClientIO{
		Out: s.streams.Out, Err: s.streams.Err, Ask: runner.Ask, Read: runner.Files.Read, Write: runner.Files.Write, Folder: runner.Files.Folder,
	})
	if err == nil {
		return exec.Status(exit.Status), nil
	}
	owner := b.remote.Owner.PID
	b.remote.Close()
	b.remote = nil
	if errors.Is(err, control.ErrSilent) {
		return exec.Failed, fmt.Errorf("the host in %s is in use by a running cxdeck%s: %w", s.options.db, processNumber(owner), err)
	}
	if errors.Is(err, control.ErrNotAccepted) {
		b.deadline = laterTime(b.deadline, time.Now().Add(s.options.wait)) // that owner has ended; wait for the next one
		return exec.Failed, exec.ErrOwnerEnded
	}
	return exec.Failed, err
}

func laterTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// serve runs the commands of other processes while this run owns the host, so that simultaneous commands read and
// restore it once. If it fails they wait for the lock.
func (b *execBench) serve(ctx context.Context, hello control.Hello, drafts exec.DraftStore) {
	s := b.session
	hello.Owner = control.Exec
	server, err := control.Listen(context.WithoutCancel(ctx), s.options.db, hello, func(ctx context.Context, call *control.Call) control.Exit {
		exit := s.runCall(ctx, call, &exec.Runner{
			Table: catalog.Commands(), Open: func(context.Context) (exec.Host, error) { return b.host, nil }, Drafts: drafts, LabText: b.text, ReadOnly: call.ReadOnly,
		})
		if err := b.unsaved(ctx); err != nil && exit.Status == int(exec.Done) {
			process.Complain(call.Err, fmt.Errorf("the command was executed, but is not saved: %w", err))
			exit.Status = exitFailed
		}
		return exit
	})
	if err != nil {
		s.log.Warn("exec can't serve other processes", "error", err.Error())
		return
	}
	b.server = server
}

// unsaved saves the host if it differs from the saved one, and returns why it or the session can't be saved.
func (b *execBench) unsaved(ctx context.Context) error {
	err := b.host.Close()
	return saving.JoinDistinct(err, b.host.ReadHost(context.WithoutCancel(ctx), func(*driver.Host) error {
		if b.saver == nil {
			return nil
		}
		return b.saver.Problem
	}))
}

// runCall runs the command of another process.
func (s *session) runCall(ctx context.Context, call *control.Call, runner *exec.Runner) (exit control.Exit) {
	defer func() {
		if thrown := recover(); thrown != nil {
			exit.Status = exitFailed
			path := process.WriteCrash(s.stateDirectory(), s.version, fmt.Sprintf("panic in a command of exec: %v", thrown), debug.Stack())
			process.Complain(call.Err, fmt.Errorf("the command stopped because of a bug in cxdeck; please send the report %s to its developers", path))
		}
	}()
	runner.Files, runner.JSON, runner.InBytes, runner.Zone = call.Files, call.JSON, call.InBytes, call.Zone.Location()
	runner.Out, runner.Err, runner.Ask, runner.KeepGoing = call.Out, call.Err, call.Ask, call.KeepGoing
	for name, value := range call.Environment {
		runner.SetEnvironment(name, value)
	}
	if call.Complete {
		if completeCall(ctx, call, runner) != nil {
			exit.Status = exitFailed
		}
		return exit
	}
	status := runner.RunAt(ctx, call.Words, call.Place)
	return control.Exit{Status: int(status)}
}

// readOnly reports whether changes of the host are not saved.
func (b *execBench) readOnly() bool { return b.session.options.readOnly || b.unwritable != nil }

// revertUnconfirmed reverts a change that was not confirmed in time, and reports it.
func (b *execBench) revertUnconfirmed() error {
	if b.readOnly() {
		return nil
	}
	guard, reverted, err := b.host.RevertExpired(time.Now())
	if reverted && err == nil {
		process.Complain(b.session.streams.Err, fmt.Errorf("change %d (%s) was undone: it was not confirmed before %s", guard.Sequence, guard.Title, wording.Stamp(guard.Deadline)))
	}
	return err
}

// record returns a recorder of the source; nil without a writable history.
func (b *execBench) record(ctx context.Context, source *lab.Source) hosts.Recorder {
	if b.db == nil || b.readOnly() {
		return nil
	}
	// Changes are saved even when the run is interrupted.
	b.saver = saving.NewRun(ctx, b.db, source)
	return b.saver
}

// recreateHost ends the session of the host and starts a new host.
func (b *execBench) recreateHost(ctx context.Context) (*lab.Source, hosts.Recorder, error) {
	chosen := b.session.lab()
	description, err := chosen.Parse(b.text)
	if err != nil {
		return nil, nil, err
	}
	plant, err := labs.LayOut(description).Plant()
	if err != nil {
		return nil, nil, err
	}
	made, err := chosen.New(plant, time.Now().Truncate(time.Second))
	if err != nil {
		return nil, nil, err
	}
	if err := b.endSession(); err != nil {
		return nil, nil, err
	}
	return made.Source, b.record(ctx, made.Source), nil
}

// endSession writes the pending data of the host's session.
func (b *execBench) endSession() error {
	if b.saver == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(b.session.ctx), closeTimeout)
	defer cancel()
	return b.saver.Close(ctx)
}

// openHistory opens the history; db is nil if the file does not exist in read-only mode.
func (b *execBench) openHistory(ctx context.Context) (err error) {
	o := b.session.options
	options := store.Options{
		ReadOnly: o.readOnly, LeaveDamaged: !b.changing, Version: b.session.version, Progress: b.session.salvageProgress(),
	}
	b.db, err = store.Open(ctx, o.db, options)
	if unwritable(err) || errors.Is(err, fault.ErrDamaged) && !b.changing {
		why := err
		options.ReadOnly = true
		if b.db, err = store.Open(ctx, o.db, options); errors.Is(err, fault.ErrNoFile) {
			return why
		}
		if b.unwritable = why; err == nil && !b.changing && b.db.Notice() == "" {
			process.Complain(b.session.streams.Err, why)
		}
	}
	var file *fault.FileError
	switch {
	case o.readOnly && errors.Is(err, fault.ErrNoFile):
		return nil
	case errors.Is(err, fault.ErrInUse) && errors.As(err, &file):
		return &inUseError{file, o.wait}
	case err == nil && b.db.Notice() != "":
		process.Complain(b.session.streams.Err, errors.New(b.db.Notice()))
	}
	return err
}

// unwritable reports whether an error means that the history can be read, but not written.
func unwritable(err error) bool {
	return errors.Is(err, fault.ErrReadOnly) || errors.Is(err, fault.ErrFull)
}

// inUseError reports a history whose owner accepts no commands.
type inUseError struct {
	file   *fault.FileError
	waited time.Duration
}

// Error says who uses the history, and what the operator can do.
func (e *inUseError) Error() string {
	waited := ""
	if e.waited > 0 {
		waited = fmt.Sprintf(", which accepts no commands and did not end within %s", e.waited)
	}
	return fmt.Sprintf("the host in %s is in use by a running cxdeck%s%s: wait longer with --wait, look at what was saved last "+
		"with --read-only, or choose another host with --db or --ephemeral", e.file.Path, processNumber(e.file.PID), waited)
}

// Unwrap returns the store's error.
func (e *inUseError) Unwrap() error { return e.file }

// An exec that has finished its own commands serves other processes for a while.
const (
	// servingQuiet is the time without a command after which it stops.
	servingQuiet = 8 * time.Millisecond
	// servingLimit is the maximum time.
	servingLimit = 1500 * time.Millisecond
	// servingEnd is the maximum time for a command of another process that runs at the end.
	servingEnd = 30 * time.Second
)

// close saves unsaved changes.
func (b *execBench) close() error {
	var problems []error
	if b.remote != nil {
		b.remote.Close()
	}
	if b.server != nil {
		if b.session.ctx.Err() == nil {
			b.server.Finish(servingQuiet, servingLimit)
		}
		b.endServing()
	}
	if b.host != nil {
		problems = append(problems, b.host.Close())
	}
	problems = append(problems, b.endSession())
	if b.db != nil {
		problems = append(problems, b.db.Close())
		if moved := b.db.Rescue().Moved; moved != "" {
			process.Complain(b.session.streams.Err, errors.New(moved))
		}
	}
	return saving.JoinDistinct(problems...)
}

// endServing waits for the commands of other processes; an interrupt of this run ends them sooner.
func (b *execBench) endServing() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(b.session.ctx), servingEnd)
	defer cancel()
	defer context.AfterFunc(b.session.ctx, func() { time.AfterFunc(time.Second, cancel) })()
	b.server.Close(ctx)
}
