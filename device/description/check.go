package description

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"cxdeck/device/tunnel"
	"cxdeck/device/wire"
)

// Limits of a description. They are far beyond what the console can show, and keep a hostile file from taking all
// memory.
const (
	maxAdapters  = 32
	maxPorts     = 2 // of an adapter
	maxFlows     = 1024
	maxSizes     = 8
	maxSchedules = 64
	maxFaults    = 256
	maxName      = 120
	maxGUIDs     = 64
	MaxPKeys     = 126 // of a port, beside the default one

	maxProcessors = 256
)

// valueError is a value that means nothing, with the path of its key: "adapter", 1, "port", 0, "connection".
type valueError struct {
	path    []any
	problem string
}

func (e *valueError) Error() string { return e.problem }

// checker collects the first thing that is wrong.
type checker struct {
	err *valueError
}

// need notes a problem unless ok holds or there is one already.
func (c *checker) need(ok bool, path []any, format string, args ...any) {
	if !ok && c.err == nil {
		c.err = &valueError{path, fmt.Sprintf(format, args...)}
	}
}

func (c *checker) number(v, low, high int, path ...any) {
	c.need(v >= low && v <= high, path, "%v must be %d to %d, not %d", path[len(path)-1], low, high, v)
}

func (c *checker) part(v float64, path ...any) {
	c.need(v >= 0 && v <= 1, path, "%v must be 0 to 1, not %v", path[len(path)-1], v)
}

// word must be one that the enumeration has: a number in its place gets past the reading of words.
func (c *checker) word(v uint8, words []string, path ...any) {
	c.need(int(v) < len(words), path, "%v must be one of %s", path[len(path)-1], strings.Join(words, ", "))
}

// span must be a duration that is not negative and at most a day.
func (c *checker) span(d Duration, path []any) {
	c.need(d >= 0 && time.Duration(d) <= MaxDuration, path, "%v must be durations from 0s to 24h", path[len(path)-1])
}

// name must be there, and be short and printable.
func (c *checker) name(v string, path ...any) {
	c.need(v != "", path, "%v is missing", path[len(path)-1])
	c.text(v, path...)
}

func (c *checker) text(v string, path ...any) {
	c.need(len(v) <= maxName, path, "%v is longer than %d bytes", path[len(path)-1], maxName)
	for _, r := range v {
		c.need(r >= ' ' && r != 0x7f && (r < 0x80 || r > 0x9f), path, "%v contains a control character", path[len(path)-1])
	}
}

// interfaceGUID is the GUID of a network interface.
var interfaceGUID = regexp.MustCompile(`^\{[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}\}$`)

// IsInterfaceGUID says whether a text is the GUID of a network interface as descriptions write it: in braces and
// capital letters.
func IsInterfaceGUID(text string) bool { return interfaceGUID.MatchString(text) }

// guids must be few, each of its own.
func (c *checker) guids(list []string, path ...any) {
	c.number(len(list), 0, maxGUIDs, path...)
	for i, guid := range list {
		c.need(IsInterfaceGUID(guid), path, "invalid GUID %q: it must be in braces and in upper case", guid)
		c.need(!slices.Contains(list[:i], guid), path, "the GUID %s is there twice", guid)
	}
}

