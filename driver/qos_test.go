package driver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry/edit"
)

// bytesByPriority returns the bytes that a port has sent and received by priority, without control frames, and of all of its frames.
func bytesByPriority(h *Host, port int) (by [counter.Priorities]uint64, all uint64) {
	cells := h.lab.Counters()
	for priority := range by {
		for _, c := range []counter.Priority{counter.PrioritySentBytes, counter.PriorityReceivedBytes} {
			by[priority] += cells[counter.PriorityCell(port, priority, c)]
		}
	}
	const controlFrame = 64
	at := func(c counter.Port) uint64 { return cells[counter.Cell(port, c)] }
	return by, at(counter.SentBytes) + at(counter.ReceivedBytes) - controlFrame*(at(counter.SentControl)+at(counter.ReceivedControl))
}

// moved returns by how much the bytes of a port by priority rise in a time.
func moved(h *Host, port int, d time.Duration) (by [counter.Priorities]uint64) {
	before, _ := bytesByPriority(h, port)
	h.Advance(d)
	by, _ = bytesByPriority(h, port)
	for priority := range by {
		by[priority] -= before[priority]
	}
	return by
}

// TestTheInitialQoSIsAsDescribed holds for the labs of the program that the policies, PFC and the classes of a new host are an
// expression of the description: no flow has another priority, and no port another setup.
func TestTheInitialQoSIsAsDescribed(t *testing.T) {
	t.Parallel()
	for _, named := range append(description.NamedLabs(), description.NamedLab{Name: "default", Text: description.DefaultText}) {
		name := named.Name
		d, err := description.ParseText(named.Text())
		if err != nil {
			t.Fatal(err)
		}
		lab, err := device.New(d, 1)
		if err != nil {
			t.Fatal(err)
		}
		h := NewHost(lab)
		if marks := h.qosSet().Marks(); marks != nil {
			t.Errorf("%s: the policies change flows: %v", name, marks)
		}
		v := h.QoS()
		for i, f := range v.Flows {
			if want := d.Flows[i].Priority; f.Host && (want != nil && *want != f.Priority || want == nil && f.Priority >= 0) {
				t.Errorf("%s: %s has priority %d", name, f.Name, f.Priority)
			}
			if f.Host && f.Priority > 0 && f.Policy == "" {
				t.Errorf("%s: %s has priority %d from no policy", name, f.Name, f.Priority)
			}
		}
		for _, p := range v.Ports {
			described, _, _ := lab.Port(p.Port)
			if pfc := described.FlowControl == description.PriorityPause; pfc != p.Enabled || pfc != (p.Operational != 0) {
				t.Errorf("%s: %s is described with %v, and has %+v", name, p.Connection, described.FlowControl, p)
			}
		}
	}
}

// TestTrafficFollowsItsPolicy moves SMB Direct from priority 3 to 4 and back: its counters move with it (QOS-16).
func TestTrafficFollowsItsPolicy(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	port, _ := h.port("Ethernet 7")
	if by := moved(h, port, 2*time.Second); by[3] == 0 || by[4] != 0 {
		t.Fatalf("at first the bytes are %v", by)
	}
	mustApply(t, h, qos.SetPolicy{Policy: qos.Policy{Name: "smbdirect", NetDirectPort: 445, Priority: new(4)}})
	h.Advance(200 * time.Millisecond)
	if by := moved(h, port, 2*time.Second); by[3] != 0 || by[4] == 0 {
		t.Errorf("moved to priority 4 the bytes are %v", by)
	}
	if v := h.QoS(); v.Flows[0].Priority != 4 || v.Flows[0].Policy != "smbdirect" {
		t.Errorf("the view has %+v", v.Flows[0])
	}
	if _, err := h.Undo(); err != nil {
		t.Fatal(err)
	}
	if h.Advance(200 * time.Millisecond); moved(h, port, time.Second)[3] == 0 {
		t.Error("undone, nothing is on priority 3")
	}
	mustApply(t, h, qos.RemovePolicy{Name: "SMBDirect"})
	h.Advance(200 * time.Millisecond)
	if by := moved(h, port, time.Second); by[3] != 0 || by[0] == 0 {
		t.Errorf("without a policy the bytes are %v: the tag of the VLAN has priority 0", by)
	}
}

