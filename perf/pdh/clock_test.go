package pdh

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"cxdeck/perf"
)

// TestLogAcceptsOutputOfTypeperf: an empty line comes first, and messages follow the rows.
func TestLogAcceptsOutputOfTypeperf(t *testing.T) {
	t.Parallel()
	const head = `"(PDH-CSV 4.0)","\\HOST\Network Interface(Ethernet 7)\Bytes Received/sec"`
	row := func(n int) string { return fmt.Sprintf(`"08/14/2018 13:05:%02d.123","%d.500000"`, n, n) }
	const done = "The command completed successfully."
	for name, text := range map[string]string{
		"ended by itself":  "\r\n" + head + "\r\n" + row(1) + "\r\n" + row(2) + "\r\n" + row(3) + "\r\n" + done + "\r\n\r\n",
		"ended by Ctrl+C":  "\n" + head + "\n" + row(1) + "\n" + row(2) + "\n" + row(3) + "\nExiting, please wait...                         \n" + done + "\n",
		"no last line end": "\r\n" + head + "\r\n" + row(1) + "\r\n" + row(2) + "\r\n" + row(3) + "\r\n\r\n" + done,
		"in German":        "\n" + head + "\n" + row(1) + "\n" + row(2) + "\n" + row(3) + "\nDer Befehl wurde erfolgreich ausgef\x81hrt.\n",
		"empty lines":      "\n\n\n" + head + "\n\n" + row(1) + "\n\n" + row(2) + "\n\n" + row(3) + "\n\n",
		"plain":            head + "\n" + row(1) + "\n" + row(2) + "\n" + row(3) + "\n",
	} {
		for _, encoded := range []string{text, string(inUTF16(text, binary.LittleEndian))} {
			if name == "in German" && encoded != text {
				continue
			}
			s := openText(t, encoded)
			times, values, _ := logRows(t, s, time.Second)
			from, to := s.Span()
			if len(times) != 3 || values[0][0] != 1.5 || values[2][0] != 3.5 || to.Sub(from) != 2*time.Second {
				t.Errorf("%s: %v %v, from %s to %s", name, times, values, from, to)
			}
			points, err := s.ReadRange(context.Background(), 0, from, to.Add(time.Hour), nil)
			if err != nil || len(points) != 3 {
				t.Errorf("%s: the range is %v, %v", name, points, err)
			}
			if err := s.Seek(to.Add(time.Second)); err != nil {
				t.Errorf("%s: seek after the end: %v", name, err)
			}
		}
	}
}

// summerLog is a log over the end of summer time, 2018-10-28 03:00 in Berlin.
func summerLog(every time.Duration, rows int) string {
	var text strings.Builder
	text.WriteString(`"(PDH-CSV 4.0) (Central European Daylight Time)(-120)","\\H\S(a)\C"` + "\n")
	start := time.Date(2018, 10, 28, 0, 30, 0, 0, time.UTC) // 02:30 in Berlin
	for n := range rows {
		at := start.Add(time.Duration(n) * every)
		clock := at.Add(2 * time.Hour)
		if !at.Before(time.Date(2018, 10, 28, 1, 0, 0, 0, time.UTC)) {
			clock = at.Add(time.Hour)
		}
		fmt.Fprintf(&text, "\"%s\",\"%d\"\n", clock.Format("01/02/2006 15:04:05.000"), n)
	}
	return text.String()
}

func TestLogKeepsTheRepeatedHour(t *testing.T) {
	t.Parallel()
	for _, every := range []time.Duration{time.Second, 15 * time.Second, time.Minute, 15 * time.Minute, time.Hour} {
		s := openText(t, summerLog(every, 300))
		times, values, missed := logRows(t, s, every)
		if len(times) != 300 {
			t.Fatalf("every %s: %d of 300 rows", every, len(times))
		}
		for n := range times {
			want := time.Date(2018, 10, 28, 0, 30, 0, 0, time.UTC).Add(time.Duration(n) * every)
			if !times[n].Equal(want) || values[n][0] != float64(n) || missed[n] != 0 {
				t.Fatalf("every %s: row %d is %v at %s, %d missed; want %s", every, n, values[n][0], times[n], missed[n], want)
			}
		}
		notes := strings.Join(s.Notes(), "\n")
		if every*300 > time.Hour && (!strings.Contains(notes, "end of summer time") || !strings.Contains(notes, "1h0m0s later")) {
			t.Errorf("every %s: the notes are %q", every, notes)
		}
		if every == time.Minute {
			if err := s.Seek(times[29]); err != nil {
				t.Fatal(err)
			}
			var column perf.Column
			for range 3 {
				readNext(t, s, &column)
			}
			events := s.Events()
			if len(events) != 1 || !events[0].Time.Equal(times[30]) || !strings.Contains(events[0].Message, "end of summer time") {
				t.Errorf("the events are %+v", events)
			}
			if again := s.Events(); len(again) > 0 {
				t.Errorf("the events are reported again: %+v", again)
			}
		}
	}
}