// Check says what is wrong with a description; nil when a lab can be built from it.
func (d *Description) Check() error {
	c := new(checker)
	c.text(d.Name, "name")
	c.need(!d.Epoch.IsZero() && d.Epoch.Year() >= 1970 && d.Epoch.Year() < 2200, []any{"epoch"},
		"epoch must be a date and time from 1970 to 2199")
	c.name(d.Host.Name, "host", "name")
	c.text(d.Host.System, "host", "system")
	c.text(d.Host.FirmwareTools, "host", "firmware_tools")
	c.number(d.Host.NUMANodes, 1, 64, "host", "numa_nodes")
	c.number(d.Host.ProcessorsPerNode, 1, 64, "host", "processors_per_node")
	c.need(d.Host.NUMANodes*d.Host.ProcessorsPerNode <= maxProcessors, []any{"host", "processors_per_node"},
		"the host must have at most %d processors", maxProcessors)
	c.guids(d.Host.TeamGUIDs, "host", "team_guids")
	c.guids(d.Host.VLANGUIDs, "host", "vlan_guids")
	ports := d.checkAdapters(c)
	schedules := d.checkSchedules(c)
	c.number(len(d.Flows), 0, maxFlows, "flow")
	for i := range d.Flows {
		c.flow(&d.Flows[i], ports, schedules, "flow", i)
		if c.err != nil {
			break
		}
	}
	c.number(len(d.Faults), 0, maxFaults, "fault")
	for i, f := range d.Faults {
		p, known := ports[f.Port]
		c.need(known, []any{"fault", i, "port"}, "there is no port %q", f.Port)
		c.need(!known || f.Kind != LinkFlap || !p.Management, []any{"fault", i, "port"},
			"%q carries the operator's session: its link must not flap", f.Port)
		c.word(uint8(f.Kind), faultWords[:], "fault", i, "kind")
		c.need(schedules[f.Schedule], []any{"fault", i, "schedule"}, "there is no schedule %q", f.Schedule)
		c.part(f.Share, "fault", i, "share")
		c.need(f.Kind >= FaultCount || !faultTraits[f.Kind].operator, []any{"fault", i, "kind"},
			"%s can't follow a schedule", f.Kind)
		c.need(!known || f.Kind >= FaultCount || !faultTraits[f.Kind].function || p.VirtualFunctions > 0, []any{"fault", i, "port"},
			"%q has no virtual functions", f.Port)
		c.number(f.Priority, 0, 7, "fault", i, "priority")
	}
	c.virtual(d, ports)
	if c.err != nil {
		return c.err
	}
	return nil
}

func (d *Description) checkAdapters(c *checker) map[string]*Port {
	ports, functions, devices, management := map[string]*Port{}, map[PCIAddress]bool{}, map[string]bool{}, 0
	c.number(len(d.Adapters), 1, maxAdapters, "adapter")
	for i := range d.Adapters {
		a := &d.Adapters[i]
		c.adapter(a, d.Host.NUMANodes, "adapter", i)
		slot := a.PCI
		c.need(!functions[slot], []any{"adapter", i, "pci"}, "two adapters have the PCI address %s", slot)
		functions[slot] = true
		for j := range a.Ports {
			p := &a.Ports[j]
			c.port(p, "adapter", i, "port", j)
			c.need(ports[p.Connection] == nil, []any{"adapter", i, "port", j, "connection"},
				"two ports are named %q", p.Connection)
			ports[p.Connection] = p
			c.need(!devices[p.Device], []any{"adapter", i, "port", j, "device"}, "two ports are the device %q", p.Device)
			devices[p.Device] = true
			if p.Management {
				management++
				c.need(management == 1, []any{"adapter", i, "port", j, "management"},
					"only one port can carry the operator's session")
			}
		}
		if c.err != nil {
			break
		}
	}
	return ports
}

func (c *checker) adapter(a *Adapter, nodes int, at ...any) {
	key := func(name string) []any { return append(at[:len(at):len(at)], name) }
	c.name(a.Name, key("name")...)
	c.word(uint8(a.Family), familyWords[:], key("family")...)
	c.text(a.Firmware, key("firmware")...)
	c.text(a.PSID, key("psid")...)
	c.text(a.Package, key("package")...)
	c.text(a.DriverVersion, key("driver_version")...)
	c.number(a.PCIeGeneration, 1, 4, key("pcie_generation")...)
	lanes := a.PCIeLanes
	c.need(lanes == 1 || lanes == 2 || lanes == 4 || lanes == 8 || lanes == 16, key("pcie_lanes"),
		"pcie_lanes must be 1, 2, 4, 8 or 16, not %d", lanes)
	c.number(a.PCIeMaxPayload, 64, 4096, key("pcie_max_payload")...)
	c.number(a.NUMANode, 0, nodes-1, key("numa_node")...)
	c.number(a.ReceivedAckBytes, 0, 70, key("received_ack_bytes")...)
	c.number(a.FirmwareVFs, 0, 127, key("burnt_functions")...)
	c.number(len(a.Ports), 1, maxPorts, key("port")...)
}

