package comparing

import (
	"context"
	"strings"
	"testing"
	"time"
	"unicode"

	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/perf/compare"
	"cxdeck/perf/window"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/comparison"
	"cxdeck/views/deck"
)

func draw(p *Page, width, height int) string {
	canvas := widget.NewCanvas(width, height)
	canvas.SetGlyphs(themes.UnicodeGlyphs())
	p.Draw(canvas.All())
	return canvas.Text()
}

// TestHostileNames checks that no control character in a name reaches the terminal.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	const bad = "\x1b[2J\x07\u202eevil\r\n\x9b31m"
	p := New(&deck.Deck{}, nil)
	p.request = Request{Kind: Around, Why: bad}
	p.makeTables()
	at := time.Unix(1_534_255_200, 0).UTC()
	period := comparison.Period{Name: bad, Range: compare.Range{From: at, To: at.Add(time.Minute)}}
	p.found = &comparison.Comparison{
		First: period, Second: period,
		Counters:    []compare.Difference{{Series: perf.Series{Set: bad, Instance: bad, Counter: bad, Kind: perf.Gauge}, Change: 5, Percent: 500, Deviations: 50}},
		FirstEvents: []comparison.EventCount{{Adapter: bad, Message: bad, Severity: "error", Count: 1}},
		Host:        &comparison.HostDifference{Keys: []comparison.KeyDifference{{Connection: bad, Key: bad, Stored: [2]string{bad, "1"}, Effective: [2]string{"0", bad}}}, Parts: []comparison.PartDifference{{Kind: "team", Name: bad, First: bad, Second: bad}}},
		Change:      &comparison.Change{Entry: driver.Entry{Sequence: 3, Time: at, By: bad, Plan: driver.Plan{Title: bad}}, Next: &driver.Entry{Plan: driver.Plan{Title: bad}}},
	}
	p.hosts = true
	p.arrange()
	for p.section = range sectionCount {
		for _, size := range [][2]int{{80, 19}, {200, 55}} {
			text := draw(p, size[0], size[1])
			if !strings.Contains(text, "evil") {
				t.Errorf("section %d does not show its row:\n%s", p.section, text)
			}
			for _, r := range text {
				if r != '\n' && !unicode.IsPrint(r) {
					t.Fatalf("section %d shows the character %q:\n%s", p.section, r, text)
				}
			}
		}
	}
	p.found, p.err = nil, context.DeadlineExceeded
	if text := draw(p, 80, 19); !strings.Contains(text, "Cannot compare: ") {
		t.Errorf("an error is not shown:\n%s", text)
	}
}

// TestEscCancels checks that Esc cancels the running work, and that its result is ignored.
func TestEscCancels(t *testing.T) {
	t.Parallel()
	p := New(&deck.Deck{}, nil)
	ended := make(chan error, 1)
	open := func(ctx context.Context) (*comparison.Subject, error) {
		<-ctx.Done()
		ended <- ctx.Err()
		return nil, ctx.Err()
	}
	shell := ui.NewShell(ui.Options{})
	shell.Send(p.Open(Request{Open: [2]deck.OpenSubject{open}})())
	done := make(chan struct{})
	go func() {
		defer close(done)
		shell.WaitIdle(context.Background())
	}()
	if text := draw(p, 80, 19); !p.Working() || !strings.Contains(text, "Find what changed.") || !strings.Contains(text, "Esc cancels.") {
		t.Errorf("during the work the page shows\n%s", text)
	}
	number := p.number
	left := false
	for _, a := range p.Actions(func() ui.Cmd { left = true; p.Close(); return nil }) {
		if a.Keys[0] == "esc" {
			a.Run()
		}
	}
	<-done
	if err := <-ended; err == nil || !left || p.Working() {
		t.Errorf("the work ended with %v, left: %v", err, left)
	}
	if p.Update(foundMsg{number: number, found: &comparison.Comparison{}}); p.found != nil {
		t.Error("the result of cancelled work is shown")
	}
}

