package ui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// update rewrites the golden files.
var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs from its golden file; if the change is right, run the tests with -update:\n%s", path, got)
	}
}

// busyShell has screens with many actions, and content in every part of the frame.
func busyShell() *Shell {
	one, two := twoViews()
	one.actions = []Action{
		{ID: "overview.move", Keys: []string{"up", "down"}, Name: "move", Help: "Go to another row"},
		{ID: "overview.open", Keys: []string{"enter"}, Name: "counters", Help: "Show the counters of what is under the cursor"},
		{ID: "overview.filter", Keys: []string{"/"}, Name: "filter", Help: "Show only rows that hold a text"},
		{ID: "overview.restart", Keys: []string{"R"}, Name: "restart", Help: "Restart the adapter", Dangerous: true, Changes: true,
			Question: "Restart Ethernet 7? Its port is down for about two seconds.", Object: "Ethernet 7"},
		{ID: "overview.cable", Keys: []string{"p"}, Name: "pull cable", Help: "Pull the cable out of the port",
			Disabled: "this machine's adapters are watched, not changed"},
		{ID: "overview.next", Keys: []string{"shift+tab"}, Name: "other part", Help: "Go to the other part of the screen"},
		{ID: "overview.units", Keys: []string{"ctrl+b"}, Name: "bits or bytes", Help: "Show rates in bits or in bytes"},
		{ID: "overview.hidden", Keys: []string{"home"}, Name: "first", Help: "Go to the first row", Hidden: true},
	}
	one.draw = func(area widget.Area) {
		for y := range area.Height {
			area.PrintCut(1, y, area.Width-1, fmt.Sprintf("row %d %s", y, strings.Repeat("12 ", 60)), themes.Style{})
		}
	}
	three := &screenView{id: "events", title: "Events"}
	return NewShell(testOptions(one, two, three))
}

func TestGoldenFrames(t *testing.T) {
	t.Parallel()
	states := []struct {
		name string
		make func(*Shell)
	}{
		{"screen", func(*Shell) {}},
		{"help", func(s *Shell) { press(s, "?") }},
		{"palette", func(s *Shell) { press(s, ":", "r", "e", "s") }},
		{"confirm", func(s *Shell) { press(s, "R") }},
		{"toasts", func(s *Shell) {
			s.runCmd(Batch(Toast(Success, "Layout saved."), Toast(Failure, "The history can't be written: no space is left on the disk. "+
				"Free some, or start with --ephemeral; live data goes on.")))
			s.Send(nil)
		}},
	}
	for _, state := range states {
		for _, size := range [][2]int{{80, 24}, {120, 40}} {
			s := busyShell()
			state.make(s)
			golden(t, fmt.Sprintf("%s-%dx%d", state.name, size[0], size[1]), s.Frame(size[0], size[1]).Text())
		}
	}
}

// TestToastsCoverNoData: toasts leave the body unchanged, whatever their text and number.
func TestToastsCoverNoData(t *testing.T) {
	t.Parallel()
	s := busyShell()
	body := func() []string { return strings.Split(s.Frame(80, 24).Text(), "\n")[3:22] }
	want := body()
	for range 4 {
		s.runCmd(Toast(Failure, strings.Repeat("Nothing was saved. ", 7)))
	}
	s.Send(nil)
	if got := body(); !slices.Equal(got, want) {
		t.Errorf("toasts have covered the body:\n%s", strings.Join(got, "\n"))
	}
}

// TestShellDrawsAtEverySize draws the shell at all sizes, with each kind of dialog open.
func TestShellDrawsAtEverySize(t *testing.T) {
	t.Parallel()
	shells := map[string]*Shell{}
	for _, keys := range []string{"", "?", ":", "R", "!"} {
		s := busyShell()
		press(s, strings.Fields(keys)...)
		s.runCmd(Toast(Failure, strings.Repeat("A long sentence that must be wrapped. ", 9)))
		s.Send(nil)
		shells[keys] = s
	}
	shells["none"] = busyShell()
	for keys, s := range shells {
		for width := 1; width <= 260; width += 1 + width/9 {
			for height := 1; height <= 80; height += 1 + height/5 {
				canvas := s.Frame(width, height)
				if w, h := canvas.Size(); w != width || h != height {
					t.Fatalf("keys %q: a frame of %dx%d is %dx%d", keys, width, height, w, h)
				}
				text := canvas.Text()
				switch {
				case width < MinWidth || height < MinHeight:
					if width > 30 && height > 4 && !strings.Contains(strings.Join(strings.Fields(text), " "), fmt.Sprintf("%d x %d", width, height)) {
						t.Fatalf("%dx%d does not show its size:\n%s", width, height, text)
					}
				case keys == "none" && !strings.Contains(lastLine(text), ": command  ? help"):
					t.Fatalf("%dx%d does not mention help:\n%s", width, height, text)
				}
			}
		}
	}
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	return lines[len(lines)-1]
}