// TestPFCIsWhereAdaptersActOnIt follows PFC to the ports: global and per adapter, never with global pause (QOS-1).
func TestPFCIsWhereAdaptersActOnIt(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	lossless := func(connection string) string {
		port, _ := h.port(connection)
		s := h.lab.Settings(port)
		return fmt.Sprint(qos.Priorities(s.Lossless), " ", s.AsksPause, s.ObeysPause)
	}
	check := func(what string, want ...string) {
		t.Helper()
		for i := 0; i < len(want); i += 2 {
			if got := lossless(want[i]); got != want[i+1] {
				t.Errorf("%s: %s has %q, want %q", what, want[i], got, want[i+1])
			}
		}
	}
	check("at first", "Ethernet 7", "3 false false", "Ethernet 6", " true true")
	mustApply(t, h, qos.SetFlowControl{Priorities: []int{5, 3}, Enabled: true})
	check("with priority 5", "Ethernet 7", "3,5 false false", "Ethernet 6", " true true")
	mustApply(t, h, qos.SetAdapter{Connection: "Ethernet 6", Enabled: true})
	check("with QoS on a port of global pause", "Ethernet 6", "3,5 false false")
	mustApply(t, h, qos.SetFlowControl{Connection: "Ethernet 7", Priorities: []int{4}, Enabled: true})
	check("with settings of its own", "Ethernet 7", "4 false false", "Ethernet 8", "3,5 false false")
	mustApply(t, h, qos.SetFeature{Installed: false})
	check("without DCB", "Ethernet 7", " false false", "Ethernet 6", " true true")
	for range 4 {
		if _, err := h.Undo(); err != nil {
			t.Fatal(err)
		}
	}
	check("undone", "Ethernet 7", "3 false false", "Ethernet 8", "3 false false", "Ethernet 6", " true true")
	mustApply(t, h, edit.SetValue{Connection: "Ethernet 7", Key: "*FlowControl", Value: "3"}, adapters.RestartAdapter{Connection: "Ethernet 7"})
	h.Advance(5 * time.Second)
	check("with both", "Ethernet 7", "3 false false")
	mustApply(t, h, qos.SetFlowControl{Priorities: []int{0, 1, 2, 3, 4, 5, 6, 7}}, qos.SetAdapter{Connection: "Ethernet 7"})
	check("as the manual has it for global pause", "Ethernet 7", " true true")
}

// TestARebootKeepsWhatIsStored holds that policies of the active store are gone after a reboot, with a warning before, and that
// all else stays (QOS-16).
func TestARebootKeepsWhatIsStored(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	mustApply(t, h,
		qos.AddPolicy{Policy: qos.Policy{Name: "TCP", Store: qos.ActiveStore, Protocol: qos.TCP, Priority: new(1)}},
		qos.AddPolicy{Policy: qos.Policy{Name: "UDP", Protocol: qos.UDP, Priority: new(1)}},
		qos.AddClass{Class: qos.Class{Name: "SMB class", Algorithm: qos.ETS, Bandwidth: 50, Priorities: 8}},
		qos.SetFlowControl{Priorities: []int{5}, Enabled: true}, qos.SetDCBX{Willing: true},
	)
	web := func() int { return priorityOf(h, "Web front end") }
	if web() != 1 {
		t.Errorf("the web front end is on %d", web())
	}
	review := h.Review(Plan{Title: "reboot", Operations: []Operation{adapters.Reboot{Host: "LAB-N4"}}})
	if !strings.Contains(fmt.Sprint(review.Warnings), "active store") {
		t.Errorf("the review of a reboot warns of %v", review.Warnings)
	}
	before := h.qos
	mustApply(t, h, adapters.Reboot{Host: "LAB-N4"})
	h.Advance(2 * time.Minute)
	if web() != -1 || priorityOf(h, "Name and time service") != 1 {
		t.Errorf("after the reboot TCP is on %d and UDP on %d", web(), priorityOf(h, "Name and time service"))
	}
	if len(h.qos.Policies) != len(before.Policies)-1 || len(h.qos.Classes) != 1 || h.qos.FlowControl != before.FlowControl || !h.qos.Willing {
		t.Errorf("%+v became %+v", before, h.qos)
	}
}

func priorityOf(h *Host, flow string) int {
	for _, f := range h.QoS().Flows {
		if f.Name == flow {
			return f.Priority
		}
	}
	return -2
}

