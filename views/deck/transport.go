package deck

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"cxdeck/driver/wording"
	"cxdeck/perf/monitor"
	"cxdeck/ui"
	"cxdeck/views/moment"
)

// Speeds are the speeds of a replay, as multiples of real time.
var Speeds = []float64{0.1, 0.25, 0.5, 1, 2, 5, 10, 50, 100, 1000}

// jumps are the keys that seek by a length of time.
var jumps = [...]struct {
	id, key, name, help string
	by                  time.Duration
}{
	{"back-10s", "(", "10 s back", "Move the recording back by 10 seconds", -10 * time.Second},
	{"on-10s", ")", "10 s forward", "Move the recording forward by 10 seconds", 10 * time.Second},
	{"back-1min", "{", "1 min back", "Move the recording back by a minute", -time.Minute},
	{"on-1min", "}", "1 min forward", "Move the recording forward by a minute", time.Minute},
}

// PaceActions returns the actions that change the speed of the replay and seek by a length of time, with the function seek; none
// for a live source.
func (d *Deck) PaceActions(screen string, now time.Time, seek func(time.Time) ui.Cmd) []ui.Action {
	m := d.Monitor()
	if m == nil {
		return nil
	}
	from, to, ok := m.Seekable()
	if !ok {
		return nil
	}
	pace := func(id, key, name, help string, direction int) ui.Action {
		a := ui.Action{ID: screen + "." + id, Keys: []string{key}, Name: name, Hidden: true, Help: help}
		next := nextSpeed(m.Status().Speed, direction)
		if next == m.Status().Speed {
			a.Disabled = "this is the " + map[int]string{-1: "lowest", 1: "highest"}[direction] + " speed"
			return a
		}
		a.Run = func() ui.Cmd {
			return errorToast(m.SetSpeed(next))
		}
		return a
	}
	list := append(d.stepActions(screen, m, seek), d.repeatAction(screen, m, seek), pace("slower", "<", "slower", "Play more slowly", -1), pace("faster", ">", "faster", "Play faster", 1))
	for _, jump := range jumps {
		a := ui.Action{ID: screen + "." + jump.id, Keys: []string{jump.key}, Name: jump.name, Help: jump.help, Hidden: jump.by < 0,
			Run: func() ui.Cmd { return seek(now.Add(jump.by)) }}
		switch {
		case jump.by < 0 && !now.After(from):
			a.Disabled = "this is the start"
		case jump.by > 0 && !now.Before(to):
			a.Disabled = "this is the end"
		}
		list = append(list, a)
	}
	return list
}

// stepActions returns the actions that seek by one sample, or by one minute where only minutes are kept.
func (d *Deck) stepActions(screen string, m *monitor.Monitor, seek func(time.Time) ui.Cmd) []ui.Action {
	from, to, _ := m.Seekable()
	now := d.mover.place(m)
	back := ui.Action{ID: screen + ".step-back", Keys: []string{","}, Name: "step back", Hidden: true, Help: "Go back by one sample",
		Run: func() ui.Cmd { return seek(d.sampleBefore(m)) }}
	step := ui.Action{ID: screen + ".step", Keys: []string{"."}, Name: "step", Hidden: true, Help: "Go forward by one sample",
		Run: func() ui.Cmd { return seek(d.sampleAfter(m)) }}
	if !now.After(from) {
		back.Disabled = "this is the start"
	}
	if !now.Before(to) {
		step.Disabled = "this is the end"
	}
	return []ui.Action{back, step}
}

// sampleBefore returns the time of the previous sample. During a seek it estimates the time by the interval.
func (d *Deck) sampleBefore(m *monitor.Monitor) time.Time {
	now, status := d.mover.place(m), m.Status()
	if before, ok := m.Window().Before(now); ok && !d.Seeking() {
		return before
	}
	return now.Add(-max(status.Interval, status.Step))
}

// sampleAfter returns a time to seek to for the next sample.
func (d *Deck) sampleAfter(m *monitor.Monitor) time.Time {
	now, status := d.mover.place(m), m.Status()
	if !d.Seeking() {
		return now.Add(1)
	}
	return now.Add(max(status.Interval, status.Step))
}

// repeatAction repeats the marked range of a recording, or ends the repetition.
func (d *Deck) repeatAction(screen string, m *monitor.Monitor, seek func(time.Time) ui.Cmd) ui.Action {
	a := ui.Action{ID: screen + ".repeat", Keys: []string{"|"}, Name: "repeat range", Hidden: true,
		Help: "Repeat the marked range of the recording; press again to play on"}
	marked, ok := d.MarkedRange()
	switch status := m.Status(); {
	case status.RepeatFrom.Before(status.RepeatTo):
		a.Name, a.Hidden = "end repeat", false
		a.Run = func() ui.Cmd { return errorToast(m.Repeat(time.Time{}, time.Time{})) }
	case !ok:
		a.Disabled = "no range is marked; V on Counters marks one"
	default:
		a.Run = func() ui.Cmd {
			if err := errors.Join(m.Repeat(marked.From, marked.To), m.SetPaused(false)); err != nil {
				return errorToast(err)
			}
			return seek(marked.From)
		}
	}
	return a
}

// errorToast shows an error as a warning; nil for no error.
func errorToast(err error) ui.Cmd {
	if err == nil {
		return nil
	}
	return ui.Toast(ui.Caution, wording.UpperFirst(err.Error())+".")
}

// nextSpeed returns the next higher (1) or lower (-1) speed, or the same at the end of the list.
func nextSpeed(speed float64, direction int) float64 {
	next := speed
	for _, offered := range Speeds {
		if direction > 0 && offered > speed {
			return offered
		}
		if direction < 0 && offered < speed {
			next = offered
		}
	}
	return next
}

