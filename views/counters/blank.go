package counters

import (
	"strconv"

	"cxdeck/perf"
)

// blankText returns why there is nothing to draw, and which key helps; empty if there are curves to draw.
func (s *Screen) blankText() string {
	switch {
	case s.monitor == nil:
		return "No source is running yet."
	case s.schema == nil || len(s.schema.Series) == 0:
		return "Waiting for the first sample of " + s.sourceName() + "."
	case s.index.index == nil:
		return "Listing " + strconv.Itoa(len(s.schema.Series)) + " counters of " + s.sourceName() + "."
	case !s.filled:
		return "Waiting for the second sample of " + s.sourceName() + ": a rate needs two."
	case len(s.curves) == 0 && s.why != "":
		return s.why
	case len(s.curves) == 0:
		return "No counters are chosen. a adds counters, P loads a preset, Ctrl+o restores a saved layout."
	case s.curves.present() == 0:
		return "None of these counters exists in " + s.sourceName() + ". They are kept and appear when it has them. " +
			"P loads a preset of counters that it has."
	case len(s.picture.rows) != len(s.curves):
		return "Waiting for the first sample of " + s.sourceName() + "."
	}
	return ""
}

// emptyText returns the text of an empty legend.
func (s *Screen) emptyText() string {
	if s.monitor == nil || s.schema == nil {
		return ""
	}
	return "a adds counters, P shows presets."
}

// noValueText returns why curves have no value in view.
func (s *Screen) noValueText() string {
	switch {
	case s.picture.empty && s.isReplay():
		return "The recording is at its start: space plays it, . steps to the next sample."
	case s.status.Err != nil:
		return "The source has stopped: " + s.status.Err.Error()
	case s.picture.empty || s.picture.newest.Equal(s.picture.oldest):
		return "No values yet: a rate needs two samples."
	default:
		return "These counters have no values in this period."
	}
}

// hasValue reports whether any curve has a value in view.
func (s *Screen) hasValue() bool {
	for _, e := range s.picture.extents {
		if e.high >= e.low {
			return true
		}
	}
	return false
}

func (s *Screen) sourceName() string {
	if s.status.Info.Name != "" {
		return s.status.Info.Name
	}
	return "the source"
}

// isReplay reports whether the source is a recorded session or a log.
func (s *Screen) isReplay() bool {
	kind := s.status.Info.Kind
	return kind == perf.SessionSource || kind == perf.LogSource || kind == perf.PastSource
}

// percentText formats a percentage for the axis.
func percentText(value float64) string { return strconv.FormatFloat(value, 'g', 4, 64) + "%" }
