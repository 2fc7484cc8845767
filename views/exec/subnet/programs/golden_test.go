package programs

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/device/infiniband/opensm"
	"cxdeck/device/infiniband/topology"
	"cxdeck/views/exec/subnet"
)

var update = flag.Bool("update", false, "write the golden files")

// small is a network of two switches with two hosts each, a slow link and a disabled port; its manager is on the first host. The files
// are those that the runs of a test wrote.
func small(t testing.TB) subnet.Computer {
	t.Helper()
	b := topology.New()
	left, right := b.Switch("left", 8), b.Switch("right", 8)
	b.Cable(left, 7, right, 8)
	b.Cable(left, 8, right, 7)
	hosts := make([]int, 4)
	for i, name := range []string{"alpha", "beta", "gamma", "delta"} {
		hosts[i] = b.Adapter(name, 2)
		b.Cable([]int{left, left, right, right}[i], i%2+1, hosts[i], 1)
	}
	b.Cable(right, 3, hosts[3], 2)
	slow := infiniband.Place{Node: left, Port: 7}
	b.SetEnabled(slow, infiniband.Mode{Widths: infiniband.Width(1).Bit(), Speeds: infiniband.UpTo(infiniband.DDR)})
	b.Reset(slow)
	b.SetDisabled(infiniband.Place{Node: right, Port: 3}, true)
	m := &opensm.Manager{Place: infiniband.Place{Node: hosts[0], Port: 1}, Running: true, Priority: 3, Partitions: opensm.DefaultPartitions()}
	opensm.New(b.Fabric, []*opensm.Manager{m})
	counters := &b.Nodes[right].Ports[1].Counters
	*counters = infiniband.Counters{SymbolErrors: 70000, LinkDowned: 3, SendDiscards: 12, SentData: 5 << 30, ReceivedData: 123456, SentPackets: 9 << 20, SendWait: 1 << 33}
	files := map[string][]byte{"names": []byte("0x2c90300a00010 \"rack 1\" # the left switch\n"), "pairs": []byte("# two paths\n1 2\n\n2 1\n"), "junk": []byte("junk")}
	return subnet.Computer{
		Network:  &mad.Network{Fabric: b.Fabric, Managers: []*opensm.Manager{m}, Profile: mad.Hardware()},
		Adapters: []subnet.Adapter{{Name: "mlx4_0", Node: hosts[0]}}, Now: time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC), PID: 4321,
		Read: func(name string) ([]byte, error) {
			if data, ok := files[name]; ok {
				return data, nil
			}
			return nil, errors.New("no such file")
		},
	}
}

// lids are the addresses of the small network.
func lids(c subnet.Computer) *strings.Replacer {
	var pairs []string
	for n := range c.Network.Nodes {
		node := &c.Network.Nodes[n]
		pairs = append(pairs, "{"+node.Name+"}", mad.LID.Format(uint64(node.Ports[node.First()].LID)))
	}
	return strings.NewReplacer(pairs...)
}

