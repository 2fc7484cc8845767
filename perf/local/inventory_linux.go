package local

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
)

// virtualID and virtualName are the node above virtual interfaces: the name fits the narrowest tree.
const (
	virtualID   = "virtual interfaces"
	virtualName = "virtual"
)

// takeInventory returns the tree of the current interfaces: PCI devices with their ports and virtual functions, then all
// interfaces without hardware under one heading.
func (s *source) takeInventory() *perf.Inventory {
	inventory := &perf.Inventory{Host: s.host, Sheets: s.sheets}
	byDevice := make(map[string][]*netInterface)
	var devices []string
	var virtual []*netInterface
	for _, i := range s.interfaces {
		switch {
		case !i.present:
		case i.hardware.device == "":
			virtual = append(virtual, i)
		default:
			device := s.adapterOf(i)
			if byDevice[device] == nil {
				devices = append(devices, device)
			}
			byDevice[device] = append(byDevice[device], i)
		}
	}
	slices.Sort(devices)
	for _, device := range devices {
		addAdapter(inventory, byDevice[device], s.cardOf(byDevice[device][0]))
	}
	addVirtual(inventory, virtual)
	addTotals(inventory, s.interfaces)
	return inventory
}

// adapterOf returns the adapter of an interface; a virtual function belongs to the adapter of its physical function.
func (s *source) adapterOf(i *netInterface) string {
	if i.hardware.parent == "" {
		return i.hardware.device
	}
	for _, other := range s.interfaces {
		if other.present && other.hardware.function == i.hardware.parent {
			return other.hardware.device
		}
	}
	return i.hardware.device
}

// addAdapter appends an adapter, its ports in order, and under each port its virtual functions.
func addAdapter(v *perf.Inventory, ports []*netInterface, name string) {
	slices.SortFunc(ports, func(a, b *netInterface) int {
		return cmp.Or(cmp.Compare(a.hardware.function, b.hardware.function),
			cmp.Compare(a.hardware.port, b.hardware.port), cmp.Compare(a.name, b.name))
	})
	first := &ports[0].hardware
	for _, port := range ports {
		if port.hardware.parent == "" {
			first = &port.hardware
			break
		}
	}
	adapter := len(v.Nodes)
	v.Nodes = append(v.Nodes, perf.Node{
		ID: first.device, Parent: -1, Kind: perf.AdapterNode, Name: name, Detail: strings.TrimSpace(first.short() + " " + first.driver),
		State: perf.StateRunning, Identity: first.identity(), Health: first.health(),
	})
	defer func() { v.Nodes[adapter].Instances = append(v.Nodes[adapter].Instances, name) }()
	number := 0
	for _, port := range ports {
		if port.hardware.parent != "" {
			continue
		}
		number++
		row := len(v.Nodes)
		v.Nodes = append(v.Nodes, port.node(adapter, perf.PortNode, "port "+strconv.Itoa(number)))
		addPort(v, adapter, port)
		for _, function := range ports {
			if function.hardware.parent != "" && function.hardware.parent == port.hardware.function {
				v.Nodes = append(v.Nodes, function.node(row, perf.FunctionNode, "function "+shortAddress(function.hardware.function)))
			}
		}
	}
	if number > 0 {
		return
	}
	for _, function := range ports { // virtual functions without a visible physical one, as in a virtual machine
		v.Nodes = append(v.Nodes, function.node(adapter, perf.PortNode, "function "+shortAddress(function.hardware.function)))
		addPort(v, adapter, function)
	}
}

func addVirtual(v *perf.Inventory, interfaces []*netInterface) {
	if len(interfaces) == 0 {
		return
	}
	slices.SortFunc(interfaces, func(a, b *netInterface) int { return cmp.Compare(a.name, b.name) })
	heading := len(v.Nodes)
	v.Nodes = append(v.Nodes, perf.Node{ID: virtualID, Parent: -1, Kind: perf.AdapterNode, Name: virtualName, State: perf.StateRunning})
	for _, i := range interfaces {
		v.Nodes = append(v.Nodes, i.node(heading, perf.PortNode, i.kind()))
		v.Nodes[heading].Instances = append(v.Nodes[heading].Instances, i.instance)
	}
}

// addPort adds the series of a port to its adapter.
func addPort(v *perf.Inventory, adapter int, port *netInterface) {
	node := &v.Nodes[adapter]
	receive, send, drops := port.totals()
	node.Receive, node.Send, node.Drops = append(node.Receive, receive), append(node.Send, send), append(node.Drops, drops)
	node.Instances = append(append(node.Instances, port.instance), port.instances...)
}

