package driver

import (
	"fmt"

	"cxdeck/device/description"
	"cxdeck/driver/limits"
	"cxdeck/driver/registry"
	"cxdeck/driver/virtualization/hyperv"
)

// number returns the effective number of a key of a port.
func (h *Host) number(port int, name string, scopes ...registry.Scope) (uint32, bool) {
	r, ok := h.catalogue(port).Find(name, scopes...)
	if !ok {
		return 0, false
	}
	v := h.miniports[port].effective.Reading(r).Value
	return v.Number(), v.Type() == registry.Number
}

// is reports whether a key in the port's own class has an effective number.
func (h *Host) is(port int, name string, want uint32) bool {
	n, ok := h.number(port, name, registry.Miniport)
	return ok && n == want
}

// oldestFirmware is the oldest firmware of ConnectX-3 that the WinOF driver supports, since the version whose release notes say
// so (FAM-3); older drivers work with older firmware, with fewer features.
const (
	oldestFirmware      = "2.40.7000"
	oldestFirmwareSince = "5.50"
)

// startErrorCode returns Device Manager's code of a port whose driver can't start with the values that it read, and logs the
// reason (FAM-10); 0 when it starts.
func (h *Host) startErrorCode(port int) (code int) {
	d, a, _ := h.lab.Port(port)
	if h.packages.NoDriver(h.family(port)) {
		return noDriver
	}
	if h.healingSet().StartFails(port) {
		return cannotStart
	}
	if h.flashSet().StartFails(a) {
		if h.family(port) == description.WinOF {
			h.note(h.lab.Elapsed(), port, "mlx4.run-fw-failed")
		}
		return cannotStart
	}
	if h.family(port) == description.WinOF {
		if h.hypervisor().RefusesStart(port, h.mixedTypes(port)) {
			return cannotStart
		}
		if h.virtual.BIOS.SRIOV && h.hypervisor().FlashFunctions(a) > 0 && !h.hypervisor().HasSpace(a) { // the card asks for more address space than there is
			return noResources
		}
		card := &h.lab.Description().Adapters[a]
		old := limits.Older(card.Firmware, oldestFirmware) && !limits.Older(card.DriverVersion, oldestFirmwareSince)
		if old && !h.is(port, "CheckFwVersion", 0) {
			h.note(h.lab.Elapsed(), port, "mlx4.eth-old-firmware", d.Device, card.Firmware, oldestFirmware)
			return cannotStart
		}
		return 0
	}
	now := h.lab.Elapsed()
	if h.hypervisor().WrongType(port) {
		kind := map[description.LinkType]string{description.Ethernet: "InfiniBand", description.InfiniBand: "Ethernet"}[d.Link]
		h.note(now, port, "mlx5.unsupported-port-type", d.Device, kind)
		return cannotStart
	}
	if stack, ok := h.number(port, "EnableRSS", registry.System); ok && stack == 0 && h.is(port, "*RSS", 1) {
		h.note(now, port, "mlx5.rss-stack-off", d.Device)
		return cannotStart
	}
	if address := h.miniports[port].effective.MulticastAddress(); address != "" {
		h.note(now, port, "mlx5.multicast-mac", d.Device, address)
		return cannotStart
	}
	return 0
}

// noteStart logs the events of a driver that has started; loaded reports a load of the whole driver.
func (h *Host) noteStart(port int, loaded bool) {
	h.healingSet().NoteStart(port)
	if h.family(port) == description.WinOF {
		h.noteStartWinOF(port, loaded)
	} else {
		h.noteStartWinOF2(port)
	}
}

