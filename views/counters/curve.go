package counters

import (
	"math"
	"slices"
	"strings"

	"cxdeck/perf"
	"cxdeck/themes"
	"cxdeck/views/counters/dimension"
)

// maximumCurves is the maximum number of curves: more could not be distinguished.
const maximumCurves = 64

// curve is one row of the legend: a path, with its series if the source has one.
type curve struct {
	path                   string
	set, counter, instance string
	// series is the index in the schema, -1 while the source has no such series.
	series int
	info   perf.Series
	// slot selects colour and letter; it stays the same when other curves are added or removed.
	slot int
	dimension.Dimension
	// toBase converts a value of the series to the unit of the dimension.
	toBase float64
	// scale is the operator's own multiplier for drawing, from the legend's value to the position on the axis; 0 uses the scale of
	// all curves.
	scale float64
	// asRate shows a cumulative counter as its increase per second.
	asRate bool
	// peak is the largest value of the session so far, in the dimension's unit; NaN before the first value.
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

// curves holds the chosen series in the order of the legend.
type curves []curve

// add appends the curve of a path. It returns false for an invalid path, a duplicate, or too many curves.
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

// resolve looks up the path in a schema; it reports whether the schema has it.
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

// resolve looks up all paths, and returns the indexes of the series that the schema has.
func (cs curves) resolve(schema *perf.Schema) []int {
	var found []int
	for i := range cs {
		if cs[i].resolve(schema) {
			found = append(found, cs[i].series)
		}
	}
	return found
}

// index returns the row of a path, -1 for none.
func (cs curves) index(path string) int {
	return slices.IndexFunc(cs, func(c curve) bool { return strings.EqualFold(c.path, path) })
}

func (cs *curves) remove(row int) { *cs = slices.Delete(*cs, row, row+1) }

// freeSlot returns the lowest slot that no curve uses.
func (cs curves) freeSlot() int {
	for slot := 0; ; slot++ {
		if !slices.ContainsFunc(cs, func(c curve) bool { return c.slot == slot }) {
			return slot
		}
	}
}

// current counts the curves that have a series.
func (cs curves) present() int {
	n := 0
	for i := range cs {
		if !cs[i].missing() {
			n++
		}
	}
	return n
}
