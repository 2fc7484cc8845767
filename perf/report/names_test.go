package report

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/perf/prometheus"
)

// The rules of Prometheus for names (prometheus.io/docs/practices/naming), as promtool check metrics checks them.
var (
	metricNameForm = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	labelForm      = regexp.MustCompile(`^[a-z][a-z_]*$`)
	abbreviations  = []string{"s", "ms", "us", "ns", "sec", "b", "kb", "mb", "gb", "tb", "pb", "m", "h", "d"}
	baseUnits      = []string{"amperes", "bytes", "celsius", "grams", "joules", "kelvin", "meters", "metres", "moles", "seconds", "volts"}
	otherUnits     = []string{"minutes", "hours", "days", "weeks", "kelvins", "fahrenheit", "rankine", "bits", "calories", "pounds", "ounces",
		"microsec", "usec", "kbytes", "kbits", "percent"}
	prefixesOfUnits = []string{"pico", "nano", "micro", "milli", "centi", "deci", "deca", "hecto", "kilo", "kibi", "mega", "mibi", "giga", "gibi", "tera", "tebi", "peta", "pebi"}
)

// checkMetricName returns the violations of rules in the name of a metric's samples.
func checkMetricName(m prometheus.Metric) (wrong []string) {
	name := m.Sample()
	words := strings.Split(name, "_")
	say := func(format string, parts ...any) { wrong = append(wrong, name+": "+fmt.Sprintf(format, parts...)) }
	if !metricNameForm.MatchString(name) || len(name) > 200 {
		say("not a valid name")
	}
	if strings.HasSuffix(name, "_total") != m.Counter {
		say("a counter %t", m.Counter)
	}
	for n, word := range words {
		switch {
		case slices.Contains(abbreviations, word):
			say("%s is an abbreviation of a unit", word)
		case slices.Contains(otherUnits, word):
			say("%s is not a base unit", word)
		case n > 0 && slices.Contains([]string{"counter", "gauge", "summary", "histogram"}, word):
			say("%s is a type", word)
		case slices.Contains(words[:n], word) && slices.Contains(baseUnits, word) && m.Unit != "seconds_per_second":
			say("the unit %s comes twice", word)
		}
		for _, prefix := range prefixesOfUnits {
			if rest, ok := strings.CutPrefix(word, prefix); ok && slices.Contains(baseUnits, rest) {
				say("%s has a prefix", word)
			}
		}
	}
	if m.Unit != "" && !strings.HasSuffix(m.Name, "_"+m.Unit) {
		say("does not end in its unit %s", m.Unit)
	}
	if strings.TrimSpace(m.Help) == "" {
		say("no help")
	}
	return wrong
}

