package qos

import (
	"fmt"

	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/cmdlet"
)

// Settings of the firmware and of the registry on which DCBX depends (QOS-15).
const (
	flashReceive, flashSend, flashExchange = "LLDP_NB_RX_MODE", "LLDP_NB_TX_MODE", "LLDP_NB_DCBX"

	lldpAll, dcbxOn = 2, 1 // the values of the flash
	dcbxKey         = "DcbxMode"
	dcbxByDriver    = 2
)

// ModeKey is the registry key that has a WinOF-2 driver use DCBX.
const ModeKey = dcbxKey

// lldp returns the part of a port in DCBX, as its card, its driver and Windows are set up.
func (s Set) lldp(port int) setup.LLDP {
	if s.LacksDCBX(port) != "" || s.Lab().Family(port) != description.WinOF2 {
		return setup.LLDP{}
	}
	return setup.LLDP{
		Receives: s.Flash(port, flashReceive) == lldpAll, Sends: s.Flash(port, flashSend) == lldpAll,
		Exchanges: s.Flash(port, flashExchange) == dcbxOn && s.KeyIs(port, dcbxKey, dcbxByDriver) && s.requestsDCB(port),
		Willing:   s.Willing && s.Installed,
	}
}

// FirmwareExchanges reports whether the firmware of a port's card has LLDP and DCBX on, as the driver needs them.
func (s Set) FirmwareExchanges(port int) bool {
	return s.Lab().Family(port) == description.WinOF2 && s.Flash(port, flashReceive) == lldpAll && s.Flash(port, flashSend) == lldpAll && s.Flash(port, flashExchange) == dcbxOn
}

// Configure sets PFC, the traffic classes and DCBX in the setup of a port.
func (s Set) Configure(port int, p *setup.Port) {
	s.State.Configure(port, p)
	p.LLDP = s.lldp(port)
}

// DCBX is the current exchange of settings between a port and its switch port.
type DCBX struct {
	// Supported reports that the card and its driver support DCBX. Why is the first reason why no settings are exchanged, a
	// sentence without its full stop; empty if they are.
	Supported bool
	Why       string
	// InFirmware reports that DCBX is on in the firmware, Ready that firmware, driver and Windows are set up for DCBX.
	InFirmware, Ready bool
	// Willing is the willing bit that Windows sends, Address the port's address in LLDP.
	Willing bool
	Address description.MAC
	// HostAccepts reports that the port uses the neighbour's settings, NeighbourAccepts that the neighbour uses the port's.
	HostAccepts, NeighbourAccepts bool
	// Neighbour is the sender of received LLDP frames; nil if there are none.
	Neighbour *Neighbour
}

// Neighbour is a switch port with the TLVs of its LLDP frames.
type Neighbour struct {
	// Name is the port id and Address the source address of its LLDP frames.
	Name    string
	Address description.MAC
	// DCBX reports that the neighbour sends the TLVs of IEEE DCBX; without them the following fields are empty.
	DCBX    bool
	Willing bool
	// FlowControl is the PFC TLV. Classes are the ETS configuration and recommendation TLVs, which are identical; nil if they are
	// not sent. Applications is the application priority TLV, nil if it is not sent.
	FlowControl  Priorities
	Classes      []ClassView
	Applications []description.SwitchApplication
}

// Exchanges reports whether settings are exchanged.
func (d *DCBX) Exchanges() bool { return d.Why == "" }

// Result says which end uses which settings, a phrase: "Ethernet 7 uses the settings of Eth1/7".
func (d *DCBX) Result(connection string) string {
	switch {
	case !d.Exchanges():
		return "each end uses its own settings: " + d.Why
	case d.HostAccepts && d.Neighbour.Willing:
		return fmt.Sprintf("both ends are willing: %s has the lower address and uses the settings of %s", connection, d.Neighbour.Name)
	case d.HostAccepts:
		return fmt.Sprintf("%s uses the settings of %s", connection, d.Neighbour.Name)
	case d.NeighbourAccepts && d.Willing:
		return fmt.Sprintf("both ends are willing: %s has the lower address and uses the settings of %s", d.Neighbour.Name, connection)
	case d.NeighbourAccepts:
		return fmt.Sprintf("%s uses the settings of %s", d.Neighbour.Name, connection)
	}
	return "neither end is willing: each uses its own settings"
}

