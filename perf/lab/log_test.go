package lab_test

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/teams"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/perf/pdh"
)

// loggedTeam returns a lab with a team of two ports and a VLAN.
func loggedTeam(t testing.TB, kind string, column *perf.Column) perf.Source {
	t.Helper()
	model, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	host := driver.NewHost(model)
	l, err := lab.New(host)
	if err != nil {
		t.Fatal(err)
	}
	play(t, l, 0, column)
	if _, err := host.Apply(driver.Plan{Title: "Test", Operations: []driver.Operation{
		teams.Create{Name: "Storage", Type: kind, Family: description.WinOF2},
		teams.Attach{Team: "Storage", Connection: "Ethernet 9", Primary: true},
		teams.Attach{Team: "Storage", Connection: "Ethernet 10"},
		teams.AddVLAN{Team: "Storage", Name: "tenant", ID: 42},
	}}); err != nil {
		t.Fatal(err)
	}
	play(t, l, 10*time.Second, column)
	return l
}

// play reads a column, which must not fail.
func play(t testing.TB, source perf.Source, interval time.Duration, column *perf.Column) {
	t.Helper()
	if err := source.Next(t.Context(), interval, column); err != nil {
		t.Fatal(err)
	}
}

// TestTotalsOfALogExcludeTeams: in a log, teams are recognised only by their names.
func TestTotalsOfALogExcludeTeams(t *testing.T) {
	t.Parallel()
	var column perf.Column
	l := loggedTeam(t, "ALB", &column)
	paths, values := []string(nil), make([]float64, len(l.Schema().Series))
	for i := range l.Schema().Series {
		paths = append(paths, l.Schema().Series[i].Path())
	}
	var text bytes.Buffer
	w := pdh.NewWriter(&text, "LAB", time.UTC, paths...)
	if err := errors.Join(w.Write(column.Time, values), w.Write(column.Time.Add(time.Second), values), w.Flush()); err != nil {
		t.Fatal(err)
	}
	source := openLogged(t, &text)
	log := source.Inventory()
	for _, i := range slices.Concat(log.Receive, log.Send, log.Drops) {
		if s := &source.Schema().Series[i]; strings.Contains(s.Instance, "Storage") || strings.HasSuffix(s.Instance, " VFs") {
			t.Errorf("the totals of a log count %s", s.Path())
		}
	}
	if len(log.Receive) != 8 {
		t.Errorf("the totals of a log have %d series, for 8 ports", len(log.Receive))
	}
}

// TestALogHasTeams: an exported log has the team's rates.
func TestALogHasTeams(t *testing.T) {
	t.Parallel()
	var columns [2]perf.Column
	l := loggedTeam(t, "SLB", &columns[0])
	path := perf.JoinPath("Network Interface", "Microsoft Network Adapter Multiplexor Driver", "Bytes Sent/sec")
	i, _ := l.Schema().Find(path)
	var text bytes.Buffer
	w := pdh.NewWriter(&text, "LAB", time.UTC, path)
	var want []float64
	for n := range 4 {
		play(t, l, time.Second, &columns[(n+1)%2])
		value, _ := l.Schema().Series[i].Value(&columns[n%2], &columns[(n+1)%2])
		want = append(want, value)
		if err := w.Write(columns[(n+1)%2].Time, []float64{value}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	log := openLogged(t, &text)
	at, ok := log.Schema().Find(path)
	if !ok {
		t.Fatalf("the log has %v", log.Schema().Instances("Network Interface"))
	}
	var column perf.Column
	for n := range want {
		if err := log.Next(t.Context(), 0, &column); err != nil {
			t.Fatal(err)
		}
		value, ok := log.Schema().Series[at].Value(nil, &column)
		if !ok || math.Abs(value-want[n]) > 1 || want[n] <= 0 {
			t.Errorf("row %d is %g, and was %g", n, value, want[n])
		}
	}
}

// openLogged opens the text of a log as a source.
func openLogged(t testing.TB, text *bytes.Buffer) perf.Source {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lab.csv")
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := pdh.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	return log
}
