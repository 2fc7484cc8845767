package catalog

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/views/exec"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// epoch is the start time of the labs in these tests.
var epoch = time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)

// TestScripts compares output, errors and status of each script in testdata/scripts with its golden files, as text and as JSON. To
// add a case, add a file; its first line may name a lab.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
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
				b := newBench(t, labOf(t, string(text)))
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

func TestScriptStopsAtFirstFailure(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	if status := b.script(`cable pull "Ethernet 7"`, `team remove none`, `cable pull "Ethernet 8"`,
		"journal"); status != exec.Failed {
		t.Errorf("status %d", status)
	}
	if got := b.out.String(); strings.Contains(got, "Ethernet 8") || strings.Contains(got, "NUMBER") {
		t.Errorf("the script continued: %s", got)
	}
	if got := b.errs.String(); !strings.HasPrefix(got, "cxdeck: line 2: there is no team") ||
		strings.Count(got, "\n") != 1 {
		t.Errorf("it said %q", got)
	}
}

func TestKeepGoingReturnsHighestStatus(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lines []string
		want  exec.Status
	}{
		{[]string{"undo", "adapter list"}, exec.Failed},
		{[]string{"foo", "undo", "adapter list"}, exec.NotUnderstood},
		{[]string{"undo", `"open`}, exec.NotUnderstood},
		{[]string{"", "# nothing", "adapter list"}, exec.Done},
	} {
		b := newBench(t, nil)
		b.KeepGoing = true
		if got := b.script(c.lines...); got != c.want {
			t.Errorf("%q: status %d, want %d", c.lines, got, c.want)
		}
		if c.want != exec.Done && !strings.Contains(b.out.String(), "Ethernet 7") &&
			c.lines[len(c.lines)-1] == "adapter list" {
			t.Errorf("%q did not continue", c.lines)
		}
	}
}

func TestReadOnlyRefusesEveryChange(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.ReadOnly = true
	for i, c := range Commands().Commands() {
		words := strings.Fields(c.Name)
		for range c.Min {
			words = append(words, "x")
		}
		b.errs.Reset()
		why := "omit --read-only to do it"
		if b.ReadOnlyWhy = ""; i%2 == 0 {
			b.ReadOnlyWhy = "the history belongs to another"
			why = b.ReadOnlyWhy
		}
		status := b.Run(context.Background(), words)
		refused := strings.Contains(b.errs.String(), "read-only mode is on") && strings.HasSuffix(b.errs.String(), "; "+why+"\n")
		if refused != c.Changes || c.Changes && status != exec.Failed {
			t.Errorf("%s: status %d, %q", c.Name, status, b.errs.String())
		}
	}
}

// TestReadOnlyForms: of a command that partly reads, read-only mode refuses only the forms that change the host.
func TestReadOnlyForms(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.ReadOnly, b.ReadOnlyWhy = true, "a check only reads"
	for form, refused := range map[string]bool{"query": false, "start": true, "stop": true, "collect": true} {
		b.errs.Reset()
		b.script(`mlxtool dbg nonrss-capture "Ethernet 3" ` + form)
		if strings.Contains(b.errs.String(), "would change the host; a check only reads") != refused {
			t.Errorf("%s: %q", form, b.errs.String())
		}
	}
}

