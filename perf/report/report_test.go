package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/pdh"
)

// reportedSchema has a rate, a counter, a gauge with a special unit, a plain number and a hostile name.
func reportedSchema(t testing.TB) *perf.Schema {
	t.Helper()
	schema, err := perf.NewSchema(1, 6, []perf.Series{
		{Set: "Network Interface", Instance: "Ethernet 7", Counter: "Bytes Received/sec", Kind: perf.Rate, Unit: perf.Bytes, Cell: 0},
		{Set: "Network Interface", Instance: "Ethernet 8", Counter: "Bytes Received/sec", Kind: perf.Rate, Unit: perf.Bytes, Cell: 1},
		{Set: "Mellanox Adapter Traffic Counters", Instance: "Ethernet 7", Counter: "Packets Received Discarded", Kind: perf.Cumulative, Unit: perf.Packets, Cell: 2},
		{Set: "Network Interface", Instance: "Ethernet 7", Counter: "Current Bandwidth", Kind: perf.Gauge, Unit: perf.Bits, Cell: 3},
		{Set: "VF Monitoring", Counter: "Errors2FW", Kind: perf.Cumulative, Unit: "", Cell: 4},
		{Set: "S\x1b[31m", Instance: "a\"b\\c\nd\u202e\u009b{}", Counter: "e\r\n# EOF\x00", Kind: perf.Gauge, Unit: "", Cell: 5},
	})
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func written(t testing.TB, format Format, series []int, options Options) string {
	t.Helper()
	var text bytes.Buffer
	r, err := New(format, &text, reportedSchema(t), series, options)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2018, 8, 14, 20, 5, 1, 123e6, time.UTC)
	for n, row := range [][]float64{{math.NaN(), 12.5, 40, 1e11, 7, 1}, {5.25e9, 0, 42, 1e11, 7, -2.5}} {
		var values []float64
		for _, index := range series {
			values = append(values, row[index])
		}
		if err := r.Row(start.Add(time.Duration(n)*time.Second), values); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// update rewrites the golden files of this package.
var update = flag.Bool("update", false, "rewrite the golden files")

var allReported = []int{0, 1, 2, 3, 4, 5}

func TestReportGolden(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("PDT", -7*3600)
	for name, text := range map[string]string{
		"table.txt":       written(t, Table, []int{0, 1, 2, 3, 4}, Options{Host: "LAB", Zone: zone}),
		"table-long.txt":  written(t, Table, allReported, Options{Host: "LAB", Zone: zone, Width: 80, InBytes: true}),
		"log.csv":         written(t, CSV, allReported, Options{Host: "LAB", Zone: zone}),
		"documents.json":  written(t, JSON, allReported, Options{Host: "LAB"}),
		"openmetrics.txt": written(t, OpenMetrics, allReported, Options{Host: "LAB"}),
		"prometheus.txt":  written(t, Prometheus, allReported, Options{Host: "LAB"}),
	} {
		path := filepath.Join("testdata", name)
		if *update {
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if text != string(want) {
			t.Errorf("%s is\n%s\nwant\n%s", name, text, want)
		}
	}
}

func TestReportNeverWritesControlCharacters(t *testing.T) {
	t.Parallel()
	for _, format := range Formats() {
		text := written(t, format, allReported, Options{Host: "h\x1b]0;x\x07\"\\\n"})
		if strings.ContainsFunc(strings.NewReplacer("\r\n", "", "\n", "").Replace(text), func(r rune) bool {
			return r < ' ' || r >= 0x7f && r <= 0x9f || r == '\u202e'
		}) {
			t.Errorf("%s: %q", format, text)
		}
	}
	var text bytes.Buffer
	if err := WriteList(&text, reportedSchema(t), []int{5, 4}); err != nil {
		t.Fatal(err)
	}
	if want := `\S?[31m(a"b\c?d??{})\e??# EOF?` + "\n" + `\VF Monitoring\Errors2FW` + "\n"; text.String() != want {
		t.Errorf("the list is %q, want %q", text.String(), want)
	}
}

func TestReportJSONIsRead(t *testing.T) {
	t.Parallel()
	decoder := json.NewDecoder(strings.NewReader(written(t, JSON, allReported, Options{Host: "LAB"})))
	var documents []struct {
		Schema   int
		Time     time.Time
		Host     string
		Counters []map[string]any
	}
	for decoder.More() {
		documents = append(documents, struct {
			Schema   int
			Time     time.Time
			Host     string
			Counters []map[string]any
		}{})
		if err := decoder.Decode(&documents[len(documents)-1]); err != nil {
			t.Fatal(err)
		}
	}
	if len(documents) != 2 || documents[1].Schema != 1 || documents[1].Host != "LAB" || !documents[0].Time.Equal(time.Date(2018, 8, 14, 20, 5, 1, 123e6, time.UTC)) {
		t.Fatalf("documents are %+v", documents)
	}
	if v := documents[0].Counters[0]["bytes_per_second"]; v != nil {
		t.Errorf("a missing value is %v", v)
	}
	if v := documents[1].Counters[0]["bytes_per_second"]; v != 5.25e9 {
		t.Errorf("the rate is %v", v)
	}
	if v := documents[1].Counters[4]["value"]; v != 7.0 {
		t.Errorf("the plain number is %v", v)
	}
}

func TestReportCSVIsRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "report.csv")
	if err := os.WriteFile(path, []byte(written(t, CSV, []int{0, 1, 2}, Options{Host: "LAB"})), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := pdh.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var columns [2]perf.Column
	for i := range columns {
		if err := s.Next(t.Context(), time.Second, &columns[i]); err != nil {
			t.Fatal(err)
		}
	}
	value := func(series, row int) float64 {
		value, _ := s.Schema().Series[series].Value(nil, &columns[row])
		return value
	}
	if !math.IsNaN(value(0, 0)) || value(0, 1) != 5.25e9 || value(2, 1) != 42 {
		t.Errorf("the rows are %v", columns)
	}
	if err := s.Next(t.Context(), time.Second, &columns[0]); !errors.Is(err, io.EOF) {
		t.Errorf("after the last row: %v", err)
	}
}

// TestReportMetricsRules checks rules of OpenMetrics that a golden file does not enforce.
func TestReportMetricsRules(t *testing.T) {
	t.Parallel()
	schema, err := perf.NewSchema(1, 1, []perf.Series{
		{Set: "A", Counter: "Bytes", Kind: perf.Cumulative, Unit: perf.Bytes},
		{Set: "A", Counter: "Bytes Total", Kind: perf.Cumulative, Unit: perf.Bytes},
		{Set: "A", Counter: "x", Kind: perf.Cumulative},
		{Set: "A", Counter: "x total", Kind: perf.Gauge},
		{Set: "A", Counter: "x!", Kind: perf.Gauge},
		{Set: "7", Counter: "Temperature", Kind: perf.Gauge, Unit: perf.Celsius},
		{Set: "A", Instance: "1", Counter: "x", Kind: perf.Cumulative},
		{Set: "A", Counter: "y", Kind: perf.Gauge},
		{Set: "A", Counter: "y!", Kind: perf.Gauge},
		{Set: "A", Counter: "y?", Kind: perf.Gauge},
	})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	r, err := New(OpenMetrics, &text, schema, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Row(time.Unix(1, 0), []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), r.Close()); err != nil {
		t.Fatal(err)
	}
	families, samples := map[string]string{}, map[string]string{}
	family := ""
	for line := range strings.Lines(text.String()) {
		words := strings.Fields(line)
		switch {
		case words[0] == "#" && words[1] == "TYPE":
			family = words[2]
			if families[family] != "" {
				t.Errorf("the family %s comes twice", family)
			}
			families[family] = words[3]
		case words[0] == "#" && words[1] == "UNIT" && !strings.HasSuffix(family, "_"+words[3]):
			t.Errorf("%s does not end in its unit %s", family, words[3])
		case words[0] != "#":
			name, _, _ := strings.Cut(words[0], "{")
			want := family
			if families[family] == "counter" {
				want += "_total"
			}
			if name != want || samples[name] != "" && samples[name] != family {
				t.Errorf("a sample of %s (%s) is named %s", family, families[family], name)
			}
			samples[name] = family
		}
	}
	for _, name := range []string{"_y", "_y_2", "_y_3"} {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(families)), func(family string) bool { return strings.HasSuffix(family, name) }) {
			t.Errorf("none of %v ends in %s", families, name)
		}
	}
	if len(families) != 9 || !strings.HasSuffix(text.String(), "\n# EOF\n") {
		t.Errorf("%d families in\n%s", len(families), text.String())
	}
	for name := range families {
		if families[name] == "gauge" && samples[name] != name {
			t.Errorf("%s is also a sample of %s", name, samples[name])
		}
	}
}

