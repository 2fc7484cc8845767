package widget

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"cxdeck/themes"
)

// NiceScale returns the round number at or above value that a value axis should end with: 1, 2, 2.5 or 5 times a power of
// ten; 1 for 0 or less.
func NiceScale(value float64) float64 {
	if !(value > 0) || math.IsInf(value, 0) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(value)))
	for _, step := range [...]float64{1, 2, 2.5, 5} {
		// Values that differ only by rounding are the same number.
		if value <= step*power*(1+1e-9) {
			return step * power
		}
	}
	return 10 * power
}

// valueTicks appends the round values for the labels of an axis with room for n labels, lowest first.
func (c *Chart) valueTicks(n int, dst []float64) []float64 {
	if !(c.High > c.Low) || math.IsInf(c.High-c.Low, 0) || n < 1 {
		return dst
	}
	if c.Log {
		low := max(c.Low, smallestLog)
		first := int(math.Ceil(math.Log10(low) - 1e-9))
		last := int(math.Floor(math.Log10(c.High) + 1e-9))
		between := []float64{1}
		if 3*(last-first+1) <= n {
			between = []float64{1, 2, 5} // there is room between the powers of ten
		}
		for k := first; k <= last; k += max(1, (last-first+n)/n) {
			for _, digit := range between {
				if value := digit * math.Pow(10, float64(k)); value <= c.High*(1+1e-9) {
					dst = append(dst, value)
				}
			}
		}
		return dst
	}
	step := valueStep(c.High-c.Low, n)
	for k := math.Ceil(c.Low/step - 1e-9); k*step <= c.High*(1+1e-9) && len(dst) <= n+1; k++ {
		dst = append(dst, k*step+0) // adding 0 turns a negative zero into zero
	}
	return dst
}

// valueStep returns a round distance of which at most n fit into span; if there is one near, one that divides it.
func valueStep(span float64, n int) float64 {
	first := NiceScale(span / float64(n))
	for step, tries := first, 0; tries < 3 && step <= span; tries++ {
		if count := span / step; math.Abs(count-math.Round(count)) < 1e-9 {
			return step
		}
		step = NiceScale(step * 1.01)
	}
	return first
}

// drawValueAxis draws the axis at the left, with its labels. The lowest value is written at the time axis.
func (c *Chart) drawValueAxis(area, plot Area) {
	g := area.Glyphs()
	line := themes.Style{Role: themes.Border}
	x := valueAxisWidth - 1
	for y := range plot.Height {
		area.Set(x, y, g.Vertical, line)
	}
	area.Set(x, plot.Height, g.AxisCorner, line)
	var room [32]float64
	last := plot.Height + 2
	heights := c.scale(float64(plot.Height))
	for _, value := range c.valueTicks(clamp(plot.Height*2/5, 1, 10), room[:0]) {
		y := plot.Height - int(min(heights.at(value), float64(plot.Height))+0.5)
		if last-y < 2 {
			continue
		}
		last = y
		if y < plot.Height {
			area.Set(x, y, g.AxisLeft, line)
		}
		text := c.format(value)
		label := area.Sub(0, y, valueLabelWidth, 1)
		label.PrintCut(max(0, valueLabelWidth-Width(text)), 0, valueLabelWidth, text, themes.Style{Role: themes.Muted})
	}
}

func (c *Chart) format(value float64) string {
	if c.Format != nil {
		return c.Format(value)
	}
	return strconv.FormatFloat(value, 'g', 4, 64)
}

// timeSteps are the round distances between the labels of a time axis.
var timeSteps = [...]time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour,
	24 * time.Hour, 48 * time.Hour, 7 * 24 * time.Hour, 28 * 24 * time.Hour,
}

// timeStep returns the smallest round step of which at most n lie in a span.
func timeStep(span time.Duration, n int) time.Duration {
	for _, step := range timeSteps {
		if span/step <= time.Duration(n) {
			return step
		}
	}
	step := timeSteps[len(timeSteps)-1]
	for span/step > time.Duration(n) {
		step *= 2
	}
	return step
}

// timeLabelRoom is the width of a label of the time axis with the blanks around it, in cells: "15:04:05".
const timeLabelRoom = 12

