package switchcli

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/views/exec/console"
)

// newHost returns a host on the default lab.
func newHost(t testing.TB) *driver.Host {
	t.Helper()
	lab, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return driver.NewHost(lab)
}

// at returns the number of a connection's port.
func at(t testing.TB, h *driver.Host, connection string) int {
	t.Helper()
	for port := range h.Lab().Ports() {
		if h.Lab().Connection(port) == connection {
			return port
		}
	}
	t.Fatalf("no connection %q", connection)
	return 0
}

// run runs lines on a host from the console of a connection.
func run(t testing.TB, h *driver.Host, connection string, lines ...string) ([]lineRow, error) {
	t.Helper()
	rows, _, err := runLines(context.Background(), newSession(console.Trial{Copy: h}, at(t, h, connection)), lines)
	return rows, err
}

// TestDocumentedLines types the lines of the manuals, in both systems, with their prompts and abbreviated, and compares the
// settings of the switch port.
func TestDocumentedLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  func(p *setup.SwitchPort)
	}{
		"trunk and VLAN": {[]string{"(config)# interface et10", "(config-if-Et10)# switchport mode trunk", "(config-if-Et10)# switchport trunk allowed vlan 100"},
			func(p *setup.SwitchPort) { p.VLANs = "100" }},
		"LAG": {[]string{"interface et10", "dcbx mode ieee", "speed forced 40gfull", "channel-group 11 mode active"},
			func(p *setup.SwitchPort) { p.DCBX, p.SpeedGbps, p.Aggregation = description.IEEE, 40, 11 }},
		"network port": {[]string{"load-interval 5", "speed forced 40gfull", "switchport trunk native vlan tag", "switchport trunk allowed vlan 11", "switchport mode trunk",
			"dcbx mode ieee", "priority-flow-control mode on", "priority-flow-control priority 3 no-drop"}, func(p *setup.SwitchPort) {
			p.SpeedGbps, p.VLANs, p.DCBX, p.FlowControl, p.Lossless = 40, "11", description.IEEE, description.PriorityPause, 1<<3
		}},
		"global pause": {[]string{"flowcontrol receive on", "flowcontrol send on"}, func(p *setup.SwitchPort) { p.FlowControl = description.GlobalPause }},
		"PFC of the other system": {[]string{"switch > enable", "switch # configure terminal", "switch (config) # dcb priority-flow-control enable force",
			"switch (config) # interface ethernet 1/10", "switch (config interface ethernet 1/10) # dcb priority-flow-control priority 3 enable",
			"switch (config interface ethernet 1/10) # dcb priority-flow-control mode on force"}, func(p *setup.SwitchPort) {
			p.FlowControl, p.Lossless = description.PriorityPause, 1<<3
		}},
		"56 GbE": {[]string{"system profile eth-single-profile", "interface ethernet 1/10", "speed 56000"}, func(p *setup.SwitchPort) { p.SpeedGbps = 56 }},
		"abbreviated": {[]string{"conf t", "int et10", "pri mo on", "pri pri 5 no-drop", "sw m a", "sp 25G"}, func(p *setup.SwitchPort) {
			p.FlowControl, p.Lossless, p.Trunk, p.SpeedGbps = description.PriorityPause, 1<<5, false, 25
		}},
		"no forms":        {[]string{"priority-flow-control mode on", "pri pri 3 no", "no pri pri 3", "no pri", "channel 4 m on", "no chan", "mtu 1522", "no mtu"}, func(*setup.SwitchPort) {}},
		"pause, then PFC": {[]string{"flowc r on", "priority-flow-control mode on"}, func(p *setup.SwitchPort) { p.FlowControl = description.PriorityPause }},
		"VLAN lists":      {[]string{"sw t al v 30,31,100-200", "sw t allowed vlan add 32", "sw t allowed vlan rem 100-149,151-200"}, func(p *setup.SwitchPort) { p.VLANs = "30-32,150" }},
		"all but": {[]string{"sw t allowed vlan except 1-4093", "qos trust L3", "random-detect ecn min 150 kbytes max 1500 kbytes max-mark 20"}, func(p *setup.SwitchPort) {
			p.VLANs, p.Trust, p.Marking = "4094", setup.TrustDSCP, dcqcn.Marking{Min: 150_000, Max: 1_500_000, Probability: 0.2}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t)
			port := at(t, h, "Ethernet 10")
			want := h.Lab().SwitchPort(port)
			c.want(&want)
			before := h.Lab().SwitchPort(port)
			if _, err := run(t, h, "Ethernet 10", c.lines...); err != nil {
				t.Fatal(err)
			}
			if o, differs := fabric.Difference("", h.Lab().SwitchPort(port), want); differs {
				t.Errorf("the switch port is to be %s", o.Describe())
			}
			for {
				if _, ok := h.Undoable(); !ok {
					break
				}
				if _, err := h.Undo(); err != nil {
					t.Fatal(err)
				}
			}
			if o, differs := fabric.Difference("", h.Lab().SwitchPort(port), before); differs {
				t.Errorf("after undo the switch port is still to be %s", o.Describe())
			}
		})
	}
}

