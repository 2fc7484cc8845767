package observe_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/driver/health/findings"
	"cxdeck/perf/diagnosis/observe"
	"cxdeck/perf/pdh"
)

// logOf writes a Performance Monitor log with a row every 5 s and the counters of Ethernet 7, and diagnoses it. A nil cell is empty.
func logOf(t *testing.T, counters []string, rows [][]any) *findings.Report {
	t.Helper()
	report, err := tryLog(t, counters, rows)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func tryLog(t *testing.T, counters []string, rows [][]any) (*findings.Report, error) {
	t.Helper()
	var b strings.Builder
	b.WriteString(`"(PDH-CSV 4.0) (UTC)(0)"`)
	for _, c := range counters {
		set, counter, _ := strings.Cut(c, "|")
		fmt.Fprintf(&b, `,"\\LAB\%s(Ethernet 7)\%s"`, set, counter)
	}
	b.WriteString("\r\n")
	at := time.Date(2026, 8, 14, 13, 5, 0, 0, time.UTC)
	for i, row := range rows {
		fmt.Fprintf(&b, `"%s"`, at.Add(time.Duration(i)*5*time.Second).Format("01/02/2006 15:04:05.000"))
		for _, cell := range row {
			if cell == nil {
				b.WriteString(`," "`)
			} else {
				fmt.Fprintf(&b, `,"%v"`, cell)
			}
		}
		b.WriteString("\r\n")
	}
	path := filepath.Join(t.TempDir(), "monday.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	source, err := pdh.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	return observe.OfSource(t.Context(), source, func(context.Context, time.Duration) error {
		t.Error("a log makes the caller wait")
		return nil
	})
}

const (
	packets = "Mellanox WinOF-2 Port Traffic|Packets Received"
	dropped = "Mellanox WinOF-2 Port Traffic|Packets Received Discarded"
	badCRC  = "Mellanox WinOF-2 Port Traffic|Packets Received Bad CRC Error"
)

// climbing returns rows in which counters climb by steps for a number of rows, and then stand still.
func climbing(rows, until int, steps ...float64) (list [][]any) {
	totals := make([]float64, len(steps))
	for i := range rows {
		row := make([]any, len(steps))
		for c := range steps {
			row[c] = totals[c]
			if i < until {
				totals[c] += steps[c]
			}
		}
		list = append(list, row)
	}
	return list
}

// TestLogs holds that rules on counters find a fault in a Performance Monitor log, and invent none when a counter is absent, empty,
// constant or zero.
func TestLogs(t *testing.T) {
	t.Parallel()
	damaged := climbing(12, 12, 1e6, 500)
	report := logOf(t, []string{packets, badCRC}, damaged)
	if len(report.Findings) != 1 || report.Findings[0].Rule.ID != "damaged-frames" || report.Findings[0].Subject.Name != "Ethernet 7" {
		t.Fatalf("a log with damaged frames has the findings %+v", report.Findings)
	}
	if report.Rules == 0 || report.Rules > 40 {
		t.Errorf("%d rules could be evaluated with two counters", report.Rules)
	}
	ended := logOf(t, []string{packets, badCRC}, climbing(30, 12, 1e6, 500))
	if len(ended.Findings) != 0 || len(ended.Ended) != 1 || ended.Ended[0].Until.IsZero() {
		t.Errorf("after damaged frames stopped there are %d findings and %d ended ones", len(ended.Findings), len(ended.Ended))
	}
	empty := climbing(12, 12, 1e6, 500)
	for i := range empty {
		empty[i][0] = nil
	}
	for name, c := range map[string]struct {
		counters []string
		rows     [][]any
	}{
		"no packets to divide by": {[]string{packets, dropped}, climbing(12, 12, 0, 500)},
		"no counter of packets":   {[]string{dropped}, climbing(12, 12, 500)},
		"empty cells":             {[]string{packets, badCRC}, empty},
		"healthy":                 {[]string{packets, badCRC}, climbing(12, 12, 1e6, 0)},
		"a single row":            {[]string{packets, badCRC}, damaged[:1]},
		"restarted counters":      {[]string{packets, badCRC}, [][]any{{1e9, 1e6}, {10, 0}, {20, 0}, {30, 0}, {40, 0}}},
	} {
		if report := logOf(t, c.counters, c.rows); len(report.Findings)+len(report.Ended) > 0 {
			t.Errorf("%s: the finding %s is invented", name, report.Findings[0].Title)
		}
	}
	if _, err := tryLog(t, []string{"Processor|% Processor Time"}, climbing(12, 12, 90)); !errors.Is(err, observe.ErrNoTopology) {
		t.Errorf("counters of another system: %v", err)
	}
}
