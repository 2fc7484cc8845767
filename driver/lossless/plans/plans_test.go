package plans

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cxdeck/device"
	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/stack"
)

func newHost(t *testing.T) *driver.Host {
	t.Helper()
	lab, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	h := driver.NewHost(lab)
	apply(t, h, stack.AddAddress{Connection: "Ethernet 10", Address: netip.MustParsePrefix("10.15.0.10/24")}) // the others have one
	return h
}

func apply(t *testing.T, h *driver.Host, list ...driver.Operation) {
	t.Helper()
	if _, err := h.Apply(driver.Plan{Title: "test", Operations: list}); err != nil {
		t.Fatal(err)
	}
	h.Advance(settle)
}

// setUp is all that the plans set up, without what only time moves.
func setUp(t *testing.T, h *driver.Host) (state []any) {
	t.Helper()
	view := h.QoS()
	for i := range view.Policies {
		state = append(state, view.Policies[i].Policy)
	}
	state = append(state, view.Installed, view.Willing, view.Classes, view.FlowControl)
	for at := range h.Lab().Ports() {
		d, _, _ := h.Lab().Port(at)
		p := view.Ports[at]
		state = append(state, p.Enabled, p.Own, p.Configured, p.Limits, h.Lab().SwitchPort(at), h.Lab().Settings(at), h.Lab().Dropless(at))
		keys, err := h.Keys(d.Connection)
		if err != nil {
			t.Fatal(err)
		}
		for i := range keys {
			state = append(state, keys[i].Row.Name, keys[i].Stored)
		}
	}
	return state
}

// reached applies the plan of a setup, and checks that nothing is left to plan, that its check passes, and that undo leaves an
// equal host.
func reached(t *testing.T, h *driver.Host, s Setup) AnnotatedPlan {
	t.Helper()
	before := setUp(t, h)
	made, err := Make(h, s)
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	if !reflect.DeepEqual(before, setUp(t, h)) {
		t.Fatalf("%+v: making the plan changed the host", s)
	}
	if len(made.Operations) == 0 {
		return made
	}
	entry, err := h.Apply(made.Plan)
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	if again, err := Make(h, s); err != nil || len(again.Operations) > 0 && !strings.Contains(strings.Join(made.Notes, ""), "part 1") {
		t.Errorf("%+v: while adapters restart there is %+v, %v", s, again.Operations, err)
	}
	h.Advance(settle)
	for _, f := range s.Check(h) {
		if !f.OK {
			t.Errorf("%+v: %s: %s", s, f.Title, f.Text)
		}
	}
	if again, err := s.Plan(h); err != nil || len(again.Operations) > 0 {
		t.Errorf("%+v: afterwards there is %+v, %v", s, again.Operations, err)
	}
	undone := h.Clone()
	if _, err := undone.UndoEntry(entry.Sequence); err != nil {
		t.Fatalf("%+v: undo: %v", s, err)
	}
	undone.Advance(settle)
	after := setUp(t, undone)
	for i := range before {
		if !reflect.DeepEqual(before[i], after[i]) {
			t.Errorf("%+v: undone, %+v became %+v", s, before[i], after[i])
		}
	}
	return made
}

var roce = []string{"Ethernet 7", "Ethernet 8", "Ethernet 5", "Ethernet 6", "Ethernet 3", "Ethernet 9", "Ethernet 10"}

// disturb makes a random configuration.
func disturb(t *testing.T, h *driver.Host, random *rand.Rand) {
	t.Helper()
	flip := func() bool { return random.IntN(2) == 0 }
	try := func(o driver.Operation) {
		_, _ = h.Apply(driver.Plan{Title: "random", Operations: []driver.Operation{o}})
	} // what is refused is no part of it
	for range 12 {
		name := roce[random.IntN(len(roce))]
		switch random.IntN(14) {
		case 0:
			try(fabric.SetSwitchPort{Connection: name, FlowControl: new(description.FlowControl(random.IntN(3))), Lossless: new(uint8(random.IntN(256)))})
		case 1:
			try(fabric.SetSwitchPort{Connection: name, Trust: new(setup.Trust(flip()))})
		case 2:
			try(fabric.SetSwitchPort{Connection: name, MarkProbability: new(float64(random.IntN(2)) / 50)})
		case 3:
			try(fabric.SetSwitchPort{Connection: name, Willing: new(flip()), DCBX: new(description.DCBXMode(random.IntN(3)))})
		case 4:
			try(fabric.SetSwitchPort{Connection: name, MaxFrame: new(1514 + random.IntN(8000))})
		case 5:
			try(qos.SetFlowControl{Priorities: []int{random.IntN(8)}, Enabled: flip()})
		case 6:
			try(qos.SetFlowControl{Connection: name, Priorities: []int{random.IntN(8)}, Enabled: flip()})
		case 7:
			try(qos.SetAdapter{Connection: name, Enabled: flip()})
		case 8:
			try(qos.SetDCBX{Willing: flip()})
		case 9:
			set, _ := qos.SetOf(random.IntN(8), random.IntN(8))
			try(qos.AddClass{Class: qos.Class{Name: fmt.Sprint("class ", random.IntN(3)), Algorithm: qos.ETS, Bandwidth: 1 + random.IntN(20), Priorities: set}})
		case 10:
			try(qos.AddPolicy{Policy: qos.Policy{Name: fmt.Sprint("policy ", random.IntN(3)), NetDirectPort: 445 + random.IntN(2), Priority: new(random.IntN(8)),
				Store: []qos.Store{qos.Persistent, qos.ActiveStore}[random.IntN(2)]}})
		case 11:
			try(edit.SetValue{Connection: name, Key: []string{"*QOS", "*NetworkDirect", "RxTrustedState", "*FlowControl"}[random.IntN(4)], Value: fmt.Sprint(random.IntN(3))})
			try(adapters.RestartAdapter{Connection: name})
			h.Advance(settle)
		case 12:
			try(qos.SetFeature{Installed: flip()})
		case 13:
			try(stack.SetNetworkDirect{Enabled: flip()})
		}
	}
	h.Advance(settle)
}

