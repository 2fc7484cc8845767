package driver

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/impact"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/virtualization"
)

// stopped are the things that stop on a host within some time, beside one without the plan: links, workloads, machines.
func stopped(control, h *Host) (list []string) {
	add := func(what string) {
		if !slices.Contains(list, what) {
			list = append(list, what)
		}
	}
	still := make([]int, len(h.lab.Flows()))
	const look, long = 100 * time.Millisecond, 5
	for range 30 {
		control.Advance(look)
		h.Advance(look)
		for port := range h.miniports {
			if d, _, _ := h.lab.Port(port); control.lab.State(port).Up && !h.lab.State(port).Up {
				add("link " + d.Connection)
			}
		}
		with := h.lab.Flows()
		for n, f := range control.lab.Flows() {
			if f.ReceiveRate+f.SendRate == 0 || with[n].ReceiveRate+with[n].SendRate > 0 {
				still[n] = 0
			} else if still[n]++; still[n] >= long {
				add("workload " + f.Name)
			}
		}
	}
	after := h.View().VMs
	for _, vm := range control.View().VMs {
		if vm.State == virtualization.VMRunning && !slices.ContainsFunc(after, func(w virtualization.VMView) bool { return w.Name == vm.Name && w.State == virtualization.VMRunning }) {
			add("machine " + vm.Name)
		}
	}
	return list
}

// Whatever a plan stops or removes, its review says so; also the review of taking it back.
func TestAnImpactNamesWhateverStopsOrGoes(t *testing.T) {
	t.Parallel()
	interrupting, harmless, removing := 0, 0, 0
	check := func(what string, h *Host, i impact.Impact, act func(*Host) error) {
		t.Helper()
		control, with := h.Clone(), h.Clone()
		if err := act(with); err != nil {
			return
		}
		gone := impact.Removed(h.namedObjects(), with.namedObjects())
		for _, name := range gone {
			if removing++; !slices.Contains(i.Removes, name) {
				t.Errorf("%s removes %s, and the review names %q", what, name, i.Removes)
			}
		}
		stops := stopped(control, with)
		if len(stops) > 0 {
			interrupting++
		} else {
			harmless++
		}
		for _, stop := range stops {
			link, isLink := strings.CutPrefix(stop, "link ")
			if !i.Interrupts() || isLink && !slices.Contains(i.Connections, link) {
				t.Errorf("%s stops %s, and the review says %+v", what, stop, i)
			}
		}
	}
	for seed := range uint64(8) {
		random := rand.New(rand.NewPCG(seed, 29))
		h := newHost(t, seed)
		h.Advance(3 * time.Second)
		for range 14 {
			plan := randomPlan(h, random)
			if random.IntN(3) == 0 {
				plan = Plan{Title: "virtual", Operations: []Operation{randomVirtual(random, h)}}
			}
			review := h.Review(plan)
			if review.Refusal != nil {
				continue
			}
			check(describePlan(plan), h, review.Impact, func(h *Host) error { _, err := h.Apply(review.Plan); return err })
			entry, err := h.Apply(review.Plan)
			if err != nil {
				t.Fatalf("%s was reviewed, and failed: %v", describePlan(plan), err)
			}
			h.Advance(time.Duration(random.IntN(4000)) * time.Millisecond)
			if _, back := h.ReviewUndo(entry.Sequence); back.Refusal == nil {
				check("undoing: "+describePlan(plan), h, back.Impact, func(h *Host) error { _, err := h.UndoEntry(entry.Sequence); return err })
			}
		}
	}
	if interrupting < 10 || harmless < 10 || removing < 2 {
		t.Errorf("%d interrupted something, %d nothing, %d things went", interrupting, harmless, removing)
	}
}

func describePlan(plan Plan) string {
	var steps []string
	for _, o := range plan.Operations {
		steps = append(steps, o.Describe())
	}
	return strings.Join(steps, ", ")
}

