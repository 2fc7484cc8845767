package prometheus

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cxdeck/perf"
)

// Family is a metric with all its series.
type Family struct {
	Metric
	// Described reports that the family has a series of the source, and not only counters behind rates.
	Described bool
	Lines     []Line
	// origin identifies the family's counter; it is empty while Described is false.
	origin string
	// places are the indexes of lines by their labels.
	places map[string]int
}

// Line is one series of a family.
type Line struct {
	// Head is the text before the value.
	Head   []byte
	Series perf.Series
	// Index is the index of the series in the list that the families were made of; the counter behind a rate has its rate's.
	Index int
	// Behind reports that the line is the counter behind a rate, whose number is in the column.
	Behind     bool
	times, per float64
}

// Value converts a value of the series to the base unit; ok is false for a value that can't be written.
func (l *Line) Value(value float64, counter bool) (converted float64, ok bool) {
	value = value * l.times / l.per
	return value, !math.IsNaN(value) && !math.IsInf(value, 0) && (!counter || value >= 0)
}

// Families are the metrics of a list of series.
type Families struct {
	List   []*Family
	byName map[string]*Family
	// labels precede the labels of each series.
	labels []Label
	// known has the metrics of counters that many instances share.
	known map[counterKey]Metric
}

type counterKey struct {
	set, counter string
	unit         perf.Unit
	kind         perf.Kind
}

// NewFamilies returns the metrics of series, with labels before their own. With rates, a rate is a metric, too, besides the counter
// behind it.
func NewFamilies(series []perf.Series, labels []Label, rates bool) *Families {
	f := &Families{byName: map[string]*Family{}, labels: labels, known: map[counterKey]Metric{}}
	for n, item := range series {
		if item.Kind != perf.Rate {
			f.add(item, n, false)
			continue
		}
		if rates {
			f.add(item, n, false)
		}
		item.Kind = perf.Cumulative
		item.Counter = TrimPerSecond(item.Counter)
		f.add(item, n, true)
	}
	return f
}

// Lines returns the number of series.
func (f *Families) Lines() (count int) {
	for _, family := range f.List {
		count += len(family.Lines)
	}
	return count
}

// metricOf is MetricOf, which describes each counter once.
func (f *Families) metricOf(s perf.Series) Metric {
	key := counterKey{s.Set, s.Counter, s.Unit, s.Kind}
	m, known := f.known[key]
	if !known {
		m = MetricOf(s)
		f.known[key] = m
	}
	m.Labels = labelsOf(s)
	return m
}

// add adds a series to its family. Different counters with the same metric name get a number.
func (f *Families) add(s perf.Series, index int, behind bool) {
	m := f.metricOf(s)
	// A counter in kilobytes is the same as one in bytes.
	origin := strings.ReplaceAll(perf.FoldPath(perf.JoinPath(s.Set, "", s.Counter)), "kbytes", "bytes") + "\x00" + s.Kind.String() + m.Unit
	labels := FormatLabels(append(slices.Clip(f.labels), m.Labels...))
	plain := m.Name
	for number := 2; ; number++ {
		family := f.byName[m.Name]
		if family == nil {
			family = &Family{Metric: m, places: make(map[string]int)}
			f.byName[m.Name] = family
			f.List = append(f.List, family)
		}
		at, taken := family.places[labels]
		switch same := family.Counter == m.Counter; {
		case behind && same && taken:
			return // the counter itself is in the list
		case same && taken && family.origin == origin && family.Lines[at].Series.Unit != s.Unit:
			return // the same counter in another unit
		case behind && same:
		case !same, family.origin != "" && family.origin != origin, taken && !family.Lines[at].Behind:
			m.Name = withNumber(plain, m.Unit, number)
			continue
		default:
			family.origin, family.Help, family.Described = origin, m.Help, true
		}
		line := Line{Head: []byte(family.Sample() + labels + " "), Series: s, Index: index, Behind: behind, times: m.Times, per: m.Per}
		if taken {
			family.Lines[at] = line
			return
		}
		family.places[labels] = len(family.Lines)
		family.Lines = append(family.Lines, line)
		return
	}
}

// withNumber inserts a number before the unit of a name.
func withNumber(name, unit string, number int) string {
	if unit == "" {
		return fmt.Sprintf("%s_%d", name, number)
	}
	return fmt.Sprintf("%s_%d_%s", strings.TrimSuffix(name, "_"+unit), number, unit)
}

// FormatLabels writes labels in braces, cleaned and escaped; without a label it returns "".
func FormatLabels(labels []Label) string {
	if len(labels) == 0 {
		return ""
	}
	var b strings.Builder
	for n, label := range labels {
		b.WriteString(map[bool]string{true: "{", false: ","}[n == 0])
		b.WriteString(label.Name + `="` + escapeLabel(label.Value) + `"`)
	}
	return b.String() + "}"
}

// escapeLabel cleans and escapes the value of a label.
func escapeLabel(text string) string {
	return labelEscapes.Replace(perf.CleanText(text, perf.PathLimit))
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// AppendHelp appends the lines of a family before its samples in the text format.
func (f *Family) AppendHelp(text []byte) []byte {
	return AppendHelp(text, f.Sample(), f.Help, f.Counter)
}

// AppendHelp appends the help and the type of a metric in the text format.
func AppendHelp(text []byte, name, help string, counter bool) []byte {
	kind := " gauge\n"
	if counter {
		kind = " counter\n"
	}
	text = append(append(text, "# HELP "...), name...)
	text = append(append(text, ' '), strings.ReplaceAll(help, `\`, `\\`)...)
	text = append(append(text, "\n# TYPE "...), name...)
	return append(text, kind...)
}

// AppendCells appends all families with their values in a column, in the text format without timestamps. keep chooses the
// series; nil keeps all. Families without a value are left out.
func (f *Families) AppendCells(text []byte, column *perf.Column, keep func(*perf.Series) bool) []byte {
	for _, family := range f.List {
		described := false
		for n := range family.Lines {
			line := &family.Lines[n]
			if keep != nil && !keep(&line.Series) {
				continue
			}
			value, ok := line.Value(line.Series.CellValue(line.Series.CellOf(column)), family.Counter)
			if !ok {
				continue
			}
			if !described {
				described = true
				text = family.AppendHelp(text)
			}
			text = append(text, line.Head...)
			text = strconv.AppendFloat(text, value, 'g', -1, 64)
			text = append(text, '\n')
		}
	}
	return text
}