// TestRDMAIsLosslessAfterwards makes RDMA lossless from random configurations.
func TestRDMAIsLosslessAfterwards(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 15))
		h := newHost(t)
		disturb(t, h, random)
		s := Lossless{Connections: []string{roce[random.IntN(len(roce))]}, Priority: random.IntN(8), Only: random.IntN(4) == 0, Control: random.IntN(2) == 0}
		if random.IntN(2) == 0 {
			s.Share = 1 + random.IntN(30)
		}
		if random.IntN(3) == 0 {
			s.Connections = append(s.Connections, "Ethernet 9")
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) { reached(t, h, s) })
	}
}

func TestWhatIsAskedForIsSo(t *testing.T) {
	t.Parallel()
	three := qos.Priorities(1 << 3)
	for name, s := range map[string]Setup{
		"lossless":       Lossless{Connections: []string{"Ethernet 10"}, Priority: 4, Share: 40, Control: true},
		"lossless DSCP":  Lossless{Connections: []string{"Ethernet 9"}, Priority: 3, TrustDSCP: true},
		"trust":          Trust{Connection: "Ethernet 7", DSCP: true},
		"trust by table": Trust{Connection: "Ethernet 7", DSCP: true, Codes: map[int]int{3: 26, 5: 46}},
		"pause":          Pause{Connection: "Ethernet 7", On: true},
		"pause off":      Pause{Connection: "Ethernet 6"},
		"pause WinOF":    Pause{Connection: "Ethernet 3", On: true},
		"shares":         Shares{New: []qos.Class{{Name: "SMB class", Algorithm: qos.ETS, Bandwidth: 50, Priorities: three}}},
		"limit":          Limit{Connection: "Ethernet 3", Limits: []qos.Limit{{Class: 3, Mbps: 1250}}},
		"conservative":   Congestion{Connection: "Ethernet 7", Profile: "conservative"},
		"aggressive":     Congestion{Connection: "Ethernet 9", Profile: "Aggressive", Values: map[dcqcn.Parameter]uint32{dcqcn.AdditiveRate: 60}, Priorities: &three},
		"RoCE v1":        RoCE{Connection: "Ethernet 7", Mode: "v1"},
		"RoCE off":       RoCE{Connection: "Ethernet 7", Mode: "off"},
		"RoCE of WinOF":  RoCE{Connection: "Ethernet 3", Mode: "v1"},
		"driver's RoCE":  RoCE{Connection: "Ethernet 9", Mode: "v1", Driver: true},
		"dropless":       Dropless{Connection: "Ethernet 7", On: true, Timeout: 70},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t)
			apply(t, h, edit.SetValue{Connection: "Ethernet 7", Key: "DelayDropTimeout", Value: "0"}, adapters.RestartAdapter{Connection: "Ethernet 7"})
			if made := reached(t, h, s); len(made.Operations) == 0 {
				t.Error("it changes nothing")
			}
		})
	}
}

// TestSharesMove moves a share from one class to another: at no time the sum is over 100.
func TestSharesMove(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for i, name := range []string{"A", "B"} {
		apply(t, h, qos.AddClass{Class: qos.Class{Name: name, Algorithm: qos.ETS, Bandwidth: 45, Priorities: 1 << i}})
	}
	reached(t, h, Shares{Classes: []Share{{"[Default]", 0}, {"A", 85}, {"B", 15}}})
	reached(t, h, Shares{Classes: []Share{{"b", 5}}})
	if view := h.QoS(); view.Classes[0].Bandwidth != 10 {
		t.Errorf("the default class has %d%%", view.Classes[0].Bandwidth)
	}
}