// Each cause of an impact, also the ones that are not restarts of the review.
func TestAnImpactOfOneOperation(t *testing.T) {
	t.Parallel()
	running := newHost(t, 1)
	running.Advance(3 * time.Second)
	starting := running.Clone()
	mustApply(t, starting, adapters.RestartAdapter{Connection: "Ethernet 7"})
	starting.Advance(time.Second)
	carrying := running.Clone()
	mustApply(t, carrying, adapters.MarkManagement{Connection: "Ethernet 7", Carries: true})
	attached := attachedFunction(t, running)
	for _, c := range []struct {
		name string
		h    *Host
		o    Operation
		want func(*impact.Impact) bool
	}{
		{"a restart", running, adapters.RestartAdapter{Connection: "Ethernet 7"}, func(i *impact.Impact) bool {
			return slices.Equal(i.Connections, []string{"Ethernet 7"}) && i.Lost == nil && i.Down > time.Second && i.Rate > 1e9 && i.Flows > 0
		}},
		{"a cable", running, hardware.PullCable{Connection: "Ethernet 7"}, func(i *impact.Impact) bool { return slices.Equal(i.Lost, []string{"Ethernet 7"}) }},
		{"the cable of a port that starts", starting, hardware.PullCable{Connection: "Ethernet 7"}, func(i *impact.Impact) bool { return slices.Equal(i.Lost, []string{"Ethernet 7"}) }},
		{"a reset of a card", running, adapters.ResetCard{Adapter: "ConnectX-5 Ex"}, func(i *impact.Impact) bool { return len(i.Connections) == 2 && i.Rate > 1e9 }},
		{"a workload", running, fabric.ScaleFlow{Flow: "SMB control", Scale: 0}, func(i *impact.Impact) bool {
			return slices.Equal(i.Workloads, []string{"SMB control"}) && i.Connections == nil && i.Rate > 0
		}},
		{"the way of the session", carrying, adapters.RestartAdapter{Connection: "Ethernet 7"}, func(i *impact.Impact) bool { return strings.Contains(i.Session, "your session") }},
		{"a value", running, edit.SetValue{Connection: "Ethernet 7", Key: "*JumboPacket", Value: "1514"}, func(i *impact.Impact) bool { return len(i.Connections) == 1 }},
		{"a reset of a function in use", running, virtualization.ResetVF{Connection: attached.Port, Function: attached.Function}, func(i *impact.Impact) bool { return slices.Equal(i.VMs, []string{attached.VM}) }},
		{"nothing", running, adapters.MarkManagement{Connection: "Ethernet 7", Carries: true}, func(i *impact.Impact) bool { return !i.Any() }},
	} {
		if r := c.h.Review(Plan{Title: c.name, Operations: []Operation{c.o}}); r.Refusal != nil || !c.want(&r.Impact) {
			t.Errorf("%s: %+v, %v", c.name, r.Impact, r.Refusal)
		}
	}
}

// inUse is a virtual function with the running machine that has it.
type inUse struct {
	Port, VM string
	Function int
}

func attachedFunction(t *testing.T, h *Host) inUse {
	t.Helper()
	for _, vm := range h.View().VMs {
		for i := range vm.Adapters {
			if a := &vm.Adapters[i]; vm.State == virtualization.VMRunning && a.Function >= 0 {
				d, _, _ := h.lab.Port(a.Port)
				return inUse{d.Connection, vm.Name, a.Function}
			}
		}
	}
	t.Fatal("no running machine has a virtual function")
	return inUse{}
}

func TestAnImpactInSentences(t *testing.T) {
	t.Parallel()
	i := impact.Impact{
		Connections: []string{"Ethernet 3", "Ethernet 4"}, Down: 64400 * time.Millisecond, Flows: 1204, Rate: 158e9,
		Teams: []string{"A"}, VMs: []string{"a", "b", "c", "d", "e", "f"}, Stops: []string{"g"},
		Session: "the link of Ethernet 3, which carries your session, goes down for a moment",
		Removes: []string{"the machine x", "the virtual switch y"},
	}
	want := `The link of Ethernet 3, which carries your session, goes down for a moment.
It interrupts 158 Gb/s in 1204 flows; Ethernet 3 and Ethernet 4 are down for about 64 s.
Team A loses a member: other members take over where there are any.
The network of 6 virtual machines stops: a, b, c, d and 2 others.
1 running virtual machine stops: g.
It removes the machine x and the virtual switch y.`
	got := i.Sentences(func(bits float64) string { return fmt.Sprintf("%g Gb/s", bits/1e9) })
	if strings.Join(got, "\n") != want {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
	if got := (&impact.Impact{}).Sentences(nil); got != nil {
		t.Errorf("of nothing: %q", got)
	}
	i = impact.Impact{Connections: []string{"Ethernet 3", "Ethernet 4"}, Lost: []string{"Ethernet 4"}}
	if got := i.Sentences(nil); !slices.Equal(got, []string{"No traffic passes now; Ethernet 4 stays down."}) {
		t.Errorf("%q", got)
	}
}
