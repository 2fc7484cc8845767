package driver

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/virtualization"
)

const winOFPort, iPoIBPort = "Ethernet 3", "Ethernet 4"

// machinesOn are two machines at a switch on a port, each in a VLAN of its own.
func machinesOn(port string) []Operation {
	list := []Operation{virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: port}}}
	for i, vm := range []string{"one", "two"} {
		a := virtualization.NewVMAdapter(netAdapter, "S")
		a.VLAN = 100 + i
		vmRecord := virtualization.VMRecord{Name: vm, State: virtualization.VMRunning, Adapters: []virtualization.VMAdapterRecord{a}}
		list = append(list, virtualization.CreateVM{VM: vmRecord})
	}
	return list
}

// TestKeysOfResourcesAct sets keys that no counter shows directly: what they do appears after the restart or reload that the key
// needs, not before, and goes with the undo of the change.
func TestKeysOfResourcesAct(t *testing.T) {
	t.Parallel()
	states := func(t *testing.T, h *Host) string {
		return h.State(portOf(t, h, winOFPort)).String() + " " + h.State(portOf(t, h, iPoIBPort)).String()
	}
	queues := func(t *testing.T, h *Host) (text string) {
		for _, vm := range []string{"one", "two"} {
			text += fmt.Sprint(vmAdapterOf(t, h, vm).Default, " ")
		}
		return text
	}
	speed := func(connection string) func(t *testing.T, h *Host) string {
		return func(t *testing.T, h *Host) string {
			port := portOf(t, h, connection)
			return fmt.Sprint(h.lab.State(port).Rate/1e9, " ", h.State(port), " ", mustKey(t, h, connection, "*SpeedDuplex").Effective)
		}
	}
	address := func(t *testing.T, h *Host) string { return h.mac(portOf(t, h, iPoIBPort)).String() }
	senders := func(t *testing.T, h *Host) string { // rings that sent in a second
		port, n := portOf(t, h, winOFPort), 0
		before := slices.Clone(h.lab.Counters())
		h.Advance(time.Second)
		for ring := range h.lab.RingSlots(port) {
			cell := h.lab.SendRingCell(port, ring, counter.SendRingPackets)
			if h.lab.Counters()[cell] > before[cell] {
				n++
			}
		}
		return fmt.Sprint(n)
	}
	connections := func(t *testing.T, h *Host) string {
		return fmt.Sprint(h.lab.Counters()[counter.Cell(portOf(t, h, winOFPort), counter.RDMAActive)])
	}
	vmq := append(machinesOn(winOFPort), set(winOFPort, "*RssOrVmqPreference", "1"), adapters.RestartAdapter{Connection: winOFPort})
	withoutRoCE := []Operation{set(winOFPort, "driver-roce/roce_mode", "4"), adapters.RestartAdapter{Connection: winOFPort}}
	reload, restart, restartIB := []Operation{adapters.ReloadDriver{Driver: "mlx4"}}, []Operation{adapters.RestartAdapter{Connection: winOFPort}}, []Operation{adapters.RestartAdapter{Connection: iPoIBPort}}
	for _, c := range []struct {
		port, key, value string
		moment           []Operation
		before           []Operation
		driver           string // its version, if it is not the lab's
		observe          func(t *testing.T, h *Host) string
		usual, with      string
		event            string
	}{
		{winOFPort, "PortType", "0x11", reload, nil, "", states, "running running", "failed running", ""},
		{winOFPort, "PortType", "0x22", reload, nil, "", states, "running running", "running failed", ""},
		{winOFPort, "PortType", "0x21", reload, nil, "", states, "running running", "failed failed", ""},
		{winOFPort, "PortType", "0x12", reload, nil, "", states, "running running", "running running", ""},
		{winOFPort, "PortType", "0x33", reload, nil, "", states, "running running", "running running", ""},
		{winOFPort, "PortType", "0x33", reload, withoutRoCE, "", states, "running running", "failed running", "mlx4.illegal-port-mix-auto"},
		{winOFPort, "PortType", "0", reload, withoutRoCE, "", states, "running running", "failed running", "mlx4.illegal-port-mix-auto"},
		{winOFPort, "PortType", "0x12", reload, withoutRoCE, "", states, "running running", "running running", "mlx4.illegal-port-mix-manual"},
		{winOFPort, "PortType", "0", reload, nil, "", states, "running running", "running running", ""},
		{winOFPort, "PortType", "0x44", reload, nil, "", states, "running running", "running running", "mlx4.port-type-not-changed"},
		{winOFPort, "LogNumRdmaRc", "1", reload, nil, "", connections, "4", "2", ""},
		{winOFPort, "*SpeedDuplex", "6", restart, nil, "", speed(winOFPort), "40 running 7", "40 running 7", ""},
		{"Ethernet 7", "*SpeedDuplex", "6", []Operation{adapters.RestartAdapter{Connection: "Ethernet 7"}}, nil, "", speed("Ethernet 7"), "100 running 7", "100 running 7", ""},
		{iPoIBPort, "GUIDMask", "0xFC", restartIB, nil, "", address, "E4:1D:2D:B0:7A:12", "E4:1D:2D:03:00:B0", ""},
		{iPoIBPort, "GUIDMask", "0x3F", restartIB, nil, "", address, "E4:1D:2D:B0:7A:12", "2C:03:00:B0:7A:12", ""},
		{iPoIBPort, "GUIDMask", "0xFF", restartIB, nil, "", address, "E4:1D:2D:B0:7A:12", "E4:1D:2D:B0:7A:12", ""},
		{winOFPort, "MaxNumMacAddrFilters", "1", restart, vmq, "", queues, "false false ", "false true ", ""},
		{winOFPort, "MaxNumVlanFilters", "1", restart, vmq, "", queues, "false false ", "false true ", ""},
		{winOFPort, "TxRingNum", "2", restart, nil, "4.30", senders, "8", "2", ""},
		{winOFPort, "TxRingNum", "2", restart, nil, "", senders, "8", "8", ""},
	} {
		t.Run(c.key+" "+c.value, func(t *testing.T) {
			t.Parallel()
			d := description.Default()
			a := &d.Adapters[slices.IndexFunc(d.Adapters, func(a description.Adapter) bool { return a.Family == description.WinOF })]
			a.DriverVersion = cmp.Or(c.driver, a.DriverVersion)
			lab, err := device.New(d, 5)
			if err != nil {
				t.Fatal(err)
			}
			h := NewHost(lab)
			h.Advance(longestStart)
			if len(c.before) > 0 {
				mustApply(t, h, c.before...)
			}
			h.Advance(longestStart)
			want := func(when, value string) {
				t.Helper()
				if got := c.observe(t, h); got != value {
					t.Errorf("%s: %s, expected %s", when, got, value)
				}
			}
			want("without it", c.usual)
			mustApply(t, h, set(c.port, c.key, c.value))
			change, logged := h.Newest().Sequence, lastEvent(h)
			if want("before the restart", c.usual); c.moment[0] == reload[0] {
				mustApply(t, h, adapters.RestartAdapter{Connection: c.port})
				h.Advance(longestStart)
				want("after a restart of the adapter", c.usual)
			}
			mustApply(t, h, c.moment...)
			h.Advance(longestStart)
			want("with it", c.with)
			if events := h.EventsAfter(logged); c.event != "" && !strings.Contains(fmt.Sprint(events), c.event) {
				t.Errorf("no event %s in %v", c.event, events)
			}
			if _, err := h.UndoEntry(change); err != nil {
				t.Fatal(err)
			}
			mustApply(t, h, c.moment...)
			h.Advance(longestStart)
			want("after the undo", c.usual)
		})
	}
}

