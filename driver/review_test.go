package driver

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/driver/adapters"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/registry"
)

func TestAReviewOfValuesThatNeedARestart(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	h.Advance(10 * time.Second)
	before := mustSave(t, h)
	r := h.Review(Plan{Title: "x", Operations: []Operation{
		set("Ethernet 6", "*NumRSSQueues", "4"), set("Ethernet 5", "*JumboPacket", "9600"),
		set("Ethernet 5", "*ReceiveBuffers", "100000"), set("Ethernet 5", "*RSS", "1"),
	}})
	if !bytes.Equal(before, mustSave(t, h)) {
		t.Error("the review changed the host")
	}
	if r.Refusal != nil || len(r.Changes) != 3 || len(r.Plan.Operations) != 6 {
		t.Fatalf("%+v", r)
	}
	jumbo, buffers, queues := r.Changes[0], r.Changes[1], r.Changes[2]
	if jumbo.Target != "Ethernet 5" || jumbo.Row.Name != "*JumboPacket" || jumbo.From.String() != "1514" || jumbo.To.String() != "9600" ||
		jumbo.Next.String() != "9600" || jumbo.Effective.String() != "1514" || !jumbo.InEffect || jumbo.Applies != registry.AtRestart {
		t.Errorf("%+v", jumbo)
	}
	if buffers.Verdict.Grade != registry.Invalid || buffers.Next == buffers.To || queues.Target != "Ethernet 6" {
		t.Errorf("%+v\n%+v", buffers, queues)
	}
	if len(r.Restarts) != 2 || !r.Restarts[0].Needed || r.Restarts[0].Operation != Operation(adapters.RestartAdapter{Connection: "Ethernet 5"}) {
		t.Fatalf("%+v", r.Restarts)
	}
	restart := r.Restarts[0]
	if restart.Down < 2*time.Second || restart.Down > 5*time.Second || !restart.Back || !restart.Management ||
		len(restart.Flows) < 3 || restart.Flows[0].Name != "Web front end" || restart.Rate < 1e9 {
		t.Errorf("%+v", restart)
	}
	if m := r.Management; m.Connection != "Ethernet 5" || !m.Touched || m.Lost || m.Down != restart.Down {
		t.Errorf("%+v", m)
	}
	for _, want := range []string{"carries your session", "above the limit", "the switch accepts frames of at most 9216", "already"} {
		if !slices.ContainsFunc(r.Warnings, func(c Caution) bool { return strings.Contains(c.Text, want) }) {
			t.Errorf("no warning of %q in %+v", want, r.Warnings)
		}
	}
	// What the review said is what happens.
	mustApply(t, h, r.Plan.Operations...)
	h.Advance(10 * time.Second)
	for _, c := range r.Changes {
		if k := mustKey(t, h, c.Connection, c.Row.Name); k.Stored != c.To || k.Effective != c.Next || k.Pending {
			t.Errorf("%s became %+v", c.Row.Name, k)
		}
	}
}

