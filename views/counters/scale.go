package counters

import (
	"math"
	"strconv"

	"cxdeck/ui/widget"
	"cxdeck/views/counters/dimension"
)

// scaleMode selects the top of the value axis.
type scaleMode uint8

const (
	scaleAuto   scaleMode = iota // a round number above the largest value in view
	scaleLine                    // the line rate of each curve's port is 100%
	scaleFit                     // from the smallest to the largest value in view
	scalePeak                    // a round number above the largest value of the session
	scaleManual                  // the operator's input
	scaleCount
)

// scaleNames are the names of the modes, in the title line and in stored layouts.
var scaleNames = [scaleCount]string{"auto scale", "100% = line rate", "fit", "session peak", "manual scale"}

// extent is the range of values of a curve in view; NaN without values.
type extent struct{ low, high float64 }

// axis is the value axis, with the factors of the curves drawn on it.
type axis struct {
	low, high float64
	// lead is the dimension of the numbers at the axis.
	lead dimension.Dimension
	// percent is set if the axis shows percentages of the line rate instead.
	percent bool
	// factors scale the values of the curves' dimensions for drawing; 0 leaves a curve out.
	factors []float64
	// scales convert a value in the legend's unit to the axis's unit; 0 leaves a curve out.
	scales []float64
	// notes holds the texts of the scales for the legend.
	notes []string
}

// scaling holds the inputs from which an axis is computed.
type scaling struct {
	mode    scaleMode
	log     bool
	stacked bool
	inBytes bool
	// manual is the top of the axis in scaleManual, in the unit of the axis's dimension.
	manual float64
	// lead is the row whose dimension the axis has; -1 for the first row with values.
	lead int
}

// axisUnits returns the factor from a drawn value to the unit at the axis.
func (a *axis) axisUnits(inBytes bool) float64 {
	if a.percent {
		return 1
	}
	return a.lead.Shown(inBytes)
}

// logDecades is the maximum number of decades of a logarithmic axis.
const logDecades = 6

// findAxis computes the axis for curves with these extents; stackedHigh returns the largest sum of the stacked rows.
func findAxis(cs curves, extents []extent, s scaling, stackedHigh func(rows func(int) bool) float64, a *axis) {
	a.factors, a.scales, a.notes = a.factors[:0], a.scales[:0], a.notes[:0]
	a.lead = axisDimension(cs, extents, s.lead)
	a.percent = s.mode == scaleLine && a.lead.Throughput()
	same := func(row int) bool { return !cs[row].missing() && cs[row].Dimension == a.lead }
	low, high := math.Inf(1), math.Inf(-1)
	for row, e := range extents {
		if !same(row) {
			continue
		}
		if s.mode == scalePeak && cs[row].peak > e.high {
			e.high = cs[row].peak
		}
		if e.high >= e.low {
			low, high = min(low, e.low), max(high, e.high)
		}
	}
	if s.stacked {
		low, high = 0, stackedHigh(same)
	}
	a.low, a.high = bounds(low, high, s, a.lead)
	if a.percent {
		a.low, a.high = 0, 100
		if s.stacked {
			a.high = max(100, widget.NiceScale(stackedPercent(cs, extents, same)))
		}
	}
	if s.log {
		unit := a.axisUnits(s.inBytes)
		a.low = logLow(low*unit, a.high*unit, a.percent) / unit
	}
	for row, e := range extents {
		scale, note := rowScale(&cs[row], e, s, a)
		a.factors = append(a.factors, scale*cs[row].Shown(s.inBytes)/a.axisUnits(s.inBytes))
		a.scales = append(a.scales, scale)
		a.notes = append(a.notes, note)
	}
}