// exchange returns the DCBX exchange of a port.
func (s Set) exchange(port int) DCBX {
	lab := s.Lab()
	p, _, _ := lab.Port(port)
	now, far, result := lab.Settings(port), lab.SwitchPort(port), lab.Exchange(port)
	d := DCBX{
		Supported: p.Link == description.Ethernet && lab.Family(port) == description.WinOF2 && s.LacksDCBX(port) == "",
		Willing:   s.Willing && s.Installed, Address: lab.Address(port),
	}
	d.InFirmware, d.Ready = d.Supported && s.Flash(port, flashExchange) == dcbxOn, now.Operates()
	up := lab.State(port).Up
	if up && now.LLDP.Receives && far.DCBX != description.NoDCBX {
		d.Neighbour = &Neighbour{Name: p.Switch.Name, Address: lab.SwitchAddress(port)}
		if n := d.Neighbour; far.DCBX == description.IEEE {
			n.DCBX, n.Willing, n.Applications, n.Classes = true, far.Willing, far.Applications, classesOf(far.Classes)
			if far.FlowControl == description.PriorityPause {
				n.FlowControl = Priorities(far.Lossless)
			}
		}
	}
	d.Why = s.whyNoExchange(port, &d, &now, &far)
	if d.Exchanges() {
		d.HostAccepts, d.NeighbourAccepts = result.HostAccepts, result.SwitchAccepts
	}
	return d
}

// whyNoExchange returns the first reason why no settings are exchanged, in the order of the manual's steps.
func (s Set) whyNoExchange(port int, d *DCBX, now *setup.Port, far *setup.SwitchPort) string {
	p, _, index := s.Lab().Port(port)
	lacking := func(name string, value int) string {
		return fmt.Sprintf("%s_P%d of the card is not %d", name, index+1, value)
	}
	switch {
	case p.Link != description.Ethernet:
		return "InfiniBand has no DCBX"
	case s.Lab().Family(port) != description.WinOF2:
		return "the driver WinOF does not support DCBX"
	case s.LacksDCBX(port) != "":
		return s.LacksDCBX(port)
	case !s.requestsDCB(port):
		return "adapter QoS is off; " + cmdlet.New("Enable-NetAdapterQos").String() + " turns it on"
	case s.Flash(port, flashReceive) != lldpAll:
		return lacking(flashReceive, lldpAll)
	case s.Flash(port, flashSend) != lldpAll:
		return lacking(flashSend, lldpAll)
	case s.Flash(port, flashExchange) != dcbxOn:
		return lacking(flashExchange, dcbxOn)
	case !s.KeyIs(port, dcbxKey, dcbxByDriver):
		return fmt.Sprintf("%s of the driver is not %d", dcbxKey, dcbxByDriver)
	case !now.QoS:
		return "the driver offers no QoS: *QOS is 0"
	case far.DCBX == description.NoDCBX:
		return p.Switch.Name + " sends no DCBX"
	case far.DCBX != description.IEEE:
		return p.Switch.Name + " sends CEE DCBX, which the adapter does not support"
	case d.Neighbour == nil:
		return "the link is down"
	}
	return ""
}

// classesOf returns the classes of an ETS TLV, and the class of the priorities that the TLV does not list; nil if it is not sent.
func classesOf(sent []description.SwitchClass) []ClassView {
	if len(sent) == 0 {
		return nil
	}
	rest := ClassView{Class{DefaultClass, ETS, 100, AllPriorities}, true}
	list := make([]ClassView, 1, len(sent)+1)
	for i, c := range sent {
		set := Priorities(setup.PrioritySet(c.Priorities))
		class := Class{Name: fmt.Sprintf("TC %d", i+1), Algorithm: ETS, Bandwidth: c.Share, Priorities: set}
		if c.Share == 0 {
			class.Algorithm = Strict
		}
		list = append(list, ClassView{class, false})
		rest.Bandwidth -= c.Share
		rest.Priorities &^= set
	}
	list[0] = rest
	return list
}

// applications returns the application priorities that a port accepts from its neighbour; nil for none.
func (s Set) applications(connection string) []description.SwitchApplication {
	port, err := s.Port(connection)
	if err != nil || !s.Lab().Exchange(port).HostAccepts {
		return nil
	}
	return s.Lab().SwitchPort(port).Applications
}

// priorityBy returns the priority that application priorities give a flow.
func (f *flow) priorityBy(rows []description.SwitchApplication) (priority int, ok bool) {
	if !f.marked {
		return 0, false
	}
	for _, row := range rows {
		if f.direct == row.Port || f.direct == 0 && f.protocol != "" && f.local+f.peer == row.Port {
			return row.Priority, true
		}
	}
	return 0, false
}