func (h *Host) noteStartWinOF2(port int) {
	d, _, _ := h.lab.Port(port)
	now := h.lab.Elapsed()
	jumbo, _ := h.catalogue(port).Find("*JumboPacket", registry.Miniport)
	used := h.miniports[port].effective.Reading(jumbo).Value.Number()
	if asked := h.hive.GetRow(h.layout.Place(port, jumbo.Scope), jumbo).Number(); asked > used {
		h.note(now, port, "mlx5.jumbo-capped", d.Device, fmt.Sprint(asked), fmt.Sprint(used), fmt.Sprint(used))
	}
	if _, bus, _ := h.hypervisor().Allocation(port); bus > 0 { // IOV-5
		if asked := h.virtual.Ports[port].NumVFs; asked != hyperv.DefaultNumVFs {
			if allowed, capped := hyperv.Grant(asked, bus); capped {
				h.note(now, port, "mlx5.vf-count-capped", d.Device, fmt.Sprint(asked), fmt.Sprint(bus), fmt.Sprint(allowed))
			}
		}
	}
	if h.is(port, "*RSS", 0) {
		h.note(now, port, "mlx5.rss-off-adapter", d.Device)
	}
	s := h.lab.Settings(port)
	if h.roce(port, d) && s.Lossless == 0 && !s.AsksPause && !s.ObeysPause {
		h.note(now, port, "mlx5.no-flow-control", d.Device)
	}
}

// roce reports whether a port has RDMA over Ethernet: its own key wins over the driver's (ROCE-2).
func (h *Host) roce(port int, d *description.Port) bool {
	if d.Link != description.Ethernet {
		return false
	}
	return h.roceMode(port) != roceOff
}

func (h *Host) roceMode(port int) uint32 {
	if h.withoutRoCE(port) {
		return roceOff
	}
	mode, own := h.number(port, "roce_mode", registry.Miniport)
	if !own {
		mode, _ = h.number(port, "roce_mode", registry.RoCE)
	}
	return mode
}

// withoutRoCE reports whether a port has no RoCE because the other port of its WinOF card has all virtual functions: with
// SriovPortMode 0 or 1 this port is native Ethernet (IOV-2).
func (h *Host) withoutRoCE(port int) bool {
	if h.family(port) != description.WinOF {
		return false
	}
	_, card, index := h.lab.Port(port)
	permit, mode, _ := h.hypervisor().Permitted(port)
	supported, _ := h.hypervisor().IovSupport()
	return permit && supported && mode != hyperv.Manual && mode != index && h.hypervisor().FlashFunctions(card) > 0 && !h.hypervisor().HasInfiniBand(card)
}

// roceText returns the manuals' name of a mode.
func roceText(mode uint32) string {
	if word, ok := map[uint32]string{registry.RoCEv1: "v1", registry.RoCEIP: "v1.25", registry.RoCEv2: "v2", roceOff: "off"}[mode]; ok {
		return word
	}
	return fmt.Sprintf("of number %d", mode)
}

func (h *Host) noteStartWinOF(port int, loaded bool) {
	d, _, _ := h.lab.Port(port)
	now := h.lab.Elapsed()
	if h.rssDiffers(port) {
		h.note(now, port, "mlx4.eth-rss-mismatch")
	}
	if functions := h.lab.VirtualFunctions(port); functions > 0 && loaded {
		h.note(now, port, "mlx4.sriov-enabled", d.Device)
	}
	if loaded && d.Link == description.Ethernet {
		h.note(now, port, "mlx4.roce-mode-in-use", roceText(h.roceMode(port)))
	}
	if h.mixedTypes(port) {
		h.note(now, port, "mlx4.illegal-port-mix-manual")
	}
	if d.Link == description.InfiniBand && h.lab.Settings(port).MaxFrame > h.lab.SwitchPort(port).MaxFrame {
		h.note(now, port, "mlx4.ipoib-mtu-high")
	}
}

// mixedTypes reports whether the driver has set a RoCE mode because of the types of the card's ports.
func (h *Host) mixedTypes(port int) bool {
	mode, ok := h.catalogue(port).Find("roce_mode", registry.RoCE)
	return ok && h.miniports[port].effective.Reading(mode).Mixed()
}

// rssDiffers reports whether another port of the card runs with the other RSS mode (RSS-8).
func (h *Host) rssDiffers(port int) bool {
	_, card, _ := h.lab.Port(port)
	for other := range h.miniports {
		_, a, _ := h.lab.Port(other)
		if a == card && h.miniports[other].state == Running && h.lab.Settings(other).RSS != h.lab.Settings(port).RSS {
			return true
		}
	}
	return false
}