func TestHeaderDropsSegmentsByRank(t *testing.T) {
	t.Parallel()
	s := busyShell()
	for _, want := range []struct {
		width    int
		has, not string
	}{
		{120, "x1", ""}, {66, "REC", "x1"}, {60, "14:02:31", "x1"},
	} {
		line, _, _ := strings.Cut(s.Frame(want.width, 24).Text(), "\n")
		if !strings.Contains(line, want.has) || want.not != "" && strings.Contains(line, want.not) {
			t.Errorf("%d columns: %q must contain %q and not %q", want.width, line, want.has, want.not)
		}
		if widget.Width(line) > want.width {
			t.Errorf("%d columns: %q is too wide", want.width, line)
		}
	}
}

// TestALongNameGivesWayToTheTime: where segments that are never dropped do not fit, the name of the source is cut, and not the time.
func TestALongNameGivesWayToTheTime(t *testing.T) {
	t.Parallel()
	s := busyShell()
	for _, left := range [][]Segment{{{Text: "LAB-N4LABJSS5EE-AND-MORE"}, {Text: "twin, 15 assumed"}}, {}} {
		s.options.Header = func() Header {
			return Header{Left: left, Middle: []Segment{{Text: "replay of session 1"}, {Text: "2026-11-29 09:38:06"}}}
		}
		line, _, _ := strings.Cut(s.Frame(80, 24).Text(), "\n")
		if !strings.Contains(line, "2026-11-29 09:38:06") || len(left) > 0 && !strings.Contains(line, "LAB-N4") {
			t.Errorf("%q", line)
		}
	}
}

func TestDialogHidesZonesAndCursor(t *testing.T) {
	t.Parallel()
	s, view, _ := oneAction(deleteAction(), nil)
	view.draw = func(area widget.Area) {
		area.ShowCursor(0, 0)
		area.Zone(0, 0, area.Width, area.Height, "below", 0)
	}
	press(s, "d")
	canvas := s.Frame(100, 30)
	if _, _, on := canvas.Cursor(); on {
		t.Error("the cursor of the screen shows through a dialog")
	}
	if hit, _ := canvas.HitAt(1, 5); hit.ID != zoneOutside {
		t.Errorf("the mouse reaches %q through a dialog", hit.ID)
	}
}

func benchmarkShell() *Shell {
	s := busyShell()
	s.options.Now = time.Now
	return s
}

// BenchmarkFrame composes a whole screen at 120x40; the screen itself prints 35 rows of text.
func BenchmarkFrame(b *testing.B) {
	s := benchmarkShell()
	for b.Loop() {
		s.Frame(120, 40)
	}
}

// BenchmarkDiff compares 120x40 cells: with nothing changed, with a number in each row changed, and with all rewritten.
func BenchmarkDiff(b *testing.B) {
	painter := themes.NewPainter(themes.All()[0], themes.TrueColor)
	s := benchmarkShell()
	shown, next := widget.NewCanvas(0, 0), s.Frame(120, 40)
	shown.CopyFrom(next)
	for y := range 40 {
		next.All().Print(40, y, "12.34 Gb/s", themes.Style{Role: themes.Good})
	}
	for _, c := range []struct {
		name string
		old  *widget.Canvas
		all  bool
	}{{"same", next, false}, {"numbers", shown, false}, {"everything", shown, true}} {
		b.Run(c.name, func(b *testing.B) {
			d := &differ{}
			d.setPainter(painter)
			bytes := 0
			for b.Loop() {
				bytes = len(d.frame(c.old, next, c.all))
			}
			b.ReportMetric(float64(bytes), "bytes/frame")
		})
	}
}

// TestAllTabsAreVisible: on every terminal of at least the minimum size each screen has a tab, and the tab of the open screen has its name.
func TestAllTabsAreVisible(t *testing.T) {
	var s Shell
	for _, title := range []string{"Overview", "Counters", "Registry", "Teams", "SR-IOV", "Events", "History", "Lab"} {
		s.views = append(s.views, &screenView{title: title})
	}
	for s.active = range s.views {
		for width := 60; width <= 120; width++ {
			labels, gap := s.tabs(width)
			line := " " + strings.Join(labels, strings.Repeat(" ", gap)) + " "
			if widget.Width(line) > width {
				t.Fatalf("%d columns do not hold %q", width, line)
			}
			if !strings.Contains(line, s.views[s.active].Title()) || len(labels) != len(s.views) {
				t.Fatalf("at %d columns the tabs are %q", width, line)
			}
		}
	}
}
