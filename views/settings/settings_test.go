package settings

import (
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"testing"
	"time"

	"cxdeck/perf"
)

// screens are the valid names of screens in the tests.
var screens = []string{"overview", "counters", "events", "history"}

func TestParseTakesEverything(t *testing.T) {
	t.Parallel()
	got, err := Parse([]byte(`
theme = "light"
glyphs = "ascii"
units = "bytes"
screen = "counters"
interval = "500ms"
mouse = false
low_bandwidth = true
read_only = true

[lab]
file = "rack.toml"
seed = 7
speed = 50

[history]
file = "/tmp/h.db"
max_age = "30d"
max_size = "2 GB"
keep_samples = "3d"
keep_minutes = "always"

[[threshold]]
path = '\Network Interface(*)\Packets Received Discarded'
above = "100"
clear = "50"
for = "5s"
run = ["notify", "drops on {path}"]

[[threshold]]
path = '\*(*)\Bytes Received/Sec'
below = "5%"
`), screens)
	if err != nil {
		t.Fatal(err)
	}
	if got.Theme != "light" || got.Glyphs != "ascii" || got.Units != "bytes" || got.Screen != "counters" ||
		time.Duration(got.Interval) != 500*time.Millisecond || got.Mouse == nil || *got.Mouse || !got.LowBandwidth || !got.ReadOnly {
		t.Errorf("the top of the file: %+v", got)
	}
	if got.Lab.File != "rack.toml" || got.Lab.Seed == nil || *got.Lab.Seed != 7 || got.Lab.Speed != 50 {
		t.Errorf("lab: %+v", got.Lab)
	}
	if got.History.File != "/tmp/h.db" || time.Duration(got.History.MaximumAge) != 720*time.Hour || got.History.MaximumUse != 2e9 {
		t.Errorf("history: %+v", got.History)
	}
	if h := got.History; h.Samples.Or(1) != 72*time.Hour || h.Minutes.Or(1) != 0 || (&History{}).Minutes.Or(5) != 5 {
		t.Errorf("history: %+v", h)
	}
	if len(got.Thresholds) != 2 {
		t.Fatalf("%d thresholds", len(got.Thresholds))
	}
	first, second := got.Thresholds[0].Perf(), got.Thresholds[1].Perf()
	if first.Below || first.Level != 100 || first.Clear != 50 || first.For != 5*time.Second || len(first.Run) != 2 {
		t.Errorf("first threshold: %+v", first)
	}
	if !second.Below || second.Level != 5 || !second.Percent || !math.IsNaN(second.Clear) {
		t.Errorf("second threshold: %+v", second)
	}
}

func TestParseReportsThePosition(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text   string
		line, column int
		sentence     string
	}{
		{"unknown key", "theme = \"dark\"\nintervall = \"1s\"\n", 2, 1, `there is no key "intervall"; did you mean "interval"?`},
		{"unknown key in a table", "[history]\nmax_agee = \"1d\"\n", 2, 1, `there is no key "history.max_agee"; did you mean "max_age"?`},
		{"interval too short", "\ninterval = \"5ms\"\n", 2, 12, "an interval must be 100ms to 60s, not 5ms"},
		{"bad speed", "[lab]\nspeed = 5000\n", 2, 9, "a speed must be a number from 0.1 to 1000, not 5000"},
		{"a bare interval", "mouse = true\ninterval = 5\n", 2, 12, "interval must be a text in quotes"},
		{"a bare age", "[history]\nmax_age = 30\n", 2, 11, "history.max_age must be a text in quotes"},
		{"a bare size", "[history]\nmax_size =  500\n", 2, 13, "history.max_size must be a text in quotes"},
		{"a bare keep_samples", "[history]\nkeep_samples = 7\n", 2, 16, "history.keep_samples must be a text in quotes"},
		{"samples for less than an hour", "[history]\nkeep_samples = \"10m\"\n", 2, 16, "samples and minutes are kept for at least 1h, not 10m"},
		{"samples for no time", "[history]\nkeep_samples = \"never\"\n", 2, 16, "invalid age \"never\"; write 7d, 2w or 12h, or always"},
		{"minutes for less time than samples", "[history]\nkeep_samples = \"3d\"\nkeep_minutes = \"2d\"\n", 3, 16,
			"keep_minutes must be at least as long as keep_samples: samples are aggregated in minutes"},
		{"a bare time", "[[threshold]]\nfor = '3s'\npath = '\\A(*)\\B'\nabove = '1'\n[[threshold]]\nfor = 3\npath = '\\A(*)\\B'\nabove = '1'\n", 6, 7,
			"threshold.for must be a text in quotes"},
		{"a quoted truth", "mouse = \"yes\"\n", 1, 9, "mouse must be true or false"},
		{"a seed below 0", "[lab]\nseed = -4\n", 2, 8, "lab.seed must be an integer from 0 to 9223372036854775807"},
		{"a number for a text", "theme = 4\n", 1, 9, "theme must be a text in quotes"},
		{"a text for a table", "lab = 'x'\n", 1, 7, "lab is a table, with a line of its own: [lab]"},
		{"a text without quotes", "theme = dark\n", 1, 9, "unexpected character U+0064 'd' at start of value; quote texts"},
		{"unknown theme", "\ntheme = \"drak\"\n", 2, 9, `invalid theme "drak": did you mean dark?`},
		{"unknown glyphs", "glyphs = \"runes\"\n", 1, 10, `invalid glyphs "runes": it must be one of auto, unicode, blocks, ascii`},
		{"unknown units", "units = 'nibbles'\n", 1, 9, `invalid units "nibbles": it must be one of bits, bytes`},
		{"unknown screen", "screen = \"countres\"\n", 1, 10, `invalid screen "countres": did you mean counters?`},
		{"threshold without level", "\n\n[[threshold]]\npath = 'x'\n", 3, 1, "a threshold requires either above or below"},
		{"threshold with an invalid path", "\n[[threshold]]\npath = 'foo'\nabove = '1'\n", 2, 1, `invalid counter path "foo"; write it like \Network Interface(*)\Bytes Received/sec`},
		{"threshold that ends beyond its level", "[[threshold]]\npath = '\\A(*)\\B'\nabove = '1'\nclear = '2'\n", 1, 1, `the alarm on \A(*)\B must end at its level or below it, not at 2`},
		{"threshold with two kinds of levels", "[[threshold]]\npath = '\\A(*)\\B'\nabove = '1 Gb/s'\nclear = '75%'\n", 1, 1, "clear and the level must both be in percent of the line rate, or neither"},
		{"threshold without path", "[[threshold]]\nabove = \"1\"\n", 1, 1, "a threshold requires a path, such as path = '\\Network Interface(*)\\Packets Received Discarded'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse([]byte(c.text), screens)
			var wrong *MistakeError
			if !errors.As(err, &wrong) {
				t.Fatalf("got %v", err)
			}
			if wrong.Line != c.line || wrong.Column != c.column || wrong.Text != c.sentence {
				t.Errorf("got %d:%d %s", wrong.Line, wrong.Column, wrong.Text)
			}
		})
	}
}