func TestReportErrors(t *testing.T) {
	t.Parallel()
	schema := reportedSchema(t)
	if _, err := New("xml", io.Discard, schema, nil, Options{}); err == nil || !strings.Contains(err.Error(), "openmetrics") {
		t.Errorf("an unknown format: %v", err)
	}
	for _, format := range Formats() {
		if _, err := New(format, io.Discard, schema, []int{6}, Options{}); err == nil {
			t.Errorf("%s: accepted a missing series", format)
		}
		full := errors.New("the pipe is closed")
		r, err := New(format, brokenPipe{full}, schema, []int{0}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Row(time.Unix(1, 0), []float64{1, 2}); err == nil {
			t.Errorf("%s: accepted a row that is too long", format)
		}
		if err := errors.Join(r.Row(time.Unix(2, 0), []float64{1}), r.Close()); !errors.Is(err, full) {
			t.Errorf("%s: on a closed pipe: %v", format, err)
		}
	}
}

func TestReportTableRepeatsItsHeading(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	r, err := New(Table, &text, reportedSchema(t), []int{0, 4}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for n := range 2*tableRepeat + 1 {
		if err := r.Row(time.Unix(int64(n), 0), []float64{1, 2}); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(text.String(), "Time"); n != 3 {
		t.Errorf("the heading is repeated %d times", n)
	}
	width := -1
	for line := range strings.Lines(text.String()) {
		if line = strings.TrimRight(line, "\n"); line != "" && width >= 0 && len(line) != width {
			t.Errorf("a line of %d characters among lines of %d: %q", len(line), width, line)
		} else if line != "" {
			width = len(line)
		}
	}
}

func BenchmarkReportJSON(b *testing.B) {
	schema := reportedSchema(b)
	r, err := New(JSON, io.Discard, schema, allReported, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := r.Row(time.Unix(1, 0), []float64{1, 2, 3, 4, 5, 6}); err != nil {
			b.Fatal(err)
		}
	}
}

type brokenPipe struct{ err error }

func (p brokenPipe) Write([]byte) (int, error) { return 0, p.err }
