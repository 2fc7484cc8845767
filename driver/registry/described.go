package registry

import (
	"fmt"
	"strings"

	"cxdeck/device/description"
)

// StoreDescribed stores the settings of a port that the lab's description has.
func (l *Layout) StoreDescribed(hive *Hive, port int) {
	d, card := l.Description(port), l.Card(port)
	own := Place{Scope: Miniport, Index: port}
	number := func(at Place, name string, n int) {
		hive.Set(at, name, NumberValue(uint32(n)))
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
	if card.Family == description.WinOF { // one RoCE mode for the driver, and no congestion control keys
		bus, _ := l.Catalogue(port).Find("PermitSriov", BusDevice)
		path := strings.TrimSuffix(bus.Path(l.BusClass(l.ports[port].card)), `\Parameters`)
		hive.Set(own, "ParentBusRegPath", TextValue(path))
		for i, p := range card.Ports {
			if p.VirtualFunctions > 0 {
				number(l.Place(port, BusDevice), fmt.Sprintf("MaxVFPort%d", i+1), p.VirtualFunctions)
			}
		}
		return
	}
	if d.VirtualFunctions > 0 {
		hive.Set(own, "*SRIOV", TextValue("1"))
	}
	switch d.RoCE {
	case description.NoRoCE:
		number(own, "roce_mode", NoRoCE)
	case description.RoCEv1:
		number(own, "roce_mode", RoCEv1)
	default: // the driver's default
	}
	for _, priority := range d.CongestionControl {
		for _, name := range []string{"DcqcnRPEnablePrio%d", "DcqcnNPEnablePrio%d"} {
			number(Place{Scope: Congestion, Index: port}, fmt.Sprintf(name, priority), 1)
		}
	}
}

// InstallKeys gives the keys of a scope of a port, or of all for an empty one, the values of a new installation.
func (l *Layout) InstallKeys(hive *Hive, port int, scope Scope) {
	d, rows := l.Description(port), l.Catalogue(port).Rows
	for i := range rows {
		r := &rows[i]
		if !r.Scope.Stored() || scope != "" && scope != r.Scope {
			continue
		}
		if value := r.Default(d.Link); !r.MustCreate && !r.Optional && value.Exists() {
			hive.Set(l.Place(port, r.Scope), r.Name, value)
		} else if scope != "" {
			hive.Delete(l.Place(port, r.Scope), r.Name)
		}
	}
}
