package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/perf"
	"cxdeck/perf/pdh"
)

// TestSolverFindsRates: the rates that made the values, and none below 0 for values that no rates make.
func TestSolverFindsRates(t *testing.T) {
	t.Parallel()
	s := newSolver([][]float64{{1000, 10, 64}, {64, 1, 2000}}, []float64{1e6, 1e4, 1e6})
	rates, left := s.solve([]float64{3*1000 + 5*64, 3*10 + 5, 3*64 + 5*2000})
	if math.Abs(rates[0]-3) > 1e-3 || math.Abs(rates[1]-5) > 1e-3 || left > 1e-9 {
		t.Errorf("rates %v, %g left", rates, left)
	}
	if rates, left = s.solve([]float64{0, 0, 64_000}); rates[0] < 0 || rates[1] < 0 || left == 0 {
		t.Errorf("rates %v, %g left", rates, left)
	}
}

// logOf returns a log with one counter of a port, whose cells are given.
func logOf(t testing.TB, path string, cells ...string) perf.Source {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\H%s\"\r\n", path)
	for i, cell := range cells {
		fmt.Fprintf(&b, "\"03/02/2026 14:00:%02d.000\",\"%s\"\r\n", i, cell)
	}
	file := filepath.Join(t.TempDir(), "perf.csv")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	source, err := pdh.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = source.Close() })
	return source
}

func storageSpaces(t testing.TB) *description.Description {
	t.Helper()
	for _, named := range description.NamedLabs() {
		if named.Name == "storage-spaces-direct" {
			d, err := description.ParseText(named.Text())
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
	}
	t.Fatal("no such lab")
	return nil
}

// TestOneCounterIsEnough: a log with the bytes of one port makes workloads of this port, whose instance is named as Windows names it.
func TestOneCounterIsEnough(t *testing.T) {
	t.Parallel()
	d := storageSpaces(t)
	r, err := Workloads(context.Background(), d, logOf(t, `\Network Interface(Mellanox ConnectX-5 Adapter _2)\Bytes Received/sec`, "0", "5000000", " ", "9000000", "1000000"), "perf.csv")
	if err != nil {
		t.Fatal(err)
	}
	if r.Rows != 4 || r.Missing != 1 || len(r.Errors) != 1 || r.Errors[0].Share() > 0.05 {
		t.Errorf("%+v", r)
	}
	for _, f := range d.Flows {
		if f.Port != "SMB 2" && !f.Idle {
			t.Errorf("a workload of %s", f.Port)
		}
	}
	if len(r.Assumed) != 1 || !strings.Contains(strings.Join(r.Notes, "\n"), "SMB 1: no workloads, as the log perf.csv has no counters of it") {
		t.Errorf("assumed %q, notes %q", r.Assumed, r.Notes)
	}
}

// TestLogsWithoutCourseAreRefused: no main counter, too few rows; impossible values are none.
func TestLogsWithoutCourseAreRefused(t *testing.T) {
	t.Parallel()
	const path = `\Network Interface(Mellanox ConnectX-5 Adapter)\Bytes Received/sec`
	if _, err := Workloads(context.Background(), storageSpaces(t), logOf(t, `\Processor(0)\% Idle Time`, "1", "2", "3"), "x"); !errors.Is(err, ErrNoCounters) {
		t.Errorf("%v", err)
	}
	if _, err := Workloads(context.Background(), storageSpaces(t), logOf(t, path, "1", "2"), "x"); err == nil || !strings.Contains(err.Error(), "at least 3 rows") {
		t.Errorf("%v", err)
	}
	d := storageSpaces(t)
	r, err := Workloads(context.Background(), d, logOf(t, path, "1", "9e300", "-5", "1e12", "3e5"), "x")
	if err != nil || r.Missing != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	if err := d.Check(); err != nil {
		t.Error(err)
	}
}

// TestLongLogsAreReadAsMeans: at most MaxRows means of at most a day.
func TestLongLogsAreReadAsMeans(t *testing.T) {
	t.Parallel()
	d := storageSpaces(t)
	source, err := newLab(d)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\H\\Network Interface(Mellanox ConnectX-5 Adapter)\\Bytes Received/sec\"\r\n")
	at := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for i := range 2 * MaxRows {
		fmt.Fprintf(&b, "\"%s\",\"%d\"\r\n", at.Add(time.Duration(i)*20*time.Second).Format("01/02/2006 15:04:05.000"), i)
	}
	file := filepath.Join(t.TempDir(), "perf.csv")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := pdh.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }() // nothing was written
	l, err := readLog(context.Background(), log, findCurves(d, source.Schema(), log.Schema()))
	if err != nil || l.rows > MaxRows || l.rows < MaxRows/2 || !l.cut || l.times[l.rows-1] > MaxTime {
		t.Fatalf("%d rows, cut %v, %v", l.rows, l.cut, err)
	}
	if first, last := l.curves[0].values[0], l.curves[0].values[l.rows-1]; first != 1.5 || last < 4317 { // of rows 1 and 2, and of the last ones of the day
		t.Errorf("means from %g to %g", first, last)
	}
}

