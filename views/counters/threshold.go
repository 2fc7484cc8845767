package counters

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"cxdeck/driver/request"
	"cxdeck/perf"
	"cxdeck/perf/threshold"
	"cxdeck/ui"
	"cxdeck/views/counters/dimension"
	"cxdeck/views/deck"
)

// thresholdForm holds the typed fields of a threshold.
type thresholdForm struct {
	below              bool
	level, clear, hold string
	program            []string
	dimension          dimension.Dimension
	toBase             float64
	line               uint64
	inBytes            bool
	path               string
}

// formOf fills a form from a threshold.
func formOf(c *curve, t threshold.Rule, inBytes bool) thresholdForm {
	f := thresholdForm{dimension: c.Dimension, toBase: c.toBase, line: c.info.Line, inBytes: inBytes, path: c.path}
	f.below = t.Below
	f.level = f.text(t.Level, t.Percent)
	if t.Clear == t.Clear {
		f.clear = f.text(t.Clear, t.Percent)
	}
	f.hold = t.For.String()
	f.program = append(f.program, t.Run...)
	return f
}

// text formats a level as an operator can type it.
func (f *thresholdForm) text(level float64, percent bool) string {
	if percent {
		return percentText(level)
	}
	return f.dimension.Number(level*f.toBase, f.inBytes)
}

// newForm returns the form of a curve without a threshold.
func newForm(c *curve, inBytes bool) thresholdForm {
	return thresholdForm{hold: "0s", dimension: c.Dimension, toBase: c.toBase, line: c.info.Line, inBytes: inBytes, path: c.path}
}

// levelHint describes the units that a level can have.
func (f *thresholdForm) levelHint() string {
	hint := "in " + f.dimension.Name(f.inBytes)
	if f.line > 0 && f.dimension.Throughput() {
		hint += ", or % of the link's " + dimension.Dimension{Unit: perf.Bytes, PerSecond: true}.Number(float64(f.line)/dimension.BitsPerByte, false)
	}
	return hint
}

// maxHold is the maximum hold time.
const maxHold = time.Hour

// threshold parses the form. A *fieldError names the invalid field.
func (f *thresholdForm) threshold() (threshold.Rule, error) {
	t := threshold.Rule{Path: f.path, Below: f.below, Clear: math.NaN()}
	var err error
	if t.Level, t.Percent, err = f.read(f.level); err != nil {
		return t, &fieldError{fieldLevel, fmt.Errorf("level: %w", err)}
	}
	if strings.TrimSpace(f.clear) != "" {
		end, percent, err := f.read(f.clear)
		switch {
		case err != nil:
			return t, &fieldError{fieldClear, fmt.Errorf("clear level: %w", err)}
		case percent != t.Percent:
			return t, &fieldError{fieldClear, errors.New("clear level: both levels must be in %, or neither")}
		case !t.Below && end > t.Level:
			return t, &fieldError{fieldClear, errors.New("clear level: it must not be above the level, or the alarm would end at once")}
		case t.Below && end < t.Level:
			return t, &fieldError{fieldClear, errors.New("clear level: it must not be below the level, or the alarm would end at once")}
		}
		t.Clear = end
	}
	if t.For, err = readHold(f.hold); err != nil {
		return t, &fieldError{fieldHold, fmt.Errorf("hold time: %w", err)}
	}
	for _, argument := range f.program {
		if argument != "" || len(t.Run) > 0 {
			t.Run = append(t.Run, argument)
		}
	}
	for len(t.Run) > 0 && t.Run[len(t.Run)-1] == "" {
		t.Run = t.Run[:len(t.Run)-1]
	}
	return t, t.Check()
}

// read parses a level to the series' unit, or to percent of the line rate.
func (f *thresholdForm) read(text string) (float64, bool, error) {
	value, percent, err := f.dimension.Parse(text, f.inBytes)
	switch {
	case err != nil:
		return 0, false, err
	case percent && (f.line == 0 || !f.dimension.Throughput()):
		return 0, false, errors.New("this counter has no line rate for a percentage")
	case percent:
		return value, true, nil
	default:
		return value / f.toBase, false, nil
	}
}

// readHold reads a duration; a plain number is seconds.
func readHold(text string) (time.Duration, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		d, err = time.ParseDuration(text + "s")
	}
	if err != nil || d < 0 || d > maxHold {
		return 0, request.Errorf("invalid duration %q: write 5s or 2m, up to 1h", text)
	}
	return d, nil
}

// thresholds returns the rules of the monitor, each once.
func (s *Screen) thresholds() []threshold.Rule {
	var list []threshold.Rule
	for _, state := range s.monitor.Thresholds() {
		if !slices.ContainsFunc(list, func(t threshold.Rule) bool { return sameThreshold(t, state.Rule) }) {
			list = append(list, state.Rule)
		}
	}
	return list
}

// sameThreshold reports whether two rules are equal; a path may have one rule above and one below.
func sameThreshold(a, b threshold.Rule) bool {
	return a.Path == b.Path && a.Below == b.Below && a.Level == b.Level && a.Percent == b.Percent && a.For == b.For
}

// setThreshold replaces the threshold of a path, or removes it if t is nil, and saves it for the next run.
func (s *Screen) setThreshold(path string, t *threshold.Rule) ui.Cmd {
	list := s.thresholds()
	n := thresholdOf(list, path)
	switch {
	case n >= 0 && t != nil:
		list[n] = *t
	case n >= 0:
		list = append(list[:n], list[n+1:]...)
	case t != nil:
		list = append(list, *t)
	}
	s.monitor.SetThresholds(list)
	s.alarms.update(s.monitor.Thresholds())
	s.changes++
	s.deck.Thresholds.Put(path, t)
	return ui.Batch(s.deck.KeepThresholds(), s.saveLayoutSoon())
}

// layoutThresholds returns the thresholds of the curves, for a layout.
func (s *Screen) layoutThresholds() []deck.KeptThreshold {
	if s.monitor == nil {
		return nil
	}
	var kept []deck.KeptThreshold
	for _, t := range s.thresholds() {
		if s.curves.index(t.Path) >= 0 {
			kept = append(kept, deck.KeepThreshold(t))
		}
	}
	return kept
}

// restoreThresholds sets the thresholds of a layout.
func (s *Screen) restoreThresholds(kept []deck.KeptThreshold) ui.Cmd {
	var cmds []ui.Cmd
	for _, saved := range kept {
		t, err := saved.Threshold()
		if err != nil || s.monitor == nil {
			continue
		}
		if list := s.thresholds(); thresholdOf(list, t.Path) >= 0 {
			t.Run = list[thresholdOf(list, t.Path)].Run // a layout has no programs
		}
		cmds = append(cmds, s.setThreshold(t.Path, &t))
	}
	return ui.Batch(cmds...)
}
