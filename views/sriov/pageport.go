package sriov

import (
	"fmt"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/virtualization/hyperv"
	"cxdeck/driver/wording"
	"cxdeck/views/browse"
)

// writePort writes the requirements of SR-IOV at a port, and its functions.
func (v *View) writePort(p *browse.Page, port *driver.PortView) {
	s := &port.SRIOV
	p.Text(port.Description.Connection, title)
	state := portState(p.Glyphs, s)
	p.Text(state.Text, state.Style)
	if s.Why != "" {
		p.Item(p.Glyphs.Bullet, wording.UpperFirst(s.Why)+".", muted)
	}
	p.Blank()
	for i := range s.Checks {
		c := &s.Checks[i]
		if c.OK {
			p.Item(p.Glyphs.Up, c.Name+": ok", good)
		} else {
			p.Item(p.Glyphs.Failed, c.Name+": "+c.Why+".", bad)
		}
	}
	if firstFailed(s) != nil {
		p.Text("n sets up what is missing.", muted)
	}
	p.Blank()
	p.Text("Virtual functions", title)
	p.Field("Firmware", fmt.Sprintf("%d virtual functions", s.FirmwareVFs))
	p.Field("Allowed", fmt.Sprintf("%d by the bus driver", s.Allowed))
	p.Field("NumVFs", fmt.Sprintf("%d for Windows", s.NumVFs))
	p.Field("Enabled", strconv.Itoa(s.Open))
	p.Field("Attached", fmt.Sprintf("%d, %d free", s.Attached, s.Free))
	p.Field("Support", string(s.Support))
	p.Field("Advice", fmt.Sprintf("%d queue pairs for each VF at %d GbE", s.QueuePairs, port.Description.SpeedGbps))
	if card := v.scene.cards[port.Port]; card != nil && card.Description.Family == description.WinOF {
		p.Field("Mode", fmt.Sprintf("%s, port 1 %d, port 2 %d", hyperv.ModeName(s.Mode), s.Port1VFs, s.Port2VFs))
	}
	if port.PacketDirect {
		p.Field("PacketDirect", "on")
	}
	if port.NetworkVirtualization {
		p.Field("NVGRE", "ms_netwnv is bound")
	}
	v.writeSwitches(p, port)
	v.writePolicy(p, port)
	v.writeMachine(p)
}

// writeSwitches writes the virtual switches on a port, and the adapters of the host at each.
func (v *View) writeSwitches(p *browse.Page, port *driver.PortView) {
	for _, s := range v.switchesOn(port.Description.Connection) {
		p.Blank()
		p.Text("Switch "+s.Name, title)
		p.Field("Options", switchText(s))
		p.Field("Adapters", strconv.Itoa(s.Adapters))
		for i := range v.scene.host.HostAdapters {
			if a := &v.scene.host.HostAdapters[i]; a.Switch == s.Name {
				p.Field("Host", a.Name+", RDMA "+wording.OnOff(a.RdmaWeight > 0))
			}
		}
	}
}

// switchText returns the options with which a switch was created.
func switchText(s *virtualization.SwitchView) string {
	words := "none"
	switch {
	case s.IOV:
		words = "SR-IOV"
	case s.PacketDirect:
		words = "PacketDirect"
	}
	if s.Extension == filterPlatform {
		words += "; the filter platform (VFP) blocks its ports"
	}
	return words
}

// writeMachine writes the BIOS and OS settings of the host that virtual functions require.
func (v *View) writeMachine(p *browse.Page) {
	m := &v.scene.host.Machine
	p.Blank()
	p.Text("Computer", title)
	p.Field("BIOS", fmt.Sprintf("SR-IOV %s, virtualization %s, above 4 GB %s", wording.OnOff(m.SRIOV), wording.OnOff(m.Virtualization),
		wording.OnOff(m.Above4G)))
	p.Field("MMIO", fmt.Sprintf("%d of %d MB of address space used", m.Used, m.Space))
	p.Field("IovSupport", fmt.Sprint(m.IovSupport))
	if !m.IovSupport {
		p.Field("Reasons", strings.Join(m.IovSupportReasons, " "))
	}
}

// writePolicy writes the restrictions on the virtual functions of a port, and the thresholds of the monitor.
func (v *View) writePolicy(p *browse.Page, port *driver.PortView) {
	k, known := v.policies[port.Description.Connection]
	if !known {
		return
	}
	p.Blank()
	p.Text("Filters", title)
	p.Field("Types", k.typesText())
	if port.Description.Link == description.Ethernet {
		if family := v.scene.cards[port.Port].Description.Family; family == description.WinOF2 {
			p.Field("MAC", "frames with another source address are dropped")
			p.Field("DHCP", dhcpText(&port.SRIOV))
			p.Field("Monitor", k.monitorText())
			p.Field("Pages", k.pagesWord())
		} else {
			p.Field("MAC", "frames with any source address are sent")
		}
	}
}

// dhcpText returns the destination of the virtual functions' DHCP packets.
func dhcpText(s *virtualization.SRIOVView) string {
	to := "stays with the VF"
	if s.DHCPToPF {
		to = "goes to the physical function"
	}
	return strings.TrimSuffix(to+": "+s.DHCPWhy, ": ")
}
