package driver

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/virtualization"
)

// exchangeOn has a port of the card ConnectX-5 Ex use DCBX, as the manual's steps do; index counts its ports from 1.
func exchangeOn(t *testing.T, h *Host, connection string, index int) {
	t.Helper()
	for _, name := range []string{"LLDP_NB_RX_MODE_P%d=2", "LLDP_NB_TX_MODE_P%d=2", "LLDP_NB_DCBX_P%d=1"} {
		setting, value, _ := strings.Cut(fmt.Sprintf(name, index), "=")
		applyAll(t, h, virtualization.SetFirmware{Adapter: "ConnectX-5 Ex", Values: []virtualization.FirmwareValue{{Name: setting, Value: value}}})
	}
	applyAll(t, h, edit.SetValue{Connection: connection, Key: "DcbxMode", Value: "2"}, adapters.RestartAdapter{Connection: connection})
	h.Advance(5 * time.Second)
}

func applyAll(t *testing.T, h *Host, operations ...Operation) {
	t.Helper()
	if _, err := h.Apply(Plan{Title: "test", Operations: operations}); err != nil {
		t.Fatal(err)
	}
}

// dcbxSwitch has the switch port of a connection send settings.
func dcbxSwitch(connection string, willing bool, lossless uint8) fabric.SetSwitchPort {
	return fabric.SetSwitchPort{Connection: connection, DCBX: new(description.IEEE), Willing: new(willing),
		FlowControl: new(description.PriorityPause), Lossless: new(lossless)}
}

// TestSettingsAreExchangedByDCBX follows the manual's steps at both ports of a card: each missing one leaves the ends with their
// own settings, and says so.
func TestSettingsAreExchangedByDCBX(t *testing.T) {
	t.Parallel()
	for index, connection := range []string{"Ethernet 7", "Ethernet 8"} {
		h := newHost(t, 1)
		port := portOf(t, h, connection)
		view := func() *qos.DCBX { v := h.QoS(); return &v.Ports[port].DCBX }
		applyAll(t, h, dcbxSwitch(connection, false, 1<<4), qos.SetDCBX{Willing: true})
		if d := view(); d.Exchanges() || d.Neighbour != nil || !d.Supported || d.InFirmware {
			t.Errorf("%s before: %+v", connection, d)
		}
		exchangeOn(t, h, connection, index+1)
		d := view()
		if !d.Exchanges() || !d.HostAccepts || d.Neighbour == nil || d.Neighbour.FlowControl != 1<<4 || !d.InFirmware || !d.Ready {
			t.Fatalf("%s: %+v, neighbour %+v", connection, d, d.Neighbour)
		}
		if got := h.QoS().Ports[port]; got.Operational != 1<<4 || got.Configured != 1<<3 {
			t.Errorf("%s has PFC on %s, configured %s", connection, got.Operational, got.Configured)
		}
		if c := pathOf(t, h, connection); len(c.Settings) == 0 || c.Settings[0].Differs {
			t.Errorf("the ends differ after DCBX: %+v", c.Settings)
		}
		data, err := h.Save()
		if err != nil {
			t.Fatal(err)
		}
		restored, err := RestoreHost(h.lab.Description(), data)
		if err != nil || restored.QoS().Ports[port].Operational != 1<<4 {
			t.Errorf("a saved host has lost DCBX: %v", err)
		}
		names := [][3]string{{"LLDP_NB_RX_MODE_P1", "LLDP_NB_TX_MODE_P1", "LLDP_NB_DCBX_P1"}, {"LLDP_NB_RX_MODE_P2", "LLDP_NB_TX_MODE_P2", "LLDP_NB_DCBX_P2"}}[index]
		for _, name := range names {
			off := h.Clone()
			applyAll(t, off, virtualization.SetFirmware{Adapter: "ConnectX-5 Ex", Values: []virtualization.FirmwareValue{{Name: name, Value: "0"}}})
			if v := off.QoS(); !v.Ports[port].DCBX.Exchanges() {
				t.Errorf("%s counts before the driver starts", name)
			}
			applyAll(t, off, adapters.RestartAdapter{Connection: connection})
			off.Advance(5 * time.Second)
			if v := off.QoS().Ports[port]; v.DCBX.Exchanges() || v.Operational != 1<<3 || !strings.Contains(v.DCBX.Why, name) {
				t.Errorf("without %s: %+v", name, v.DCBX)
			}
		}
		off := h.Clone()
		applyAll(t, off, edit.DeleteValue{Connection: connection, Key: "DcbxMode"}, adapters.RestartAdapter{Connection: connection})
		off.Advance(5 * time.Second)
		if v := off.QoS().Ports[port]; v.DCBX.Exchanges() || !strings.Contains(v.DCBX.Why, "DcbxMode") || v.DCBX.Neighbour == nil {
			t.Errorf("without DcbxMode: %+v", v.DCBX)
		}
	}
}

