package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"cxdeck/perf/lab"
	"cxdeck/store"
	"cxdeck/views/control"
	"cxdeck/views/exec"
	"cxdeck/views/exec/catalog"
)

// execBench is the host that the commands of a run work on, with what keeps it; or the way to the process that has it.
type execBench struct {
	session *session
	text    []byte
	// deadline is how long the host is waited for.
	deadline time.Time
	// patience is how long an owner that is there may take to answer at least; 0 is a second.
	patience time.Duration
	db       *store.DB
	scribe   *scribe
	host     *exec.Lab
	// changing says that a command may change the host, unwritable why the history is open for reading only although
	// nobody asked for that.
	changing   bool
	unwritable error
	// server takes the commands of others while this run has the host, remote leads to another that has it.
	server *control.Server
	remote *control.Client
}

// The pauses between two looks whether the host is free: they grow, so that many who wait leave the processor to who has
// it.
const (
	minPause = 4 * time.Millisecond
	maxPause = 60 * time.Millisecond
)

// open opens the history and restores the host that it holds, or connects to the process that has it: then remote is
// set. Without a history the shelf is nil.
func (b *execBench) open(ctx context.Context) (exec.Host, exec.Shelf, error) {
	s := b.session
	description, err := s.parseLab(b.text)
	if err != nil {
		return nil, nil, err
	}
	hello := control.Hello{Version: s.version, LabHash: description.Hash(), Seed: s.options.seed}
	if err := b.openOrConnect(ctx, hello); err != nil || b.remote != nil {
		return nil, nil, err
	}
	lab, err := s.restoreLab(ctx, layOut(description), b.db)
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
	shelf := dbShelf{b.db, lab.source.Info()}
	if b.readOnly() {
		return b.host, shelf, nil
	}
	shared := exec.Shared(b.host)
	b.serve(ctx, hello, shared, shelf)
	return shared, shelf, nil
}

