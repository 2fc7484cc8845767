package ui

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPlainObeysLinesAndWritesNoEscapes(t *testing.T) {
	t.Parallel()
	one, two := twoViews()
	two.actions = []Action{{ID: "counters.work", Keys: []string{"w"}, Name: "work", Run: func() Cmd {
		return Background("work", func(context.Context) Msg { return toastMsg{Success, "work is done"} })
	}}}
	var out strings.Builder
	err := RunPlain(t.Context(), testOptions(one, two), strings.NewReader("\n2\nesc\nq\n"), &out, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	text := out.String()
	first, second := strings.Index(text, "Overview has nothing"), strings.Index(text, "Counters has nothing")
	if first < 0 || second < first || strings.Contains(text, "\x1b") || strings.Contains(text, "───") || strings.Contains(text, "\n\n\n\n") {
		t.Errorf("the text is not the two screens: %q", text)
	}
	if two.keys() != "esc" {
		t.Errorf("the second screen got keys %q, want esc", two.keys())
	}
}

// TestPlainNamesSymbols checks that a word accompanies each number that has only a symbol on the terminal.
func TestPlainNamesSymbols(t *testing.T) {
	t.Parallel()
	one, two := twoViews()
	options := testOptions(one, two)
	options.Header = func() Header {
		return Header{Left: []Segment{{Text: "● REC"}}, Right: []Segment{{Text: "1 ▲", Spoken: "1 warning"}, {Text: "2 ◆", Spoken: "2 waiting for a restart"}}}
	}
	var out strings.Builder
	if err := RunPlain(t.Context(), options, strings.NewReader("\nq\n"), &out, time.Hour); err != nil {
		t.Fatal(err)
	}
	if first, _, _ := strings.Cut(out.String(), "\n"); !strings.HasSuffix(first, "REC, 1 warning, 2 waiting for a restart") {
		t.Errorf("the header is %q", first)
	}
	shell := NewShell(options)
	if frame := shell.Frame(100, 20).Text(); !strings.Contains(frame, "1 ▲  2 ◆") {
		t.Errorf("a terminal shows %q", strings.SplitN(frame, "\n", 2)[0])
	}
}

// screenWriter sends each print to a channel.
type screenWriter chan string

func (w screenWriter) Write(p []byte) (int, error) {
	w <- string(p)
	return len(p), nil
}

func TestPlainPrintsNewDataAtTheInterval(t *testing.T) {
	t.Parallel()
	one, two := twoViews()
	feed := make(chan struct{})
	options := testOptions(one, two)
	options.Feeds = []<-chan struct{}{feed}
	ctx, cancel := context.WithCancel(t.Context())
	prints, ended := make(screenWriter), make(chan error)
	in, keyboard := io.Pipe()
	go func() { ended <- RunPlain(ctx, options, in, prints, time.Millisecond) }()
	if text := <-prints; !strings.Contains(text, "Overview has nothing") {
		t.Errorf("the first print is %q", text)
	}
	feed <- struct{}{}
	if _, err := keyboard.Write([]byte("2\n")); err != nil {
		t.Fatal(err)
	}
	if text := <-prints; !strings.Contains(text, "Counters has nothing") {
		t.Errorf("the second print is %q", text)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	_ = keyboard.Close()
}

func TestPlainReportsPanics(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]func() Cmd{
		"loop": func() Cmd { panic("thrown") },
		"work": func() Cmd { return Background("doomed", func(context.Context) Msg { panic("thrown") }) },
	} {
		one, two := twoViews()
		one.actions = []Action{{ID: "test.panic", Keys: []string{"p"}, Name: "panic", Run: run}}
		options := testOptions(one, two)
		options.ReportDirectory = t.TempDir()
		err := RunPlain(t.Context(), options, strings.NewReader("p\n"), io.Discard, time.Hour)
		var crash *CrashError
		if !errors.As(err, &crash) {
			t.Fatalf("%s: got %v, want a crash", name, err)
		}
		report, err := os.ReadFile(crash.Report)
		if err != nil || !strings.Contains(string(report), "thrown") || !strings.Contains(crash.Error(), crash.Report) {
			t.Errorf("%s: report %q, error %v, sentence %q", name, report, err, crash.Error())
		}
		if info, err := os.Stat(crash.Report); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: others can read the report: %v %v", name, info.Mode(), err)
		}
	}
}

func TestSpokenOmitsDrawing(t *testing.T) {
	t.Parallel()
	text := " cxdeck  LAB  ● REC\n────\n100 Gb/s ┤ ⣀⣠\n         │⣀⣠⣤\n       0 ┼───┬───\n\n" +
		"▾ ConnectX-5   ● running   12.5 Gb/s  ⣀⣠⣤ ┃\n│ Review │\n│ 512 → 1024  [ Back ] │\n"
	want := []string{"cxdeck LAB REC", "ConnectX-5 running 12.5 Gb/s", "Review", "512 to 1024 [ Back ]"}
	if got := readableLines(text); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPlainPrintsOnlyChanges(t *testing.T) {
	t.Parallel()
	before := []string{"cxdeck 10:00:00", "Ethernet 7 up 1 Gb/s", "Ethernet 8 up 2 Gb/s"}
	after := []string{"cxdeck 10:00:01", "Ethernet 7 up 1 Gb/s", "Ethernet 8 down 0"}
	if got := changedLines(nil, before, false); !slices.Equal(got, before) {
		t.Errorf("at first: %q", got)
	}
	if got := changedLines(before, after, false); !slices.Equal(got, after[2:]) {
		t.Errorf("then: %q", got)
	}
	if got := changedLines(before, []string{"cxdeck 10:00:01", before[1], before[2]}, false); len(got) > 0 {
		t.Errorf("the clock alone: %q", got)
	}
}

// TestPlainEndsWithItsSource checks that a run without input ends with its source.
func TestPlainEndsWithItsSource(t *testing.T) {
	t.Parallel()
	one, two := twoViews()
	options := testOptions(one, two)
	options.Ended = func() bool { return true }
	var out strings.Builder
	if err := RunPlain(t.Context(), options, nil, &out, time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "Overview has nothing") {
		t.Errorf("the last screen is missing: %q", out.String())
	}
}
