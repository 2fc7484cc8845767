package counters

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/pdh"
	"cxdeck/ui"
	"cxdeck/views/deck"
)

func TestTheFirstWindowGrowsWithTheData(t *testing.T) {
	t.Parallel()
	newPlay(t, 2, 90).Want("duration 5 min")
	p := newPlay(t, 2, 50)
	p.Press("]", "[")
	p.step(50)
	p.Want("duration 1 min") // the operator's choice stays
}

func TestOpensWithThroughput(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 2, 60)
	p.Want("Throughput", "Bytes Sent/sec", "Bytes Received/sec", "Port 1", "Port 2", "duration 1 min")
	p.WantNot("Discarded", "_Total")
	want := perf.Number(rateOf(0, 59), perf.Bytes, true, false)
	if line := p.Line("a ━"); !strings.Contains(line, want) {
		t.Errorf("the first row is %q, want the last value %s", line, want)
	}
}

func TestFocusShowsOnlyItsInstances(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 3, 60)
	p.Shell.Send(nil)
	p.screen.Update(ui.ShowMsg{Arg: deck.Focus{Instances: []string{"port 2"}, Title: "Port 2", At: began.Add(30 * time.Second)}})
	p.Want("Port 2", "Bytes Sent/sec", "ded/sec", "at 14:00:30")
	p.WantNot("Port 1", "Port 3")
}

func TestFocusShowsASingleCounter(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 3, 20)
	path := `\Network Interface(Port 3)\Packets Received Discarded`
	p.screen.Update(ui.ShowMsg{Arg: deck.Focus{Paths: []string{path}, Title: path}})
	if len(p.screen.curves) != 1 || p.screen.curves[0].path != path {
		t.Errorf("the curves are %+v", p.screen.curves)
	}
}

func TestDropsPresetShowsTheDroppingPortFirst(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 3, 55)
	p.Press("P")
	p.Want("Presets", "Drops and errors", "RDMA")
	p.Press("down", "enter")
	p.Want("Drops and errors")
	// The port with drops is the first row.
	if line := p.Line("a ━"); !strings.Contains(line, "Port 2") || !strings.Contains(line, "300 p/s") {
		t.Errorf("the first row is %q", line)
	}
	p.Want("Packets Received Discarded/sec, Port 2:")
}

func TestPresetWithoutCountersSaysWhy(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 1, 5)
	p.Press("P", "6")
	p.Want("This source has no counters for the preset RSS spread per CPU", "RssMonitoringEnabled", "P shows the other presets")
}

func TestAddsACounter(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 3, 60)
	p.Resize(80, 24)
	p.Press("E")
	p.Want("No counters are chosen. a adds counters")
	p.Press("a")
	p.Want("Add counters", "Network Interface", "All instances (3)", "[ Add 3 counters ]")
	p.Type("discarded port 3")
	p.Want("Packets Received Dis…", "[ Add 1 counter ]")
	p.WantNot("Bytes Sent/sec")
	p.Press("enter", "enter", "enter", "enter")
	p.WantNot("Add counters")
	p.Want("Packets Received Discarded/sec", "Port 3")
	if len(p.screen.curves) != 1 {
		t.Errorf("%d curves are shown", len(p.screen.curves))
	}
	// Two counters of all ports, without the total that would count them twice.
	p.Press("a", "tab", "tab", " ", " ", "tab", "A", "enter")
	if len(p.screen.curves) != 7 || strings.Contains(p.Text(), "_Total") {
		t.Errorf("%d curves are shown", len(p.screen.curves))
	}
	p.Press("d", "d")
	if len(p.screen.curves) != 5 {
		t.Errorf("%d curves are left", len(p.screen.curves))
	}
}

func TestTotalSaysWhatItContains(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 2, 10)
	p.Press("E", "a")
	p.Type("total")
	p.Press("enter", "enter", "enter", "down")
	p.Want("all ports, no frame counted twice")
	p.Press("enter")
	p.Want("_Total (all ports, no frame counted twice):")
}