// openOrConnect opens the history, or connects to the process that has it; as long as neither is possible it waits.
func (b *execBench) openOrConnect(ctx context.Context, hello control.Hello) error {
	if b.session.options.ephemeral {
		return nil
	}
	line := b.session.newWaitLine("the host, which another cxdeck has")
	defer line.end()
	for pause := minPause; ; pause = min(pause*2, maxPause) {
		taken, err := b.connect(ctx, hello)
		if err != nil || taken {
			return err
		}
		err = b.openHistory(ctx)
		left := time.Until(b.deadline)
		if !errors.Is(err, store.ErrInUse) || left <= 0 {
			return err
		}
		line.show(left)
		timer := time.NewTimer(min(left, pause/2+rand.N(pause)))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}

// connect connects to the process that has the host; false says that none takes commands for it now. A host of another
// description is not what was asked for: a console's will not go away, an exec's will.
func (b *execBench) connect(ctx context.Context, hello control.Hello) (bool, error) {
	o := b.session.options
	limit := max(time.Until(b.deadline), cmp.Or(b.patience, time.Second))
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

// otherOwner is the sentence about a console that has another host than the one that was asked for.
func otherOwner(db string, owner, wanted control.Hello) error {
	what := fmt.Sprintf("the cxdeck with process number %d records in %s", owner.PID, db)
	switch {
	case owner.LabHash == "":
		return fmt.Errorf("%s what it watches, %s, and has no host of a lab: end it, or choose another host with --db or --ephemeral",
			what, exec.Clean(owner.Source))
	case owner.LabHash != wanted.LabHash:
		return fmt.Errorf("%s, and its host, %s, is of another lab description: give exec the same --lab, end that cxdeck, or choose "+
			"another host with --db or --ephemeral", what, exec.Clean(owner.LabName))
	}
	return fmt.Errorf("%s, and its host has the seed %d, not %d: give exec --seed %d, end that cxdeck, or choose another host with --db "+
		"or --ephemeral", what, owner.Seed, wanted.Seed, owner.Seed)
}

// send has the process that owns the host run a command.
func (b *execBench) send(ctx context.Context, runner *exec.Runner, words []string, place string) (exec.Status, error) {
	s := b.session
	exit, err := b.remote.Run(ctx, control.Request{
		Words: words, Place: place, JSON: runner.JSON, ReadOnly: runner.ReadOnly, InBytes: runner.InBytes, Zone: control.LocalZone(),
		NIC: runner.NIC,
	}, control.Ends{
		Out: s.streams.Out, Err: s.streams.Err, Ask: runner.Ask, Read: runner.Files.Read, Write: runner.Files.Write, Folder: runner.Files.Folder,
	})
	if err == nil {
		runner.NIC = exit.NIC
		return exec.Status(exit.Status), nil
	}
	b.remote.Close()
	b.remote = nil
	if errors.Is(err, control.ErrNotAccepted) {
		b.deadline = later(b.deadline, time.Now().Add(s.options.wait)) // that owner has gone; the wait is for the next one
		return exec.Failed, exec.ErrOwnerEnded
	}
	return exec.Failed, err
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// serve takes the commands of others while this run has the host: those that come together need to read and restore it
// once. Without that they wait until the lock is free.
func (b *execBench) serve(ctx context.Context, hello control.Hello, host exec.Host, shelf exec.Shelf) {
	s := b.session
	hello.Owner = control.Exec
	server, err := control.Listen(context.WithoutCancel(ctx), s.options.db, hello, func(ctx context.Context, call *control.Call) control.Exit {
		return s.runCall(ctx, call, &exec.Runner{
			Table: catalog.Commands(), Open: func(context.Context) (exec.Host, error) { return host, nil }, Shelf: shelf, LabText: b.text, ReadOnly: call.ReadOnly,
		})
	})
	if err != nil {
		s.log.Warn("exec takes no commands of others", "error", err.Error())
		return
	}
	b.server = server
}

// runCall runs the command of another process.
func (s *session) runCall(ctx context.Context, call *control.Call, runner *exec.Runner) (exit control.Exit) {
	defer func() {
		if thrown := recover(); thrown != nil {
			exit.Status = exitFailed
			path := writeCrash(s.stateDirectory(), s.version, fmt.Sprintf("panic in a command of exec: %v", thrown), debug.Stack())
			complain(call.Err, fmt.Errorf("the command stopped because of a mistake in cxdeck itself; please send its makers the report %s", path))
		}
	}()
	runner.Files, runner.JSON, runner.InBytes, runner.Zone = call.Files, call.JSON, call.InBytes, call.Zone.Location()
	runner.Out, runner.Err, runner.Ask, runner.NIC = call.Out, call.Err, call.Ask, call.NIC
	if call.Complete {
		if completeCall(ctx, call, runner) != nil {
			exit.Status = exitFailed
		}
		return exit
	}
	status := runner.RunAt(ctx, call.Words, call.Place)
	return control.Exit{Status: int(status), NIC: runner.NIC}
}

// readOnly says whether nothing that happens to the host is kept.
func (b *execBench) readOnly() bool { return b.session.options.readOnly || b.unwritable != nil }

// lapse takes back a change that nobody confirmed in time, and says so.
func (b *execBench) lapse(ctx context.Context) error {
	if b.readOnly() {
		return nil
	}
	guard, taken, err := b.host.Lapse(ctx, time.Now())
	if taken && err == nil {
		complain(b.session.streams.Err, fmt.Errorf("change %d (%s) was taken back: nobody confirmed it before %s", guard.Sequence, guard.Title, stamp(guard.Deadline)))
	}
	return err
}

// keeper keeps what happens on a source in the history, when there is one that may be written.
func (b *execBench) keeper(ctx context.Context, source *lab.Source) exec.Keeper {
	if b.db == nil || b.readOnly() {
		return nil
	}
	// What was done is kept even when the run is interrupted.
	b.scribe = &scribe{ctx: context.WithoutCancel(ctx), db: b.db, source: source}
	return b.scribe
}

// anew ends the session of the host and begins with a new one.
func (b *execBench) anew(ctx context.Context) (*lab.Source, exec.Keeper, error) {
	description, err := b.session.parseLab(b.text)
	if err != nil {
		return nil, nil, err
	}
	plant, err := layOut(description)()
	if err != nil {
		return nil, nil, err
	}
	lab, err := b.session.newLab(plant, time.Now().Truncate(time.Second))
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
	options := store.Options{
		ReadOnly: o.readOnly, LeaveDamaged: !b.changing, Version: b.session.version, Progress: b.session.salvageProgress(),
	}
	b.db, err = store.Open(ctx, o.db, options)
	if unwritable(err) || errors.Is(err, store.ErrDamaged) && !b.changing {
		why := err
		options.ReadOnly = true
		if b.db, err = store.Open(ctx, o.db, options); errors.Is(err, store.ErrNoFile) {
			return why
		}
		if b.unwritable = why; err == nil && !b.changing && b.db.Notice() == "" {
			complain(b.session.streams.Err, why)
		}
	}
	var file *store.FileError
	switch {
	case o.readOnly && errors.Is(err, store.ErrNoFile):
		return nil
	case errors.Is(err, store.ErrInUse) && errors.As(err, &file):
		return &inUseError{file, o.wait}
	case err == nil && b.db.Notice() != "":
		complain(b.session.streams.Err, errors.New(b.db.Notice()))
	}
	return err
}

// unwritable says whether a history can't be written, but may be read.
func unwritable(err error) bool {
	return errors.Is(err, store.ErrReadOnly) || errors.Is(err, store.ErrFull)
}

// inUseError is a history whose owner takes no commands.
type inUseError struct {
	file   *store.FileError
	waited time.Duration
}

// Error says what to do.
func (e *inUseError) Error() string {
	waited := ""
	if e.waited > 0 {
		waited = fmt.Sprintf(", which takes no commands and did not end within %s", e.waited)
	}
	return fmt.Sprintf("the host in %s is in use by a running cxdeck%s%s: wait longer with --wait, look at what was saved last "+
		"with --read-only, or choose another host with --db or --ephemeral", e.file.Path, processNumber(e.file.PID), waited)
}

// Unwrap gives the store's error.
func (e *inUseError) Unwrap() error { return e.file }

// How long an exec that has done its own work goes on for others: quiet is how long nobody may have come.
const (
	servingQuiet = 8 * time.Millisecond
	servingLimit = 1500 * time.Millisecond
	// servingEnd is how long a command of another may still run then.
	servingEnd = 30 * time.Second
)

// close saves what is not saved yet.
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
			complain(b.session.streams.Err, errors.New(moved))
		}
	}
	return errors.Join(problems...)
}

// endServing ends what is served; an interrupt of this run ends it sooner.
func (b *execBench) endServing() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(b.session.ctx), servingEnd)
	defer cancel()
	defer context.AfterFunc(b.session.ctx, func() { time.AfterFunc(time.Second, cancel) })()
	b.server.Close(ctx)
}
