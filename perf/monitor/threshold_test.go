package monitor_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/perf/monitor"
	"cxdeck/perf/threshold"
)

const (
	queue = `\Network Interface(*)\Output Queue Length`
	rate  = `\Network Interface(Ethernet 7)\Bytes Received/sec`
)

// playing runs a lab whose gauge has these values, one per second, and returns the monitor after the last.
func playing(t *testing.T, values []int64, thresholds ...threshold.Rule) *monitor.Monitor {
	t.Helper()
	source := newScript(t, perf.LabSource)
	source.next = func(n int, column *perf.Column) error {
		column.Cells[1] = values[min(n, len(values)-1)]
		return nil
	}
	monitor := running(t, source, monitor.Options{Thresholds: thresholds})
	pass(time.Duration(len(values)-1)*time.Second + 100*time.Millisecond)
	return monitor
}

func TestThresholds(t *testing.T) {
	t.Parallel()
	none := perf.Missing
	for name, c := range map[string]struct {
		threshold threshold.Rule
		values    []int64
		// want are the expected events: the second and whether it is a warning.
		want []string
	}{
		"over and back": {
			threshold.Rule{Path: queue, Level: 100, Clear: 50}, []int64{0, 100, 101, 60, 101, 50, 70, 300},
			[]string{"2 warning", "5 back", "7 warning"},
		},
		"ten per cent off": {
			threshold.Rule{Path: queue, Level: 100, Clear: math.NaN()}, []int64{101, 99, 91, 90, 99}, []string{"0 warning", "3 back"},
		},
		"below": {
			threshold.Rule{Path: queue, Level: 10, Clear: 20, Below: true}, []int64{30, 10, 9, 19, 20}, []string{"2 warning", "4 back"},
		},
		"for a time": {
			threshold.Rule{Path: queue, Level: 10, Clear: 10, For: 3 * time.Second},
			[]int64{11, 11, 11, 10, 11, 11, 11, 11, 0}, []string{"7 warning", "8 back"},
		},
		"missing values": {
			threshold.Rule{Path: queue, Level: 10, Clear: 10, For: 2 * time.Second},
			[]int64{11, 11, none, 11, 11, 11, none, 11, 0}, []string{"5 warning", "8 back"},
		},
		"per cent of the line": { // 1000 bytes per second on a line of 8000 bit/s: 100%
			threshold.Rule{Path: rate, Level: 90, Clear: 80, Percent: true}, []int64{0, 0, 0}, []string{"1 warning"},
		},
		"per cent of no line":   {threshold.Rule{Path: queue, Level: 1, Clear: 0, Percent: true}, []int64{9, 9}, nil},
		"under all of the line": {threshold.Rule{Path: rate, Level: 101, Clear: 80, Percent: true}, []int64{0, 0, 0}, nil},
		"no matching series":    {threshold.Rule{Path: `\Nothing(*)\At all`, Level: 1, Clear: 0}, []int64{9, 9}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				monitor := playing(t, c.values, c.threshold)
				var got []string
				for _, event := range monitor.Events(0, 100) {
					word := map[eventlog.Severity]string{eventlog.Warning: "warning", eventlog.Information: "back"}[event.Severity]
					got = append(got, event.Time.Sub(start).Truncate(time.Second).String()[:1]+" "+word)
					if event.Source != "threshold" || event.Adapter != "Ethernet 7" || !strings.HasPrefix(event.Message, "Ethernet 7: ") {
						t.Errorf("event %+v", event)
					}
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("events %q, want %q", got, c.want)
				}
				alarm := len(c.want)%2 == 1
				states := monitor.Thresholds()
				if len(states) != 1 || states[0].Alarm != alarm || states[0].Since.IsZero() == (len(c.want) > 0) {
					t.Errorf("states %+v", states)
				}
			})
		})
	}
}

func TestSetThresholdsShowsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kept := threshold.Rule{Path: queue, Level: 5, Clear: 1}
		monitor := playing(t, []int64{9, 9, 9}, kept)
		since := monitor.Thresholds()[0].Since
		monitor.SetThresholds([]threshold.Rule{kept, {Path: `\None(*)\Such`, Level: 1, Clear: math.NaN()}})
		for range 2 { // at once, and after the owner has applied it
			states := monitor.Thresholds()
			if len(states) != 2 || !states[0].Alarm || !states[0].Since.Equal(since) || states[1].Series != -1 {
				t.Fatalf("states %+v", states)
			}
			pass(3 * time.Second)
		}
		if got := len(monitor.Events(0, 10)); got != 1 {
			t.Errorf("%d events; the continuing alarm was reported again", got)
		}
	})
}

