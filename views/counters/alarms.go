package counters

import (
	"math"
	"strings"

	"cxdeck/perf/threshold"
	"cxdeck/themes"
	"cxdeck/views/counters/dimension"
)

// alarm is the state of a value relative to the thresholds of its curve.
type alarm uint8

const (
	quiet  alarm = iota
	beyond       // past a level, not yet for as long as the threshold waits
	raised       // the threshold has raised its alarm
)

// limitRole colours the line of a threshold in the chart.
const limitRole = themes.Warn

// role returns the colour of a value.
func (a alarm) role() themes.Role {
	switch a {
	case beyond:
		return themes.Warn
	case raised:
		return themes.Bad
	default:
		return themes.Text
	}
}

// alarms are the thresholds of the monitor, by series.
type alarms struct {
	bySeries map[int][]threshold.State
}

// update replaces the states of the thresholds.
func (a *alarms) update(states []threshold.State) {
	if a.bySeries == nil {
		a.bySeries = make(map[int][]threshold.State)
	}
	clear(a.bySeries)
	for _, state := range states {
		a.bySeries[state.Series] = append(a.bySeries[state.Series], state)
	}
}

// curveAlarm returns the worst state of a curve's thresholds for a value in the unit of its dimension.
func (a *alarms) curveAlarm(c *curve, value float64) alarm {
	if c.missing() || c.rated() { // a threshold is about the counter itself
		return quiet
	}
	worst := quiet
	for _, t := range a.bySeries[c.series] {
		level := levelOf(c, t.Rule)
		switch {
		case t.Alarm:
			return raised
		case !t.Below && value > level, t.Below && value < level:
			worst = beyond
		}
	}
	return worst
}

// levels returns the levels of a curve's thresholds, in its dimension's unit.
func (a *alarms) levels(c *curve) []float64 {
	if c.missing() || c.rated() {
		return nil
	}
	var levels []float64
	for _, t := range a.bySeries[c.series] {
		if level := levelOf(c, t.Rule); level == level {
			levels = append(levels, level)
		}
	}
	return levels
}

// levelOf returns a threshold's level in the dimension's unit; NaN for a percentage of a line rate that isn't known.
func levelOf(c *curve, t threshold.Rule) float64 {
	if !t.Percent {
		return t.Level * c.toBase
	}
	if c.info.Line == 0 {
		return math.NaN()
	}
	return t.Level / 100 * float64(c.info.Line) / dimension.BitsPerByte
}

// thresholdOf returns the index of the threshold with exactly this path, -1 for none.
func thresholdOf(list []threshold.Rule, path string) int {
	for i := range list {
		if strings.EqualFold(list[i].Path, path) {
			return i
		}
	}
	return -1
}

func (a *alarms) hasThresholds() bool { return len(a.bySeries) > 0 }