// TestAHostFromBeforeQoSLoads takes the QoS out of a saved host, as an earlier version wrote it.
func TestAHostFromBeforeQoSLoads(t *testing.T) {
	t.Parallel()
	h := newHost(t, 3)
	h.Advance(3 * time.Second)
	var saved map[string]json.RawMessage
	if err := json.Unmarshal(mustSave(t, h), &saved); err != nil {
		t.Fatal(err)
	}
	delete(saved, "qos")
	data, err := json.Marshal(saved)
	if err != nil {
		t.Fatal(err)
	}
	back, err := RestoreHost(description.Default(), data)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(mustSave(t, back), mustSave(t, h)) {
		t.Error("it is another host")
	}
	saved["qos"] = json.RawMessage(`{"ports":[{}]}`)
	if data, err = json.Marshal(saved); err != nil {
		t.Fatal(err)
	}
	if _, err := RestoreHost(description.Default(), data); err == nil {
		t.Error("a QoS of one port is taken for that of a lab of eight")
	}
}

func randomQoS(r *rand.Rand) Operation {
	names := []string{"SMBDirect", "TCP", "UDP", "DEFAULT", "Message queue"}
	name, number := names[r.IntN(len(names))], r.IntN(9)
	connection := []string{"Ethernet 7", "Ethernet 6", "Ethernet 10", "Ethernet 4"}[r.IntN(4)]
	policy := qos.Policy{Name: name, Priority: &number, Store: []qos.Store{qos.Persistent, qos.ActiveStore}[r.IntN(2)]}
	switch r.IntN(6) {
	case 0:
		policy.NetDirectPort = []int{445, 10000, 10001}[r.IntN(3)]
	case 1:
		policy.Protocol = []qos.Protocol{qos.TCP, qos.UDP}[r.IntN(2)]
	case 2:
		policy.Template = qos.Templates()[r.IntN(len(qos.Templates()))]
	case 3:
		policy.Program, policy.DSCP = "message-queue.exe", new(r.IntN(70))
	case 4:
		policy.SourcePorts = qos.Range{First: 1 + r.IntN(500), Last: r.IntN(1000)}
	}
	class := qos.Class{Name: []string{"A", "B", "C"}[r.IntN(3)], Algorithm: qos.ETS, Bandwidth: 1 + r.IntN(70), Priorities: qos.Priorities(r.IntN(256))}
	if r.IntN(3) == 0 {
		class.Algorithm, class.Bandwidth = qos.Strict, 0
	}
	if r.IntN(2) == 0 {
		class.Priorities = 1 << r.IntN(8)
	}
	control := qos.SetFlowControl{Priorities: []int{number}, Enabled: r.IntN(3) > 0}
	if r.IntN(2) == 0 {
		control.Connection = connection
	}
	return []Operation{
		qos.AddPolicy{Policy: policy, Place: r.IntN(4)}, qos.SetPolicy{Policy: policy}, qos.RemovePolicy{Name: name, Store: policy.Store},
		qos.AddClass{Class: class}, qos.AddClass{Class: class}, qos.SetClass{Class: class}, qos.RemoveClass{Name: class.Name}, control, control,
		qos.SetFlowControl{Connection: connection, Inherit: true}, qos.SetDCBX{Willing: r.IntN(2) == 0},
		qos.SetAdapter{Connection: connection, Enabled: r.IntN(3) > 0}, qos.SetFeature{Installed: r.IntN(4) > 0},
		qos.SetLimits{Connection: "Ethernet 3", Limits: []qos.Limit{{Class: number, Mbps: r.IntN(50_000)}}},
	}[r.IntN(14)]
}

// TestRandomQoSIsUndone applies random plans of QoS: shares never exceed the line, bytes by priority sum to the port's, a
// saved host continues as it was, a plan that fails changes nothing, and with all of them undone the host is as before.
func TestRandomQoSIsUndone(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		r, h := rand.New(rand.NewPCG(seed, 15)), newHost(t, seed)
		before, ports := h.qos, setUp(h)
		applied := 0
		for range 60 {
			plan := Plan{Title: "random"}
			for range 1 + r.IntN(3) {
				plan.Operations = append(plan.Operations, randomQoS(r))
			}
			was, state := h.qos, setUp(h)
			if _, err := h.Apply(plan); err != nil {
				if !reflect.DeepEqual(was, h.qos) || !reflect.DeepEqual(state, setUp(h)) {
					t.Fatalf("seed %d: a plan that failed with %v changed the host", seed, err)
				}
				continue
			}
			applied++
			checkQoS(t, h)
			if r.IntN(8) == 0 {
				h.Advance(300 * time.Millisecond)
			}
		}
		for port := range h.miniports {
			by, all := bytesByPriority(h, port)
			sum := uint64(0)
			for _, n := range by {
				sum += n
			}
			if d, _, _ := h.lab.Port(port); sum != all && d.Link == description.Ethernet {
				t.Errorf("seed %d: %s has %d bytes in priorities and %d in all", seed, d.Connection, sum, all)
			}
		}
		data := mustSave(t, h)
		back, err := RestoreHost(h.lab.Description(), data)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(mustSave(t, back), data) || !reflect.DeepEqual(back.QoS(), h.QoS()) {
			t.Errorf("seed %d: a restored host is another one", seed)
		}
		for {
			if _, err := h.Undo(); err != nil {
				break
			}
		}
		if !reflect.DeepEqual(before, h.qos) || !reflect.DeepEqual(ports, setUp(h)) || h.qosSet().Marks() != nil {
			t.Errorf("seed %d: undone, %+v became %+v", seed, before, h.qos)
		}
		if applied < 5 {
			t.Errorf("seed %d: %d plans were applied", seed, applied)
		}
	}
}