func TestThresholdCheck(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	for name, threshold := range map[string]threshold.Rule{
		"path":       {Path: "x", Clear: nan},
		"level":      {Path: queue, Level: nan, Clear: nan},
		"clear":      {Path: queue, Level: 5, Clear: 6},
		"clear low":  {Path: queue, Level: 5, Clear: 4, Below: true},
		"for":        {Path: queue, Level: 5, Clear: nan, For: -1},
		"no program": {Path: queue, Level: 5, Clear: nan, Run: []string{"", "x"}},
		"zero byte":  {Path: queue, Level: 5, Clear: nan, Run: []string{"x", "a\x00"}},
	} {
		if threshold.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := (threshold.Rule{Path: queue, Level: 5, Clear: nan, Run: []string{"x"}}).Check(); err != nil {
		t.Error(err)
	}
}

// TestThresholdRunsAProgram starts real processes, so it runs in real time.
func TestThresholdRunsAProgram(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	target := filepath.Join(folder, "seen")
	script := filepath.Join(folder, "alarm")
	// The program writes its arguments to a file; a shell would run the $(...) in the instance's name.
	if err := os.WriteFile(script, []byte("#!/bin/sh\nprintf '%s|' \"$@\" > \"$1\".new && mv \"$1\".new \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	source := newScript(t, perf.LabSource)
	hostile := `a; $(touch ` + filepath.Join(folder, "harm") + `) {value}`
	source.schema, _ = perf.NewSchema(1, 2, []perf.Series{{Set: "S", Instance: hostile, Counter: "C", Kind: perf.Gauge, Cell: 1}})
	monitor, err := monitor.New(source, monitor.Options{Interval: time.Second, Thresholds: []threshold.Rule{
		{Path: `\S(*)\C`, Level: -1.5, Clear: -2, Run: []string{script, target, "{path}", "{value} over {level}", "{other}"}},
		{Path: `\S(*)\*`, Level: -1.5, Clear: -2, Run: []string{filepath.Join(folder, "absent")}},
		{Path: `\*(*)\C`, Level: -1.5, Clear: -2, Run: []string{"/bin/sh", "-c", "echo 'no\tpostman' >&2; exit 3"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	ctx, cancel := contextOf(t)
	go func() { done <- monitor.Run(ctx) }()
	want := target + `|\S(` + hostile + `)\C|0 over -1.5|{other}|`
	deadline := time.After(time.Minute)
	for {
		text, _ := os.ReadFile(target)
		if string(text) == want && len(monitor.Events(0, 100)) >= 8 {
			break
		}
		select {
		case <-monitor.Updates():
		case <-time.After(20 * time.Millisecond):
		case <-deadline:
			t.Fatalf("the program saw %q, want %q; events %+v", text, want, monitor.Events(0, 100))
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "harm")); err == nil {
		t.Error("a shell ran a name")
	}
	var messages string
	for _, event := range monitor.Events(0, 100) {
		messages += event.Message + "\n"
	}
	if !strings.Contains(messages, "exit status 3: no postman") || !strings.Contains(messages, "absent of a threshold failed") {
		t.Errorf("the failures are not reported:\n%s", messages)
	}
	if strings.Count(messages, "threshold alarm: started") != 3 {
		t.Errorf("the starts are not reported:\n%s", messages)
	}
	starts := monitor.Started()
	i := slices.IndexFunc(starts, func(s threshold.ProgramStart) bool { return s.Arguments[0] == script })
	if len(starts) != 3 || i < 0 || !slices.Equal(starts[i].Arguments[1:], strings.Split(strings.TrimSuffix(want, "|"), "|")) ||
		starts[i].At.IsZero() || starts[i].Alarm == "" {
		t.Errorf("started %+v", starts)
	}
	if again := monitor.Started(); len(again) != 0 {
		t.Errorf("reported twice: %+v", again)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestProgramsEndWithTheMonitor ends the monitor while a program is running.
func TestProgramsEndWithTheMonitor(t *testing.T) {
	t.Parallel()
	source := newScript(t, perf.LabSource)
	source.next = func(n int, column *perf.Column) error {
		column.Cells[1] = int64(n%2) * 10
		return nil
	}
	monitor, err := monitor.New(source, monitor.Options{Interval: 100 * time.Millisecond, Speed: 10, Thresholds: []threshold.Rule{
		{Path: queue, Level: 5, Clear: 5, Run: []string{"/bin/sleep", "20"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := contextOf(t)
	done := make(chan error, 1)
	go func() { done <- monitor.Run(ctx) }()
	late := time.After(time.Minute)
	for again := false; !again; {
		select {
		case <-monitor.Updates():
		case <-late:
			t.Fatalf("no event says that the program is still running: %+v", monitor.Events(0, 100))
		}
		for _, event := range monitor.Events(0, 100) {
			again = again || strings.Contains(event.Message, "is still running")
		}
	}
	begun := time.Now()
	cancel()
	<-done
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("the monitor took %v to end", took)
	}
	if !source.closed {
		t.Error("the source was not closed")
	}
}

// TestTotalsAreWatchedOnlyByName: a pattern over all ports must not report each drop twice.
func TestTotalsAreWatchedOnlyByName(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		`\Network Interface(*)\Output Queue Length`:      "Ethernet 7",
		`\Network Interface(_Total)\Output Queue Length`: "_Total",
	} {
		synctest.Test(t, func(t *testing.T) {
			monitor := playing(t, []int64{0, 9}, threshold.Rule{Path: path, Level: 5, Clear: 1})
			events := monitor.Events(0, 100)
			if len(events) != 1 || events[0].Adapter != want {
				t.Errorf("%s raised %+v", path, events)
			}
		})
	}
}
