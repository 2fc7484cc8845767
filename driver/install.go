package driver

import (
	"fmt"
	"strings"

	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/limits"
	"cxdeck/driver/registry"
)

// install fills the registry as after the installation of the drivers, and adds the administrator's changes from the lab's
// description.
func (h *Host) install() {
	h.hive = &registry.Hive{}
	for port := range h.miniports {
		d, _, _ := h.lab.Port(port)
		rows := h.catalogue(port).Rows
		for i := range rows {
			r := &rows[i]
			value := r.Default(d.Link)
			if r.Scope.Stored() && !r.MustCreate && !r.Optional && value.Exists() {
				h.hive.Set(h.layout.Place(port, r.Scope), r.Name, value)
			}
		}
		h.storeDescribed(port, d)
	}
}

// storeDescribed stores the settings of a port that the lab's description has.
func (h *Host) storeDescribed(port int, d *description.Port) {
	own := registry.Place{Scope: registry.Miniport, Index: port}
	number := func(at registry.Place, name string, n int) {
		h.hive.Set(at, name, registry.NumberValue(uint32(n)))
	}
	number(own, "*JumboPacket", d.MaxFrame)
	if d.BaseProcessor > 0 {
		number(own, "*RssBaseProcNumber", d.BaseProcessor)
	}
	const both = 3
	switch d.FlowControl {
	case description.GlobalPause:
		number(own, "*FlowControl", both)
	case description.NoFlowControl:
		number(own, "*FlowControl", 0)
	default: // PFC is turned on elsewhere, and wins over global pause
	}
	if h.family(port) == description.WinOF { // one RoCE mode for the driver, and no congestion control keys
		bus, _ := h.catalogue(port).Find("PermitSriov", registry.BusDevice)
		_, a, _ := h.lab.Port(port)
		path := strings.TrimSuffix(bus.Path(h.layout.BusClass(a)), `\Parameters`)
		h.hive.Set(own, "ParentBusRegPath", registry.TextValue(path))
		for i, p := range h.lab.Description().Adapters[a].Ports {
			if p.VirtualFunctions > 0 {
				number(h.layout.Place(port, registry.BusDevice), fmt.Sprintf("MaxVFPort%d", i+1), p.VirtualFunctions)
			}
		}
		return
	}
	if d.VirtualFunctions > 0 {
		h.hive.Set(own, "*SRIOV", registry.TextValue("1"))
	}
	switch d.RoCE {
	case description.NoRoCE:
		number(own, "roce_mode", roceOff)
	case description.RoCEv1:
		number(own, "roce_mode", roceV1)
	default: // the driver's default
	}
	for _, priority := range d.CongestionControl {
		for _, name := range []string{"DcqcnRPEnablePrio%d", "DcqcnNPEnablePrio%d"} {
			number(registry.Place{Scope: registry.Congestion, Index: port}, fmt.Sprintf(name, priority), 1)
		}
	}
}

// Values of roce_mode (ROCE-1).
const (
	roceV1  = 0
	roceOff = 4
)

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