func checkQoS(t *testing.T, h *Host) {
	t.Helper()
	for port := range h.miniports {
		s := h.lab.Settings(port)
		sum := 0.0
		for _, share := range s.Shares {
			sum += share
		}
		if sum > 100 || s.Lossless != 0 && (s.AsksPause || s.ObeysPause) {
			t.Fatalf("%s has shares of %v and flow control %d %v %v", h.connection(port), s.Shares, s.Lossless, s.AsksPause, s.ObeysPause)
		}
	}
	total, seen := 0, qos.Priorities(0)
	for _, c := range h.QoS().Classes {
		if total += c.Bandwidth; seen&c.Priorities != 0 {
			t.Fatalf("a priority is in two classes: %+v", h.QoS().Classes)
		}
		seen |= c.Priorities
	}
	if total != 100 || seen != qos.AllPriorities {
		t.Fatalf("the classes have %d%% and the priorities %s", total, seen)
	}
}

// TestClassesShareTheLine asks more of a line than it has: the traffic class gets its share, the default class the rest, a strict
// class all that it wants, and a limit holds (QOS-5 to QOS-8). A review warns when a class goes whose priorities have traffic.
func TestClassesShareTheLine(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	port, _ := h.port("Ethernet 3")
	mustApply(t, h, fabric.ScaleFlow{Flow: "Archive over SMB Direct", Scale: 100}, fabric.ScaleFlow{Flow: "File shares over IPv6", Scale: 100})
	class := qos.Class{Name: "SMB class", Algorithm: qos.ETS, Bandwidth: 70, Priorities: 8}
	for _, c := range []struct {
		name  string
		plan  []Operation
		share float64
	}{
		{"ETS", []Operation{qos.AddClass{Class: class}}, 0.7},
		{"with its neighbour", []Operation{qos.SetClass{Class: qos.Class{Name: "SMB class", Algorithm: qos.ETS, Bandwidth: 30, Priorities: 0x18}}}, 0.3},
		{"strict", []Operation{qos.SetClass{Class: qos.Class{Name: "SMB class", Algorithm: qos.Strict, Priorities: 8}}}, 1},
		{"limited", []Operation{qos.SetLimits{Connection: "Ethernet 3", Limits: []qos.Limit{{Class: 1, Mbps: 4099}}}}, 0.1},
	} {
		mustApply(t, h, c.plan...)
		h.Advance(200 * time.Millisecond)
		before := h.lab.Counters()[counter.PriorityCell(port, 3, counter.PrioritySentBytes)]
		all := h.lab.Counters()[counter.Cell(port, counter.SentBytes)]
		h.Advance(time.Second)
		three := float64(h.lab.Counters()[counter.PriorityCell(port, 3, counter.PrioritySentBytes)] - before)
		if got := three / float64(h.lab.Counters()[counter.Cell(port, counter.SentBytes)]-all); got < c.share-0.02 || got > c.share+0.02 {
			t.Errorf("%s: priority 3 has %.3f of the line", c.name, got)
		}
	}
	review := h.Review(Plan{Title: "remove", Operations: []Operation{qos.RemoveClass{Name: "SMB class"}}})
	if got := fmt.Sprint(review.Warnings, review.Impact.Removes); !strings.Contains(got, "priority 3 of the traffic class SMB class has traffic") ||
		!strings.Contains(got, "the traffic class SMB class") {
		t.Errorf("the review says %s", got)
	}
}