// TestLogLosesNoRowWhenItsClockChanges sets the clock of generated logs back and forward, and compares playing, seeking and
// ranges.
func TestLogLosesNoRowWhenItsClockChanges(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(9, 10))
	for round := range 60 {
		var text strings.Builder
		text.WriteString(`"(PDH-CSV 4.0) (UTC)(0)","\\H\S(a)\C"` + "\n")
		clock := time.Date(2018, 8, 14, 12, 0, 0, 0, time.UTC)
		spacing := time.Duration(1+random.IntN(30)) * time.Second
		rows := 200
		for n := range rows {
			fmt.Fprintf(&text, "\"%s\",\"%d\"\n", clock.Format("01/02/2006 15:04:05.000"), n)
			before := clock
			clock = clock.Add(spacing + time.Duration(random.IntN(20))*time.Millisecond)
			switch random.IntN(40) {
			case 0:
				clock = clock.Add(-time.Hour)
			case 1:
				clock = clock.Add(-time.Duration(random.IntN(200_000)) * time.Millisecond)
			case 2:
				clock = clock.Add(time.Duration(random.IntN(5000)) * time.Second)
			case 3:
				clock = clock.Add(-time.Duration(random.IntN(50)) * time.Hour)
			}
			if clock.Equal(before) {
				clock = clock.Add(time.Millisecond)
			}
		}
		s := openText(t, text.String())
		times, values, _ := logRows(t, s, 0)
		if len(times) != rows {
			t.Fatalf("round %d: %d of %d rows", round, len(times), rows)
		}
		for n := range times {
			if values[n][0] != float64(n) || n > 0 && !times[n].After(times[n-1]) {
				t.Fatalf("round %d: row %d is %v at %s, behind %s", round, n, values[n][0], times[n], times[max(n-1, 0)])
			}
		}
		if from, to := s.Span(); !from.Equal(times[0]) || !to.Equal(times[rows-1]) {
			t.Fatalf("round %d: the span is %s to %s, the rows %s to %s", round, from, to, times[0], times[rows-1])
		}
		var column perf.Column
		for range 20 {
			n := random.IntN(rows)
			if err := s.Seek(times[n]); err != nil {
				t.Fatal(err)
			}
			for k := n; k < min(n+5, rows); k++ {
				if err := s.Next(context.Background(), 0, &column); err != nil || !column.Time.Equal(times[k]) {
					t.Fatalf("round %d: sought row %d, row %d comes at %s (%v), not at %s", round, n, k, column.Time, err, times[k])
				}
			}
			to := min(n+random.IntN(30), rows-1)
			points, err := s.ReadRange(context.Background(), 0, times[n], times[to], nil)
			if err != nil || len(points) != to-n+1 || points[0].Value != float64(n) {
				t.Fatalf("round %d: rows %d to %d are %d points, %v", round, n, to, len(points), err)
			}
		}
	}
}

// TestLogReportsHowFarItsClockGoesBack: the note has the time, and how much later rows are shown.
func TestLogReportsHowFarItsClockGoesBack(t *testing.T) {
	t.Parallel()
	for _, back := range []time.Duration{15 * time.Second, 100 * time.Second, 50 * time.Minute, 2 * time.Hour, 30 * time.Hour} {
		var text strings.Builder
		text.WriteString(`"(PDH-CSV 4.0) (UTC)(0)","\\H\S(a)\C"` + "\n")
		clock := time.Date(2018, 8, 14, 12, 0, 0, 0, time.UTC)
		for n := range 40 {
			fmt.Fprintf(&text, "\"%s\",\"%d\"\n", clock.Format("01/02/2006 15:04:05.000"), n)
			if clock = clock.Add(10 * time.Second); n == 19 {
				clock = clock.Add(-back)
			}
		}
		if notes := openText(t, text.String()).Notes(); len(notes) != 1 || !strings.Contains(notes[0], "goes back by "+back.String()) {
			t.Errorf("set back by %s: %q", back, notes)
		}
	}
}

