package perf

import (
	"bufio"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// metricsLimit is how many values an OpenMetrics report keeps before it is written.
const metricsLimit = 4_000_000

// metricsReport keeps the samples and writes them when it is closed: OpenMetrics wants all samples of a metric
// together.
type metricsReport struct {
	w       *bufio.Writer
	series  []Series
	options ReportOptions
	times   []time.Time
	values  []float64
}

func newMetricsReport(w *bufio.Writer, series []Series, options ReportOptions) *metricsReport {
	return &metricsReport{w: w, series: series, options: options}
}

func (r *metricsReport) Row(t time.Time, values []float64) error {
	if err := checkRow(values, r.series); err != nil {
		return err
	}
	if len(r.values)+len(values) > metricsLimit {
		return fmt.Errorf("an OpenMetrics report holds at most %d values, for its samples are written together at its end; take fewer samples or counters", metricsLimit)
	}
	if len(r.times) > 0 && !t.After(r.times[len(r.times)-1]) {
		return errors.New("the times of a report must rise")
	}
	r.times = append(r.times, t)
	r.values = append(r.values, values...)
	return nil
}

// metricFamily is a counter of a set with all its instances.
type metricFamily struct {
	name, kind, unit, help string
	series                 []int
}

// families groups the series. Names that read the same once they are fit for a metric get a number.
func (r *metricsReport) families() []*metricFamily {
	var families []*metricFamily
	known := make(map[string]*metricFamily)
	taken := make(map[string]bool)
	for n, s := range r.series {
		key := foldPath(JoinPath(s.Set, "", s.Counter)) + "\x00" + s.Kind.String() + string(s.Unit)
		family := known[key]
		if family == nil {
			family = newFamily(s)
			plain := family.name
			for number := 2; taken[family.name] || taken[family.sample()]; number++ {
				family.name = numbered(plain, family.unit, number)
			}
			taken[family.name], taken[family.sample()] = true, true
			known[key] = family
			families = append(families, family)
		}
		family.series = append(family.series, n)
	}
	return families
}

func newFamily(s Series) *metricFamily {
	f := &metricFamily{kind: "gauge", unit: reportUnit(s), help: cleanText(JoinPath(s.Set, "", s.Counter), logPathLimit)}
	if s.Kind == Cumulative {
		f.kind = "counter"
	}
	if known, ok := Catalogue().Counter(s.Set, s.Counter); ok {
		f.help = known.Summary
	}
	counter := s.Counter
	if strings.HasSuffix(strings.ToLower(counter), "/sec") {
		counter = counter[:len(counter)-len("/sec")]
	}
	f.name = metricWord(s.Set + " " + counter)
	if f.name == "" || f.name[0] >= '0' && f.name[0] <= '9' {
		f.name = "counter_" + f.name
	}
	// The unit must end the name. Where the name ends in it or in its first word, it is not said twice.
	first, _, _ := strings.Cut(f.unit, "_")
	f.name = strings.TrimSuffix(f.name, "_total")
	f.name = strings.TrimSuffix(strings.TrimSuffix(f.name, "_"+f.unit), "_"+first)
	if f.unit != "" {
		f.name += "_" + f.unit
	}
	return f
}

// numbered puts a number before the unit of a name.
func numbered(name, unit string, number int) string {
	if unit == "" {
		return fmt.Sprintf("%s_%d", name, number)
	}
	return fmt.Sprintf("%s_%d_%s", strings.TrimSuffix(name, "_"+unit), number, unit)
}

// sample is the name of the family's samples.
func (f *metricFamily) sample() string {
	if f.kind == "counter" {
		return f.name + "_total"
	}
	return f.name
}

// escapeMetric makes a text fit for HELP or a label.
func escapeMetric(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(cleanText(text, logPathLimit))
}

// Close writes the report.
func (r *metricsReport) Close() error {
	var line []byte
	for _, family := range r.families() {
		r.w.WriteString("# TYPE " + family.name + " " + family.kind + "\n")
		if family.unit != "" {
			r.w.WriteString("# UNIT " + family.name + " " + family.unit + "\n")
		}
		r.w.WriteString("# HELP " + family.name + " " + escapeMetric(family.help) + "\n")
		for _, n := range family.series {
			s := r.series[n]
			head := fmt.Sprintf(`%s{host="%s",set="%s",instance="%s"} `, family.sample(),
				escapeMetric(r.options.Host), escapeMetric(s.Set), escapeMetric(s.Instance))
			for row, t := range r.times {
				value := r.values[row*len(r.series)+n]
				if !finite(value) || family.kind == "counter" && value < 0 {
					continue
				}
				line = append(line[:0], head...)
				line = strconv.AppendFloat(line, value, 'g', -1, 64)
				line = append(line, ' ')
				line = strconv.AppendFloat(line, float64(t.UnixMilli())/1e3, 'f', 3, 64)
				r.w.Write(append(line, '\n'))
			}
		}
	}
	r.w.WriteString("# EOF\n")
	return r.w.Flush()
}