func TestHostileNamesAreCleaned(t *testing.T) {
	t.Parallel()
	const evil = "Eth\u202e'net\" $(x) `7` \u200b# %s"
	b := newBench(t, func(d *description.Description) {
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
		{"adapter", "list"}, {"adapter", "show", evil}, {"cable", "pull", evil}, {"cable", "pull", evil}, {"events"},
		{"journal"},
		{"counters"}, {"counters", `\*(*)\*`, "--list"}, {"advance", "1s"}, {"adapter", "show", "\x1b]0;x\x07"}, {"\x1b[2J"},
		{"reg", "set", evil, "*RSS", "0", "--draft"}, {"plan", "show"}, {"plan", "forecast", "--span", "1s"},
		{"plan", "export", evil + ".ps1"},
		{"plan", "export", evil + ".ps1"}, {"plan", "discard", evil, "*RSS"}, {"plan", "discard"}, {"reg", "import", evil},
		{"reg", "export", evil},
		{"reg", "profile", "save", evil, evil, "*RSS"}, {"reg", "profile", "list"}, {"reg", "profile", "show", evil},
		{"reg", "profile", "apply", evil, evil},
		{"reg", "diff", evil, "--profile", evil}, {"reg", "explain", evil, evil}, {"reg", "search", evil},
		{"mlx5cmd", "-RegKeys", "-Name", evil},
		{"mlx5cmd", "-RegKeys", evil}, {"perf_tuning", "-s", "-c1", evil}, {"perf_tuning", evil},
		{"fault", "set", evil, "bad-cable"}, {"fault", "set", evil, evil},
		{"fault", "list"}, {"driver", "reload", evil}, {"management", "set", evil},
		{"team", "create", evil, "SLB", evil}, {"team", "create", "T", "SLB", evil}, {"team", "show", evil},
		{"team", "show", "T"}, {"team", "list"},
		{"vlan", "add", "T", evil, "7"}, {"vlan", "add", evil, evil, evil}, {"vlan", "list"}, {"team", "drill", "T", evil},
		{"Get-NetLbfoTeam", "T"},
		{"New-NetLbfoTeam", evil, evil}, {"New-NetLbfoTeam", "-" + evil}, {"Remove-NetLbfoTeam", "T"},
		{"vlan_config", "queryteam", evil},
		{"vlan_config", "create", "team", "AFT", evil}, {"vlan_config", "attach", "team", evil, evil},
		{"vlan_config", "showlist", evil},
		{"part_man", "add", "Ethernet 4", "i" + evil}, {"part_man", "add", evil, "i1"}, {"part_man", "rem", evil},
		{"part_man", "show"},
		{"mlxtool", "dbg", "pkeys", evil}, {"vswitch", "create", evil, evil}, {"vm", "create", "m" + evil, "--switch", evil},
		{"vm", "list"},
		{"vf", "quarantine", "vm001", evil}, {"vf", "list"}, {"vf", "show", evil, "0"}, {"sriov", "show", evil},
		{"mlxconfig", "q", "-d", evil},
		{"mlxconfig", "set", "-d", "mt4121_pciconf0", evil + "=1"}, {"vfpctrl", "/disable-port", "/port", evil},
		{"vfpctrl", "/list-vmswitch-port"},
		{"Set-VMNetworkAdapter", evil, "-IovWeight", evil}, {"Get-NetAdapterSriov"},
		{"Get-VMNetworkAdapter", "|", "where", "{" + evil, "-eq", evil + "}"},
		{"New-NetVirtualizationLookupRecord", "-CustomerAddress", evil}, {"adapter", "list"},
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

func TestTimePassesOnlyWithAdvance(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	now := func() (at time.Time) {
		_ = b.host.ReadHost(context.Background(), func(h *driver.Host) error {
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

// TestEveryKeyIsListed: reg list without a name lists each key of both drivers once, and lists it for each of its connections.
func TestEveryKeyIsListed(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.JSON = true
	type key struct {
		Key      string
		Scope    registry.Scope
		Driver   string
		Adapters []string
	}
	list := func(words ...string) (all []key) {
		b.out.Reset()
		b.Run(t.Context(), append([]string{"reg", "list"}, words...))
		var said struct {
			Result struct{ Keys, Catalogue []key }
		}
		if err := json.Unmarshal(b.out.Bytes(), &said); err != nil {
			t.Fatal(err)
		}
		return append(said.Result.Keys, said.Result.Catalogue...)
	}
	ofConnection := map[string][]key{}
	count := map[string]int{}
	for _, k := range list() {
		count[k.Driver]++
		for _, name := range k.Adapters {
			if ofConnection[name] == nil {
				ofConnection[name] = list(name)
			}
			if !slices.ContainsFunc(ofConnection[name],
				func(other key) bool { return other.Key == k.Key && other.Scope == k.Scope }) {
				t.Errorf("%s lacks %s/%s", name, k.Scope, k.Key)
			}
		}
	}
	if len(ofConnection) != 8 {
		t.Errorf("%d connections have keys, want 8", len(ofConnection))
	}
	for name, family := range map[string]description.Family{"mlx4": description.WinOF, "mlx5": description.WinOF2} {
		if want := len(registry.Keys(family).Rows); count[name] != want {
			t.Errorf("%d keys of %s are listed, want %d", count[name], name, want)
		}
	}
}

// TestCurrentRates: counters without --interval prints the rates of the coming second.
func TestCurrentRates(t *testing.T) {
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

func TestInterruptEndsScript(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if status := b.Script(ctx, strings.NewReader("adapter list\n")); status != exec.Failed ||
		!strings.Contains(b.errs.String(), "interrupted") {
		t.Errorf("status %d, %q", status, b.errs.String())
	}
	b.errs.Reset()
	if status := b.Run(ctx, []string{"advance", "24h"}); status != exec.Failed ||
		b.errs.String() != "cxdeck: interrupted; completed changes are kept\n" {
		t.Errorf("time passed all the same: %d, %q", status, b.errs.String())
	}
	var errs strings.Builder
	waiting := &exec.Runner{Table: Commands(), Out: io.Discard, Err: &errs, Open: func(ctx context.Context) (exec.Host, error) {
		return nil, fmt.Errorf("wait for the lock: %w", ctx.Err())
	}}
	if status := waiting.Run(ctx, []string{"adapter", "list"}); status != exec.Failed || errs.String() != "cxdeck: interrupted; completed changes are kept\n" {
		t.Errorf("while it waits for the host: %d, %q", status, errs.String())
	}
}

func TestScriptLineLimit(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	if status := b.script(strings.Repeat("\n", 100_001)); status != exec.NotUnderstood ||
		!strings.Contains(b.errs.String(), "at most 100000 lines") {
		t.Errorf("too many lines: %d, %q", status, b.errs.String())
	}
}

// TestLineEnds runs scripts with the line ends and byte order marks of other systems.
func TestLineEnds(t *testing.T) {
	t.Parallel()
	const most = 8192
	for name, c := range map[string]struct {
		script string
		ran    int // lines with help in them
		says   string
	}{
		"nothing":          {"", 0, ""},
		"no end":           {"help lab export", 1, ""},
		"carriage returns": {"help lab export\r\nhelp lab export\r\n", 2, ""},
		"byte order mark":  {"\ufeffhelp lab export\n\ufeffhelp\n", 1, `line 2: unknown command "\ufeffhelp"`},
		"empty lines":      {"\n \t\n\r\n# x\nhelp lab export # x\n", 1, ""},
		"the longest line": {"help lab export" + strings.Repeat(" ", most-len("help lab export")) + "\r\nhelp lab " +
			"export", 2, ""},
		"a line that is longer": {strings.Repeat("x", most+1) + "\nhelp lab export", 1,
			"line 1: the line is longer than 8192 bytes"},
		"a very long line": {"help lab export\n#" + strings.Repeat("x", 100*most) + "\nhelp lab export", 2,
			"line 2: the line is longer"},
		"a long end": {"help lab export\n" + strings.Repeat("x", 10*most), 1, "line 2: the line is longer"},
		"NUL": {"help\x00 lab export\nhelp lab export\n", 1,
			"line 1: column 5: the line has a control character"},
		"no UTF-8": {"\xff\xfeh\x00\n\x00help lab export\n", 0, "line 1: the line is not UTF-8 text"},
	} {
		b := newBench(t, nil)
		b.KeepGoing = true
		status := b.script(c.script)
		if got := strings.Count(b.out.String(), "Print the description of the lab."); got != c.ran {
			t.Errorf("%s: %d lines ran, want %d", name, got, c.ran)
		}
		if !strings.Contains(b.errs.String(), c.says) || (status != exec.Done) != (c.says != "") {
			t.Errorf("%s: status %d, %.300q; want %q", name, status, b.errs.String(), c.says)
		}
	}
}

// TestLongWordsAreShortened: an error message shortens a very long word.
func TestLongWordsAreShortened(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	if b.script(strings.Repeat("x", 8192)) != exec.NotUnderstood || b.errs.Len() > 600+20 ||
		!strings.HasSuffix(b.errs.String(), "help lists the commands\n") {
		t.Errorf("%q", b.errs.String())
	}
}