func TestFreezeHoldsPictureAndStatistics(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 2, 60)
	p.Press("f")
	p.Want("▌▌ frozen")
	before := p.Text()
	p.step(7)
	if after := p.Text(); body(after) != body(before) {
		t.Errorf("the frozen picture changed from\n%s\nto\n%s", before, after)
	}
	p.Press("]", "[") // reading again must show the same time
	if after := p.Text(); body(after) != body(before) {
		t.Errorf("zooming out and in again changed the frozen picture from\n%s\nto\n%s", before, after)
	}
	p.Press("f")
	p.WantNot("frozen")
	want := perf.Number(rateOf(0, 66), perf.Bytes, true, false)
	if line := p.Line("a ━"); !strings.Contains(line, want) {
		t.Errorf("the first row is %q, want the value %s of the newest sample", line, want)
	}
}

// body is a screen without the header, whose clock continues.
func body(text string) string {
	_, rest, _ := strings.Cut(text, "\n")
	return rest
}

func TestZoomsAndScrolls(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 1, 200)
	p.Press("[")
	p.Want("duration 1 min")
	p.Press("[") // the shortest: says so
	p.Want("Zoom in: this is the shortest window")
	p.Press("shift+left")
	p.Want("until 14:02:49")
	f := p.screen.picture.frame
	if d := f.To.Sub(f.From); d < time.Minute || d > 63*time.Second {
		t.Errorf("the window is %s long", d)
	}
	p.Press("end")
	p.WantNot("until")
	p.Press("]", "]", "]")
	p.Want("duration 30 min")
}

func TestCursorReadsAndNamesTheMark(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 1, 160)
	p.Press("K")
	p.Want("at 14:01:40", "Port 2: the link went down")
	want := perf.Number(rateOf(0, 100), perf.Bytes, true, false)
	if line := p.Line("a ━"); !strings.HasSuffix(strings.TrimSpace(line), want) {
		t.Errorf("the row is %q, want the value %s at the cursor", line, want)
	}
	p.Press("left")
	p.WantNot("at 14:01:40")
	p.Press("esc")
	p.WantNot("  at 14:")
}

func TestStatisticsCoverTheWindow(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 1, 120)
	p.Press("[")
	p.Text()
	st := p.screen.picture.rows[0].statistics
	low, high := math.Inf(1), math.Inf(-1)
	from := p.screen.picture.frame.From
	for n := 1; n < 120; n++ {
		if at := began.Add(time.Duration(n) * samplePeriod); !at.Before(from) {
			low, high = min(low, rateOf(0, n)), max(high, rateOf(0, n))
		}
	}
	if st.Minimum != low || st.Maximum != high || st.Last != rateOf(0, 119) {
		t.Errorf("statistics are %+v, want %v to %v, last %v", st, low, high, rateOf(0, 119))
	}
}

func TestBitsAndBytes(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 1, 30)
	p.Want("Gb/s")
	p.Press("b")
	p.Want("GB/s")
	p.WantNot("Gb/s")
}

func TestThresholdColoursAndMarks(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 1, 30)
	p.Press("t")
	p.Want("Threshold: Bytes Sent/sec Port 1", "Alarm when", "above the level", "% of the link's 100 Gb/s")
	p.Press("enter")
	p.Want("Level:")
	p.Type("1M")
	p.Press("down")
	p.Type("2M")
	p.Press("enter")
	p.Want("it must not be above the level")
	p.Press("ctrl+u", "enter")
	p.step(2)
	p.Press("up")
	if line := p.Line("a!━"); line == "" {
		t.Errorf("the row of an alarm has no sign:\n%s", p.Text())
	}
	if list := p.deck.Live.Thresholds(); len(list) != 1 || list[0].Level != 1e6/8 {
		t.Errorf("thresholds are %+v", list)
	}
	p.Press("t", "ctrl+x")
	p.step(1)
	if len(p.deck.Live.Thresholds()) != 0 {
		t.Error("the threshold was not removed")
	}
}