// TestDroplessWithWinOFHasTwoParts enters the mode after the restart.
func TestDroplessWithWinOFHasTwoParts(t *testing.T) {
	t.Parallel()
	d := description.Default()
	for i := range d.Adapters {
		if d.Adapters[i].Family == description.WinOF {
			d.Adapters[i].Ports = d.Adapters[i].Ports[:1] // the other one is InfiniBand
		}
	}
	d.Flows = nil
	lab, err := device.New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	h := driver.NewHost(lab)
	s := Dropless{Connection: "Ethernet 3", On: true}
	first, err := s.Plan(h)
	if err != nil || len(first.Operations) != 2 || len(first.Notes) == 0 || !strings.Contains(first.Notes[0], "part 1 of 2") {
		t.Fatalf("%+v, %v", first, err)
	}
	apply(t, h, first.Operations...)
	reached(t, h, s)
}

func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	apply(t, h, edit.SetValue{Connection: "Ethernet 9", Key: "roce_mode", Value: "4"}, adapters.RestartAdapter{Connection: "Ethernet 9"})
	apply(t, h, qos.AddClass{Class: qos.Class{Name: "A", Algorithm: qos.ETS, Bandwidth: 50, Priorities: 1}})
	apply(t, h, qos.AddClass{Class: qos.Class{Name: "S", Algorithm: qos.Strict, Priorities: 2}})
	lossless := func(name string, priority int) Lossless {
		return Lossless{Connections: []string{name}, Priority: priority}
	}
	for want, list := range map[string][]Setup{
		"a priority must be 0 to 7, not 8":     {lossless("Ethernet 7", 8), Trust{"Ethernet 7", true, map[int]int{8: 1}}},
		"a priority must be 0 to 7, not -1":    {lossless("Ethernet 7", -1)},
		"a DSCP must be 0 to 63, not 64":       {Trust{"Ethernet 7", true, map[int]int{3: 64}}},
		"DSCP 26 maps to priority 3":           {Trust{"Ethernet 7", true, map[int]int{4: 26}}},
		"has no RoCE: set its RoCE mode first": {lossless("Ethernet 9", 3)},
		"is an InfiniBand port": {
			lossless("Ethernet 4", 3), Trust{"Ethernet 4", true, nil}, Pause{"Ethernet 4", true}, Limit{"Ethernet 4", nil},
			Congestion{Connection: "Ethernet 4"}, RoCE{"Ethernet 4", "v2", false}, Dropless{"Ethernet 4", true, 0},
		},
		`there is no adapter "Ethernet 99"`: {
			lossless("Ethernet 99", 3), Trust{"Ethernet 99", true, nil}, Pause{"Ethernet 99", true}, Limit{"Ethernet 99", nil},
			Congestion{Connection: "Ethernet 99"}, RoCE{"Ethernet 99", "v2", false}, Dropless{"Ethernet 99", true, 0},
		},
		"a port is required":                         {Lossless{}},
		"a NetDirect port must be 1 to 65535, not 0": {Lossless{Connections: []string{"Ethernet 7"}, Ports: []int{0}}},
		"the share must be 1 to 100, not 101":        {Lossless{Connections: []string{"Ethernet 7"}, Share: 101}},
		"must not exceed 100%":                       {Lossless{Connections: []string{"Ethernet 7"}, Priority: 3, Share: 60}},
		"add up to 110%":                             {Shares{Classes: []Share{{"A", 90}, {"[Default]", 20}}}},
		"add up to 101%":                             {Shares{Classes: []Share{{"A", 90}}, New: []qos.Class{{Name: "B", Algorithm: qos.ETS, Bandwidth: 11, Priorities: 8}}}},
		"give the default class 20% more":            {Shares{Classes: []Share{{"A", 60}, {"[Default]", 20}}}},
		"the share of A must be 1 to 100, not 0":     {Shares{Classes: []Share{{"A", 0}}}},
		"the share of A must be 1 to 100, not 101":   {Shares{Classes: []Share{{"A", 101}}}},
		"is strict":                                   {Shares{Classes: []Share{{"S", 10}}}},
		"has two shares":                              {Shares{Classes: []Share{{"A", 10}, {"a", 20}}}},
		`there is no traffic class "C"`:               {Shares{Classes: []Share{{"C", 10}}}},
		"a share is required":                         {Shares{}},
		"which has no trust in the DSCP":              {Trust{"Ethernet 3", true, nil}, Lossless{Connections: []string{"Ethernet 3"}, TrustDSCP: true}},
		"which has no congestion control":             {Congestion{Connection: "Ethernet 3"}},
		"only WinOF adapters limit":                   {Limit{"Ethernet 7", []qos.Limit{{Class: 3, Mbps: 100}}}},
		"a traffic class must be 0 to 7, not 8":       {Limit{"Ethernet 3", []qos.Limit{{Class: 8, Mbps: 100}}}},
		"traffic class 3 has two limits":              {Limit{"Ethernet 3", []qos.Limit{{Class: 3, Mbps: 100}, {Class: 3, Mbps: 200}}}},
		`there is no profile "wild"`:                  {Congestion{Connection: "Ethernet 7", Profile: "wild"}},
		"DcqcnRpgThreshold must be 1 to 31, not 32":   {Congestion{Connection: "Ethernet 7", Values: map[dcqcn.Parameter]uint32{dcqcn.Threshold: 32}}},
		"DcqcnRpgAiRate must be 1 to 100000":          {Congestion{Connection: "Ethernet 7", Values: map[dcqcn.Parameter]uint32{dcqcn.AdditiveRate: 100_001}}},
		`must be v2, v1, off, not "v1.25"`:            {RoCE{"Ethernet 7", "v1.25", false}},
		"Ethernet 3 would use RoCE v1: ":              {RoCE{"Ethernet 3", "off", false}}, // FAM-6: the card has an InfiniBand port
		"dropless mode needs two Ethernet ports":      {Dropless{"Ethernet 3", true, 3000}},
		"must be 1 to 100, not 101":                   {Dropless{"Ethernet 7", true, 101}},
		"uses PFC on priority 3, and no global pause": {Pause{"Ethernet 7", false}},
	} {
		for _, s := range list {
			made, err := s.Plan(h)
			if err == nil || !strings.Contains(err.Error(), want) || len(made.Operations) > 0 {
				t.Errorf("%+v: %v, want %s", s, err, want)
			}
		}
	}
}

