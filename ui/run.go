package ui

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// ErrNoTerminal reports that input or output is not a terminal.
var ErrNoTerminal = errors.New("input or output is not a terminal")

// The pace of frames with only new data. Keys and the mouse have an effect at once.
const (
	dataPace = 100 * time.Millisecond
	slowPace = 3 * time.Second
)

// shutdownGrace is the time that background work has to end before Run returns.
const shutdownGrace = 30 * time.Millisecond

// Run shows the console on a terminal until the operator leaves, the process receives a signal to end, or ctx ends; then it
// restores the terminal. It returns nil after an orderly end, ErrNoTerminal, a *CrashError after a panic, or the error of the
// terminal.
func Run(ctx context.Context, options Options) (err error) {
	terminal, err := openTerminal(options.Input, options.Output)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	options.suspendRefusal = suspendRefusal()
	l := &loop{ctx: ctx, options: options, terminal: terminal, pace: dataPace}
	if options.LowBandwidth {
		l.pace = slowPace
	}
	defer func() {
		if p := recover(); p != nil {
			l.crashed(asCrash(p, "starting"))
		}
		terminal.leave()
		err = l.result(err)
	}()
	if options.Taken != nil {
		options.Taken(terminal.leave)
	}
	watch := newWatch(terminal)
	defer watch.stop()
	if err := terminal.enter(); err != nil {
		return err
	}
	return l.run(cancel, watch)
}

// loop connects the shell to Bubble Tea, which reads the keys, runs the commands and calls Update with one message at a time.
// It does not draw: frames go to the screen.
type loop struct {
	ctx      context.Context
	options  Options
	shell    *Shell
	terminal *terminal
	screen   *screen
	program  *tea.Program
	pace     time.Duration
	lastData time.Time // when the last frame was composed
	waiting  bool      // a frame at the pace of data is scheduled
	working  sync.WaitGroup

	crashOnce sync.Once
	crash     *CrashError
	lost      error // the reason why the terminal can't be written any more
}

// The messages of the loop itself.
type (
	freedMsg  struct{}
	paceMsg   struct{}
	resizeMsg struct{}
	resumeMsg struct{}
	lostMsg   struct{ err error }
)

func (l *loop) run(cancel context.CancelFunc, watch *watch) error {
	l.shell = NewShell(l.options)
	l.program = tea.NewProgram(l, tea.WithContext(l.ctx), tea.WithInput(l.input()), tea.WithOutput(l.terminal),
		tea.WithoutRenderer(), tea.WithoutSignalHandler(), tea.WithoutCatchPanics(), tea.WithMouseCellMotion())
	send := func(msg tea.Msg) func() { return func() { l.program.Send(msg) } }
	shown := sync.OnceFunc(func() {
		if l.options.Shown != nil {
			l.options.Shown()
		}
	})
	l.screen = newScreen(l.terminal, func() { shown(); l.program.Send(freedMsg{}) }, func(err any) {
		if crash, ok := err.(*CrashError); ok {
			l.program.Send(crashMsg{crash})
			return
		}
		l.program.Send(lostMsg{fmt.Errorf("can't write to the terminal: %v", err)})
	})
	watching := make(chan struct{})
	go func() {
		defer close(watching)
		watch.run(l.ctx, send(resizeMsg{}), send(resumeMsg{}), send(quitMsg{}))
	}()
	_, err := l.program.Run()
	cancel()
	<-watching
	l.screen.close()
	return err
}

// input returns the terminal's input; its end ends the console.
func (l *loop) input() *endingInput {
	return &endingInput{l.terminal.in, func() { l.program.Send(lostMsg{errors.New("the terminal's input has ended")}) }}
}

// result returns the result of Run for the end of the loop. The terminal has been restored.
func (l *loop) result(err error) error {
	if l.crash != nil {
		return l.crash
	}
	finished := make(chan struct{})
	go func() {
		l.working.Wait()
		close(finished)
	}()
	timer := time.NewTimer(shutdownGrace)
	defer timer.Stop()
	select {
	case <-finished:
	case <-timer.C:
	}
	switch {
	case l.lost != nil:
		return l.lost
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return nil
	default:
		return fmt.Errorf("can't read from the terminal: %w", err)
	}
}