func (c *checker) port(p *Port, at ...any) {
	key := func(names ...any) []any { return append(at[:len(at):len(at)], names...) }
	c.name(p.Connection, key("connection")...)
	c.name(p.Device, key("device")...)
	c.text(p.Class, key("class")...)
	c.text(p.Interface, key("interface")...)
	c.word(uint8(p.Link), linkWords[:], key("link")...)
	c.word(uint8(p.FlowControl), flowControlWords[:], key("flow_control")...)
	c.word(uint8(p.RoCE), roceWords[:], key("roce")...)
	c.word(uint8(p.Switch.FlowControl), flowControlWords[:], key("switch", "flow_control")...)
	c.word(uint8(p.Switch.SubnetManager), subnetWords[:], key("switch", "subnet_manager")...)
	c.need(p.Link == InfiniBand || p.Switch.SubnetManager == SubnetManaged, key("switch", "subnet_manager"),
		"only an InfiniBand port has a subnet manager")
	c.need(p.Link == InfiniBand || len(p.Switch.PKeys) == 0, key("switch", "pkeys"), "only an InfiniBand port has partitions")
	c.number(len(p.Switch.PKeys), 0, MaxPKeys, key("switch", "pkeys")...)
	c.text(p.Switch.SubnetManagerVersion, key("switch", "subnet_manager_version")...)
	c.need(p.Link == Ethernet || p.RoCE == NoRoCE, key("roce"), "an InfiniBand port has no RoCE")
	c.number(p.SpeedGbps, 1, 200, key("speed_gbps")...)
	c.number(p.MaxFrame, 614, 9614, key("max_frame")...)
	c.number(p.BufferBytes, 64<<10, 64<<20, key("buffer_bytes")...)
	c.number(p.HostPacketsPerSecond, 1000, 1e9, key("host_packets_per_second")...)
	c.priorities(p.Lossless, key("lossless"))
	c.number(p.BaseProcessor, 0, 255, key("base_processor")...)
	c.priorities(p.CongestionControl, key("congestion_control"))
	c.number(p.VirtualFunctions, 0, 127, key("virtual_functions")...)
	c.text(p.Switch.Name, key("switch", "name")...)
	c.number(p.Switch.SpeedGbps, 1, 400, key("switch", "speed_gbps")...)
	c.number(p.Switch.MaxFrame, 614, 65535, key("switch", "max_frame")...)
	c.priorities(p.Switch.Lossless, key("switch", "lossless"))
}

func (c *checker) priorities(list []int, path []any) {
	for _, p := range list {
		c.need(p >= 0 && p <= 7, path, "a priority must be 0 to 7, not %d", p)
	}
}

func (d *Description) checkSchedules(c *checker) map[string]bool {
	names := map[string]bool{}
	c.number(len(d.Schedules), 0, maxSchedules, "schedule")
	for i, s := range d.Schedules {
		c.name(s.Name, "schedule", i, "name")
		c.need(!names[s.Name], []any{"schedule", i, "name"}, "two schedules are named %q", s.Name)
		names[s.Name] = true
		for key, span := range map[string][]Duration{"first": s.First, "every": s.Every, "lasting": s.Lasting} {
			ok := len(span) == 2 && span[0] <= span[1]
			c.need(ok, []any{"schedule", i, key}, "%s must be two durations, the shorter first", key)
			for _, d := range span {
				c.span(d, []any{"schedule", i, key})
			}
		}
	}
	return names
}

