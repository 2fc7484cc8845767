package threshold

import (
	"fmt"
	"math"
	"strings"
	"time"

	"cxdeck/perf"
)

// Rule watches the series that match a pattern.
type Rule struct {
	// Path is a perfmon path, * allowed: `\Network Interface(*)\Packets Received Discarded`. A total is watched only
	// when its instance is named.
	Path string
	// Below watches for values under Level; otherwise for values over it.
	Below bool
	// Level is in the unit of the series, or in percent of the line rate if Percent is set.
	Level   float64
	Percent bool
	// Clear is the value at which the alarm ends; it must be on the good side of Level. NaN means 10% from Level.
	Clear float64
	// For is the time that the value must be beyond Level before the alarm starts, in the source's time.
	For time.Duration
	// Run is a program and its arguments, started without a shell when the alarm starts; {path}, {value} and {level} inside an
	// argument are replaced. Empty means none. A recording starts no programs.
	Run []string
}

// State is the state of a threshold for one series.
type State struct {
	Rule
	// Series is the index of the series, -1 when no series matches the threshold.
	Series int
	// Alarm is true from the time when the value has been beyond Level for long enough until it is back at Clear; Since is the
	// time of its last change, zero without one.
	Alarm bool
	Since time.Time
}

// Check returns what is wrong with a threshold, in a sentence for the operator.
func (t Rule) Check() error {
	if _, err := perf.ParsePattern(t.Path); err != nil {
		return err
	}
	switch {
	case math.IsNaN(t.Level) || math.IsInf(t.Level, 0):
		return fmt.Errorf("the threshold on %s requires a level", t.Path)
	case math.IsInf(t.Clear, 0) || !t.Below && t.Clear > t.Level || t.Below && t.Clear < t.Level:
		side := "below"
		if t.Below {
			side = "above"
		}
		return fmt.Errorf("the alarm on %s must end at its level or %s it, not at %g", t.Path, side, t.Clear)
	case t.For < 0 || t.For > 24*time.Hour:
		return fmt.Errorf("the threshold on %s has a hold time of %s; it must be 0 to 24 h", t.Path, t.For)
	case len(t.Run) > 0 && t.Run[0] == "":
		return fmt.Errorf("the program of the threshold on %s has no name", t.Path)
	case strings.Contains(strings.Join(t.Run, ""), "\x00"):
		return fmt.Errorf("the program of the threshold on %s has a zero byte in its arguments", t.Path)
	}
	return nil
}

// bounds returns Level and Clear in the unit of a series; ok is false when the series has no line rate for a level in percent.
func (t Rule) bounds(series *perf.Series) (level, end float64, ok bool) {
	level, end = t.Level, t.Clear
	if math.IsNaN(end) {
		end = level - math.Abs(level)/10
		if t.Below {
			end = level + math.Abs(level)/10
		}
	}
	if !t.Percent {
		return level, end, true
	}
	percent, ok := series.LinePercent()
	return level * percent, end * percent, ok
}

// isBeyond reports whether a value is on the bad side of a level.
func (t Rule) isBeyond(value, level float64) bool {
	if t.Below {
		return value < level
	}
	return value > level
}

// sameAs reports whether two thresholds watch for the same condition, so that one can take over the state of the other.
func (t Rule) sameAs(other Rule) bool {
	return t.Path == other.Path && t.Below == other.Below && t.Percent == other.Percent && t.For == other.For &&
		math.Float64bits(t.Level) == math.Float64bits(other.Level) &&
		math.Float64bits(t.Clear) == math.Float64bits(other.Clear)
}
