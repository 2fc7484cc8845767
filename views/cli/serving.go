package cli

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/ui"
	"cxdeck/views/cli/saving"
	"cxdeck/views/control"
	"cxdeck/views/deck"
	"cxdeck/views/exec"
	"cxdeck/views/exec/catalog"
	"cxdeck/views/exec/hosts"
	"cxdeck/views/registry"
)

// serving runs the commands of cxdeck exec on the console's host.
type serving struct {
	console *console
	// server is nil if listening failed; see listening.
	server    *control.Server
	listening sync.WaitGroup
	drafts    exec.DraftStore
	// changes wakes the terminal loop after a change.
	changes chan struct{}
	// replaying reports that the screens show a recorded session.
	replaying atomic.Bool

	mu   sync.Mutex
	done []ui.Cmd // news for the terminal loop
	// changed is the number of changes among the news, newest the text of the newest one.
	changed int
	newest  string
}

// serve accepts commands of exec if the console owns the host. If listening fails, exec reports that the host is in use. The socket
// is made in the background, because the first frame does not need it.
func (c *console) serve(ctx context.Context, info perf.SourceInfo) {
	if c.saver == nil {
		return
	}
	s := &serving{console: c, changes: make(chan struct{}, 1)}
	s.drafts = saving.Drafts{DB: c.deck.DB, Info: info}
	hello := control.Hello{Version: c.session.version, Owner: control.Console, LabHash: info.LabHash, Seed: info.Seed, LabName: info.Name,
		Source: info.Name}
	s.listening.Go(func() {
		var err error
		if s.server, err = control.Listen(context.WithoutCancel(ctx), c.session.options.db, hello, s.run); err != nil {
			c.session.log.Warn("the console accepts no exec commands", "error", err.Error())
		}
	})
	c.serving = s
}

// run runs a command. Its changes are on disk when it returns.
func (s *serving) run(ctx context.Context, call *control.Call) control.Exit {
	c, who := s.console, fmt.Sprintf("exec, process %d", call.PID)
	if call.PID == 0 {
		who = "exec"
	}
	drafts := &saving.WatchedDrafts{DraftStore: s.drafts}
	changed := false
	host := hosts.OnMonitor(c.deck.Live, c.deck.Live.By(control.Exec).Notify(func(entry driver.Entry) {
		changed = true
		s.note(fmt.Sprintf("%s (%s)", entry.Plan.Title, who), &entry)
	}))
	runner := &exec.Runner{
		Table: catalog.Commands(), Open: func(context.Context) (exec.Host, error) { return host, nil }, Drafts: drafts, LabText: c.labText, Version: c.session.version,
		ReadOnly: call.ReadOnly || c.deck.ReadOnly,
		Log: func(line string, status exec.Status) {
			c.session.log.Info("exec", "line", line, "status", int(status), "process", call.PID)
		},
	}
	if c.deck.ReadOnly {
		runner.ReadOnlyWhy = "the console that runs the host was started with --read-only: end it, or start it without"
	}
	exit := c.session.runCall(ctx, call, runner)
	if drafts.Changed {
		s.show(registry.DraftChanged())
	}
	if !changed {
		return exit
	}
	if err := c.saver.Flush(context.WithoutCancel(ctx)); err != nil {
		fmt.Fprintln(call.Err, "cxdeck: the change was made, but is not saved: "+exec.Clean(err.Error())) //nolint:errcheck // the exit code reports it
		exit.Status = max(exit.Status, exitFailed)
	}
	s.reportInvisible(call)
	return exit
}

// reportInvisible reports to exec why the console's screen does not show its change.
func (s *serving) reportInvisible(call *control.Call) {
	why := ""
	switch {
	case s.replaying.Load():
		why = "the console shows a recorded session; the change was made on its live host"
	case s.console.deck.Live.Status().Paused:
		why = "the console is paused: the effects of the change appear when its time continues"
	}
	if why != "" {
		fmt.Fprintln(call.Err, "cxdeck: "+why) //nolint:errcheck // the change is made
	}
}

// note passes a change to the terminal loop.
func (s *serving) note(text string, entry *driver.Entry) {
	s.mu.Lock()
	s.changed++
	s.newest = text
	s.mu.Unlock()
	s.show(ui.Log(entry.Time, text, deck.Commands(entry)))
}

// show passes a message to the terminal loop.
func (s *serving) show(cmds ...ui.Cmd) {
	s.mu.Lock()
	s.done = append(s.done, cmds...)
	s.mu.Unlock()
	select {
	case s.changes <- struct{}{}:
	default:
	}
}

// takeNotices returns the news for the terminal loop, and empties them. replaying reports that the screens show a recorded session.
func (s *serving) takeNotices(replaying bool) []ui.Cmd {
	s.replaying.Store(replaying)
	s.mu.Lock()
	defer s.mu.Unlock()
	cmds := s.done
	switch {
	case s.changed == 1:
		cmds = append(cmds, ui.Toast(ui.Note, s.newest))
	case s.changed > 1:
		cmds = append(cmds, ui.Toast(ui.Note, fmt.Sprintf("%d changes by exec; the last one: %s", s.changed, s.newest)))
	}
	s.done, s.changed = nil, 0
	return cmds
}

// servingGrace is the maximum time that a command of exec may run on when the console ends.
const servingGrace = 1200 * time.Millisecond

// close stops accepting commands, and waits for running ones.
func (s *serving) close() {
	s.listening.Wait()
	if s.server == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), servingGrace)
	defer cancel()
	s.server.Close(ctx)
}
