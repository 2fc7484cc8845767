package counters

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/pdh"
	"cxdeck/perf/window"
	"cxdeck/ui"
	"cxdeck/views/viewtest"
)

// logged opens a log of 40 minutes of one port.
func logged(t testing.TB) perf.Source {
	t.Helper()
	path := filepath.Join(t.TempDir(), "monday.csv")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := pdh.NewWriter(file, "HOST", time.UTC, `\Network Interface(Port 1)\Bytes Sent/sec`, `\Network Interface(Port 1)\Bytes Received/sec`)
	for n := range 2400 {
		if err := w.Write(began.Add(time.Duration(n)*samplePeriod), []float64{rateOf(0, n), float64(n)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	source, err := pdh.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// replayed returns a screen on that log, paused after half an hour.
func replayed(t *testing.T) *play {
	d := viewtest.Watch(t, logged(t), 1)
	if err := d.Live.SetPaused(true); err != nil {
		t.Fatal(err)
	}
	s, stage := staged(t, d)
	p := &play{Stage: stage, t: t, deck: d, screen: s}
	s.takeData()
	if cmd := s.seek(began.Add(30 * time.Minute)); cmd != nil {
		p.run(cmd)
	}
	return p
}

// run runs a command in the shell, with new data after it.
func (p *play) run(cmd ui.Cmd) {
	p.Shell.Send(cmd())
	p.WaitIdle()
	p.Shell.Send(ui.DataMsg{})
	p.WaitIdle()
}

func TestRecordingHasASeekBar(t *testing.T) {
	t.Parallel()
	p := replayed(t)
	p.Want("paused", "14:00:00", "14:39:59  x1", "Throughput")
	if now := p.screen.status.Now; !now.Equal(began.Add(30 * time.Minute)) {
		t.Fatalf("the recording is at %s", now)
	}
	p.Press(".")
	if now := p.screen.status.Now; !now.Equal(began.Add(30*time.Minute + time.Second)) {
		t.Errorf("after a step the recording is at %s", now)
	}
	p.Press(",", ",")
	if now := p.screen.status.Now; !now.Equal(began.Add(30*time.Minute - time.Second)) {
		t.Errorf("after two steps back the recording is at %s", now)
	}
	p.Press(">")
	p.Want("x2")
	p.Press("<", "<")
	p.Want("x0.5")
	p.Hit(ui.RuleZone, 0, false) // the middle
	if now := p.screen.status.Now.Sub(began); now < 19*time.Minute || now > 21*time.Minute {
		t.Errorf("after a press in the middle the recording is at %s", now)
	}
	p.Press(" ")
	p.Want("playing")
}

func TestRecordingPlaysAgainFromItsEnd(t *testing.T) {
	t.Parallel()
	p := replayed(t)
	from, to, _ := p.screen.seekable()
	p.run(p.screen.seek(to))
	p.Want("Space play again")
	p.Press(" ")
	p.Want("playing", "Space pause")
	if now := p.screen.status.Now; now.Sub(from) > to.Sub(from)/2 {
		t.Errorf("the recording goes on at %s, not at its beginning %s", now, from)
	}
}

func TestRecordingShowsMoreThanTheWindowHolds(t *testing.T) {
	t.Parallel()
	p := replayed(t)
	p.Press("]", "]") // 30 min; the window holds ten
	p.Want("duration 30 min")
	p.Text()
	r := p.screen.picture.rows[0]
	for n, band := range r.values {
		at := p.screen.picture.frame.From.Add(time.Duration(n) * p.screen.picture.frame.PieceLength)
		if at.After(began.Add(time.Minute)) && at.Before(began.Add(29*time.Minute)) && math.IsNaN(band.Average) {
			t.Fatalf("there is a hole at %s", at)
		}
	}
	if r.statistics.Count < 1700 {
		t.Errorf("statistics are over %d samples", r.statistics.Count)
	}
	// The same period is not read again.
	if cmd := p.screen.readPast(); cmd != nil {
		t.Error("the same period is read again")
	}
}

func TestPastBucketsMatchThePoints(t *testing.T) {
	t.Parallel()
	points := []perf.Point{{Time: 0, Value: 1}, {Time: 1e9, Value: 3}, {Time: 2e9, Value: 5}, {Time: 9e9, Value: 7}}
	from := time.Unix(0, 0)
	b := bucketsOf(points, from, from.Add(10*time.Second), 2*time.Second)
	if b[0] != (window.Bucket{Min: 1, Max: 3, Average: 2}) || b[1].Average != 5 || b[4].Average != 7 {
		t.Errorf("buckets are %v", b)
	}
	s := statisticsOf(points)
	if s.Last != 7 || s.Average != 4 || s.Minimum != 1 || s.Maximum != 7 || s.P95 != 7 || s.Count != 4 || s.Duration != 9*time.Second {
		t.Errorf("statistics are %+v", s)
	}
	if empty := statisticsOf(nil); !math.IsNaN(empty.Last) || empty.Count != 0 {
		t.Errorf("statistics of nothing are %+v", empty)
	}
}