func TestLoadReportsAMissingFile(t *testing.T) {
	t.Parallel()
	if _, err := Load(filepath.Join(t.TempDir(), "none.toml"), screens); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestSizesAndAges(t *testing.T) {
	t.Parallel()
	var size Size
	var age Age
	if err := size.UnmarshalText([]byte("1.5 MB")); err != nil || size != 1500000 {
		t.Errorf("1.5 MB: %d, %v", size, err)
	}
	if err := age.UnmarshalText([]byte("2w")); err != nil || time.Duration(age) != 14*24*time.Hour {
		t.Errorf("2w: %v, %v", time.Duration(age), err)
	}
	for _, bad := range []string{"", "MB", "-1 GB", "1e99", "x"} {
		if size.UnmarshalText([]byte(bad)) == nil {
			t.Errorf("size %q was accepted", bad)
		}
	}
	for _, bad := range []string{"", "d", "-3d", "0s", "99999999d"} {
		if age.UnmarshalText([]byte(bad)) == nil {
			t.Errorf("age %q was accepted", bad)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("theme = \"dark\"\n[[threshold]]\npath='x'\nabove='1'\n"))
	f.Add([]byte("interval = 1\n"))
	f.Add([]byte("[[threshold]]\npath='\\A(*)\\B'\nabove='1 Gb/s'\n[[threshold]]\npath='\\A(*)\\B'\nbelow='5'"))
	f.Add([]byte("[a.b.c]\nd=1"))
	f.Add([]byte("[[threshold]]\n[threshold.x.y]\nz=1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		settings, err := Parse(data, screens)
		if err != nil {
			var wrong *MistakeError
			if !errors.As(err, &wrong) || wrong.Line < 1 || wrong.Text == "" {
				t.Errorf("an error without a position: %v", err)
			}
			return
		}
		for _, threshold := range settings.Thresholds {
			if alarm := threshold.Perf(); alarm.Path == "" || alarm.Below != (threshold.Above == nil) {
				t.Errorf("%+v became %+v", threshold, alarm)
			}
		}
	})
}

func TestMinutesAreKeptAsLongAsSamples(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for text, want := range map[string][2]time.Duration{
		"": {7 * day, 90 * day}, "keep_samples = '26w'": {182 * day, 182 * day}, "keep_samples = 'always'": {},
		"keep_minutes = 'always'": {7 * day, 0}, "keep_samples = '1h'\nkeep_minutes = '1h'": {time.Hour, time.Hour},
	} {
		s, err := Parse([]byte("[history]\n"+text+"\n"), screens)
		if samples, minutes := s.History.Keep(); err != nil || samples != want[0] || minutes != want[1] {
			t.Errorf("%s: %s and %s, %v", text, samples, minutes, err)
		}
	}
	if _, err := Parse([]byte("[history]\nkeep_samples = 'always'\nkeep_minutes = '30d'\n"), screens); err == nil {
		t.Error("samples are kept longer than minutes")
	}
}

// TestThresholdOfAFleet watches the drops of ports, which both exporters of a fleet give.
func TestThresholdOfAFleet(t *testing.T) {
	t.Parallel()
	for _, kind := range []perf.SourceKind{perf.LabSource, perf.FleetSource} {
		if rules := DefaultThresholds(kind); len(rules) != 1 || rules[0].Path != `\cxdeck Port(*)\Packets Discarded/sec` {
			t.Errorf("the thresholds of %s are %+v", kind, rules)
		}
	}
}