// TestCurvesDifferWithoutColour checks that only the first curve is dashed, and that both begin at the left.
func TestCurvesDifferWithoutColour(t *testing.T) {
	t.Parallel()
	p := New(&deck.Deck{}, nil)
	p.SetZone(time.UTC)
	at := func(s int) time.Time { return time.Unix(int64(s), 0).UTC() }
	d := compare.Difference{Series: perf.Series{Set: "S", Counter: "C", Kind: perf.Gauge}, Change: 20, Percent: 100, Deviations: 9}
	p.request = Request{Kind: Pair}
	p.found = &comparison.Comparison{
		First:    comparison.Period{Name: "session 1", Range: compare.Range{From: at(0), To: at(60)}},
		Second:   comparison.Period{Name: "session 2", Range: compare.Range{From: at(1000), To: at(1060)}},
		Counters: []compare.Difference{d},
	}
	p.curves = curves{path: d.Series.Path()}
	for n := range 60 {
		p.curves.points[0] = append(p.curves.points[0], perf.Point{Time: at(n).UnixNano(), Value: 20})
		p.curves.points[1] = append(p.curves.points[1], perf.Point{Time: at(1000 + n).UnixNano(), Value: 40})
	}
	p.arrange()
	text := draw(p, 100, 36)
	var filled []int
	for line := range strings.SplitSeq(text, "\n") {
		count := 0
		for _, r := range line {
			if r > 0x2800 && r < 0x2900 {
				count++
			}
		}
		if count > 10 {
			filled = append(filled, count)
		}
	}
	if len(filled) != 2 || filled[0] < 80 || filled[1] > filled[0]*2/3 {
		t.Errorf("the curves fill %v cells:\n%s", filled, text)
	}
	for _, want := range []string{"+0:00", "+0:30", "a \u254c\u254c 00:00:00 to 00:01:00", "b \u2501\u2501 00:16:40 to 00:17:40"} {
		if !strings.Contains(text, want) {
			t.Errorf("this lacks %q:\n%s", want, text)
		}
	}
}

func runOnce(t testing.TB, request Request) (*comparison.Comparison, error) {
	t.Helper()
	return run(t.Context(), request, nil)
}

// manySeries returns a page over a window of series with one column a second.
func manySeries(t testing.TB, series, columns int) *Page {
	t.Helper()
	list := make([]perf.Series, series)
	for i := range list {
		list[i] = perf.Series{Set: "Port", Instance: "Ethernet " + string(rune('a'+i%26)), Counter: "counter " + time.Duration(i).String(), Kind: perf.Rate, Unit: perf.Packets, Cell: i}
	}
	schema, err := perf.NewSchema(1, series, list)
	if err != nil {
		t.Fatal(err)
	}
	w := window.New(time.Second)
	cells := make([]int64, series)
	for n := range columns {
		for i := range cells {
			cells[i] += int64(1000 + i%7*(n%3) + i%3*n)
		}
		w.Push(schema, &perf.Column{Time: time.Unix(int64(n), 0).UTC(), Cells: cells})
	}
	p := New(&deck.Deck{}, nil)
	p.SetZone(time.UTC)
	p.request.Open[0] = func(context.Context) (*comparison.Subject, error) {
		return &comparison.Subject{Name: "LAB", Samples: comparison.Live(w, time.Second, nil)}, nil
	}
	return p
}

// BenchmarkWhatChangedLive ranks 10,000 series of a live window: one minute against the four before it, and two minutes against
// the eight before them.
func BenchmarkWhatChangedLive(b *testing.B) {
	p := manySeries(b, 10_000, 600)
	to := time.Unix(599, 0).UTC()
	for _, length := range []time.Duration{time.Minute, 2 * time.Minute} {
		b.Run(length.String(), func(b *testing.B) {
			for b.Loop() {
				found, err := runOnce(b, Request{Kind: WhatChanged, Open: p.request.Open, Ranges: [2]compare.Range{1: {From: to.Add(-length), To: to}}})
				if err != nil || len(found.Counters) == 0 {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestPeriodsOfDays checks that a period names its last day if it differs from the first.
func TestPeriodsOfDays(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	period := func(from, to time.Duration) comparison.Period {
		return comparison.Period{Name: "session 1", Range: compare.Range{From: noon.Add(from), To: noon.Add(to)}}
	}
	for _, c := range []struct {
		first, second comparison.Period
		want          string
	}{
		{period(0, time.Hour), period(time.Hour, 2*time.Hour), "12:00:00 to 13:00:00, 1 h, session 1"},
		{period(0, 2*time.Hour), period(25*time.Hour, 26*time.Hour), "2026-03-02 12:00:00 to 14:00:00, 2 h, session 1"},
		{period(0, 31*time.Hour), period(31*time.Hour, 35*time.Hour), "2026-03-02 12:00:00 to 2026-03-03 19:00:00, 1 d 7 h, session 1"},
	} {
		p := &Page{zone: time.UTC, request: Request{Kind: Pair}, found: &comparison.Comparison{First: c.first, Second: c.second}}
		if got := p.periodText(c.first, 0); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