// readLines reads a file of runs, without its comments.
func readLines(t testing.TB, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestGolden runs the lines of testdata/lines.txt and compares with the output of earlier runs, a file for each program. A line with
// "fresh" before it begins with a new network.
func TestGolden(t *testing.T) {
	t.Parallel()
	outputs := map[string]*strings.Builder{}
	c := small(t)
	read := c.Read
	written := map[string][]byte{}
	c.Read = func(name string) ([]byte, error) {
		if data, ok := written[name]; ok {
			return data, nil
		}
		return read(name)
	}
	for _, line := range readLines(t, "lines.txt") {
		if rest, ok := strings.CutPrefix(line, "fresh "); ok {
			line = rest
			c.Network = small(t).Network
		}
		words := strings.Fields(lids(c).Replace(line))
		result := Run(c, words[0], words[1:])
		for _, file := range result.Files {
			written[file.Name] = file.Data
		}
		if outputs[words[0]] == nil {
			outputs[words[0]] = &strings.Builder{}
		}
		out := outputs[words[0]]
		out.WriteString("$ " + strings.Join(words, " ") + "\n" + result.Output)
		if result.Code != 0 {
			out.WriteString("exit code " + mad.LID.Format(uint64(result.Code)) + "\n")
		}
		for _, file := range result.Files {
			out.WriteString("wrote " + file.Name + ", " + mad.LID.Format(uint64(len(file.Data))) + " bytes\n")
		}
	}
	for _, name := range Names() {
		if outputs[name] == nil {
			t.Errorf("no line runs %s", name)
			continue
		}
		path := filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.WriteFile(path, []byte(outputs[name].String()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, _ := os.ReadFile(path)
		if got := outputs[name].String(); got != string(want) {
			t.Errorf("%s differs from %s (run with -update, and look at the difference)", name, path)
		}
	}
}

// TestChanges: what a program changes, it tells, and the network has it.
func TestChanges(t *testing.T) {
	t.Parallel()
	for _, k := range []struct {
		line  string
		verbs []subnet.Verb
		holds func(f *infiniband.Fabric, at infiniband.Place) bool
	}{
		{"ibportstate {right} 1 disable", []subnet.Verb{subnet.Disable}, func(f *infiniband.Fabric, at infiniband.Place) bool { return f.At(at).Physical == infiniband.Disabled }},
		{"ibportstate {right} 3 enable", []subnet.Verb{subnet.Enable}, func(f *infiniband.Fabric, at infiniband.Place) bool {
			return f.At(infiniband.Place{Node: at.Node, Port: 3}).Physical == infiniband.LinkUp
		}},
		{"ibportstate {right} 1 reset", []subnet.Verb{subnet.Reset}, func(f *infiniband.Fabric, at infiniband.Place) bool { return f.At(at).State == infiniband.Initialize }},
		{"ibportstate {right} 1 speed 1 espeed 30 width 1", []subnet.Verb{subnet.SetMode}, func(f *infiniband.Fabric, at infiniband.Place) bool {
			return f.At(at).Enabled.Widths == 1 && !f.At(at).Enabled.Speeds.Has(infiniband.FDR) && f.At(at).Enabled.Speeds.Has(infiniband.SDR)
		}},
		{"ibportstate {right} 1 down", []subnet.Verb{subnet.SetState}, func(f *infiniband.Fabric, at infiniband.Place) bool { return f.At(at).State == infiniband.Initialize }},
		{"ibportstate {right} 1 arm", nil, func(f *infiniband.Fabric, at infiniband.Place) bool { return f.At(at).State == infiniband.Active }},
		{"ibportstate {right} 1 on", nil, nil},
		{"ibportstate {right} 1 mtu 4", nil, nil},
		{"perfquery -R {right} 1", []subnet.Verb{subnet.Clear}, func(f *infiniband.Fabric, at infiniband.Place) bool { return f.At(at).Counters.SymbolErrors == 0 }},
		{"perfquery -x -R {right} 1", []subnet.Verb{subnet.ClearExtended}, func(f *infiniband.Fabric, at infiniband.Place) bool {
			return f.At(at).Counters.SentData == 0 && f.At(at).Counters.SymbolErrors != 0
		}},
		{"perfquery -R {right} 1 0x1", []subnet.Verb{subnet.Clear}, func(f *infiniband.Fabric, at infiniband.Place) bool {
			return f.At(at).Counters.SymbolErrors == 0 && f.At(at).Counters.SendDiscards == 12
		}},
		{"sminfo {alpha}", nil, nil},
	} {
		c := small(t)
		words := strings.Fields(lids(c).Replace(k.line))
		result := Run(c, words[0], words[1:])
		var verbs []subnet.Verb
		for _, change := range result.Changes {
			verbs = append(verbs, change.Verb)
		}
		if len(verbs) != len(k.verbs) || len(verbs) > 0 && verbs[0] != k.verbs[0] {
			t.Errorf("%s: changes %v, expected %v\n%s", k.line, verbs, k.verbs, result.Output)
		}
		if at := (infiniband.Place{Node: c.Network.Named("right"), Port: 1}); k.holds != nil && !k.holds(c.Network.Fabric, at) {
			t.Errorf("%s: the network does not have the change", k.line)
		}
	}
}

// FuzzRun: no arguments make a program panic.
func FuzzRun(f *testing.F) {
	for _, line := range readLines(f, "lines.txt") {
		f.Add(strings.TrimPrefix(line, "fresh "))
	}
	f.Add("smpquery -D portinfo 0,255,255,255,99999999999999999999 -1")
	f.Add("perfquery -a 1 0-999999999")
	f.Add("ibroute -a 1 4294967295 1")
	f.Add("ibtracert --mlid=0xffffffff 1 2")
	f.Add("iblinkinfo -n 18446744073709551615 -D 0")
	f.Fuzz(func(t *testing.T, line string) {
		c := small(t)
		words := strings.Fields(lids(c).Replace(line))
		if len(words) == 0 || len(line) > 1000 {
			return
		}
		Run(c, words[0], words[1:])
	})
}