// FuzzLog: no log makes more than an error of one sentence, and what is read has times in order and values of 0 or more, or none.
func FuzzLog(f *testing.F) {
	head := "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\H\\Network Interface(Mellanox ConnectX-5 Adapter)\\Bytes Received/sec\",\"\\\\H\\Network Interface(Mellanox ConnectX-5 Adapter)\\Packets Received Discarded\"\r\n"
	f.Add(head + "\"03/02/2026 14:00:00.000\",\"1\",\"2\"\r\n\"03/02/2026 14:00:01.000\",\"1e300\",\"1\"\r\n\"03/02/2026 14:00:09.000\",\" \",\"-3\"\r\n\"03/02/2026 14:00:01.000\",\"9\",\"\"\r\n")
	f.Add(strings.ReplaceAll(strings.ReplaceAll(head, "\",\"", "\";\""), "UTC", "W. Europe Standard Time") + "\"03/02/2026 14:00:00.000\";\"1,5\";\"2\"\r\n\"03/02/2026 14:00:01.000\";\"2,5\";\"2\"\r\n")
	d := storageSpaces(f)
	lab, err := newLab(d)
	if err != nil {
		f.Fatal(err)
	}
	file := filepath.Join(f.TempDir(), "perf.csv")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		log, err := pdh.Open(file)
		if err != nil {
			return
		}
		defer func() { _ = log.Close() }() // nothing was written
		curves := findCurves(d, lab.Schema(), log.Schema())
		l, err := readLog(context.Background(), log, curves)
		if err != nil {
			return
		}
		for row := range l.rows {
			if row > 0 && l.times[row] <= l.times[row-1] || l.times[row] <= 0 || l.times[row] > MaxTime {
				t.Fatalf("times %v", l.times)
			}
			for i := range l.curves {
				if value := l.filled(&l.curves[i], row); !(value >= 0 && value <= 1e13) {
					t.Fatalf("%s: %g", l.curves[i].path, value)
				}
			}
		}
	})
}

// TestWholeLongLogIsCorrected: of a log of 10 hours the lab runs half an hour, and its end is followed as well as its begin.
func TestWholeLongLogIsCorrected(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\H\\Network Interface(Mellanox ConnectX-5 Adapter)\\Bytes Received/sec\",\"\\\\H\\Network Interface(Mellanox ConnectX-5 Adapter)\\Packets Received/sec\"\r\n")
	at := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for i := range 600 {
		rate := 1e8 * (2 + math.Sin(float64(i)/9))
		fmt.Fprintf(&b, "\"%s\",\"%.0f\",\"%.0f\"\r\n", at.Add(time.Duration(i)*time.Minute).Format("01/02/2006 15:04:05.000"), rate, rate/900)
	}
	file := filepath.Join(t.TempDir(), "perf.csv")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := pdh.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }() // nothing was written
	r, err := Workloads(context.Background(), storageSpaces(t), log, "x")
	if err != nil || r.Pace < 19 || r.Pace > 20 || r.Time != 599*time.Minute || len(r.Errors) != 2 || r.Errors[0].Share() > 0.01 || r.Errors[1].Share() > 0.01 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestReceivedErrorsFollowABadCable: the errors of a log make a cable whose share of damaged frames follows them; without the packets nothing
// follows them, and a note says so.
func TestReceivedErrorsFollowABadCable(t *testing.T) {
	t.Parallel()
	made := func(counters string, rows func(i int) string) (*description.Description, *Result) {
		var b strings.Builder
		b.WriteString(`"(PDH-CSV 4.0) (UTC)(0)"`)
		for _, counter := range strings.Split(counters, ",") {
			fmt.Fprintf(&b, `,"\\H\Network Interface(Mellanox ConnectX-5 Adapter)\%s"`, counter)
		}
		at := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
		for i := range 40 {
			fmt.Fprintf(&b, "\r\n\"%s\",%s", at.Add(time.Duration(i)*time.Second).Format("01/02/2006 15:04:05.000"), rows(i))
		}
		file := filepath.Join(t.TempDir(), "perf.csv")
		if err := os.WriteFile(file, []byte(b.String()+"\r\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		log, err := pdh.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = log.Close() }() // nothing was written
		d := storageSpaces(t)
		d.Faults = nil
		r, err := Workloads(context.Background(), d, log, "x")
		if err != nil {
			t.Fatal(err)
		}
		return d, r
	}
	damaged := func(i int) int { return i * i * i / 20 * (i / 10 % 2) } // errors in every second block of ten seconds
	sum := func(i int) (all int) {
		for j := range i + 1 {
			all += damaged(j)
		}
		return all
	}
	d, r := made("Bytes Received/sec,Packets Received/sec,Packets Received Errors", func(i int) string { return fmt.Sprintf(`"100000000","100000","%d"`, sum(i)) })
	at := slices.IndexFunc(r.Errors, func(e Error) bool { return e.Group == errorsIn.String() })
	if len(d.Faults) != 1 || d.Faults[0].Kind != description.BadCable || d.Faults[0].Port != "SMB 1" || r.Errors[at].Logged < 100 || r.Errors[at].Share() > 0.1 {
		t.Errorf("%d faults, %+v", len(d.Faults), r.Errors)
	}
	if !slices.ContainsFunc(r.Assumed, func(text string) bool { return strings.HasPrefix(text, "SMB 1: a bad cable damages") }) {
		t.Errorf("assumed %q", r.Assumed)
	}
	d, r = made("Bytes Received/sec,Packets Received Errors", func(i int) string { return fmt.Sprintf(`"100000000","%d"`, sum(i)) })
	if len(d.Faults) != 0 || !strings.Contains(strings.Join(r.Notes, "\n"), "Received errors: not followed: the log has") {
		t.Errorf("%d faults, notes %q", len(d.Faults), r.Notes)
	}
}
