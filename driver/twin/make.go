package twin

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/wording"
)

// ErrNoAdapter is the error for exports that name no adapter.
var ErrNoAdapter = errors.New("none of the files names a ConnectX adapter: add the registry's network class key, or Get-NetAdapter as JSON; " +
	"cxdeck twin script prints a collector")

// MaxAdapters is the maximum number of cards of a twin, as of a lab.
const MaxAdapters = 32

// portFact is a port of the host with all that the exports say of it.
type portFact struct {
	connection, device, class, guid, bus string
	driver, mac                          string
	speed                                int // Gb/s
	link, roce                           string
	pci                                  pciFact
	hasPCI                               bool
	node                                 int
	generation, lanes                    int
	hasSlot, hasNode                     bool
	portGUID                             uint64
	text                                 cardText
}

// build is the state of a run of Make.
type build struct {
	*Facts
	d       *description.Description
	assumed []string
}

// assume lists an assumption about an object.
func (b *build) assume(object, format string, arguments ...any) {
	b.assumed = append(b.assumed, cleanTo(object+": "+fmt.Sprintf(format, arguments...), 300))
}

// Make returns the description of a lab of the host. The exports are not changed, so that it can be called again. It returns
// ErrNoAdapter if they name no adapter.
func (f *Facts) Make(name string, now time.Time) (*description.Description, error) {
	copied := *f
	copied.unknown = slices.Clone(f.unknown)
	b := &build{Facts: &copied, d: &description.Description{Name: "Twin " + name, Epoch: now.UTC().Truncate(time.Second)}}
	ports := b.findPorts()
	if len(ports) == 0 {
		return nil, ErrNoAdapter
	}
	b.describeHost(ports)
	if err := b.describeCards(ports); err != nil {
		return nil, err
	}
	b.describeMachines()
	twin := &description.Twin{Host: b.d.Host.Name, Made: b.d.Epoch, Sources: f.sources, Roots: b.roots}
	b.d.Twin = twin
	var classes, buses []string
	connections := map[string]*description.Port{}
	for i := range b.d.Adapters {
		a := &b.d.Adapters[i]
		if a.BusClass != "" {
			buses = append(buses, a.BusClass)
		}
		for j := range a.Ports {
			classes = append(classes, a.Ports[j].Class)
			connections[a.Ports[j].Connection] = &a.Ports[j]
		}
	}
	b.assumeWindows()
	var err error
	if twin.Registry, err = b.lines(classes, buses); err != nil {
		return nil, err
	}
	if len(twin.Registry) == 0 {
		b.assume("the registry", "the values of a new installation, as no registry file was given")
	}
	b.apply(connections)
	return b.d, b.d.Check()
}

