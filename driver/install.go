package driver

import (
	"strings"

	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/limits"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/regedit"
)

// install fills the registry as after the installation of the drivers, and adds the administrator's changes from the lab's
// description.
func (h *Host) install() {
	h.hive = &registry.Hive{}
	for port := range h.miniports {
		h.layout.InstallKeys(h.hive, port, "")
		h.layout.StoreDescribed(h.hive, port)
	}
	_ = regedit.LoadTwin(h.edits()) // its lines were checked
}

const roceOff = registry.NoRoCE // the value of roce_mode for no RoCE (ROCE-1)

// readRegistry returns the values that the driver of a port would use now.
func (h *Host) readRegistry(port int) *registry.Effective {
	return registry.Read(h.catalogue(port), h.facts(port), func(r *registry.Row) registry.Value {
		return h.stored(port, r)
	})
}

func (h *Host) facts(port int) registry.Facts {
	d, card, index := h.lab.Port(port)
	host, adapter := &h.lab.Description().Host, &h.lab.Description().Adapters[card]
	f := registry.Facts{
		Port: index, Link: d.Link, LineRate: uint32(d.SpeedGbps) * 1000,
		Processors: host.NUMANodes * host.ProcessorsPerNode, Nodes: host.NUMANodes,
		DeviceID: adapter.DeviceID, Firmware: adapter.Firmware, GUID: uint64(d.GUID), SwitchFrame: uint32(h.lab.SwitchPort(port).MaxFrame),
	}
	f.Lossless, f.FirmwareDCBX = h.qosSet().Lossless(port), h.qosSet().FirmwareExchanges(port)
	f.BesideInfiniBand = adapter.Family == description.WinOF && index == 0 && d.Link == description.Ethernet && h.hypervisor().HasInfiniBand(card)
	versions := h.versionFacts(port)
	f.Versions = &versions
	for i := range adapter.Ports {
		f.VFs += adapter.Ports[i].VirtualFunctions
	}
	return f
}

// coalesces reports whether a port joins received segments by default: where its versions have it, on any Windows but Windows
// Server 2019 (NIC-17).
func (h *Host) coalesces(port int) bool {
	return !strings.Contains(h.lab.Description().Host.System, "2019") && h.missingFeature(port, limits.RSC) == ""
}

// configure gives the hardware the settings that the driver of a port uses.
func (h *Host) configure(port int) {
	h.panicOn(h.tryConfigure(port))
	h.hypervisor().WatchFunctions(port)
}

// tryConfigure fails on settings that no driver would use.
func (h *Host) tryConfigure(port int) error {
	d, a, _ := h.lab.Port(port)
	base := setup.DefaultPort(h.lab.Description().Adapters[a].Family, d)
	base.CoalesceIPv4, base.CoalesceIPv6 = h.coalesces(port), h.coalesces(port)
	h.qosSet().Configure(port, &base)
	s := h.miniports[port].effective.Settings(base)
	if h.missingFeature(port, limits.Congestion) != "" { // the driver or the firmware predates it
		s.Congestion = dcqcn.Defaults()
	}
	s.Functions = h.miniports[port].functions
	s.DropsHeadOfQueue = s.DropsHeadOfQueue && !h.healing.QueueHeadOff(port)
	if h.withoutRoCE(port) {
		s.RoCE = description.NoRoCE
	}
	if s == h.lab.Settings(port) {
		return nil
	}
	return h.lab.Configure(port, s)
}
