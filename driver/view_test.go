package driver

import (
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
)

func TestTheView(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	v := h.View()
	if v.Name != "LAB-N4" || len(v.Adapters) != 4 {
		t.Fatalf("%s has %d adapters", v.Name, len(v.Adapters))
	}
	for _, a := range v.Adapters {
		functions, driver := 2, "mlx5"
		if a.Description.Family == description.WinOF {
			functions, driver = 1, "mlx4"
		}
		if len(a.Functions) != functions || a.Driver != driver || len(a.Ports) != 2 || a.State != Running {
			t.Errorf("%s: %d functions, %s, %d ports, %s", a.Description.Name, len(a.Functions), a.Driver, len(a.Ports), a.State)
		}
		if last := a.Functions[len(a.Functions)-1].PCI; last.Function != uint8(functions-1) || last.Bus != a.Description.PCI.Bus {
			t.Errorf("%s: the last function is %s", a.Description.Name, last)
		}
		if a.Description.Name == "ConnectX-3 Pro" && a.Functions[0].InstanceID != `PCI\VEN_15B3&DEV_1007&SUBSYS_002015B3&REV_00\E41D2D0300B07A1000` {
			t.Errorf("the instance is %s", a.Functions[0].InstanceID)
		}
		for _, p := range a.Ports {
			if !p.Up || !p.Cabled || p.State != Running || p.Rate == 0 {
				t.Errorf("%s is %+v", p.Description.Connection, p)
			}
		}
	}
	for i := range v.Adapters {
		a := &v.Adapters[i]
		list, err := h.TuningProcessors(a.Ports[0].Description.Connection)
		if from := a.Description.NUMANode * v.ProcessorsPerNode; err != nil || len(list) != v.ProcessorsPerNode || list[0] != from {
			t.Errorf("%s is tuned for %v, %v", a.Description.Name, list, err)
		}
	}
	mustApply(t, h, adapters.DisableAdapter{Connection: "Ethernet 7"}, hardware.PullCable{Connection: "Ethernet 8"})
	h.Advance(time.Second)
	if p := v.Adapters[0].Ports; p[0].State != Running || !p[1].Cabled {
		t.Error("a view that was handed out changed")
	}
	v = h.View()
	if a := v.Adapters[0]; a.State != Running || a.Ports[0].State != Stopped || a.Ports[1].Cabled || a.Ports[1].Up {
		t.Errorf("with one of two ports disabled the adapter is %s: %+v", a.State, a.Ports)
	}
	mustApply(t, h, adapters.DisableAdapter{Connection: "Ethernet 8"})
	if a := h.View().Adapters[0]; a.State != Stopped {
		t.Errorf("with both ports disabled the adapter is %s", a.State)
	}
}

func TestCheckingAPlanChangesNothing(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	plan := Plan{Title: "x", Operations: []Operation{hardware.PullCable{Connection: "Ethernet 7"}}}
	for range 2 {
		if err := h.Check(plan); err != nil {
			t.Fatalf("a plan that could be applied can't after a check: %v", err)
		}
	}
	if len(h.Journal()) != 0 {
		t.Error("a check is in the journal")
	}
	mustApply(t, h, plan.Operations...)
	if err := h.Check(plan); err == nil || err.Error() != "can't pull the cable of Ethernet 7: its cable is unplugged already" {
		t.Errorf("the check says %v", err)
	}
	if err := h.Check(Plan{}); err == nil {
		t.Error("an empty plan can be applied")
	}
}