func lastEvent(h *Host) (sequence uint64) {
	for _, e := range h.EventsAfter(0) {
		sequence = max(sequence, e.Sequence)
	}
	return sequence
}

// TestSilenceOfTheSubnetAdministrator stops the subnet manager of an IPoIB port and starts it again: keys say when the port
// comes up, and whether an active port goes on.
func TestSilenceOfTheSubnetAdministrator(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		keys    [][2]string
		replug  bool          // the port comes up in the silence
		silence time.Duration // of the manager
		comes   time.Duration // until traffic moves after it, up to a second more
		stops   bool          // traffic of the active port stops in the silence
	}{
		{"a wait for the next query", nil, true, 5200 * time.Millisecond, 800 * time.Millisecond, true},
		{"long timeout", [][2]string{{"SaTimeout", "20000"}}, true, 5 * time.Second, 15 * time.Second, true},
		{"short timeout", [][2]string{{"SaTimeout", "250"}, {"SaRetries", "64"}}, true, 5 * time.Second, 0, true},
		{"given up", nil, true, 14 * time.Second, 16 * time.Second, true},
		{"more retries", [][2]string{{"SaRetries", "20"}}, true, 14 * time.Second, 0, true},
		{"active", nil, false, time.Minute, 0, false},
		{"active with path queries, short", [][2]string{{"EnableQPR", "1"}}, false, 9 * time.Second, 0, false},
		{"active with path queries, long", [][2]string{{"EnableQPR", "1"}}, false, 14 * time.Second, 16 * time.Second, true},
		{"active with path queries and few retries", [][2]string{{"EnableQPR", "1"}, {"SaRetries", "1"}}, false, 9 * time.Second, 21 * time.Second, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, 5)
			port := portOf(t, h, iPoIBPort)
			for _, key := range c.keys {
				mustApply(t, h, set(iPoIBPort, key[0], key[1]))
			}
			mustApply(t, h, adapters.RestartAdapter{Connection: iPoIBPort})
			h.Advance(longestStart)
			sent := func() uint64 { return h.lab.Counters()[counter.Cell(port, counter.SentPackets)] }
			manager := func(m description.SubnetManager) {
				mustApply(t, h, fabric.SetSwitchPort{Connection: iPoIBPort, SubnetManager: &m})
			}
			manager(description.SubnetDown)
			if c.replug {
				mustApply(t, h, hardware.PullCable{Connection: iPoIBPort}, hardware.PlugCable{Connection: iPoIBPort})
				h.Advance(device.TrainingTime - device.Step) // the port starts to wait
			}
			h.Advance(c.silence - time.Second)
			before := sent()
			h.Advance(time.Second)
			if stopped := sent() == before; stopped != c.stops {
				t.Errorf("in the silence %d packets were sent", sent()-before)
			}
			manager(description.SubnetManaged)
			saved, err := h.lab.Save()
			if err != nil {
				t.Fatal(err)
			}
			if restored, err := device.Restore(h.lab.Description(), saved); err != nil || !restored.Same(h.lab) || !h.Clone().lab.Same(h.lab) {
				t.Errorf("a copy differs, or a saved lab (%v)", err)
			}
			before = sent()
			h.Advance(c.comes - 3*device.Step)
			if c.comes > time.Second && sent() != before {
				t.Errorf("%d packets were sent too early", sent()-before)
			}
			h.Advance(2 * time.Second)
			if sent() == before {
				t.Error("traffic does not move again")
			}
		})
	}
}