// Init is part of tea.Model: the first frame is composed before any key is read.
func (l *loop) Init() tea.Cmd {
	width, height := l.terminal.size()
	return l.step(SizeMsg{width, height})
}

// View is part of tea.Model; frames go to the screen instead.
func (l *loop) View() string { return "" }

// Update is part of tea.Model.
func (l *loop) Update(msg tea.Msg) (tea.Model, tea.Cmd) { return l, l.step(msg) }

// step handles one message, composes a frame if necessary, and returns the resulting work. After a panic in it, the console
// ends in order.
func (l *loop) step(msg tea.Msg) (cmd tea.Cmd) {
	defer func() {
		if p := recover(); p != nil {
			l.crashed(asCrash(p, fmt.Sprintf("dealing with %T", msg)))
			cmd = tea.Quit
		}
	}()
	switch msg := msg.(type) {
	case tea.KeyMsg:
		for _, key := range keys(msg) {
			l.shell.Send(key)
		}
	case tea.MouseMsg:
		if m, ok := mouse(msg); ok {
			l.shell.Send(m)
		}
	case freedMsg:
	case paceMsg:
		l.waiting = false
	case resizeMsg:
		width, height := l.terminal.size()
		l.shell.Send(SizeMsg{width, height})
	case resumeMsg:
		if err := l.terminal.enter(); err != nil {
			l.lost = err
			return tea.Quit
		}
		width, height := l.terminal.size()
		l.shell.Send(SizeMsg{width, height})
	case crashMsg:
		l.crashed(msg.crash)
		return tea.Quit
	case lostMsg:
		l.lost = msg.err
		return tea.Quit
	case tea.ResumeMsg:
	default:
		l.shell.Send(msg)
	}
	return l.runRequests()
}

// runRequests runs requests of the shell from the message.
func (l *loop) runRequests() tea.Cmd {
	s := l.shell
	if s.quitting {
		return tea.Quit
	}
	cmds := l.commands(s.takeJobs())
	if s.suspend {
		s.suspend = false
		l.terminal.leave()
		return tea.Batch(append(cmds, tea.Suspend)...)
	}
	if wait := l.drawDueFrame(); wait > 0 && !l.waiting {
		l.waiting = true
		cmds = append(cmds, tea.Tick(wait, func(time.Time) tea.Msg { return paceMsg{} }))
	}
	if s.options.OnIdle != nil && s.dirty == clean && len(s.registry.works) == 0 && l.screen.draw() != nil {
		s.options.OnIdle()
	}
	return tea.Batch(cmds...)
}

// drawDueFrame draws a frame if one is due and can be written; it returns the time to wait for the pace of data.
func (l *loop) drawDueFrame() time.Duration {
	s := l.shell
	if s.dirty == clean && !s.repaint {
		return 0
	}
	now := s.options.Now()
	if s.dirty == newData && !s.repaint {
		if wait := l.pace - now.Sub(l.lastData); wait > 0 {
			return wait
		}
	}
	canvas := l.screen.draw()
	if canvas == nil {
		return 0 // the writer reports when it is free
	}
	l.lastData = now
	s.drawFrame(canvas)
	l.screen.show(s.painter(), s.repaint, s.mouseOn)
	s.repaint = false
	return 0
}

// commands converts jobs to commands of Bubble Tea.
func (l *loop) commands(jobs []job) []tea.Cmd {
	var cmds []tea.Cmd
	for _, j := range jobs {
		l.working.Add(1)
		cmds = append(cmds, func() tea.Msg {
			defer l.working.Done()
			return j.guarded(l.ctx)
		})
	}
	return cmds
}

// crashed writes the report of the first crash.
func (l *loop) crashed(crash *CrashError) {
	l.crashOnce.Do(func() {
		l.crash = crash
		var steps trail
		if l.shell != nil {
			steps = l.shell.trail
		}
		crash.writeReport(l.options.ReportDirectory, l.options.Version, time.Now(), &steps)
	})
}