// TestWrongLines types lines that no switch takes. None of the lines before them is applied.
func TestWrongLines(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"nonsense": "Unknown command",
		"priority-flow-control priority 8 no-drop":   "0 to 7",
		"priority-flow-control priority -1 no-drop":  "Invalid input",
		"priority-flow-control priority 3":           "Incomplete line",
		"priority-flow-control priority 3 no-drop x": "Invalid input",
		"s":                                  "Ambiguous",
		"speed 57000":                        "Invalid speed",
		"speed forced 40gbit":                "Invalid speed",
		"channel-group 0 mode active":        "from 1",
		"channel-group 5000 mode active":     "4096",
		"load-interval 4":                    "5 to 600",
		"interface et11":                     "no port",
		"interface et9-3":                    "no port",
		"interface et1/9-2/10":               "no port",
		"interface et":                       "Invalid input",
		"interface ib 1/4":                   "",
		"switchport trunk allowed vlan 5,3":  "ascending order",
		"switchport trunk allowed vlan 4095": "1 to 4094",
		"switchport trunk allowed vlan none": "at least one VLAN",
		"mtu 60":                             "614",
		"mtu 99999999999999999999":           "number of bytes",
		"system profile vpi":                 "only the profile",
		"qos trust l4":                       "Invalid input",
		"random-detect ecn minimum-threshold 9 kbytes maximum-threshold 8 kbytes max-mark-probability 5": "mark from",
		"show interfaces et99":      "no port",
		"show interfaces foo":       "Invalid input",
		"show x?":                   "No word begins",
		strings.Repeat("show ", 50): "too long",
	} {
		h := newHost(t)
		_, err := run(t, h, "Ethernet 10", line)
		if want == "" {
			if err != nil {
				t.Errorf("%q: %v", line, err)
			}
			continue
		}
		var of *lineError
		if !errors.As(err, &of) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %q", line, err, want)
		}
		if len(h.Journal()) > 0 && h.Journal()[0].Err == "" {
			t.Errorf("%q changed the host", line)
		}
	}
	h := newHost(t)
	if _, err := run(t, h, "Ethernet 4", "speed 40000"); err == nil || !strings.Contains(err.Error(), "InfiniBand") {
		t.Errorf("an Ethernet setting of an InfiniBand port: %v", err)
	}
	if _, err := run(t, h, "Ethernet 6", "dcb priority-flow-control mode on"); err == nil || !strings.Contains(err.Error(), "force") {
		t.Errorf("PFC beside global pause: %v", err)
	}
}

// TestModes follows the modes of a typed session, in which a line of an inner mode is refused with the way to it.
func TestModes(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	s := newSession(console.Trial{Copy: h}, at(t, h, "Ethernet 10"))
	for _, step := range []struct{ line, prompt, err string }{
		{"show interfaces status", "switch > ", ""},
		{"conf t", "switch > ", "enable first"},
		{"interface et10", "switch > ", "enable, configure terminal first"},
		{"enable", "switch # ", ""},
		{"mtu 1500", "switch # ", "configure terminal, interface PORT first"},
		{"configure terminal", "switch (config) # ", ""},
		{"interface et7-10", "switch (config interface et7-10) # ", ""},
		{"interface Ethernet1/10", "switch (config interface ethernet 1/10) # ", ""},
		{"sh ib sm", "switch (config interface ethernet 1/10) # ", ""},
		{"exit", "switch (config) # ", ""},
		{"int ib 1/4", "switch (config interface ib 1/4) # ", ""},
		{"end", "switch # ", ""},
		{"disable", "switch > ", ""},
	} {
		err := s.run(step.line)
		if got := s.prompt(); got != step.prompt || (err == nil) != (step.err == "") || err != nil && !strings.Contains(err.Error(), step.err) {
			t.Errorf("%q: prompt %q, %v", step.line, got, err)
		}
	}
	if err := s.run("exit"); err != nil || !s.ended {
		t.Errorf("exit of the outermost mode: %v, ended %v", err, s.ended)
	}
}

