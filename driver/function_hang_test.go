package driver

import (
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/dump"
	"cxdeck/driver/health/healing"
	"cxdeck/driver/virtualization"
)

// TestHungFunctionHasNoTraffic has the guest of a virtual function without traffic while its send queues hang, before and after the
// restart by self-healing, and with traffic again after a restart by hand or after the fault.
func TestHungFunctionHasNoTraffic(t *testing.T) {
	t.Parallel()
	const connection = "Ethernet 3"
	h := newGuestHost(t)
	mustApply(t, h, virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: connection, IOV: true}}, askingVM("f", "S"))
	port := must(h.port(connection))
	sent := func() uint64 {
		n := h.lab.Counters()[counter.Cell(port, counter.FunctionsSentBytes)]
		h.Advance(5 * time.Second)
		return h.lab.Counters()[counter.Cell(port, counter.FunctionsSentBytes)] - n
	}
	hang := func(on bool) healing.InjectFault {
		return healing.InjectFault{Connection: connection, Function: new(0), Fault: "vf-send-hang", On: on}
	}
	if sent() == 0 {
		t.Fatal("the function has no traffic")
	}
	mustApply(t, h, hang(true))
	for range 9 { // also after the restart by self-healing
		if n := sent(); n != 0 {
			t.Errorf("a function that hangs sent %d bytes by %v", n, h.lab.Elapsed())
		}
	}
	if !h.Healing().NeedsRestart(port, 0) {
		t.Error("the second tier has not acted")
	}
	mustApply(t, h, virtualization.ResetVF{Connection: connection, Function: 0})
	h.Advance(10 * time.Second)
	if sent() == 0 {
		t.Error("no traffic after the restart by hand")
	}
	mustApply(t, h, hang(true))
	sent()
	mustApply(t, h, hang(false))
	if sent() == 0 {
		t.Error("no traffic after the fault")
	}
}

// TestStoppingDriverFlushesSends is ND-1: the pending sends of RDMA programs complete with an error, once, and their connections end.
func TestStoppingDriverFlushesSends(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	h.Advance(10 * time.Second)
	port := must(h.port("Ethernet 3"))
	count := func(c counter.Port) uint64 { return h.lab.Counters()[counter.Cell(port, c)] }
	before := count(counter.RequesterFlushed)
	mustApply(t, h, adapters.DisableAdapter{Connection: "Ethernet 3"})
	flushed := count(counter.RequesterFlushed) - before
	if flushed == 0 || count(counter.RDMAActive) != 0 {
		t.Errorf("%d sends flushed, %d connections", flushed, count(counter.RDMAActive))
	}
	h.Advance(10 * time.Second)
	if again := count(counter.RequesterFlushed) - before; again != flushed {
		t.Errorf("a stopped driver flushes %d more", again-flushed)
	}
	if got := h.Healing().NDStatus(port, ""); got != healing.NDDown {
		t.Errorf("programs are told %s", got)
	}
	mustApply(t, h, adapters.EnableAdapter{Connection: "Ethernet 3"})
	h.Advance(10 * time.Second)
	if got := h.Healing().NDStatus(port, ""); got != healing.NDUp || count(counter.RDMAActive) == 0 {
		t.Errorf("after the start programs are told %s, with %d connections", got, count(counter.RDMAActive))
	}
}

// TestProgramRequestsDump is DMN-1 for a Network Direct program: the folder names it as the source.
func TestProgramRequestsDump(t *testing.T) {
	t.Parallel()
	const program = "Weather model over NDSPI"
	d := description.Default()
	for i := range d.Flows {
		if d.Flows[i].Name == program {
			d.Flows[i].Port = "Ethernet 3"
		}
	}
	lab, err := device.New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	h := NewHost(lab)
	request := dump.RequestIncident{Adapter: "ConnectX-3 Pro", Program: program}
	mustApply(t, h, request)
	folders := 0
	for _, f := range h.Dumps().FileViews("") {
		if strings.Contains(f.Path, `Adapter-GENERAL-ND-NA--`) {
			folders++
		}
	}
	if folders == 0 || len(h.Commands(request)) != 0 {
		t.Errorf("%d files, commands %q", folders, h.Commands(request))
	}
	for _, wrong := range []dump.RequestIncident{
		{Adapter: "ConnectX-3 Pro", Program: "Archive over SMB Direct"}, {Adapter: "ConnectX-3 Pro", Program: "SMB Direct mirror"},
		{Adapter: "ConnectX-3 Pro", Program: "none"}, {Adapter: "ConnectX-5 Ex", Program: program},
	} {
		if err := h.Check(Plan{Title: "x", Operations: []Operation{wrong}}); err == nil {
			t.Errorf("%+v is allowed", wrong)
		}
	}
}