// drawTimeAxis draws the axis at the bottom with clock times, and the marks on it.
func (c *Chart) drawTimeAxis(area, plot Area) {
	g := area.Glyphs()
	axis := area.Sub(valueAxisWidth, plot.Height, plot.Width, 1)
	labels := area.Sub(valueAxisWidth, plot.Height+1, plot.Width, 1)
	line := themes.Style{Role: themes.Border}
	axis.Horizontal(0, g.Horizontal, line)
	span := c.To.Sub(c.From)
	if c.Offsets {
		c.drawOffsets(axis, labels)
	} else if span > 0 {
		step := timeStep(span, max(1, plot.Width/timeLabelRoom))
		free := 0
		for at := nextTick(c.From.In(c.location()), step); !at.After(c.To); at = nextTick(at.Add(1), step) {
			x, ok := c.column(at, plot.Width)
			if !ok {
				break
			}
			axis.Set(x, 0, g.AxisTick, line)
			var room [16]byte
			label := string(at.AppendFormat(room[:0], timeFormat(at, step)))
			left := x - len(label)/2
			if left < free || left+len(label) > labels.Width {
				continue
			}
			free = labels.Print(left, 0, label, themes.Style{Role: themes.Muted}) + 1
		}
	}
	c.drawRangeOnAxis(axis)
	for _, mark := range c.Marks {
		if x, ok := c.column(mark.Time, plot.Width); ok {
			axis.Set(x, 0, g.Marker, themes.Style{Role: mark.Role, Attr: themes.Bold})
		}
	}
	if x, ok := c.column(c.Cursor, plot.Width); ok && !c.Cursor.IsZero() {
		axis.Set(x, 0, g.AxisCorner, themes.Style{Role: themes.Accent, Attr: themes.Bold})
	}
}

// drawOffsets labels the axis with the time since its start.
func (c *Chart) drawOffsets(axis, labels Area) {
	line := themes.Style{Role: themes.Border}
	step := timeStep(c.To.Sub(c.From), max(1, axis.Width/timeLabelRoom))
	free := 0
	for at := time.Duration(0); at <= c.To.Sub(c.From); at += step {
		x, ok := c.column(c.From.Add(at), axis.Width)
		if !ok {
			break
		}
		axis.Set(x, 0, axis.Glyphs().AxisTick, line)
		label := offsetText(at)
		left := max(x-len(label)/2, 0)
		if left < free || left+len(label) > labels.Width {
			continue
		}
		free = labels.Print(left, 0, label, themes.Style{Role: themes.Muted}) + 1
	}
}

// offsetText writes the time since a start: "+0:30", "+1:05:00".
func offsetText(d time.Duration) string {
	s := int(d / time.Second)
	if s < 3600 {
		return fmt.Sprintf("+%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("+%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// drawRangeOnAxis draws the marked range as a bar on the time axis.
func (c *Chart) drawRangeOnAxis(axis Area) {
	from, to, ok := c.rangeColumns(axis.Width)
	if !ok {
		return
	}
	for x := max(from, 0); x <= min(to, axis.Width-1); x++ {
		axis.Set(x, 0, axis.Glyphs().Range, rangeStyle)
	}
}

// timeFormat returns the format of a tick: the date at midnight, with seconds only if the step has seconds.
func timeFormat(at time.Time, step time.Duration) string {
	hour, minute, second := at.Clock()
	switch {
	case hour == 0 && minute == 0 && second == 0:
		return "Jan 2"
	case step < time.Minute:
		return "15:04:05"
	}
	return "15:04"
}

func (c *Chart) location() *time.Location {
	if c.Location == nil {
		return time.UTC
	}
	return c.Location
}

// nextTick returns the first time at or after t that is a whole number of steps on the clock of t's zone.
func nextTick(t time.Time, step time.Duration) time.Time {
	_, offset := t.Zone()
	local := t.Add(time.Duration(offset) * time.Second)
	whole := local.Truncate(step)
	if whole.Before(local) {
		whole = whole.Add(step)
	}
	tick := whole.Add(-time.Duration(offset) * time.Second)
	// After a change to or from summer time, use the clock at the tick; but never go back, because of the hour that is skipped
	// in spring.
	if _, then := tick.Zone(); then != offset {
		if moved := tick.Add(time.Duration(offset-then) * time.Second); !moved.Before(t) {
			return moved
		}
	}
	return tick
}