func (c *checker) flow(f *Flow, ports map[string]*Port, schedules map[string]bool, at ...any) {
	key := func(names ...any) []any { return append(at[:len(at):len(at)], names...) }
	c.name(f.Name, key("name")...)
	p, known := ports[f.Port]
	c.need(known, key("port"), "there is no port %q", f.Port)
	if !known {
		return
	}
	c.word(uint8(f.Protocol), protocolWords[:], key("protocol")...)
	c.need((f.Protocol == IPoIB) == (p.Link == InfiniBand), key("protocol"), "%q can't carry this protocol", f.Port)
	c.need(f.Protocol != RDMA || p.RoCE == RoCEv2, key("protocol"), "%q has no RoCE v2", f.Port)
	c.need(f.Connections == 0 || f.Protocol == RDMA, key("connections"), "only an RDMA flow has connections")
	c.application(f, key)
	c.number(f.Flows, 1, 1e6, key("flows")...)
	c.number(f.DSCP, 0, 63, key("dscp")...)
	c.number(f.LocalPort, 0, 65535, key("local_port")...)
	c.need(!f.VXLAN || f.Protocol == TCP || f.Protocol == UDP, key("vxlan"), "only TCP and UDP go through a tunnel")
	c.number(f.Connections, 0, 1e6, key("connections")...)
	tags := 0
	if f.Priority != nil {
		tags = 1
		c.number(*f.Priority, 0, 7, key("priority")...)
		c.need(p.Link == Ethernet, key("priority"), "InfiniBand packets have no VLAN tag")
	}
	c.number(f.VLAN, 0, 4094, key("vlan")...)
	c.need(f.VLAN == 0 || tags == 1, key("vlan"), "a flow with a VLAN needs a priority")
	for name, rate := range map[string]float64{"receive_gbps": f.ReceiveGbps, "send_gbps": f.SendGbps} {
		c.need(rate >= 0 && rate <= 400, key(name), "%s must be 0 to 400, not %v", name, rate)
	}
	c.number(len(f.Packets), 1, maxSizes, key("packets")...)
	total := 0.0
	for i, size := range f.Packets {
		around := 0
		if f.VXLAN {
			around = tunnel.VXLAN.Added()
		}
		length := wire.FrameBytes(size.IP+around, tags)
		if f.Protocol == IPoIB {
			length = wire.IPoIBBytes(size.IP)
		}
		longest := min(p.MaxFrame, p.Switch.MaxFrame+wire.VLANTag*tags) + wire.FrameCheck
		c.need(size.IP >= 20 && length <= longest, key("packets", i, "ip"),
			"ip must be 20 or more and fit a frame of %q, which ends at %d bytes, not %d", f.Port, p.MaxFrame, size.IP)
		c.part(size.Share, key("packets", i, "share")...)
		total += size.Share
	}
	c.need(math.Abs(total-1) < 1e-6, key("packets"), "the shares of the packet sizes must add up to 1, not %v", total)
	c.rhythm(&f.Rhythm, schedules, key("rhythm"))
}

func (c *checker) rhythm(r *Rhythm, schedules map[string]bool, at []any) {
	key := func(name string) []any { return append(at[:len(at):len(at)], name) }
	c.word(uint8(r.Kind), rhythmWords[:], key("kind")...)
	c.span(r.Period, key("period"))
	c.part(r.Noise, key("noise")...)
	c.part(r.Depth, key("depth")...)
	c.part(r.Phase, key("phase")...)
	c.part(r.Rest, key("rest")...)
	c.need(r.Kind != Wave || r.Period >= Duration(time.Second), key("period"), "period must be at least 1s")
	c.need(r.Kind != Burst || schedules[r.Schedule], key("schedule"), "there is no schedule %q", r.Schedule)
}