// axisDimension returns the dimension of the axis: of row lead, or else of the first row with values.
func axisDimension(cs curves, extents []extent, lead int) dimension.Dimension {
	if lead >= 0 && lead < len(cs) && !cs[lead].missing() {
		return cs[lead].Dimension
	}
	for row := range cs {
		if !cs[row].missing() && extents[row].high >= extents[row].low {
			return cs[row].Dimension
		}
	}
	for row := range cs {
		if !cs[row].missing() {
			return cs[row].Dimension
		}
	}
	return dimension.Dimension{}
}

// bounds rounds the ends of the axis to round numbers of the displayed unit.
func bounds(low, high float64, s scaling, d dimension.Dimension) (float64, float64) {
	unit := d.Shown(s.inBytes)
	switch {
	case s.mode == scaleManual && s.manual > 0:
		return 0, s.manual
	case high < low || math.IsInf(high, 0) || math.IsNaN(high):
		return 0, 1 / unit
	case s.mode == scaleFit && !s.stacked:
		room := widget.NiceScale((high - low) * unit)
		if high == low {
			room = widget.NiceScale(math.Abs(high) * unit / 10)
		}
		step := room / 4
		bottom := math.Floor(low*unit/step) * step
		top := math.Ceil(high*unit/step) * step
		if top <= bottom {
			top = bottom + step
		}
		return bottom / unit, top / unit
	default:
		bottom := 0.0
		if low < 0 {
			bottom = -widget.NiceScale(-low*unit) / unit
		}
		return bottom, widget.NiceScale(high*unit) / unit
	}
}

// stackedPercent returns an upper bound of the stack's height in percent of the line rates.
func stackedPercent(cs curves, extents []extent, same func(int) bool) float64 {
	sum := 0.0
	for row := range cs {
		if same(row) && cs[row].info.Line > 0 && extents[row].high > 0 {
			sum += extents[row].high * dimension.BitsPerByte / float64(cs[row].info.Line) * 100
		}
	}
	return sum
}

// logLow returns the bottom of a logarithmic axis: a power of ten below the smallest value, within logDecades of the top.
func logLow(low, high float64, percent bool) float64 {
	if percent {
		return 0.01
	}
	lowest := high / math.Pow10(logDecades)
	if low > lowest {
		lowest = low
	}
	bottom := math.Pow10(int(math.Floor(math.Log10(lowest))))
	if bottom >= high {
		bottom = high / 10
	}
	return bottom
}

// rowScale returns the scale of a curve: 1 for a curve in the unit of the axis, the factor to percent of its line rate, or,
// for another unit, the power of ten that brings it nearest to the top, as in Performance Monitor. The scale converts a
// value in the legend to the axis; each of them may be in bits.
func rowScale(c *curve, e extent, s scaling, a *axis) (scale float64, note string) {
	shown := c.Shown(s.inBytes)
	switch {
	case c.missing():
		return 0, "-"
	case s.stacked && c.Dimension != a.lead:
		return 0, "left out"
	case c.scale > 0:
		return c.scale, scaleText(c.scale)
	case a.percent && c.Throughput() && c.info.Line > 0:
		return dimension.BitsPerByte * 100 / float64(c.info.Line) / shown, "% of line"
	case a.percent && c.Throughput() && s.stacked:
		return 0, "no line"
	case c.Dimension == a.lead && !a.percent:
		return 1, "1"
	default:
		scale = powerOfTen(e.high*shown, a.high*a.axisUnits(s.inBytes))
		return scale, scaleText(scale)
	}
}

// powerOfTen returns the largest power of ten that keeps a curve with this highest value below the top.
func powerOfTen(high, top float64) float64 {
	if !(high > 0) || !(top > 0) || math.IsInf(top/high, 0) {
		return 1
	}
	return math.Pow10(int(math.Floor(math.Log10(top / high))))
}

// scaleText formats a scale as in Performance Monitor's legend.
func scaleText(scale float64) string {
	if scale >= 1e6 || scale < 1e-4 {
		return "1e" + strconv.Itoa(int(math.Round(math.Log10(scale))))
	}
	return strconv.FormatFloat(scale, 'f', -1, 64)
}