// ReplayActions returns the actions that play a recording and seek in it, for any screen; none for a live source.
func (d *Deck) ReplayActions(screen string) []ui.Action {
	m := d.Monitor()
	if m == nil {
		return nil
	}
	from, to, ok := m.Seekable()
	if !ok {
		return nil
	}
	now := d.mover.place(m)
	play := ui.Action{ID: screen + ".play", Keys: []string{";"}, Name: "play", Help: "Play the recording, or pause it; at its end, play it again"}
	atEnd := m.Status().Ended || !now.Before(to)
	paused := m.Status().Paused || atEnd
	if !paused {
		play.Name = "pause"
	}
	play.Run = func() ui.Cmd {
		if err := m.SetPaused(!paused); err != nil {
			return ui.Toast(ui.Caution, wording.UpperFirst(err.Error())+".")
		}
		if atEnd {
			return d.Seek(from)
		}
		return nil
	}
	list := append([]ui.Action{play}, d.PaceActions(screen, now, d.Seek)...)
	for i := range list[1:] {
		list[1+i].Hidden = true
	}
	var before, after time.Time
	if d.replay != nil {
		before, after = d.replay.Around(now)
	}
	mark := func(id, key, name, help string, at time.Time) ui.Action {
		a := ui.Action{ID: screen + "." + id, Keys: []string{key}, Name: name, Help: help, Hidden: true, Run: func() ui.Cmd { return d.Seek(at) }}
		if at.IsZero() {
			a.Disabled = "there is no event, change or note there"
		}
		return a
	}
	return append(list,
		mark("mark-before", "K", "previous event", "Go to the event, change or note before", before),
		mark("mark-after", "J", "next event", "Go to the next event, change or note", after),
		ui.Action{ID: screen + ".time", Keys: []string{"@"}, Name: "go to time", Hidden: true, Help: "Type a time to move the recording to",
			Run: func() ui.Cmd { return AskTime(d.Local(now), from, to, d.Seek) }})
}

// AskTime asks for a time between from and to, in the zone of now, and seeks to it.
func AskTime(now, from, to time.Time, seek func(time.Time) ui.Cmd) ui.Cmd {
	read := func(text string) (time.Time, error) { return moment.Read(text, now, from, to) }
	label := fmt.Sprintf("From %s to %s: 14:02:31, 08-14 14:02, +90s, -5m", dayClock(from, to, now), dayClock(to, from, now))
	return ui.Prompt("Go to time", label, now.Format("15:04:05"),
		func(text string) string {
			if _, err := read(text); err != nil {
				return err.Error()
			}
			return ""
		},
		func(text string) ui.Cmd {
			at, err := read(text)
			if err != nil {
				return ui.Toast(ui.Failure, err.Error())
			}
			return seek(at)
		})
}

// dayClock formats a time of day in the zone of now, with the date if the other time is on another day.
func dayClock(at, other, now time.Time) string {
	at, other = at.In(now.Location()), other.In(now.Location())
	if at.Format(time.DateOnly) == other.Format(time.DateOnly) {
		return at.Format("15:04:05")
	}
	return at.Format("01-02 15:04:05")
}

// mover seeks outside the terminal loop. During a seek, the newest request waits for its end.
type mover struct {
	mutex  sync.Mutex
	of     *monitor.Monitor // the seeking monitor, nil for none
	wanted time.Time        // the waiting request, zero for none
	sought time.Time        // the newest request
}

// Recorded reports whether the shown source is a recording, in which one can seek.
func (d *Deck) Recorded() bool {
	m := d.Monitor()
	if m == nil {
		return false
	}
	_, _, ok := m.Seekable()
	return ok
}

// Seeking reports whether the shown replay is seeking.
func (d *Deck) Seeking() bool {
	d.mover.mutex.Lock()
	defer d.mover.mutex.Unlock()
	return d.mover.of != nil && d.mover.of == d.Monitor()
}

// Position returns the position of the shown source; during a seek, the time that is sought.
func (d *Deck) Position() time.Time {
	m := d.Monitor()
	if m == nil {
		return time.Time{}
	}
	return d.mover.place(m)
}

// place returns the position of a monitor; during a seek, the time that is sought.
func (v *mover) place(m *monitor.Monitor) time.Time {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.of == m {
		return v.sought
	}
	return m.Status().Now
}

// next returns the waiting request, or ends the seek if there is none.
func (v *mover) next() (to time.Time, ok bool) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	to, v.wanted = v.wanted, time.Time{}
	if to.IsZero() {
		v.of = nil
	}
	return to, !to.IsZero()
}

// Seek moves the shown replay to a time, limited to the recording.
func (d *Deck) Seek(to time.Time) ui.Cmd {
	m := d.Monitor()
	from, end, ok := m.Seekable()
	if !ok {
		return nil
	}
	if to.Before(from) {
		to = from
	}
	if to.After(end) {
		to = end
	}
	v := &d.mover
	v.mutex.Lock()
	busy := v.of == m
	v.of, v.wanted, v.sought = m, to, to
	v.mutex.Unlock()
	if busy {
		return nil
	}
	return ui.Background("move the recording", func(ctx context.Context) ui.Msg {
		for to, ok := v.next(); ok; to, ok = v.next() {
			if err := m.Seek(ctx, to); err != nil {
				v.mutex.Lock()
				v.of, v.wanted = nil, time.Time{}
				v.mutex.Unlock()
				return ui.Toast(ui.Failure, "The replay could not be moved: "+err.Error())()
			}
		}
		return ui.DataMsg{}
	})
}