func TestExportIsAPerfmonLog(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 2, 60)
	p.Press("x")
	p.Want("Export the displayed curves as CSV", "counters-20260302-140059.csv")
	p.Press("enter")
	p.Want("60 samples of 4 counters saved in")
	path := filepath.Join(p.screen.directory, "counters-20260302-140059.csv")
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the file: %v, %v", info, err)
	}
	log, err := pdh.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if _, ok := log.Schema().Find(`\Network Interface(Port 2)\Bytes Received/sec`); !ok {
		t.Error("a counter is missing in the log")
	}
	// An existing file is replaced only after a question.
	p.Press("x", "enter")
	p.Want("exists. Replace it?")
	p.Press("n")
	if again, err := os.Stat(path); err != nil || !again.ModTime().Equal(info.ModTime()) {
		t.Error("the file was replaced")
	}
	entries, err := os.ReadDir(p.screen.directory)
	if err != nil || len(entries) != 1 {
		t.Errorf("the directory has %v, %v", entries, err)
	}
}

func TestMouse(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 2, 120)
	p.Hit(zoneLegend, 2, true)
	if p.screen.highlighted() != 2 || p.screen.selected() != 2 {
		t.Errorf("row %d is highlighted, row %d selected", p.screen.highlighted(), p.screen.selected())
	}
	p.Hit(zoneChart, 0, false)
	if p.screen.time.Cursor.IsZero() {
		t.Error("a press on the chart set no cursor")
	}
	p.Shell.Send(ui.HitMsg{Hit: hitAt(zoneChart), Button: ui.WheelUp})
	p.Want("duration 1 min")
}

func TestEveryActionSaysWhyItIsDisabled(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 1, 0)
	seen := map[string]bool{}
	for _, a := range p.screen.Actions() {
		if a.ID == "" || a.Name == "" || a.Help == "" || (len(a.Keys) == 0) != strings.HasPrefix(a.ID, "counters.preset.") || a.Run == nil && a.Disabled == "" {
			t.Errorf("%+v lacks a field", a.ID)
		}
		for _, key := range a.Keys {
			if seen[key] {
				t.Errorf("two actions have the key %s", key)
			}
			seen[key] = true
		}
	}
	p.Press("t")
	p.Want("Threshold: no counter is chosen; a adds some")
	p.Want("Waiting for the second sample of made up")
}

func TestThroughputReplacesIdlePorts(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 9, 3)
	p.Want("the busiest 8 of 18")
	if p.screen.curves[0].instance != "Port 6" {
		t.Fatalf("the first of the busiest is %s", p.screen.curves[0].instance)
	}
	// Curves of busy ports replace curves that are all 0.
	p.screen.curves = p.screen.curves[:0]
	p.screen.curves.add(p.screen.schema, `\Network Interface(Port 1)\Packets Received Discarded/sec`)
	p.screen.curvesChanged()
	for range activityInterval {
		p.step(1)
	}
	if len(p.screen.curves) != 8 || p.screen.curves.index(`\Network Interface(Port 9)\Bytes Sent/sec`) < 0 {
		t.Errorf("the curves are %v", p.screen.curves)
	}
}

func TestExportToAnInvalidPathKeepsTheDialog(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 1, 20)
	p.Press("x")
	p.Type("/no/such/folder/x.csv")
	p.Press("enter")
	p.Want("Export the displayed curves as CSV", "/no/such/folder/x.csv", "Nothing was exported", "no such file")
	p.Press("x")
	p.WantNot("Nothing was exported")
	path := filepath.Join(t.TempDir(), "x.csv")
	p.Press("ctrl+u")
	p.Type(path)
	p.Press("enter")
	p.Want("20 samples of 2 counters")
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}