// TestWhoAcceptsByDCBX: the willing bits and the addresses decide (QOS-15); the address of Ethernet 7, 24:8a:07:..., is lower than
// the switch port's.
func TestWhoAcceptsByDCBX(t *testing.T) {
	t.Parallel()
	base := newHost(t, 1)
	port := portOf(t, base, "Ethernet 7")
	exchangeOn(t, base, "Ethernet 7", 1)
	for _, c := range []struct {
		host, far         bool
		address           string
		atHost, atSwitch  qos.Priorities
		accepts, accepted bool
	}{
		{false, false, "", 1 << 3, 1 << 4, false, false},
		{true, false, "", 1 << 4, 1 << 4, true, false},
		{false, true, "", 1 << 3, 1 << 3, false, true},
		{true, true, "", 1 << 4, 1 << 4, true, false},
		{true, true, "FE0000000001", 1 << 3, 1 << 3, false, true},
	} {
		h := base.Clone()
		if c.address != "" {
			applyAll(t, h, edit.SetValue{Connection: "Ethernet 7", Key: "NetworkAddress", Value: c.address}, adapters.RestartAdapter{Connection: "Ethernet 7"})
			h.Advance(5 * time.Second)
		}
		if c.host {
			applyAll(t, h, qos.SetDCBX{Willing: true})
		}
		before := h.Clone()
		applyAll(t, h, dcbxSwitch("Ethernet 7", c.far, 1<<4))
		_, far := h.lab.Operational(port)
		v := h.QoS().Ports[port]
		if v.Operational != c.atHost || qos.Priorities(far.Lossless) != c.atSwitch || v.DCBX.HostAccepts != c.accepts || v.DCBX.NeighbourAccepts != c.accepted {
			t.Errorf("%+v: PFC on %s and %s, %s", c, v.Operational, qos.Priorities(far.Lossless), v.DCBX.Result("Ethernet 7"))
		}
		_, err := h.Undo()
		if got, was := h.QoS().Ports[port].Operational, before.QoS().Ports[port].Operational; err != nil || got != was {
			t.Errorf("%+v: undone, PFC is on %s and not %s: %v", c, got, was, err)
		}
	}
}

// TestTLVsTakeEffect: the classes and application priorities of a switch port replace the host's while it accepts them, and the
// cards without DCBX have none of it.
func TestTLVsTakeEffect(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	port := portOf(t, h, "Ethernet 7")
	exchangeOn(t, h, "Ethernet 7", 1)
	o := dcbxSwitch("Ethernet 7", false, 1<<5)
	o.Classes = &[]description.SwitchClass{{Priorities: []int{5}, Share: 60}, {Priorities: []int{6, 7}}}
	o.Applications = &[]description.SwitchApplication{{Port: 445, Priority: 5}}
	applyAll(t, h, o, qos.SetDCBX{Willing: true})
	now, _ := h.lab.Operational(port)
	if now.Shares != [8]float64{4: 40, 5: 60} || now.StrictPriorities != 0xc0 || now.Joined != [8]uint8{5, 5, 5, 5, 5, 6, 8, 8} {
		t.Errorf("the port sends by %v, strict %b, joined %v", now.Shares, now.StrictPriorities, now.Joined)
	}
	if got := moved(h, port, 5*time.Second); got[5] == 0 || got[3] > got[5]/100 {
		t.Errorf("SMB Direct is not on the priority of the neighbour: %v", got)
	}
	if v := h.QoS(); v.Ports[port].Classes[1].Bandwidth != 60 {
		t.Errorf("the classes of the port are %+v", v.Ports[port].Classes)
	}
	applyAll(t, h, qos.SetDCBX{Willing: false})
	if got := moved(h, port, 5*time.Second); got[3] == 0 || got[5] > got[3]/100 {
		t.Errorf("SMB Direct is not on its own priority again: %v", got)
	}
	for connection, why := range map[string]string{"Ethernet 3": "WinOF", "Ethernet 4": "InfiniBand"} {
		if v := h.QoS().Ports[portOf(t, h, connection)].DCBX; v.Supported || !strings.Contains(v.Why, why) {
			t.Errorf("%s: %+v", connection, v)
		}
	}
	if _, err := h.Apply(Plan{Operations: []Operation{fabric.SetSwitchPort{Connection: "Ethernet 4", DCBX: new(description.IEEE)}}}); err == nil {
		t.Error("an InfiniBand port has DCBX")
	}
}
