package threshold

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
)

// Watcher applies thresholds to one column after the other.
type Watcher struct {
	thresholds []Rule
	generation int
	schema     *perf.Schema
	watches    []watch
	// idle are the thresholds without a matching series.
	idle []State
}

// watch is a threshold for one series, with its bounds in the unit of the series.
type watch struct {
	State
	level, clear float64
	// since is the time of the first column of an unbroken run beyond the level; zero while the value is good.
	since time.Time
}

// Alarm is the start or the end of an alarm.
type Alarm struct {
	Event eventlog.Event
	// Program is the program to run with its arguments filled in; nil for none. key identifies its threshold.
	Program []string
	key     string
}

// Set sets the thresholds and the schema; it is true when the states changed.
func (w *Watcher) Set(thresholds []Rule, generation int, schema *perf.Schema) bool {
	if generation == w.generation && schema == w.schema {
		return false
	}
	before := make(map[int][]watch)
	for _, old := range w.watches {
		before[old.Series] = append(before[old.Series], old)
	}
	w.thresholds, w.generation, w.schema, w.watches, w.idle = thresholds, generation, schema, nil, nil
	for _, threshold := range thresholds {
		if !w.add(threshold, before) {
			w.idle = append(w.idle, State{Rule: threshold, Series: -1})
		}
	}
	return true
}

// add watches the series that match a threshold, and takes over their previous state; false when there are none.
func (w *Watcher) add(threshold Rule, before map[int][]watch) bool {
	pattern, err := perf.ParsePattern(threshold.Path)
	if err != nil || threshold.Check() != nil || w.schema == nil {
		return false
	}
	watched := len(w.watches)
	for _, series := range w.schema.Matching(pattern) {
		level, end, ok := threshold.bounds(&w.schema.Series[series])
		// A total repeats its parts, and is watched only when named.
		if !ok || w.schema.Series[series].Sum != "" && pattern.AnyInstance() {
			continue
		}
		added := watch{State: State{Rule: threshold, Series: series}, level: level, clear: end}
		for _, old := range before[series] {
			if old.sameAs(threshold) {
				added.Alarm, added.Since, added.since = old.Alarm, old.Since, old.since
			}
		}
		w.watches = append(w.watches, added)
	}
	return len(w.watches) > watched
}

// States returns the states of thresholds that replace others; equal ones keep their state.
func States(before []State, thresholds []Rule, schema *perf.Schema) []State {
	var w Watcher
	for _, state := range before {
		w.watches = append(w.watches, watch{State: state})
	}
	w.Set(thresholds, 1, schema)
	return w.States()
}

// Forget drops the alarms, after a seek in a recording.
func (w *Watcher) Forget() {
	for i := range w.watches {
		w.watches[i].Alarm, w.watches[i].Since, w.watches[i].since = false, time.Time{}, time.Time{}
	}
}

// Series lists the watched series.
func (w *Watcher) Series() (list []int) {
	for i := range w.watches {
		list = append(list, w.watches[i].Series)
	}
	return list
}

// States returns a copy of the states.
func (w *Watcher) States() []State {
	states := make([]State, 0, len(w.watches)+len(w.idle))
	for i := range w.watches {
		states = append(states, w.watches[i].State)
	}
	return append(states, w.idle...)
}

// Check checks a column against the thresholds. before may be nil. With a missing value, an alarm stays and the time of For
// restarts.
func (w *Watcher) Check(schema *perf.Schema, before, column *perf.Column) (alarms []Alarm, changed bool) {
	if schema != w.schema {
		changed = w.Set(w.thresholds, w.generation, schema)
	}
	for i := range w.watches {
		current := &w.watches[i]
		series := &schema.Series[current.Series]
		value, ok := series.Value(before, column)
		switch {
		case !ok || !current.Alarm && !current.isBeyond(value, current.level):
			current.since = time.Time{}
		case current.Alarm:
			if !current.isBeyond(value, current.clear) {
				current.Alarm, current.Since, current.since = false, column.Time, time.Time{}
				alarms = append(alarms, current.ended(series, value))
			}
		default:
			if current.since.IsZero() {
				current.since = column.Time
			}
			if column.Time.Sub(current.since) >= current.For {
				current.Alarm, current.Since = true, column.Time
				alarms = append(alarms, current.startAlarm(series, value))
			}
		}
	}
	return alarms, changed || len(alarms) > 0
}

// startAlarm reports the start of an alarm.
func (w *watch) startAlarm(series *perf.Series, value float64) Alarm {
	side := "over"
	if w.Below {
		side = "under"
	}
	text := fmt.Sprintf("%s is at %s, %s %s", title(series), number(series, value), side, number(series, w.level))
	if w.For > 0 {
		text += " for " + w.For.String()
	}
	started := Alarm{Event: w.event(series, eventlog.Warning, text), key: w.Path + "\x00" + strings.Join(w.Run, "\x00")}
	if len(w.Run) > 0 {
		fill := strings.NewReplacer("{path}", series.Path(), "{value}", plainNumber(value), "{level}", plainNumber(w.level))
		started.Program = append(started.Program, w.Run[0])
		for _, argument := range w.Run[1:] {
			started.Program = append(started.Program, fill.Replace(argument))
		}
	}
	return started
}

// ended reports the end of an alarm.
func (w *watch) ended(series *perf.Series, value float64) Alarm {
	return Alarm{Event: w.event(series, eventlog.Information, fmt.Sprintf("%s is back at %s", title(series), number(series, value)))}
}

// EventSource is the source of threshold events.
const EventSource = "threshold"

func (w *watch) event(series *perf.Series, severity eventlog.Severity, message string) eventlog.Event {
	return eventlog.Event{
		Time: w.Since, Source: EventSource, Severity: severity, Adapter: series.Instance, Message: message,
	}
}

// title returns the name of a series in a sentence.
func title(series *perf.Series) string {
	if series.Instance == "" {
		return series.Set + ": " + series.Counter
	}
	return series.Instance + ": " + series.Counter
}

// number returns a value of a series with its unit.
func number(s *perf.Series, value float64) string {
	return perf.Number(value, s.Unit, s.PerSecond(), false)
}

// plainNumber returns a number without unit and exponent, for a program.
func plainNumber(value float64) string { return strconv.FormatFloat(value, 'f', -1, 64) }
