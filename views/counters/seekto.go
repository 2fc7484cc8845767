package counters

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"cxdeck/ui"
)

// place is where the recording stands, or will when it has moved.
func (s *Screen) place() time.Time {
	if s.seeking && !s.sought.IsZero() {
		return s.sought
	}
	return s.status.Now
}

// moveOr makes the Run of an action that moves a recording to a time, and what is live in the picture.
func (s *Screen) moveOr(recorded bool, to time.Time, live func()) func() ui.Cmd {
	if recorded {
		return func() ui.Cmd { return s.seek(to) }
	}
	return s.moveInTime(live)
}

// jumps are the keys that move a recording by a length of time.
var jumps = [...]struct {
	id, key, name, help string
	by                  time.Duration
}{
	{"back-10s", "(", "10 s back", "Move the recording back by 10 seconds", -10 * time.Second},
	{"on-10s", ")", "10 s on", "Move the recording forward by 10 seconds", 10 * time.Second},
	{"back-1min", "{", "1 min back", "Move the recording back by a minute", -time.Minute},
	{"on-1min", "}", "1 min on", "Move the recording forward by a minute", time.Minute},
}

// replayActions play a recording and move it.
func (s *Screen) replayActions() []ui.Action {
	from, to, ok := s.seekable()
	if !ok {
		return nil
	}
	now := s.place()
	atStart, atEnd := disabledUnless(now.After(from), "this is the start"), disabledUnless(now.Before(to), "this is the end")
	list := []ui.Action{
		{ID: "counters.play", Keys: []string{" "}, Name: s.playName(), Disabled: disabledUnless(!s.seeking, "the recording is being moved"),
			Help: "Play the recording, or pause it; at its end, play it again", Run: s.play},
		{ID: "counters.step-back", Keys: []string{","}, Name: "step back", Hidden: true, Disabled: atStart,
			Help: "Go back by one sample", Run: func() ui.Cmd { return s.seek(s.place().Add(-s.sampleInterval())) }},
		{ID: "counters.step", Keys: []string{"."}, Name: "step", Hidden: true, Disabled: atEnd,
			Help: "Go forward by one sample", Run: func() ui.Cmd { return s.seek(s.place().Add(s.sampleInterval())) }},
		{ID: "counters.slower", Keys: []string{"<"}, Name: "slower", Hidden: true, Disabled: disabledUnless(s.status.Speed > speeds[0], "this is the lowest speed"),
			Help: "Play more slowly", Run: func() ui.Cmd { return s.changeSpeed(-1) }},
		{ID: "counters.faster", Keys: []string{">"}, Name: "faster", Disabled: disabledUnless(s.status.Speed < speeds[len(speeds)-1], "this is the highest speed"),
			Help: "Play faster", Run: func() ui.Cmd { return s.changeSpeed(1) }},
	}
	for _, jump := range jumps {
		a := ui.Action{ID: "counters." + jump.id, Keys: []string{jump.key}, Name: jump.name, Help: jump.help, Hidden: jump.by < 0,
			Disabled: atStart, Run: func() ui.Cmd { return s.seek(s.place().Add(jump.by)) }}
		if jump.by > 0 {
			a.Disabled = atEnd
		}
		list = append(list, a)
	}
	return list
}

// askTime asks for a time, and goes there.
func (s *Screen) askTime() ui.Cmd {
	from, to, recorded := s.seekable()
	if !recorded {
		from, to = s.timeRange()
	}
	now := s.status.Now
	if recorded {
		now = s.place()
	} else if !s.time.cursor.IsZero() {
		now = s.time.cursor
	}
	read := func(text string) (time.Time, error) { return readTime(text, now.In(s.location), from, to) }
	label := fmt.Sprintf("From %s to %s: 14:02:31, 08-14 14:02, +90s, -5m", s.dayClock(from, to), s.dayClock(to, from))
	return ui.Prompt("Go to time", label, now.In(s.location).Format("15:04:05"),
		func(text string) string {
			if _, err := read(text); err != nil {
				return err.Error()
			}
			return ""
		},
		func(text string) ui.Cmd {
			at, err := read(text)
			switch {
			case err != nil:
				return ui.Toast(ui.Failure, err.Error())
			case recorded:
				return s.seek(at)
			}
			s.goTo(at)
			return s.readPast()
		})
}

// dayClock writes a time of day, with its day where another time is of another one.
func (s *Screen) dayClock(at, other time.Time) string {
	if at.In(s.location).Format(time.DateOnly) == other.In(s.location).Format(time.DateOnly) {
		return s.clock(at)
	}
	return at.In(s.location).Format("01-02 15:04:05")
}

// errTime says how a time is written.
var errTime = errors.New("write a time as 14:02, 14:02:31 or 2018-08-14 14:02, or an offset as +90s or -5m")

// timeLayouts are the ways to write a time. Layouts with a date come first.
var timeLayouts = []struct {
	layout    string
	day, year bool
}{
	{"2006-1-2 15:4:5", true, true}, {"2006-1-2 15:4", true, true}, {"1-2 15:4:5", true, false}, {"1-2 15:4", true, false},
	{"15:4:5", false, false}, {"15:4", false, false},
}

// readTime reads a time that an operator types. A time without a day is the nearest one to now between from and to; all
// is in the time zone of now.
func readTime(text string, now, from, to time.Time) (time.Time, error) {
	text = strings.Join(strings.Fields(strings.Replace(text, "T", " ", 1)), " ")
	if text != "" && (text[0] == '+' || text[0] == '-') {
		by, err := time.ParseDuration(strings.ReplaceAll(strings.TrimPrefix(text, "+"), " ", ""))
		if err != nil {
			return time.Time{}, errTime
		}
		return clampTime(now.Add(by), from, to)
	}
	for _, l := range timeLayouts {
		at, err := time.ParseInLocation(l.layout, text, now.Location())
		if err != nil {
			continue
		}
		year, month, day := now.Date()
		switch {
		case l.year:
			return clampTime(at, from, to)
		case l.day:
			_, month, day = at.Date()
		}
		best, found := time.Time{}, false
		for offset := range 3 {
			y, d := year, day
			if l.day {
				y += offset - 1
			} else {
				d += offset - 1
			}
			try := time.Date(y, month, d, at.Hour(), at.Minute(), at.Second(), 0, now.Location())
			_, err := clampTime(try, from, to)
			if (err == nil && !found) || (err == nil) == found && isNearer(try, best, now) {
				best, found = try, err == nil
			}
		}
		return clampTime(best, from, to)
	}
	return time.Time{}, errTime
}

// isNearer says whether a time is nearer to now than another one, which may be zero.
func isNearer(at, other, now time.Time) bool {
	return other.IsZero() || at.Sub(now).Abs() < other.Sub(now).Abs()
}

// clampTime gives a time that lies in what there is, up to a second outside, for times are shown to the second.
func clampTime(at, from, to time.Time) (time.Time, error) {
	switch {
	case at.Before(from.Add(-time.Second)):
		return at, fmt.Errorf("it begins at %s", from.In(at.Location()).Format(time.DateTime))
	case at.After(to.Add(time.Second)):
		return at, fmt.Errorf("it ends at %s", to.In(at.Location()).Format(time.DateTime))
	case at.Before(from):
		return from, nil
	case at.After(to):
		return to, nil
	}
	return at, nil
}
