package exec

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/perf"
)

var update = flag.Bool("update", false, "write the golden files anew")

// epoch is when every lab of these tests begins.
var epoch = time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)

// bench is a runner with what it said.
type bench struct {
	Runner
	host      Host
	out, errs bytes.Buffer
}

// newBench is a runner on a fresh lab; change may turn its description into something else.
func newBench(t testing.TB, change func(*device.Description)) *bench {
	t.Helper()
	description := device.Default()
	description.Epoch = epoch
	if change != nil {
		change(description)
	}
	lab, err := device.New(description, 7)
	if err != nil {
		t.Fatal(err)
	}
	source, err := perf.NewLabSource(driver.NewHost(lab))
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{host: OnLab(source, nil)}
	b.Runner = Runner{
		Open: func(context.Context) (Host, error) { return b.host, nil }, LabText: []byte("name = \"Lab\"\n"), Out: &b.out, Err: &b.errs,
	}
	return b
}

// script runs lines.
func (b *bench) script(lines ...string) Status {
	return b.Script(context.Background(), strings.NewReader(strings.Join(lines, "\n")))
}

// TestScripts pins what commands say: each file of testdata/scripts is a script whose output, sentences about failures
// and status stand in the golden file beside it, as text and as JSON. Adding a case is adding a file.
func TestScripts(t *testing.T) {
	t.Parallel()
	scripts, err := filepath.Glob("testdata/scripts/*.txt")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, path := range scripts {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{"text", "json"} {
			t.Run(name+"/"+format, func(t *testing.T) {
				t.Parallel()
				b := newBench(t, nil)
				b.JSON, b.KeepGoing = format == "json", true
				status := b.script(string(text))
				got := b.out.String() + "--- errors\n" + b.errs.String() + "--- status\n" + string('0'+rune(status)) + "\n"
				golden(t, strings.TrimSuffix(path, ".txt")+"."+format+".golden", got)
			})
		}
	}
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("%s differs; run the test with -update when it should; got\n%s", path, got)
	}
}

func TestAScriptStopsAtTheFirstFailure(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	if status := b.script(`cable pull "Ethernet 7"`, `cable pull "Ethernet 7"`, `cable pull "Ethernet 8"`, "journal"); status != Failed {
		t.Errorf("status %d", status)
	}
	if got := b.out.String(); strings.Contains(got, "Ethernet 8") || strings.Contains(got, "NUMBER") {
		t.Errorf("it went on: %s", got)
	}
	if got := b.errs.String(); !strings.HasPrefix(got, "cxdeck: line 2: can't pull the cable of Ethernet 7: ") || strings.Count(got, "\n") != 1 {
		t.Errorf("it said %q", got)
	}
}

func TestKeepingGoingGivesTheWorstStatus(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		lines []string
		want  Status
	}{
		{[]string{"undo", "adapter list"}, Failed},
		{[]string{"foo", "undo", "adapter list"}, NotUnderstood},
		{[]string{"undo", `"open`}, NotUnderstood},
		{[]string{"", "# nothing", "adapter list"}, Done},
	} {
		b := newBench(t, nil)
		b.KeepGoing = true
		if got := b.script(one.lines...); got != one.want {
			t.Errorf("%q: status %d, want %d", one.lines, got, one.want)
		}
		if one.want != Done && !strings.Contains(b.out.String(), "Ethernet 7") && one.lines[len(one.lines)-1] == "adapter list" {
			t.Errorf("%q did not go on", one.lines)
		}
	}
}

func TestReadOnlyRefusesEveryChange(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.ReadOnly = true
	for _, c := range Commands() {
		words := strings.Fields(c.Name)
		for range c.least {
			words = append(words, "x")
		}
		b.errs.Reset()
		status := b.Run(context.Background(), words)
		refused := strings.Contains(b.errs.String(), "read-only mode is on")
		if refused != c.Changes || c.Changes && status != Failed {
			t.Errorf("%s: status %d, %q", c.Name, status, b.errs.String())
		}
	}
}