func TestEveryCounterHasAPrometheusName(t *testing.T) {
	t.Parallel()
	names := map[string]string{}
	for _, set := range perf.Catalogue().Sets() {
		for _, counter := range set.Counters {
			for _, kind := range []perf.Kind{counter.Kind, perf.Rate} {
				if kind == perf.Rate && counter.Kind != perf.Cumulative && counter.Kind != perf.Rate {
					continue
				}
				s := perf.Series{Set: set.Name, Counter: counter.Name, Unit: counter.Unit, Kind: kind}
				m := prometheus.MetricOf(s)
				for _, wrong := range checkMetricName(m) {
					t.Error(wrong)
				}
				plain := prometheus.TrimPerSecond(counter.Name)
				origin := strings.ReplaceAll(perf.FoldPath(set.Name+`\`+plain), `\kbytes`, `\bytes`) // the same counter in another unit
				if other := names[m.Sample()]; other != "" && other != origin {
					t.Errorf("%s is the name of %s and of %s", m.Sample(), other, origin)
				}
				names[m.Sample()] = origin
			}
		}
	}
	if len(names) < 600 {
		t.Errorf("there are %d names", len(names))
	}
}

// TestForeignCounterHasAPrometheusName: counters of logs may have any name.
func TestForeignCounterHasAPrometheusName(t *testing.T) {
	t.Parallel()
	words := slices.Concat(abbreviations, otherUnits, baseUnits, []string{"count", "sum", "bucket", "total", "Avg. Disk sec/Read", "Größe", "7", "%", "counter", "Size"})
	for _, prefix := range prefixesOfUnits {
		words = append(words, prefix+"seconds")
	}
	for _, set := range []string{"X", "ms", "Percent"} {
		for _, first := range words {
			for _, second := range append(words, "") {
				m := prometheus.MetricOf(perf.Series{Set: set, Counter: strings.TrimSpace(first + " " + second), Instance: "d", Kind: perf.Gauge})
				for _, wrong := range checkMetricName(m) {
					if !strings.Contains(wrong, "comes twice") { // two base units in the name of a counter
						t.Errorf("%s, %s %s: %s", set, first, second, wrong)
					}
				}
				if end := m.Sample()[strings.LastIndex(m.Sample(), "_")+1:]; slices.Contains([]string{"count", "sum", "bucket"}, end) {
					t.Errorf("%s looks like a part of a histogram", m.Sample())
				}
			}
		}
	}
}

// TestEverySeriesOfTheLabHasAPrometheusName reports all series of the default lab and parses the report: names and labels are
// valid, no sample is repeated, and each rate has its counter.
func TestEverySeriesOfTheLabHasAPrometheusName(t *testing.T) {
	t.Parallel()
	model, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	source, err := lab.New(driver.NewHost(model))
	if err != nil {
		t.Fatal(err)
	}
	var before, column perf.Column
	for _, c := range []*perf.Column{&before, &column} {
		if err := source.Next(context.Background(), time.Second, c); err != nil {
			t.Fatal(err)
		}
	}
	schema := source.Schema()
	if len(schema.Series) < 10_000 {
		t.Fatalf("the lab has %d series", len(schema.Series))
	}
	all, values := make([]int, len(schema.Series)), make([]float64, len(schema.Series))
	for n := range all {
		all[n] = n
		values[n], _ = schema.Series[n].Value(&before, &column)
	}
	var text bytes.Buffer
	r, err := New(Prometheus, &text, schema, all, Options{Host: "LAB", Count: 1})
	if err != nil {
		t.Fatal(err)
	}
	r.(CellWriter).Cells(&column)
	if err := r.Row(column.Time, values); err != nil {
		t.Fatal(err)
	}
	if text.Len() == 0 {
		t.Fatal("the first sample writes nothing")
	}
	types, lines := map[string]string{}, map[string]bool{}
	for line := range strings.Lines(text.String()) {
		words := strings.Fields(line)
		if words[0] == "#" {
			if words[1] == "TYPE" {
				types[words[2]] = words[3]
			}
			continue
		}
		head, number := line[:strings.LastIndexByte(line, ' ')], words[len(words)-1]
		name, labels, _ := strings.Cut(strings.TrimSuffix(head, "}"), "{")
		if lines[head] || types[name] == "" || number == "" {
			t.Errorf("comes twice, or has no type: %s", line)
		}
		lines[head] = true
		if !strings.HasPrefix(labels, `host="LAB",device="`) && !strings.HasPrefix(labels, `host="LAB",cpu="`) || strings.Contains(labels, `""`) {
			t.Errorf("the labels are %s", labels)
		}
		for label := range strings.SplitSeq(labels, `",`) {
			if key, _, _ := strings.Cut(label, "="); !labelForm.MatchString(key) {
				t.Errorf("the label %q of %s", key, name)
			}
		}
	}
	for n := range schema.Series {
		s := schema.Series[n]
		m := prometheus.MetricOf(s)
		for _, wrong := range checkMetricName(m) {
			t.Error(wrong)
		}
		labels := func(own []prometheus.Label) string {
			return prometheus.FormatLabels(append([]prometheus.Label{{Name: "host", Value: "LAB"}}, own...))
		}
		if text := labels(m.Labels); finite(values[n]) && !lines[m.Sample()+text] {
			t.Errorf("%s is missing as %s%s", s.Path(), m.Sample(), text)
		}
		if s.Kind != perf.Rate {
			continue
		}
		s.Kind = perf.Cumulative
		s.Counter = prometheus.TrimPerSecond(s.Counter)
		if total := prometheus.MetricOf(s); !lines[total.Sample()+labels(total.Labels)] {
			t.Errorf("the rate %s has no counter %s", s.Path(), total.Sample())
		}
	}
	for name, want := range map[string]string{
		`mellanox_winof_2_port_qos_received_packets_total{host="LAB",device="Ethernet 7",priority="3"`:                     "counter",
		`mellanox_winof_2_rss_counters_rss_misc_packets_total{host="LAB",device="Ethernet 7",cpu="7",vport="0"`:            "counter",
		`cxdeck_port_received_bytes_per_second{host="LAB",device="Ethernet 7"`:                                             "gauge",
		`cxdeck_port_received_bytes_total{host="LAB",device="Ethernet 7"`:                                                  "counter",
		`network_interface_current_bandwidth_bytes_per_second{host="LAB",device="Mellanox ConnectX-5 Ex Ethernet Adapter"`: "gauge",
	} {
		metric, _, _ := strings.Cut(name, "{")
		if !lines[name+"}"] || types[metric] != want {
			t.Errorf("there is no %s %s", want, name)
		}
	}
}

func TestMetricValuesAreInBaseUnits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		unit  perf.Unit
		kind  perf.Kind
		value float64
		want  string
	}{
		{perf.Kilobytes, perf.Rate, 1.5, "set_x_bytes_per_second{} 1500"}, {"bits", perf.Cumulative, 80, "set_x_bytes_total{} 10"},
		{perf.Microseconds, perf.Cumulative, 14.5e6, "set_x_seconds_total{} 14.5"}, {perf.Microseconds, perf.Maximum, 3, "set_x_seconds{} 3e-06"},
		{perf.Percent, perf.Cumulative, 250, "set_x_seconds_total{} 2.5"}, {perf.Percent, perf.Gauge, 38, "set_x_ratio{} 0.38"}, {perf.Percent, perf.Rate, 38, "set_x_ratio{} 0.38"}, {perf.Bits, perf.Gauge, 1e11, "set_x_bytes_per_second{} 1.25e+10"},
		{perf.Gigabits, perf.Gauge, 100, "set_x_bytes_per_second{} 1.25e+10"}, {perf.Celsius, perf.Gauge, 54, "set_x_celsius{} 54"}, {"kilobits", perf.Rate, 8, "set_x_bytes_per_second{} 1000"},
		{"bytes per second", perf.Gauge, 12.5, "set_x_bytes_per_second{} 12.5"}, {perf.Packets, perf.Rate, 2, "set_x_packets_per_second{} 2"}, {perf.NoUnit, perf.Gauge, 2, "set_x{} 2"},
	} {
		schema, err := perf.NewSchema(1, 1, []perf.Series{{Set: "Set", Counter: "x", Unit: c.unit, Kind: c.kind}})
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		r, err := New(Prometheus, &text, schema, []int{0}, Options{Count: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Row(time.Unix(1, 0), []float64{c.value}); err != nil {
			t.Fatal(err)
		}
		lines := slices.DeleteFunc(strings.Split(strings.TrimSpace(text.String()), "\n"), func(line string) bool { return line[0] == '#' })
		if got := strings.ReplaceAll(lines[0], `host="localhost"`, ""); got != c.want {
			t.Errorf("%g %s (%s) is written as %q, want %q", c.value, c.unit, c.kind, got, c.want)
		}
	}
}