// TestCounters compares frames by kind with all frames, after traffic with multicast.
func TestCounters(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.Advance(5 * time.Second)
	multicast := uint64(0)
	for port := range h.Lab().Ports() {
		r, s := framesOf(h.Lab(), port)
		far := h.Lab().FarEnd(port)
		for _, f := range []frames{r, s} {
			if f.unicast+f.multicast+f.broadcast != f.all {
				t.Errorf("port %d: %+v don't add up", port, f)
			}
			multicast += f.multicast
		}
		if r.all != far.ReceivedFrames || s.all != far.SentFrames || h.Lab().State(port).Up && r.unicast+s.unicast == 0 && r.all+s.all > 0 {
			t.Errorf("port %d: %+v and %+v of %+v", port, r, s, far)
		}
	}
	if multicast == 0 {
		t.Error("the lab's multicast flow is not seen")
	}
}

// TestRunningConfig sets switch ports up at random, and another host with the lines that show running-config prints.
func TestRunningConfig(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 15))
	for range 12 {
		from, to := newHost(t), newHost(t)
		port := at(t, from, "Ethernet 9")
		p := from.Lab().SwitchPort(port)
		p.SpeedGbps, p.MaxFrame = speeds[random.IntN(len(speeds))], 614+random.IntN(9000)
		p.FlowControl, p.Lossless = description.FlowControl(random.IntN(3)), uint8(random.IntN(256))
		p.Trust, p.Trunk, p.Aggregation = setup.Trust(random.IntN(2) == 1), random.IntN(2) == 1, random.IntN(50)
		if p.DCBX = description.DCBXMode(random.IntN(3)); p.Trunk {
			p.VLANs = []string{"", "5", "30,31,100-200", "2-4094"}[random.IntN(4)]
		}
		if random.IntN(2) == 1 {
			p.Marking = dcqcn.Marking{Min: float64(random.IntN(1000)), Max: float64(1000 + random.IntN(1000)), Probability: float64(random.IntN(101)) / 100}
		}
		if err := from.Lab().SetSwitchPort(port, p); err != nil {
			t.Fatal(err)
		}
		rows, err := run(t, from, "Ethernet 9", "show running-config interfaces et9")
		if err != nil {
			t.Fatal(err)
		}
		lines := slices.DeleteFunc(slices.Concat([]string{"no priority-flow-control priority 3"}, rows[0].Output), func(l string) bool { return l == "" })
		if p.FlowControl == description.NoFlowControl {
			lines = slices.Insert(lines, 0, "no priority-flow-control")
		}
		if _, err := run(t, to, "Ethernet 9", lines...); err != nil {
			t.Fatalf("%v: %v", lines, err)
		}
		if o, differs := fabric.Difference("", to.Lab().SwitchPort(port), from.Lab().SwitchPort(port)); differs {
			t.Errorf("%v: to be %s", lines, o.Describe())
		}
	}
}

// FuzzLine: no line makes the console panic; a refused one changes nothing, and all settings stay valid.
func FuzzLine(f *testing.F) {
	for _, form := range grammar() {
		f.Add(form.pattern)
	}
	f.Add("(config-if-Et10)# pri pri 3 no-drop")
	f.Add("show interfaces ethernet 1/10 counters?")
	f.Add("interface et1-999999999999,ib4")
	h := newHost(f)
	home := at(f, h, "Ethernet 10")
	f.Fuzz(func(t *testing.T, line string) {
		b := &lazy{Trial: console.Trial{Copy: h}}
		s := newSession(b, home)
		if err := s.openPort(); err != nil {
			t.Fatal(err)
		}
		if err := s.run(line); err != nil && b.applied > 0 {
			t.Errorf("%q is refused after %d changes", line, b.applied)
		}
	})
}

// lazy is a copy of a host that is made for each change.
type lazy struct {
	console.Trial
	applied int
}

func (b *lazy) Apply(plan driver.Plan) (uint64, error) {
	entry, err := b.Copy.Clone().Apply(plan)
	if err == nil {
		b.applied++
	}
	return entry.Sequence, err
}
