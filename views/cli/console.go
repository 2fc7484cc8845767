package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/perf/monitor"
	"cxdeck/perf/threshold"
	"cxdeck/ui"
	"cxdeck/views/adapters"
	"cxdeck/views/cli/process"
	"cxdeck/views/cli/saving"
	"cxdeck/views/cli/training"
	"cxdeck/views/deck"
	"cxdeck/views/exec"
	"cxdeck/views/exec/shell"
	"cxdeck/views/guide"
	"cxdeck/views/settings"
	"cxdeck/views/train"
)

// snapshotInterval is the time between snapshots of an unchanged host in the history. A replay simulates the host from the last
// snapshot on.
const snapshotInterval = 5 * time.Minute

// closeTimeout limits the wait for the last samples to reach the disk when the console ends.
const closeTimeout = 5 * time.Second

func runConsole(s *session) error {
	if s.streams.Terminal == nil && !s.options.plain {
		return mistake("the console requires a terminal; cxdeck counters prints counters without one, and --plain prints the screens as lines")
	}
	for {
		c := newConsole(s)
		open, err := c.prepareSource()
		if err != nil {
			return err
		}
		if err := c.run(open); err != nil || c.next == "" {
			return err
		}
		e, err := training.FindExercise(c.next)
		if err == nil {
			err = s.trainInConsole(e, true)
		}
		if err != nil {
			return err
		}
	}
}

func newConsole(s *session) *console {
	c := &console{session: s, shown: make(chan struct{}), deck: &deck.Deck{
		ReadOnly: s.options.readOnly, InBytes: s.options.inBytes, LowBandwidth: s.options.lowBandwidth,
		Restore: s.lab().Snapshots(),
	}}
	c.trainer = &train.Trainer{Directory: s.stateDirectory(), Now: time.Now, Start: c.startExercise, CannotStart: c.cannotStart(),
		Clone: func(ctx context.Context) (*driver.Host, error) { return c.deck.Live.Clone(ctx) }}
	c.offerSettings()
	c.deck.OpenCourse, c.deck.RunLine = c.openCourse, c.runGuide
	c.guides = &guide.Guides{Open: c.openGuide, Run: c.runGuide, OpenForm: c.openForm, CannotChange: c.deck.CannotChange, Unavailable: c.cannotGuide}
	return c
}

// run opens the source, runs the screens, and closes everything.
func (c *console) run(open sourceOpener) error {
	debug.SetGCPercent(startGarbage)
	if err := c.open(open); err != nil {
		return saving.JoinDistinct(err, c.close())
	}
	err := c.show()
	if c.next == "" && !c.returns {
		c.session.ending.Begin()
	}
	return saving.JoinDistinct(err, c.close(), c.loss())
}

// Garbage collection percentages, as for debug.SetGCPercent. The start of the default lab stays below the first one, and shows
// its first frame without a collection. Afterwards the console is mostly idle, and trades a little processor time for a third
// less memory.
const (
	startGarbage   = 500
	restingGarbage = 25
	settleTime     = 100 * time.Millisecond
	startTime      = time.Second
	visitTime      = 4 * time.Second
)

// keepAfter is the time from the start until old parts of the history are summed up or removed: after the first frame and the
// first rates, and before the second collection of the start's garbage.
const keepAfter = 500 * time.Millisecond

// frameTimeout limits the monitor's wait for the first frame on a terminal that does not accept it.
const frameTimeout = 100 * time.Millisecond

// awaitFrame waits for the first frame, which parallel work would delay on a machine with two processors.
func (c *console) awaitFrame(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-c.shown:
	case <-time.After(frameTimeout):
	}
}

// collectGarbage sets the percentage of the idle console after the first frame, and frees the memory of the start; then that of the
// screens which were opened at once.
func (c *console) collectGarbage(ctx context.Context) {
	c.awaitFrame(ctx)
	debug.SetGCPercent(restingGarbage)
	process.FlushProgram()
	for _, pause := range []time.Duration{0, settleTime, startTime, visitTime} {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
			// Free the memory of the start at once; by default the runtime keeps a part of it for minutes.
			debug.FreeOSMemory()
			process.ReleaseCode()
		}
	}
}