// TestLongLogKeepsTheRepeatedHour opens a log that is too long to check every row.
func TestLongLogKeepsTheRepeatedHour(t *testing.T) {
	t.Parallel()
	const rows, width = 20_000, 300
	text := summerLog(5*time.Second, rows)
	lines := strings.SplitAfter(text, "\n")
	wide := strings.Repeat(" ", width) + `1","`
	for n := range lines[1:] {
		lines[n+1] = strings.Replace(lines[n+1], `","`, `","`+wide+wide+wide, 1)
	}
	lines[0] = strings.Replace(lines[0], `,"\\H`, `,"\\H\S(x)\C","\\H\S(y)\C","\\H\S(z)\C","\\H`, 1)
	s := openText(t, strings.Join(lines, ""))
	if s.end < clockWhole {
		t.Fatalf("the log has only %d bytes", s.end)
	}
	from, to := s.Span()
	if to.Sub(from) != (rows-1)*5*time.Second || len(s.Notes()) != 1 {
		t.Errorf("the span is %s, notes %q", to.Sub(from), s.Notes())
	}
	var column perf.Column
	for n := 0; ; n++ {
		err := s.Next(context.Background(), 5*time.Second, &column)
		if errors.Is(err, io.EOF) {
			if n != rows {
				t.Errorf("%d of %d rows", n, rows)
			}
			return
		}
		if want := from.Add(time.Duration(n) * 5 * time.Second); err != nil || !column.Time.Equal(want) {
			t.Fatalf("row %d is at %s (%v), not at %s", n, column.Time, err, want)
		}
	}
}

func TestNoteOnALogInTwoLanguages(t *testing.T) {
	t.Parallel()
	const english, german, own = `\\H\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Bytes Sent/Sec`, `\\H\Netzwerkadapter(Ethernet 7)\Empfangene Bytes/s`, `\\H\Our application\Orders/s`
	for paths, want := range map[[2]string]string{
		{english, german}: "Some counters have names in another language than English, such as \\Netzwerkadapter(",
		{german, english}: "Some counters have names in another language than English, such as \\Netzwerkadapter(",
		{english, own}:    "",
		{german, own}:     "The counters have names in another language",
	} {
		s := openText(t, `"(PDH-CSV 4.0) (UTC)(0)","`+paths[0]+`","`+paths[1]+"\"\n"+`"08/14/2018 13:05:01.000","1","1"`+"\n")
		if notes := strings.Join(s.Notes(), " "); !strings.Contains(notes, want) || want == "" && notes != "" {
			t.Errorf("%q: the notes are %q", paths, notes)
		}
	}
}

func TestNoteOnALogInAnotherLanguage(t *testing.T) {
	t.Parallel()
	for path, foreign := range map[string]bool{
		`\Netzwerkschnittstelle(Ethernet 7)\Empfangene Bytes/s`:     true,
		`\Interface réseau(Ethernet 7)\Octets reçus/s`:              true,
		`\Interfaz de red(Ethernet 7)\Bytes recibidos/s`:            true,
		`\Сетевой интерфейс(Ethernet 7)\Получено байт/с`:            true,
		`\Prozessor(_Total)\Prozessorzeit (%)`:                      true,
		`\Network Interface(Ethernet 7)\Bytes Received/sec`:         false,
		`\Network Interface(Größe)\Bytes Received/sec`:              false,
		`\Processor(_Total)\% Processor Time`:                       false,
		`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Bytes Sent/Sec`: false,
		`\LogicalDisk(C:)\Avg. Disk sec/Read`:                       false,
	} {
		s := openText(t, `"(PDH-CSV 4.0) (UTC)(0)","\\H`+path+"\"\n"+`"08/14/2018 13:05:01.000","1"`+"\n"+`"08/14/2018 13:05:02.000","1"`+"\n")
		if notes := strings.Join(s.Notes(), " "); strings.Contains(notes, "English") != foreign {
			t.Errorf("%s: the notes are %q", path, notes)
		}
		var column perf.Column
		readNext(t, s, &column)
		if events := s.Events(); (len(events) == 1) != foreign {
			t.Errorf("%s: the events are %+v", path, events)
		}
	}
}

// TestUnitsOfForeignCounters: the unit comes from the counter's name, with its prefix.
func TestUnitsOfForeignCounters(t *testing.T) {
	t.Parallel()
	for counter, want := range map[string]perf.Unit{
		"Available Bytes": perf.Bytes, "Available KBytes": perf.Kilobytes, "Available MBytes": perf.Megabytes, "Used gigabytes": perf.Gigabytes,
		"kilobytes/sec": perf.Kilobytes.Rate(), "% Used Bytes": perf.Percent, "Latency ms": perf.NoUnit,
	} {
		if got := loggedUnit("Memory", counter); got != want {
			t.Errorf("%s: %q, want %q", counter, got, want)
		}
	}
}
