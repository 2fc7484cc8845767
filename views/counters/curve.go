package counters

import (
	"math"
	"slices"
	"strings"

	"cxdeck/perf"
	"cxdeck/themes"
	"cxdeck/views/counters/dimension"
)

// maximumCurves bounds what is shown at once; beyond it no eye and no legend follows.
const maximumCurves = 64

// curve is one row of the legend: a path, and the series behind it when the source has one.
type curve struct {
	path                   string
	set, counter, instance string
	// series is the index in the schema, -1 while the source has no such series.
	series int
	info   perf.Series
	// slot gives colour and letter; it stays with the curve while others come and go.
	slot int
	dimension.Dimension
	// toBase times a value of the series is one of the dimension.
	toBase float64
	// scale is the operator's own multiplier for drawing, from the legend's value to the position on the axis; 0 uses the scale of
	// all curves.
	scale float64
	// asRate shows a counter that adds up as what it rises by in a second.
	asRate bool
	// peak is the largest value of the session so far, in the dimension's unit; NaN before there was one.
	peak float64
}

func (c *curve) missing() bool { return c.series < 0 }

// role returns the colour of the curve.
func (c *curve) role() themes.Role { return themes.SeriesRole(c.slot) }

// letter distinguishes the curve where colours don't: a to z, then A to Z, then digits.
func (c *curve) letter() rune {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	return rune(letters[c.slot%len(letters)])
}

// curves is the chosen series in the order of the legend.
type curves []curve

// add appends the curve of a path, unless it is there or there are too many; it reports whether it did.
func (cs *curves) add(schema *perf.Schema, path string) bool {
	set, instance, counter, ok := perf.SplitPath(path)
	if !ok || len(*cs) >= maximumCurves || cs.index(path) >= 0 {
		return false
	}
	c := curve{path: path, set: set, instance: instance, counter: counter, series: -1, slot: cs.freeSlot(), peak: math.NaN()}
	c.resolve(schema)
	*cs = append(*cs, c)
	return true
}

// resolve looks the path up; a published schema only ever grows, so a series once found stays.
func (c *curve) resolve(schema *perf.Schema) bool {
	c.series = -1
	if schema == nil {
		return false
	}
	i, ok := schema.Find(c.path)
	if !ok {
		return false
	}
	c.series, c.info = i, schema.Series[i]
	c.set, c.instance, c.counter = c.info.Set, c.info.Instance, c.info.Counter
	c.path = c.info.Path()
	c.Dimension, c.toBase = dimension.Of(c.info)
	if c.rated() {
		c.PerSecond = true
	}
	return true
}

// resolve looks up all paths; it gives the series that are there.
func (cs curves) resolve(schema *perf.Schema) []int {
	var found []int
	for i := range cs {
		if cs[i].resolve(schema) {
			found = append(found, cs[i].series)
		}
	}
	return found
}

// index returns the row of a path, -1 when it is not shown.
func (cs curves) index(path string) int {
	return slices.IndexFunc(cs, func(c curve) bool { return strings.EqualFold(c.path, path) })
}

// remove takes a row out.
func (cs *curves) remove(row int) { *cs = slices.Delete(*cs, row, row+1) }

// freeSlot returns the lowest colour that no curve has.
func (cs curves) freeSlot() int {
	for slot := 0; ; slot++ {
		if !slices.ContainsFunc(cs, func(c curve) bool { return c.slot == slot }) {
			return slot
		}
	}
}

// present counts the curves that have a series.
func (cs curves) present() int {
	n := 0
	for i := range cs {
		if !cs[i].missing() {
			n++
		}
	}
	return n
}