// findPorts returns the ports of our adapters, from the registry and from Get-NetAdapter.
func (b *build) findPorts() (ports []*portFact) {
	pci := b.pciFacts()
	taken := map[int]bool{}
	for _, index := range b.classKeys() {
		key := networkClass + `\` + index
		p := &portFact{class: index, device: b.text(key, "DriverDesc"), driver: b.text(key, "DriverVersion"), guid: strings.ToUpper(b.text(key, "NetCfgInstanceId"))}
		p.connection = b.connectionOf(p.guid)
		p.bus = busClass(b.text(key, "ParentBusRegPath"))
		if p.bus != "" {
			p.pci, p.hasPCI = pci[systemGUID+`\`+p.bus]
		} else {
			p.pci, p.hasPCI = pci[networkGUID+`\`+index]
		}
		if !p.hasPCI {
			if fact, ok := instanceFact(b.text(key, "DeviceInstanceID")); ok {
				p.pci, p.hasPCI = fact, true
			}
		}
		for i, r := range b.adapters {
			same := p.guid != "" && strings.EqualFold(r.text("interfaceguid", "deviceid"), p.guid) || p.guid == "" && p.device != "" && r.text("interfacedescription") == p.device
			if same && !taken[i] {
				taken[i] = true
				p.take(r)
				break
			}
		}
		ports = append(ports, p)
	}
	for i, r := range b.adapters {
		if !taken[i] && isOurs(r.text("interfacedescription")) {
			p := &portFact{}
			p.take(r)
			ports = append(ports, p)
		}
	}
	if len(ports) > 2*MaxAdapters {
		ports = ports[:2*MaxAdapters+1] // describeCards refuses so many
	}
	for _, p := range ports {
		b.place(p)
	}
	return slices.DeleteFunc(ports, func(p *portFact) bool { return p.device == "" && p.connection == "" })
}

// take takes what Get-NetAdapter says.
func (p *portFact) take(r row) {
	p.connection = cmp.Or(r.text("name", "interfacealias"), p.connection)
	p.device = cmp.Or(p.device, r.text("interfacedescription"))
	p.guid = cmp.Or(p.guid, strings.ToUpper(r.text("interfaceguid", "deviceid")))
	p.mac = r.text("permanentaddress", "macaddress")
	p.driver = cmp.Or(p.driver, r.text("driverversionstring", "driverversion"))
	if fact, ok := instanceFact(r.text("pnpdeviceid")); ok && !p.hasPCI {
		p.pci, p.hasPCI = fact, true
	}
	p.speed = readSpeed(r.get("speed", "receivelinkspeed", "linkspeed"))
}

// readSpeed returns a rate in Gb/s, of a number in bit/s or of a text such as "40 Gbps"; 0 for none.
func readSpeed(v any) int {
	text := textOf(v)
	if n, err := strconv.ParseFloat(text, 64); err == nil && n >= 1e9 && n <= 200e9 {
		return int(n / 1e9)
	}
	fields := strings.Fields(text)
	if len(fields) == 2 && strings.HasPrefix(fields[1], "G") {
		if n, err := strconv.ParseFloat(fields[0], 64); err == nil && n >= 1 && n <= 200 {
			return int(n)
		}
	}
	return 0
}

// place adds what other exports say of the place and the firmware of a port.
func (b *build) place(p *portFact) {
	p.node = -1
	for _, r := range b.hardware {
		if r.text("name") != p.connection || p.connection == "" {
			continue
		}
		bus, ok := r.number("bus", "busnumber")
		slot, _ := r.number("device", "devicenumber")
		function, _ := r.number("function", "functionnumber")
		if ok && bus >= 0 && bus < 256 && slot >= 0 && slot < 32 && function >= 0 && function < 8 {
			p.pci.bus, p.pci.slot, p.pci.function, p.pci.located = int(bus), int(slot), int(function), true
		}
		if n, ok := r.number("numanode"); ok && n >= 0 && n < 64 {
			p.node, p.hasNode = int(n), true
		}
		p.generation = generationOf(r)
		if n, ok := r.number("pcielinkwidth", "pciexpresscurrentlinkwidth"); ok && slices.Contains([]int64{1, 2, 4, 8, 16}, n) {
			p.lanes = int(n)
		}
		p.hasSlot = p.generation > 0 && p.lanes > 0
	}
	for _, card := range b.cards {
		match := card.connection != "" && card.connection == p.connection
		if match || card.connection == "" && card.pci != "" && p.pci.located && strings.EqualFold(card.pci, p.address(0)) {
			p.text.merge(card)
		}
		for _, port := range card.ports {
			if port.device != "" && port.device == p.device {
				p.text.merge(card)
				p.portGUID = cmp.Or(p.portGUID, port.guid)
				p.link, p.roce = cmp.Or(p.link, port.link), cmp.Or(p.roce, port.roce)
			}
		}
	}
	p.link = cmp.Or(p.link, p.text.link)
}

// merge adds what another text says of the same card.
func (c *cardText) merge(o cardText) {
	c.pci, c.psid, c.firmware, c.driver, c.link = cmp.Or(c.pci, o.pci), cmp.Or(c.psid, o.psid), cmp.Or(c.firmware, o.firmware), cmp.Or(c.driver, o.driver), cmp.Or(c.link, o.link)
	c.deviceID, c.nodeGUID = cmp.Or(c.deviceID, o.deviceID), cmp.Or(c.nodeGUID, o.nodeGUID)
}

// address returns the PCI address of a port's card with a function.
func (p *portFact) address(function int) string {
	return fmt.Sprintf("%02x:%02x.%x", p.pci.bus, p.pci.slot, function)
}

// generationOf returns the generation of PCI Express of a row of Get-NetAdapterHardwareInfo; 0 if it is unknown. The lab has none after 4.
func generationOf(r row) int {
	if n, ok := r.number("pciexpresscurrentlinkspeedencoded"); ok && n >= 1 && n <= 6 {
		return int(min(n, 4))
	}
	for i, speed := range []string{"2.5", "5.0", "8.0", "16.0", "32.0", "64.0"} {
		if strings.HasPrefix(r.text("pcielinkspeed"), speed+" ") {
			return min(i+1, 4)
		}
	}
	return 0
}

// describeHost describes the computer.
func (b *build) describeHost(ports []*portFact) {
	h := &b.d.Host
	if h.Name = b.host; h.Name == "" {
		h.Name = "HOST"
		b.assume("the host", "its name is %s", h.Name)
	}
	if h.System = b.system; h.System == "" {
		h.System = "Windows Server 2019 Datacenter"
		b.assume("the host", "its system is %s", h.System)
	}
	if len(b.machines)+len(b.switches) > 0 && !strings.Contains(h.System, "Hyper-V") {
		h.System += ", Hyper-V"
	}
	nodes := b.nodes
	for _, p := range ports {
		nodes = max(nodes, p.node+1)
	}
	if b.nodes == 0 {
		nodes = max(nodes, 1)
		b.assume("the host", "it has %s", wording.Count(nodes, "NUMA node"))
	}
	processors := b.processors
	if processors == 0 {
		processors = 8 * nodes
		b.assume("the host", "it has %d logical processors", processors)
	}
	h.NUMANodes = min(nodes, 64)
	h.ProcessorsPerNode = max(1, min(processors/h.NUMANodes, 256/h.NUMANodes, 64))
	if h.NUMANodes*h.ProcessorsPerNode != processors {
		b.assume("the host", "it has %d logical processors instead of %d", h.NUMANodes*h.ProcessorsPerNode, processors)
	}
}

// describeCards groups the ports by card and describes them.
func (b *build) describeCards(ports []*portFact) error {
	groups := map[string][]*portFact{}
	var order []string
	for i, p := range ports {
		key := fmt.Sprintf("port %d", i)
		switch {
		case p.pci.located:
			key = fmt.Sprintf("%02x:%02x", p.pci.bus, p.pci.slot)
		case p.bus != "":
			key = "bus " + p.bus
		case p.pci.nodeGUID != 0:
			key = fmt.Sprintf("node %016x", p.pci.nodeGUID)
		}
		if len(groups[key]) == 0 {
			order = append(order, key)
		}
		groups[key] = append(groups[key], p)
	}
	sort.SliceStable(order, func(i, j int) bool { // located cards first, by their place on the bus
		a, z := groups[order[i]][0].pci, groups[order[j]][0].pci
		if a.located != z.located {
			return a.located
		}
		return a.located && (a.bus != z.bus && a.bus < z.bus || a.bus == z.bus && a.slot < z.slot)
	})
	for _, key := range order {
		group := groups[key]
		slices.SortStableFunc(group, func(a, z *portFact) int {
			return cmp.Or(cmp.Compare(a.pci.function, z.pci.function), cmp.Compare(a.class, z.class))
		})
		for len(group) > 2 { // such as a card with several hosts
			b.describeCard(group[:2])
			group = group[2:]
		}
		b.describeCard(group)
	}
	if len(b.d.Adapters) > MaxAdapters {
		return fmt.Errorf("the host has more than %d cards, the maximum of a lab", MaxAdapters)
	}
	return nil
}

// product is a device with what the lab needs to know of it.
type product struct {
	id     uint16
	name   string
	speed  int
	family description.Family
}

// products lists the physical functions of ConnectX cards by their device ids.
func products() []product {
	return []product{
		{0x1003, "ConnectX-3", 40, description.WinOF}, {0x1007, "ConnectX-3 Pro", 40, description.WinOF},
		{0x1013, "ConnectX-4", 100, description.WinOF2}, {0x1015, "ConnectX-4 Lx", 25, description.WinOF2},
		{0x1017, "ConnectX-5", 100, description.WinOF2}, {0x1019, "ConnectX-5 Ex", 100, description.WinOF2},
		{0x101b, "ConnectX-6", 200, description.WinOF2}, {0x101d, "ConnectX-6 Dx", 100, description.WinOF2},
		{0x101f, "ConnectX-6 Lx", 25, description.WinOF2}, {0x1021, "ConnectX-7", 200, description.WinOF2},
		{0xa2d2, "BlueField", 100, description.WinOF2}, {0xa2d6, "BlueField-2", 100, description.WinOF2}, {0xa2dc, "BlueField-3", 200, description.WinOF2},
	}
}

// productOf returns the product of a card by its device id, else by the longest name in the device's description.
func productOf(id int, device string) (found product, byID bool) {
	for _, p := range products() {
		if int(p.id) == id {
			return p, true
		}
		if strings.Contains(device, p.name) && len(p.name) > len(found.name) {
			found = p
		}
	}
	if found.id == 0 {
		found = products()[4]
	}
	return found, false
}

// describeCard describes a card with one or two ports.
func (b *build) describeCard(group []*portFact) {
	first := group[0]
	id := int(first.pci.device)
	if !first.hasPCI || id == 0 {
		id = first.text.deviceID
	}
	kind, known := productOf(id, first.device)
	a := description.Adapter{
		Family: kind.family, VendorID: 0x15b3, DeviceID: kind.id, SubvendorID: first.pci.subvendor, SubsystemID: first.pci.subsystem, Revision: first.pci.revision,
		Firmware: first.text.firmware, PSID: first.text.psid, NodeGUID: description.GUID(cmp.Or(first.pci.nodeGUID, first.text.nodeGUID)),
		PCIeGeneration: first.generation, PCIeLanes: first.lanes, PCIeMaxPayload: 256, NUMANode: max(first.node, 0), BusClass: first.bus,
	}
	a.Name = kind.name
	for n := 2; slices.ContainsFunc(b.d.Adapters, func(o description.Adapter) bool { return o.Name == a.Name }); n++ {
		a.Name = fmt.Sprintf("%s (%d)", kind.name, n)
	}
	if !known {
		b.assume(a.Name, "its device id is %04x", a.DeviceID)
	}
	function := 0
	if a.Family == description.WinOF2 {
		function = first.pci.function &^ 1
	}
	a.PCI = description.PCIAddress{Bus: uint8(first.pci.bus), Device: uint8(first.pci.slot), Function: uint8(function)}
	if !first.pci.located {
		a.PCI = description.PCIAddress{Bus: uint8(0x80 + len(b.d.Adapters))}
		b.assume(a.Name, "its PCI address is %s", a.PCI)
	}
	if !first.hasPCI {
		a.SubvendorID = 0x15b3
		b.assume(a.Name, "its subsystem is the vendor's")
	}
	if !first.hasSlot {
		a.PCIeGeneration, a.PCIeLanes = 3, map[description.Family]int{description.WinOF: 8, description.WinOF2: 16}[a.Family]
		b.assume(a.Name, "its slot is PCI Express %d.0 x%d", a.PCIeGeneration, a.PCIeLanes)
	}
	if !first.hasNode {
		b.assume(a.Name, "it is at NUMA node 0")
	}
	if a.NUMANode >= b.d.Host.NUMANodes {
		a.NUMANode = 0
	}
	b.describeVersions(&a, first)
	if a.NodeGUID == 0 {
		a.NodeGUID = description.GUID(0x0002c90300000000 | uint64(len(b.d.Adapters)+1)<<8)
		b.assume(a.Name, "its node GUID is %s", a.NodeGUID)
	}
	for i, p := range group {
		a.Ports = append(a.Ports, b.describePort(&a, p, kind, i))
	}
	b.d.Adapters = append(b.d.Adapters, a)
	b.takeSettings(&b.d.Adapters[len(b.d.Adapters)-1])
}

// describeVersions sets the versions of a card's firmware and driver.
func (b *build) describeVersions(a *description.Adapter, p *portFact) {
	if a.Firmware == "" {
		a.Firmware = map[description.Family]string{description.WinOF: "2.42.5000", description.WinOF2: "16.35.3502"}[a.Family]
		b.assume(a.Name, "its firmware is %s", a.Firmware)
	}
	if a.PSID == "" {
		a.PSID = "unknown"
		b.assume(a.Name, "its PSID is unknown")
	}
	a.DriverVersion = cmp.Or(p.driver, p.text.driver)
	current := map[description.Family][2]string{description.WinOF: {"5.50.14688", "WinOF 5.50.52000"}, description.WinOF2: {"24.4.26429", "WinOF-2 24.4"}}[a.Family]
	if a.DriverVersion == "" {
		a.DriverVersion = current[0]
		b.assume(a.Name, "its driver is %s", a.DriverVersion)
	}
	switch major, rest, _ := strings.Cut(a.DriverVersion, "."); {
	case a.DriverVersion == current[0]:
		a.Package = current[1]
	case a.Family == description.WinOF:
		a.Package = "WinOF " + a.DriverVersion
	default:
		minor, _, _ := strings.Cut(rest, ".")
		a.Package = "WinOF-2 " + major + "." + minor
	}
	if a.Family == description.WinOF {
		a.ReceivedAckBytes = 20
	}
}

// describePort describes a port of a card.
func (b *build) describePort(a *description.Adapter, p *portFact, kind product, index int) description.Port {
	port := description.Port{
		Connection: p.connection, Device: p.device, Class: p.class, Interface: p.guid, SpeedGbps: p.speed, GUID: description.GUID(p.portGUID),
		BufferBytes: 1 << 20, HostPacketsPerSecond: 6_000_000, RoCE: description.RoCEv2,
	}
	number := 0
	for i := range b.d.Adapters {
		number += len(b.d.Adapters[i].Ports)
	}
	number += index
	if port.Connection == "" {
		port.Connection = fmt.Sprintf("Ethernet %d", number+1)
		b.assume(port.Connection, "its name, as neither Get-NetAdapter nor the keys of network connections were given")
	}
	if port.Device == "" {
		port.Device = fmt.Sprintf("Mellanox %s Adapter #%d", kind.name, number+1)
	}
	if port.Class == "" {
		port.Class = fmt.Sprintf("%04d", 900+number)
		b.assume(port.Connection, "its class key is %s", port.Class)
	}
	if !description.IsInterfaceGUID(port.Interface) {
		port.Interface = fmt.Sprintf("{7C0D5A11-0000-4000-8000-%012X}", number+1)
		b.assume(port.Connection, "its interface GUID is %s", port.Interface)
	}
	if strings.Contains(port.Device, "IPoIB") || p.link == "infiniband" || p.link == "ib" {
		port.Link, port.RoCE = description.InfiniBand, description.NoRoCE
	}
	hw, err := net.ParseMAC(macText(p.mac))
	if err == nil && len(hw) == 6 && hw[0]&1 == 0 {
		copy(port.MAC[:], hw)
	} else {
		port.MAC = description.MAC{0x02, 0, 0x5e, 0, byte(number >> 8), byte(number + 1)}
		b.assume(port.Connection, "its MAC address is %s", port.MAC)
	}
	if port.GUID == 0 {
		m := port.MAC // the modified EUI-64 of the address, as the driver of WinOF-2 has it
		port.GUID = description.GUID(uint64(m[0]^2)<<56 | uint64(m[1])<<48 | uint64(m[2])<<40 | 0xfffe<<24 | uint64(m[3])<<16 | uint64(m[4])<<8 | uint64(m[5]))
		if a.Family == description.WinOF {
			b.assume(port.Connection, "its port GUID is %s", port.GUID)
		}
	}
	if port.SpeedGbps == 0 {
		port.SpeedGbps = kind.speed
		b.assume(port.Connection, "its rate is %d Gb/s", port.SpeedGbps)
	}
	if a.Family == description.WinOF {
		port.BufferBytes, port.HostPacketsPerSecond = 512<<10, 5_600_000
	} else if port.SpeedGbps >= 100 {
		port.HostPacketsPerSecond = 9_000_000
	}
	b.takeKeys(a, &port, p.roce)
	b.takeLinux(&port)
	end := &port.Switch
	end.Lossless = port.Lossless
	end.Name, end.SpeedGbps, end.MaxFrame, end.FlowControl = fmt.Sprintf("Eth1/%d", number+1), port.SpeedGbps, 9216, port.FlowControl
	if port.Link == description.InfiniBand {
		end.Name, end.MaxFrame = fmt.Sprintf("IB1/%d", number+1), 4200
	}
	b.assume(port.Connection, "the far end is %s with %d Gb/s, frames up to %d bytes and flow control %s; the receive buffer has %d bytes, and the host takes %d packets a second",
		end.Name, end.SpeedGbps, end.MaxFrame, flowControlWord(end.FlowControl), port.BufferBytes, port.HostPacketsPerSecond)
	return port
}

func flowControlWord(c description.FlowControl) string {
	text, err := c.MarshalText()
	if err != nil {
		return "off"
	}
	return string(text)
}

// macText returns a MAC address with hyphens between its bytes.
func macText(text string) string {
	if len(text) == 12 {
		return text[:2] + "-" + text[2:4] + "-" + text[4:6] + "-" + text[6:8] + "-" + text[8:10] + "-" + text[10:]
	}
	return text
}