func TestHostileNamesStayOnTheirLine(t *testing.T) {
	t.Parallel()
	const evil = "Eth\u202e'net\" $(x) `7` \u200b# %s"
	b := newBench(t, func(d *device.Description) {
		d.Host.Name = evil
		for i := range d.Flows {
			if d.Flows[i].Port == d.Adapters[0].Ports[0].Connection {
				d.Flows[i].Port = evil
			}
		}
		for i := range d.Faults {
			if d.Faults[i].Port == d.Adapters[0].Ports[0].Connection {
				d.Faults[i].Port = evil
			}
		}
		d.Adapters[0].Ports[0].Connection = evil
	})
	for _, words := range [][]string{
		{"adapter", "list"}, {"adapter", "show", evil}, {"cable", "pull", evil}, {"cable", "pull", evil}, {"events"}, {"journal"},
		{"counters"}, {"counters", `\*(*)\*`, "--list"}, {"advance", "1s"}, {"adapter", "show", "\x1b]0;x\x07"}, {"\x1b[2J"},
	} {
		b.Run(context.Background(), words)
	}
	for what, text := range map[string]string{"output": b.out.String(), "errors": b.errs.String()} {
		if strings.ContainsAny(text, "\x1b\u202e\x07") {
			t.Errorf("the %s has control characters", what)
		}
	}
	if !strings.Contains(b.out.String(), "Eth'net\" $(x) `7` # %s") {
		t.Error("the name is not there at all")
	}
}

func TestTimePassesOnlyWhenTold(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	now := func() (at time.Time) {
		_ = b.host.Look(context.Background(), func(h *driver.Host) error {
			at = h.Now()
			return nil
		})
		return at
	}
	b.script("adapter list", "counters", "events", "journal", "help")
	if !now().Equal(epoch) {
		t.Errorf("it is %s", now())
	}
	b.script("advance 1m30s", "counters --interval 1s --count 3")
	if want := epoch.Add(93 * time.Second); !now().Equal(want) {
		t.Errorf("it is %s, not %s", now(), want)
	}
}

// TestRatesOfNow holds that the rates of now are those that the coming second brings.
func TestRatesOfNow(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.JSON = true
	pick := func(line string) string {
		b.out.Reset()
		b.script(line)
		_, values, found := strings.Cut(b.out.String(), `"counters":`)
		if !found {
			t.Fatalf("%s says %s", line, b.out.String())
		}
		return values
	}
	peeked := pick(`counters "\Network Interface(*)\Bytes Total/sec"`)
	if passed := pick(`counters "\Network Interface(*)\Bytes Total/sec" --interval 1s`); peeked != passed {
		t.Errorf("now\n%s\nthen\n%s", peeked, passed)
	}
}

func TestAnInterruptEndsAScript(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if status := b.Script(ctx, strings.NewReader("adapter list\n")); status != Failed || !strings.Contains(b.errs.String(), "interrupted") {
		t.Errorf("status %d, %q", status, b.errs.String())
	}
	b.errs.Reset()
	if status := b.Run(ctx, []string{"advance", "24h"}); status != Failed {
		t.Errorf("time passed all the same: %d", status)
	}
}

func TestScriptsAreBounded(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	if status := b.script(strings.Repeat("\n", mostLines+1)); status != NotUnderstood || !strings.Contains(b.errs.String(), "at most 100000 lines") {
		t.Errorf("too many lines: %d, %q", status, b.errs.String())
	}
	b.errs.Reset()
	if status := b.script(strings.Repeat("x", longestLine+10)); status != NotUnderstood || !strings.Contains(b.errs.String(), "longer than") {
		t.Errorf("too long a line: %d, %q", status, b.errs.String())
	}
}

// FuzzRun holds that no line brings a runner down, that a failure is one sentence, and that nothing but a change changes
// the host.
func FuzzRun(f *testing.F) {
	for _, c := range Commands() {
		f.Add(c.Name)
		for _, one := range c.Examples {
			f.Add(one.Line)
		}
	}
	f.Add(`counters --interval -1s --count 99999 --list=x`)
	f.Add("events --after 18446744073709551616 -- --last")
	b := newBench(f, nil)
	b.ReadOnly = true
	f.Fuzz(func(t *testing.T, line string) {
		b.out.Reset()
		b.errs.Reset()
		words, err := Split(line)
		if err != nil || len(words) == 0 || words[0] == "counters" && strings.Contains(line, "count") {
			return
		}
		status := b.Run(context.Background(), words)
		if status == Done && b.errs.Len() > 0 || status != Done && strings.Count(b.errs.String(), "\n") != 1 {
			t.Errorf("%q: status %d, %q", line, status, b.errs.String())
		}
	})
}