func TestReviewReportsManagementRisk(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what          string
		plan          []Operation
		touched, lost bool
	}{
		{"another port", []Operation{set("Ethernet 7", "*JumboPacket", "4000"), adapters.RestartAdapter{Connection: "Ethernet 7"}}, false, false},
		{"a value that counts later", []Operation{set("Ethernet 5", "*JumboPacket", "4000")}, true, false},
		{"a value that counts at once", []Operation{set("Ethernet 5", "DcqcnRpgThreshold", "6")}, true, false},
		{"a driver that won't start", []Operation{set("Ethernet 5", "NetworkAddress", "010000000000")}, true, true},
		{"a disabled adapter", []Operation{adapters.DisableAdapter{Connection: "Ethernet 5"}}, true, true},
		{"a pulled cable", []Operation{hardware.PullCable{Connection: "Ethernet 5"}}, true, true},
		{"its driver", []Operation{adapters.ReloadDriver{Driver: "mlx5"}}, true, false},
		{"the other driver", []Operation{adapters.ReloadDriver{Driver: "mlx4"}}, false, false},
		{"the host", []Operation{adapters.Reboot{Host: "LAB-N4"}}, true, false},
		{"its switch port", []Operation{fabric.SetSwitchPort{Connection: "Ethernet 5", PauseShare: new(0.9)}}, true, false},
		{"the mark", []Operation{adapters.MarkManagement{Connection: "Ethernet 5", Carries: false}}, false, false},
	} {
		h := newHost(t, 1)
		h.Advance(2 * time.Second)
		r := h.Review(Plan{Title: "x", Operations: c.plan})
		if m := r.Management; r.Refusal != nil || m.Touched != c.touched || m.Lost != c.lost || m.Touched == (m.Why == "") {
			t.Errorf("%s: %v, %+v", c.what, r.Refusal, m)
		}
		e, err := h.Clone().Apply(r.Plan)
		if leaves := len(e.Inverse.Operations) > 0; err != nil || r.Reversible != leaves {
			t.Errorf("%s: it is reversible: %t, and leaves %v, %v", c.what, r.Reversible, e.Inverse.Operations, err)
		}
		if len(r.Warnings) > 0 && c.lost && r.Warnings[0].Severity != eventlog.Error {
			t.Errorf("%s: the worst warning is %+v", c.what, r.Warnings[0])
		}
	}
}

func TestMinimumRestartsForAPlan(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what string
		plan []Operation
		want []Operation
	}{
		{"nothing", []Operation{set("Ethernet 7", "DcqcnRpgThreshold", "6"), hardware.PullCable{Connection: "Ethernet 8"}}, nil},
		{"what it has", []Operation{set("Ethernet 7", "*JumboPacket", "4000"), adapters.RestartAdapter{Connection: "Ethernet 7"}}, nil},
		{"a restart that comes too early", []Operation{adapters.RestartAdapter{Connection: "Ethernet 8"}, set("Ethernet 7", "*RSS", "0")},
			[]Operation{adapters.RestartAdapter{Connection: "Ethernet 7"}}},
		{"a restart for each", []Operation{set("Ethernet 7", "*RSS", "0"), set("Ethernet 8", "*RSS", "0"), set("Ethernet 7", "*ReceiveBuffers", "1024")},
			[]Operation{adapters.RestartAdapter{Connection: "Ethernet 7"}, adapters.RestartAdapter{Connection: "Ethernet 8"}}},
		{"a reload", []Operation{set("Ethernet 4", "*JumboPacket", "2044"), set("Ethernet 3", "LogNumQP", "20")},
			[]Operation{adapters.ReloadDriver{Driver: "mlx4"}}},
		{"a reboot", []Operation{set("Ethernet 7", "*RSS", "0"), set("Ethernet 3", "RequireSecuritySignature", "1")},
			[]Operation{adapters.Reboot{Host: "LAB-N4"}}},
	} {
		h := newHost(t, 1)
		plan := Plan{Title: "x", Operations: c.plan}
		if err := h.Check(plan); err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		got := h.Complete(plan).Operations[len(c.plan):]
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: it needs %v, want %v", c.what, got, c.want)
		}
	}
	h := newHost(t, 1)
	mustApply(t, h, adapters.DisableAdapter{Connection: "Ethernet 7"})
	plan := Plan{Title: "x", Operations: []Operation{set("Ethernet 7", "*RSS", "0")}}
	if got := h.Complete(plan); len(got.Operations) != 1 {
		t.Errorf("an adapter that is off needs %v", got.Operations[1:])
	}
	if r := h.Review(Plan{Title: "x", Operations: []Operation{hardware.PlugCable{Connection: "Ethernet 7"}}}); r.Refusal == nil {
		t.Error("a plan that can't be applied is not refused")
	}
}
