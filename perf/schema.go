package perf

import (
	"fmt"
	"strings"
	"sync"
)

// Kind is the behaviour of a counter.
type Kind uint8

// The kinds of counters.json.
const (
	Cumulative Kind = iota // rises until it wraps or is reset
	Rate                   // change of a cumulative cell per second, see PerSecond
	Gauge                  // rises and falls
	Maximum                // the largest value so far
	Identity               // an identifier; no arithmetic on it
)

// String returns the kind in one word.
func (k Kind) String() string {
	switch k {
	case Cumulative:
		return "cumulative"
	case Rate:
		return "rate"
	case Gauge:
		return "gauge"
	case Maximum:
		return "maximum"
	case Identity:
		return "identity"
	}
	return "unknown"
}

// Unit is the unit of a counter, as in counters.json: "bytes", "packets", "bits per second".
type Unit string

// The units with special treatment in the console.
const (
	Bytes        Unit = "bytes"
	Kilobytes    Unit = "kilobytes"
	Megabytes    Unit = "megabytes"
	Gigabytes    Unit = "gigabytes"
	Packets      Unit = "packets"
	Frames       Unit = "frames"
	Bits         Unit = "bits per second"
	Gigabits     Unit = "gigabits per second"
	Microseconds Unit = "microseconds"
	Percent      Unit = "percent"
	Celsius      Unit = "degrees Celsius"
	NoUnit       Unit = ""
)

// Series is one counter of one instance: a curve.
type Series struct {
	// Set, Instance and Counter are its perfmon path \Set(Instance)\Counter.
	Set, Instance, Counter string
	Unit                   Unit
	Kind                   Kind
	// Width of a cumulative counter in bits, 32 or 64; it wraps at 2 to the power of this. 0 means 64.
	Width uint8
	// Cell is the index of its number in a column. Several series may read one cell.
	Cell int
	// Scale is the factor from the stored number to the real one. 0 means 1; FloatCells means that the cell has the real one as
	// a float.
	Scale float64
	// Line is the line rate in bits per second of the port that the series belongs to, 0 when it has none.
	Line uint64
	// Sum describes the contents of a total ("all ports, PF and VF traffic together"); empty for other series.
	Sum string
}

// FloatCells is the Scale of series whose cells are the bits of a float64, because their numbers have more digits than fixed
// decimals can hold. It is for gauges.
const FloatCells = -1

// Path returns the perfmon path of the series.
func (s Series) Path() string { return JoinPath(s.Set, s.Instance, s.Counter) }

// PerSecond reports whether its values are per second: it is a rate, or the source provides finished rates, as a log does, and
// the unit or the counter's name says so.
func (s *Series) PerSecond() bool {
	return s.Kind == Rate || s.Unit.PerSecond() ||
		len(s.Counter) > 4 && strings.EqualFold(s.Counter[len(s.Counter)-4:], "/sec")
}

// JoinPath makes a perfmon path; an empty instance has no parentheses.
func JoinPath(set, instance, counter string) string {
	if instance == "" {
		return `\` + set + `\` + counter
	}
	return `\` + set + `(` + instance + `)\` + counter
}

// Schema is the meaning of the cells of a column. A published Schema never changes: a source that finds more publishes a new
// one that begins with the series of the old one, in the same order and with the same cells, so an index of a series stays
// valid as long as the source is open. Series of removed objects stay, and read Missing.
type Schema struct {
	// Generation rises by one with each new schema of a source.
	Generation uint64
	Series     []Series
	// Cells is the length of a column.
	Cells int

	// index is built when a path is first looked up.
	index func() *pathIndex
}

// NewSchema makes a schema. It fails when two series have one path or a series has no cell.
func NewSchema(generation uint64, cells int, series []Series) (*Schema, error) {
	s := UncheckedSchema(generation, cells, series)
	for _, item := range series {
		if item.Cell < 0 || item.Cell >= cells {
			return nil, fmt.Errorf("series %s: cell %d is outside a column of %d", item.Path(), item.Cell, cells)
		}
	}
	index := s.index()
	for i, item := range series {
		if first, _ := index.find(item.Path()); first != i {
			return nil, fmt.Errorf("two series have the path %s", item.Path())
		}
	}
	return s, nil
}

// UncheckedSchema makes a schema of series that are known to be valid, because checking thousands of them would delay the start
// of the console.
func UncheckedSchema(generation uint64, cells int, series []Series) *Schema {
	return &Schema{Generation: generation, Series: series, Cells: cells, index: sync.OnceValue(func() *pathIndex {
		return newPathIndex(series)
	})}
}

// Find returns the index of the series with a perfmon path, ignoring case.
func (s *Schema) Find(path string) (int, bool) {
	return s.index().find(path)
}

// Sets returns the counter sets that have series, in the order of the schema.
func (s *Schema) Sets() []string {
	return s.distinct(func(series *Series) (string, bool) { return series.Set, true })
}

// Instances returns the instances of a set, in the order of the schema; "" means a series without one.
func (s *Schema) Instances(set string) []string {
	return s.distinct(func(series *Series) (string, bool) { return series.Instance, series.Set == set })
}

// Counters returns the counters of a set, in the order of the schema.
func (s *Schema) Counters(set string) []string {
	return s.distinct(func(series *Series) (string, bool) { return series.Counter, series.Set == set })
}

// distinct returns the distinct words that pick returns for the series.
func (s *Schema) distinct(pick func(*Series) (string, bool)) []string {
	var words []string
	seen := map[string]bool{}
	for i := range s.Series {
		word, wanted := pick(&s.Series[i])
		if wanted && !seen[word] {
			seen[word] = true
			words = append(words, word)
		}
	}
	return words
}