// totals returns the series of an interface's traffic and losses: of its port where the driver counts the port, which includes RDMA
// and virtual functions, otherwise of the kernel's interface.
func (i *netInterface) totals() (receive, send, drops int) {
	if i.summary[0] != 0 && i.summary[1] != 0 && i.summary[2] != 0 {
		return i.summary[0], i.summary[1], i.summary[2]
	}
	return i.series + seriesReceive, i.series + seriesSend, i.series + seriesDrops
}

// kind returns a word for the kind of a virtual interface.
func (i *netInterface) kind() string {
	switch {
	case i.reading.loopback:
		return "loopback"
	case i.reading.kind == "" || i.reading.kind == "device":
		return "virtual"
	}
	return perf.CleanText(i.reading.kind, perf.NameLimit)
}

func (i *netInterface) node(parent int, kind perf.NodeKind, detail string) perf.Node {
	receive, send, drops := i.totals()
	n := perf.Node{
		ID: i.name, Parent: parent, Kind: kind, Name: i.instance, Detail: detail, State: perf.StateDown,
		Speed: i.speed, SpeedText: speedText(i.speed),
		Receive: []int{receive}, Send: []int{send}, Drops: []int{drops},
		Instances: append([]string{i.instance}, i.instances...), Identity: i.hardware.identity(), Health: i.hardware.health(),
	}
	if i.running {
		n.State = perf.StateUp
	}
	if i.reading.address != "" {
		n.Identity = append(n.Identity, perf.Field{Label: "MAC", Value: perf.CleanText(i.reading.address, perf.NameLimit)})
	}
	n.Identity = append(n.Identity, perf.Field{Label: "MTU", Value: strconv.Itoa(i.reading.mtu)})
	return n
}

// identity lists the fields of a device for the side panel; none for a virtual interface.
func (h *hardware) identity() []perf.Field {
	var fields []perf.Field
	add := func(label, value string) {
		if value != "" {
			fields = append(fields, perf.Field{Label: label, Value: value})
		}
	}
	add("Address", h.function)
	if h.vendor != "" {
		add("Device", h.vendor+":"+h.model)
	}
	add("PCIe", h.link.String())
	add("Driver", h.driver)
	add("Firmware", h.firmware)
	add("NUMA", h.node)
	return fields
}

func (h *hardware) health() []perf.Finding {
	if !h.link.slower(h.linkBest) {
		return nil
	}
	text := fmt.Sprintf("the PCI Express link runs at %s, the adapter supports %s: check the slot", h.link, h.linkBest)
	return []perf.Finding{{Severity: eventlog.Warning, Text: text}}
}

func shortAddress(address string) string { return strings.TrimPrefix(address, "0000:") }

// addTotals selects the ports that together count every frame once.
func addTotals(v *perf.Inventory, interfaces []*netInterface) {
	ends := make(map[int]int) // of pairs, by the kernel's index
	ports, functions := 0, 0
	for _, i := range interfaces {
		if i.present {
			if i.reading.kind == "veth" {
				ends[i.reading.index] = i.reading.other
			}
			if i.hardware.device != "" && i.hardware.parent == "" {
				ports++
			}
			if i.hardware.parent != "" {
				functions++
			}
		}
	}
	var counted func(i *netInterface) bool
	switch {
	case ports > 0:
		v.TotalLabel = "Total (physical ports)"
		counted = func(i *netInterface) bool { return i.hardware.device != "" && i.hardware.parent == "" }
	case functions > 0:
		v.TotalLabel = "Total (virtual functions)"
		counted = func(i *netInterface) bool { return i.hardware.device != "" }
	default:
		v.TotalLabel = "Virtual interfaces, without loopback, what is stacked, and second ends of pairs"
		counted = func(i *netInterface) bool {
			second := i.reading.index != 0 && ends[i.reading.other] == i.reading.index && i.reading.other < i.reading.index
			return !i.reading.loopback && !i.stacked && !second
		}
	}
	for _, i := range interfaces {
		if i.present && counted(i) {
			receive, send, drops := i.totals()
			v.Receive, v.Send, v.Drops = append(v.Receive, receive), append(v.Send, send), append(v.Drops, drops)
		}
	}
	if len(v.Receive) > 0 {
		return
	}
	for _, i := range interfaces {
		if i.present && i.reading.loopback {
			v.TotalLabel = "Loopback, each frame once as sent and once as received"
			v.Receive = append(v.Receive, i.series+seriesReceive)
			v.Send = append(v.Send, i.series+seriesSend)
			v.Drops = append(v.Drops, i.series+seriesDrops)
		}
	}
}