// console starts the parts of a running console, and stops them in order.
type console struct {
	session *session
	deck    *deck.Deck
	notice  string
	// labText is the text of the lab file; nil for other sources.
	labText []byte
	// recording is closed when the attempt to begin a session in the history has ended; nil before the attempt.
	recording <-chan struct{}
	// reading reports that another console writes the history.
	reading bool
	// saver saves the host of a lab; nil for other sources and without a history.
	saver *saving.Background
	// serving runs the commands of exec; nil when this console does not own the host.
	serving *serving
	// ownDrafts stores the draft if there is no history; the terminal loop creates it.
	ownDrafts exec.DraftStore
	// variables hold what the typed PowerShell lines assigned.
	variables *shell.Session
	// inherited is the number of changes in the restored host's journal.
	inherited int
	// written is the newest unsaved change that the operator has exported to the file writtenTo.
	written   atomic.Uint64
	writtenTo atomic.Pointer[string]

	// trainer has the exercises; next is the exercise that the operator has chosen to start. returns reports that another console
	// follows this one.
	trainer *train.Trainer
	// views are the screens.
	views []ui.View
	// adapters are the settings of this machine; nil when it is not the source.
	adapters *adapters.Settings
	// guides are the procedures that G lists.
	guides  *guide.Guides
	next    string
	returns bool

	// shown is closed when the first frame is on the terminal.
	shown   chan struct{}
	stop    context.CancelFunc
	running sync.WaitGroup
}

// open starts the history, the source that resumes from it, and the monitor.
func (c *console) open(openSource sourceOpener) error {
	o := c.session.options
	ctx, stop := context.WithCancel(c.session.ctx)
	c.stop = stop
	c.running.Go(func() { c.collectGarbage(ctx) })
	c.openHistory(ctx)
	source, notice, err := openSource(ctx, c.deck.DB)
	if c.recording != nil {
		<-c.recording
	}
	if err != nil {
		return err
	}
	c.notify(notice)
	if noter, ok := source.(perf.Noter); ok {
		for _, note := range noter.Notes() {
			c.notify(note)
		}
	}
	if c.recording == nil {
		c.record(ctx, source.Info())
	}
	if err := c.deck.LoadThresholds(ctx); err != nil {
		c.notify("the thresholds of the previous run can't be read:  " + err.Error())
	}
	options := monitor.Options{
		Interval: o.interval, Speed: o.speed, QuickStart: true,
		Thresholds: c.deck.Thresholds.ApplyTo(thresholds(o.settings, source.Info().Kind)),
	}
	if c.deck.Recorder != nil {
		options.Sink = c.deck.Recorder
		c.saver = saving.NewBackground(context.WithoutCancel(ctx), c.deck.DB, c.session.log, source.Info())
		options.Saver, options.SaveEvery = c.saver, snapshotInterval
	}
	monitor, err := monitor.New(source, options)
	if err != nil {
		return errors.Join(err, source.Close())
	}
	if guard, unconfirmed := monitor.Unconfirmed(); unconfirmed {
		c.notify(fmt.Sprintf("cxdeck ended before change %d, %q, was confirmed: it is undone", guard.Sequence, guard.Title))
	}
	c.deck.Live, c.inherited = monitor, len(monitor.Journal())
	if c.trainer.Course == nil {
		c.deck.Unsaved = func() int { return len(c.unsavedChanges()) }
	}
	c.running.Go(func() {
		c.awaitFrame(ctx)
		if err := monitor.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
			c.session.log.Error("source", "error", err.Error())
		}
	})
	c.serve(ctx, source.Info())
	return nil
}

// notify shows the operator a notice at the start.
func (c *console) notify(sentence string) {
	if sentence != "" {
		c.notice = strings.TrimPrefix(c.notice+"; "+sentence, "; ")
	}
}

func thresholds(from settings.Settings, source perf.SourceKind) []threshold.Rule {
	if len(from.Thresholds) == 0 {
		return settings.DefaultThresholds(source)
	}
	var list []threshold.Rule
	for _, t := range from.Thresholds {
		list = append(list, t.Perf())
	}
	return list
}

// close stops commands of exec, the source and the recorder, in this order: the order of the data.
func (c *console) close() error {
	if c.adapters != nil {
		c.adapters.Close()
	}
	if c.serving != nil {
		c.serving.close()
	}
	if c.stop != nil {
		c.stop()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.session.ctx), closeTimeout)
	defer cancel()
	problems := []error{c.deck.Close(ctx)}
	c.running.Wait()
	if c.saver != nil {
		problems = append(problems, c.saver.Close())
	}
	if c.deck.Recorder != nil {
		problems = append(problems, c.deck.Recorder.Close(ctx))
	}
	if c.deck.DB != nil {
		problems = append(problems, c.deck.DB.Close())
		if rescue := c.deck.DB.Rescue(); rescue.Moved != "" {
			if moved := errors.New(rescue.Moved); rescue.Lost {
				problems = append(problems, moved) // the exit code reports it, too
			} else {
				process.Complain(c.session.streams.Err, moved)
			}
		}
	}
	return saving.JoinDistinct(problems...)
}
