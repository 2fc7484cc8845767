package pdh

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"cxdeck/perf"
)

func writeLog(t testing.TB, text []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "monday.csv")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func openText(t testing.TB, text string) *source {
	t.Helper()
	s, err := Open(writeLog(t, []byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s.(*source)
}

// logRows plays a log to its end.
func logRows(t testing.TB, s perf.Source, interval time.Duration) (times []time.Time, values [][]float64, missed []int) {
	t.Helper()
	var column perf.Column
	for {
		err := s.Next(context.Background(), interval, &column)
		if errors.Is(err, io.EOF) {
			return times, values, missed
		}
		if err != nil {
			t.Fatal(err)
		}
		row := make([]float64, len(column.Cells))
		for n := range row {
			row[n], _ = s.Schema().Series[n].Value(nil, &column)
		}
		times, values, missed = append(times, column.Time), append(values, row), append(missed, column.Missed)
	}
}

// readNext reads a sample, which must not fail.
func readNext(t *testing.T, s perf.Source, column *perf.Column) {
	t.Helper()
	if err := s.Next(context.Background(), time.Second, column); err != nil {
		t.Fatal(err)
	}
	if len(column.Cells) != s.Schema().Cells {
		t.Fatalf("the column has %d cells, the schema %d", len(column.Cells), s.Schema().Cells)
	}
}

func near(a, b float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-12*math.Max(math.Abs(a), math.Abs(b)) || a == b
}

const plainLog = `"(PDH-CSV 4.0) (Pacific Daylight Time)(420)","\\LAB\Network Interface(Mellanox ConnectX-5)\Bytes Received/sec","\\LAB\Processor(_Total)\% Processor Time","\\LAB\System\Threads"` + "\r\n" +
	`"08/14/2018 13:05:01.123","12.500000","0.123456789"," "` + "\r\n" +
	`"08/14/2018 13:05:02.123","1500000000000.25","99.5","1200"` + "\r\n" +
	`"08/14/2018 13:05:03.123","-1","","1201"` + "\r\n"

func TestLogPlays(t *testing.T) {
	t.Parallel()
	s := openText(t, plainLog)
	info := s.Info()
	start := time.Date(2018, 8, 14, 20, 5, 1, 123e6, time.UTC)
	if info.Kind != perf.LogSource || info.Host != "LAB" || info.Name != "monday.csv" || !info.Started.Equal(start) {
		t.Errorf("info is %+v", info)
	}
	if from, to := s.Span(); !from.Equal(start) || !to.Equal(start.Add(2*time.Second)) {
		t.Errorf("the span is %v to %v", from, to)
	}
	for path, unit := range map[string]perf.Unit{
		`\Network Interface(Mellanox ConnectX-5)\Bytes Received/sec`: "bytes per second",
		`\Processor(_Total)\% Processor Time`:                        perf.Percent,
		`\System\Threads`:                                            perf.NoUnit,
	} {
		if n, ok := s.Schema().Find(path); !ok || s.Schema().Series[n].Unit != unit || s.Schema().Series[n].Kind != perf.Gauge {
			t.Errorf("%s: found %v, %+v", path, ok, s.Schema().Series[max(n, 0)])
		}
	}
	times, values, missed := logRows(t, s, time.Second)
	want := [][]float64{{12.5, 0.123456789, math.NaN()}, {1500000000000.25, 99.5, 1200}, {-1, math.NaN(), 1201}}
	if len(values) != len(want) {
		t.Fatalf("%d rows", len(values))
	}
	for n, row := range want {
		if !times[n].Equal(start.Add(time.Duration(n)*time.Second)) || missed[n] != 0 {
			t.Errorf("row %d is at %v, missed %d", n, times[n], missed[n])
		}
		for c := range row {
			if !near(values[n][c], row[c]) {
				t.Errorf("row %d, column %d is %v, want %v", n, c, values[n][c], row[c])
			}
		}
	}
}

// inUTF16 encodes a text like Windows.
func inUTF16(text string, order binary.AppendByteOrder) []byte {
	raw := order.AppendUint16(nil, 0xFEFF)
	for _, unit := range utf16.Encode([]rune(text)) {
		raw = order.AppendUint16(raw, unit)
	}
	return raw
}

func TestLogEncodings(t *testing.T) {
	t.Parallel()
	text := strings.ReplaceAll(plainLog, "Mellanox ConnectX-5", "Übertragung 网卡 𝕏 ਅĀਅ")
	_, want, _ := logRows(t, openText(t, text), time.Second)
	for name, raw := range map[string][]byte{
		"UTF-8 with a mark":    append([]byte{0xEF, 0xBB, 0xBF}, text...),
		"UTF-16 little endian": inUTF16(text, binary.LittleEndian),
		"UTF-16 big endian":    inUTF16(text, binary.BigEndian),
		"only line feeds":      []byte(strings.ReplaceAll(text, "\r\n", "\n")),
	} {
		s, err := Open(writeLog(t, raw))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, ok := s.Schema().Find(`\Network Interface(Übertragung 网卡 𝕏 ਅĀਅ)\Bytes Received/sec`); !ok {
			t.Errorf("%s: paths are %v", name, s.Schema().Series[0].Path())
		}
		_, values, _ := logRows(t, s, time.Second)
		if fmt.Sprint(values) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", name, values, want)
		}
		s.Close()
	}
}

// TestUTF16IsReadLikeTheStandardLibrary compares units in any order, with unpaired surrogates and incomplete units.
func TestUTF16IsReadLikeTheStandardLibrary(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	alphabet := []uint16{'a', '\n', 0x00e9, 0x7f51, 0xd83d, 0xde00, 0xdbff, 0xdc00, 0xfffd, 0xffff, 0x0a00}
	for range 2000 {
		units := make([]uint16, random.IntN(6))
		for i := range units {
			units[i] = alphabet[random.IntN(len(alphabet))]
		}
		want := string(utf16.Decode(units))
		for encoding, order := range map[textEncoding]binary.AppendByteOrder{utf16Little: binary.LittleEndian, utf16Big: binary.BigEndian} {
			var raw []byte
			for _, unit := range units {
				raw = order.AppendUint16(raw, unit)
			}
			for _, raw := range [][]byte{raw, append(raw, 'x')} {
				if got := string(encoding.decode(nil, raw)); got != want {
					t.Fatalf("%x is read as %q, want %q", raw, got, want)
				}
			}
		}
	}
}

func TestLogDialects(t *testing.T) {
	t.Parallel()
	const head = `"(PDH-CSV 4.0) (Zone)(0)","\\A\S(i)\C"` + "\n"
	for name, c := range map[string]struct {
		text  string
		first time.Time
		value float64
	}{
		"month first":           {head + `"03/04/2020 00:00:01.000","1.5"` + "\n", time.Date(2020, 3, 4, 0, 0, 1, 0, time.UTC), 1.5},
		"day first by a later":  {head + `"03/04/2020 23:00:01.000","1.5"` + "\n" + `"13/04/2020 00:00:01.000","1.5"` + "\n", time.Date(2020, 4, 3, 23, 0, 1, 0, time.UTC), 1.5},
		"points in dates":       {head + `"03.04.2020 00:00:01.000","1,5"` + "\n", time.Date(2020, 4, 3, 0, 0, 1, 0, time.UTC), 1.5},
		"year first":            {head + `"2020-04-03T00:00:01.5Z","1,5"` + "\n", time.Date(2020, 4, 3, 0, 0, 1, 5e8, time.UTC), 1.5},
		"afternoon":             {head + `"4/3/2020 1:02:03 PM","1.5"` + "\n", time.Date(2020, 4, 3, 13, 2, 3, 0, time.UTC), 1.5},
		"comma with three":      {head + `"04/03/2020 00:00:01","1,234"` + "\n", time.Date(2020, 4, 3, 0, 0, 1, 0, time.UTC), 1.234},
		"grouped by points":     {head + `"04/03/2020 00:00:01","1.234.567,5"` + "\n", time.Date(2020, 4, 3, 0, 0, 1, 0, time.UTC), 1234567.5},
		"grouped by commas":     {head + `"04/03/2020 00:00:01","1,234,567.5"` + "\n", time.Date(2020, 4, 3, 0, 0, 1, 0, time.UTC), 1234567.5},
		"grouped by spaces":     {head + "\"04/03/2020 00:00:01\",\"1\u00a0234,5\"\n", time.Date(2020, 4, 3, 0, 0, 1, 0, time.UTC), 1234.5},
		"exponent":              {head + `"04/03/2020 00:00:01","1.5e3"` + "\n", time.Date(2020, 4, 3, 0, 0, 1, 0, time.UTC), 1500},
		"no number":             {head + `"04/03/2020 00:00:01","-1.#IND000000"` + "\n", time.Date(2020, 4, 3, 0, 0, 1, 0, time.UTC), math.NaN()},
		"semicolons":            {strings.ReplaceAll(head, ",", ";") + `04/03/2020 00:00:01;1,5` + "\n", time.Date(2020, 4, 3, 0, 0, 1, 0, time.UTC), 1.5},
		"tabs":                  {strings.ReplaceAll(strings.ReplaceAll(head, ",", "\t"), "CSV", "TSV") + "\"04/03/2020 00:00:01\"\t\"1.5\"\n", time.Date(2020, 4, 3, 0, 0, 1, 0, time.UTC), 1.5},
		"no zone, last row cut": {`"(PDH-CSV 4.0)","\\A\S(i)\C"` + "\n" + `"04/03/2020 00:00:01","1.5"` + "\n" + `"04/03/2020 00:00:02","1`, time.Date(2020, 4, 3, 0, 0, 1, 0, time.UTC), 1.5},
		"spaces in a time":      {head + `" 4/3/2020   1:02:03  PM","1.5"` + "\n", time.Date(2020, 4, 3, 13, 2, 3, 0, time.UTC), 1.5},
		"no seconds":            {head + `"4/3/2020 13:02","1.5"` + "\n", time.Date(2020, 4, 3, 13, 2, 0, 0, time.UTC), 1.5},
		"west of UTC":           {strings.Replace(head, "(0)", "(-90)", 1) + `"04/03/2020 00:00:00","1.5"` + "\n", time.Date(2020, 4, 2, 22, 30, 0, 0, time.UTC), 1.5},
	} {
		s, err := Open(writeLog(t, []byte(c.text)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		times, values, _ := logRows(t, s, time.Second)
		if len(times) == 0 || !times[0].Equal(c.first) || !near(values[0][0], c.value) {
			t.Errorf("%s: %v %v, want %v %v", name, times, values, c.first, c.value)
		}
		s.Close()
	}
}

func TestLogPathsAreDistinct(t *testing.T) {
	t.Parallel()
	s := openText(t, `"(PDH-CSV 4.0) (Zone)(0)","\\A\S(i)\C","\\A\s(I)\c","\\B\S(i)\C","\\B\Sys\C","odd ""name""`+"\x1b"+`","\S(_Total)\C",""`+"\n"+`"04/03/2020 00:00:01","1"`+"\n")
	var paths []string
	for _, series := range s.Schema().Series {
		paths = append(paths, series.Path())
	}
	want := []string{`\S(i)\C`, `\s(I#1)\c`, `\S(B: i)\C`, `\Sys(B)\C`, `\Log\odd "name"?`, `\S(_Total)\C`, `\Log\Column 8`}
	if fmt.Sprint(paths) != fmt.Sprint(want) {
		t.Errorf("paths are %q, want %q", paths, want)
	}
	if s.Schema().Series[5].Sum == "" {
		t.Error("a total has no description")
	}
}

func TestLogAcceptsManyColumnsOfOneName(t *testing.T) {
	t.Parallel()
	s := openText(t, `"(PDH-CSV 4.0) (Zone)(0)"`+strings.Repeat(`,"\\A\S(i)\C"`, 20_000)+"\n"+`"04/03/2020 00:00:01","1"`+"\n")
	if got := s.Schema().Series[19_999].Path(); got != `\S(i#19999)\C` {
		t.Errorf("the last path is %s", got)
	}
}

func TestLogErrors(t *testing.T) {
	t.Parallel()
	const head = `"(PDH-CSV 4.0) (Zone)(0)","\\A\S(i)\C"` + "\n"
	row := func(second int) string { return fmt.Sprintf("\"04/03/2020 00:00:%02d\",\"1\"\n", second) }
	for name, c := range map[string]struct {
		text         string
		line, column int
		reason       string
	}{
		"empty":              {"", 1, 0, "the file is empty"},
		"another file":       {"<html>\n", 1, 0, "not the header of a Performance Monitor log"},
		"no counters":        {`"(PDH-CSV 4.0) (Zone)(0)"` + "\n", 1, 0, "no counters"},
		"no rows":            {head, 2, 0, "no rows yet"},
		"zone":               {strings.Replace(head, "(0)", "(99999)", 1) + row(1), 1, 0, "time zone"},
		"open quote":         {`"(PDH-CSV 4.0) (Zone)(0)","\\A\S(i)\C` + "\n", 1, 2, "not closed"},
		"bad first time":     {head + `"soon","1"` + "\n", 2, 0, "invalid time"},
		"space in a date":    {head + row(1) + row(2) + `"04/ 03/2020 00:00:03","1"` + "\n" + row(4), 4, 1, "invalid time"},
		"space in a time":    {head + row(1) + row(2) + `"04/03/2020 00: 00:03","1"` + "\n" + row(4), 4, 1, "invalid time"},
		"bad later time":     {head + row(1) + row(2) + `"04/31/2020 00:00:01","1"` + "\n" + row(4), 4, 1, "invalid time"},
		"bad number":         {head + row(1) + row(2) + `"04/03/2020 00:00:03","12x"` + "\n" + row(4), 4, 2, `invalid number "12x" (\S(i)\C)`},
		"second header":      {head + row(1) + row(2) + head + row(4), 4, 1, "a second log with other counters begins here"},
		"text after a quote": {head + row(1) + row(2) + `"04/03/2020 00:00:03","1"2` + "\n", 4, 2, "after a closing quotation mark"},
		"a very big cell":    {head + row(1) + row(2) + `"04/03/2020 00:00:03","` + strings.Repeat("1", logCellLimit+1) + "\"\n", 4, 2, "bytes"},
	} {
		s, err := Open(writeLog(t, []byte(c.text)))
		if err == nil {
			var column perf.Column
			for err == nil {
				err = s.Next(context.Background(), time.Second, &column)
			}
			s.Close()
		}
		var wrong *Error
		if !errors.As(err, &wrong) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if wrong.Line != c.line || wrong.Column != c.column || !strings.Contains(wrong.Reason, c.reason) || wrong.File != "monday.csv" {
			t.Errorf("%s: %v (line %d, column %d)", name, wrong, wrong.Line, wrong.Column)
		}
		place := fmt.Sprintf("monday.csv, line %d: ", c.line)
		if c.column > 0 {
			place = fmt.Sprintf("monday.csv, line %d, column %d: ", c.line, c.column)
		}
		if !strings.HasPrefix(wrong.Error(), place) {
			t.Errorf("%s: the error is %q", name, wrong)
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none.csv")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := Open(t.TempDir()); err == nil {
		t.Error("a folder was opened")
	}
}

func TestLogOrderGapsAndIntervals(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString(`"(PDH-CSV 4.0) (Zone)(0)","\\A\S(i)\C"` + "\n")
	for n, at := range []string{"01.000", "02.010", "03.002", "03.002", "02.500", "04.004", "09.000", "10.000", "11.000"} {
		fmt.Fprintf(&text, "\"04/03/2020 00:00:%s\",\"%d\"\n", at, n)
	}
	played := func(interval time.Duration) (got string) {
		_, values, missed := logRows(t, openText(t, text.String()), interval)
		for n := range values {
			got += fmt.Sprintf("%v/%d ", values[n][0], missed[n])
		}
		return got
	}
	// The second row with the same time is skipped; the row that goes back and the next one follow at 4 and 5.5 seconds, and
	// some samples are missing before the seventh.
	if got, want := played(time.Second), "0/0 1/0 2/0 4/0 5/0 6/2 7/0 8/0 "; got != want {
		t.Errorf("at 1 s: %q, want %q", got, want)
	}
	if got, want := played(2*time.Second), "0/0 2/0 5/0 6/1 8/0 "; got != want {
		t.Errorf("at 2 s: %q, want %q", got, want)
	}
	if got, want := played(0), "0/0 1/0 2/0 4/0 5/0 6/2 7/0 8/0 "; got != want {
		t.Errorf("at 0 s: %q, want %q", got, want)
	}
	if got, want := played(100*time.Millisecond), "0/0 1/0 2/0 4/0 5/0 6/2 7/0 8/0 "; got != want {
		t.Errorf("at 100 ms: %q, want %q", got, want)
	}
}

// manyRows returns a log with one row per second.
func manyRows(rows, columns int) []byte {
	var text bytes.Buffer
	paths := make([]string, columns)
	for n := range paths {
		paths[n] = fmt.Sprintf(`\Network Interface(port %d)\Bytes Received/sec`, n)
	}
	w := NewWriter(&text, "LAB", time.UTC, paths...)
	values := make([]float64, columns)
	start := time.Date(2024, 2, 28, 23, 0, 0, 0, time.UTC)
	for row := range rows {
		for n := range values {
			values[n] = float64(row)*1e6 + float64(n)/8
		}
		w.Write(start.Add(time.Duration(row)*time.Second), values)
	}
	w.Flush()
	return text.Bytes()
}

func TestLogSeeksAndReadsRanges(t *testing.T) {
	t.Parallel()
	text := manyRows(9000, 30)
	for name, raw := range map[string][]byte{"UTF-8": text, "UTF-16": inUTF16(string(text), binary.BigEndian)} {
		s, err := Open(writeLog(t, raw))
		if err != nil {
			t.Fatal(err)
		}
		from, to := s.(perf.Seeker).Span()
		if to.Sub(from) != 8999*time.Second {
			t.Fatalf("%s: the span is %v", name, to.Sub(from))
		}
		var column perf.Column
		for _, row := range []int{8999, 0, 1, 4500, 4501, 8998, 17, 7321} {
			if err := s.(perf.Seeker).Seek(from.Add(time.Duration(row)*time.Second - time.Millisecond)); err != nil {
				t.Fatal(err)
			}
			readNext(t, s, &column)
			if want := from.Add(time.Duration(row) * time.Second); !column.Time.Equal(want) || column.Missed != 0 {
				t.Errorf("%s: sought row %d, got %v, missed %d", name, row, column.Time, column.Missed)
			}
		}
		if err := s.(perf.Seeker).Seek(to.Add(time.Second)); err != nil {
			t.Error(err)
		}
		if err := s.Next(context.Background(), time.Second, &column); !errors.Is(err, io.EOF) {
			t.Errorf("%s: after the end: %v", name, err)
		}
		points, err := s.(perf.RangeReader).ReadRange(context.Background(), 8, from.Add(100*time.Second), from.Add(102*time.Second), nil)
		if err != nil || len(points) != 3 || points[2].Value != 102e6+1 || points[0].Time != from.Add(100*time.Second).UnixNano() {
			t.Errorf("%s: range is %v, %v", name, points, err)
		}
		s.Close()
	}
}

func TestLogInventory(t *testing.T) {
	t.Parallel()
	s := openText(t, `"(PDH-CSV 4.0) (Zone)(0)","\\A\Network Interface(Mellanox ConnectX-5 Ex)\Bytes Received/sec","\\A\Network Interface(Mellanox ConnectX-5 Ex)\Bytes Sent/sec","\\A\Network Interface(Mellanox ConnectX-5 Ex)\Current Bandwidth","\\A\Network Interface(Microsoft Network Adapter Multiplexor Driver)\Bytes Sent/sec","\\A\Network Interface(_Total)\Bytes Sent/sec"`+"\n"+`"04/03/2020 00:00:01","1","2","100000000000","2","4"`+"\n")
	v := s.Inventory()
	if len(v.Nodes) != 3 || v.Nodes[1].Name != "Mellanox ConnectX-5 Ex" || v.Nodes[1].Parent != 0 {
		t.Fatalf("nodes are %+v", v.Nodes)
	}
	if fmt.Sprint(v.Receive, v.Send, v.Nodes[2].Send) != "[0] [1] [3]" {
		t.Errorf("totals are over %v and %v", v.Receive, v.Send)
	}
	if v.Nodes[1].SpeedText != "100 Gb/s" || v.Nodes[2].SpeedText != "" {
		t.Errorf("speeds %q and %q", v.Nodes[1].SpeedText, v.Nodes[2].SpeedText)
	}
	if line := s.Schema().Series[0].Line; line != 100_000_000_000 || v.Nodes[1].Speed != line {
		t.Errorf("the line rate is %d", line)
	}
}