// TestOtherPortsAreNoted: a policy moves RDMA of all ports, and the switch ports of the others have no PFC on the priority.
func TestOtherPortsAreNoted(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	made, err := Lossless{Connections: []string{"Ethernet 3"}, Priority: 2}.Plan(h)
	if err != nil || !slices.ContainsFunc(made.Notes, func(note string) bool {
		return strings.Contains(note, "Ethernet 7") && strings.Contains(note, "choose them as well")
	}) {
		t.Errorf("%v, %v", made.Notes, err)
	}
	made, err = Lossless{Connections: []string{"Ethernet 7"}, Priority: 3}.Plan(h)
	if err != nil || len(made.Notes) > 0 {
		t.Errorf("%v, %v", made.Notes, err)
	}
}

// TestProfilesGiveWayInTheirOrder compares the previews of the profiles.
func TestProfilesGiveWayInTheirOrder(t *testing.T) {
	t.Parallel()
	for _, line := range []uint32{10_000, 25_000, 100_000} {
		before := int64(longestTime)
		var lowest []float64
		for _, profile := range Profiles() {
			p, err := Congestion{Profile: profile.Name}.With(dcqcn.Defaults(), line)
			if err != nil {
				t.Fatal(err)
			}
			us, ok := Recovery(&p, line)
			if !ok || us >= before {
				t.Errorf("%s takes %d us at %d Mbit/s, the one before %d", profile.Name, us, line, before)
			}
			before = us
			curve := Curve(&p, line, us, 50)
			for i := range curve {
				if i > 0 && curve[i] < curve[i-1] {
					t.Errorf("%s: the rate falls at %d", profile.Name, i)
				}
			}
			if curve[49] < 0.999*float64(line) {
				t.Errorf("%s ends at %g Mbit/s", profile.Name, curve[49])
			}
			lowest = append(lowest, curve[0])
		}
		if lowest[0] >= lowest[1] || lowest[1] >= lowest[2] {
			t.Errorf("the first rates at %d Mbit/s are %v", line, lowest)
		}
	}
}

// TestTheCurveIsTheLabs compares a preview with the steps of the flow itself.
func TestTheCurveIsTheLabs(t *testing.T) {
	t.Parallel()
	p := dcqcn.Defaults()
	curve := Curve(&p, 25_000, 400, 4)
	c := dcqcn.NewControl(&p, 25_000)
	var f dcqcn.Flow
	f.Notify(&c, 0)
	for i := range curve {
		for us := int64(100*i + 10); us <= int64(100*i+100); us += 10 {
			f.Sent(&c, us, int64(f.Rate(&c)*10/8))
		}
		if rate := f.Rate(&c); rate != curve[i] {
			t.Errorf("at %d us the preview has %g Mbit/s, the flow %g", 100*(i+1), curve[i], rate)
		}
	}
}
