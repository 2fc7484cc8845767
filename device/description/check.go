package description

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"cxdeck/device/tunnel"
	"cxdeck/device/wire"
)

const (
	maxName = 120
	// MaxPKeys is the maximum number of partitions of a port, without the default partition.
	MaxPKeys = 126

	maxProcessors = 256
)

// valueError is an invalid value, with the path of its key: "adapter", 1, "port", 0, "connection".
type valueError struct {
	path    []any
	problem string
}

func (e *valueError) Error() string { return e.problem }

// checker keeps the first problem of a description.
type checker struct {
	err *valueError
}

// require reports a problem unless ok.
func (c *checker) require(ok bool, path []any, format string, args ...any) {
	if !ok {
		c.report(path, format, args...)
	}
}

// report records a problem unless there is one already.
func (c *checker) report(path []any, format string, args ...any) {
	if c.err == nil {
		c.err = &valueError{slices.Clone(path), fmt.Sprintf(format, args...)}
	}
}

func (c *checker) number(v, low, high int, path ...any) {
	c.require(v >= low && v <= high, path, "%v must be %d to %d, not %d", path[len(path)-1], low, high, v)
}

func (c *checker) text(v string, path []any) {
	if len(v) > maxName {
		c.report(path, "%v is longer than %d bytes", path[len(path)-1], maxName)
	}
	if strings.ContainsFunc(v, unicode.IsControl) {
		c.report(path, "%v contains a control character", path[len(path)-1])
	}
}

// interfaceGUID is the GUID of a network interface.
var interfaceGUID = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\{[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}\}$`)
})

// IsInterfaceGUID reports whether a text is the GUID of a network interface in the form of descriptions: in braces and capital
// letters.
func IsInterfaceGUID(text string) bool { return interfaceGUID().MatchString(text) }

// guids reports invalid and duplicate GUIDs.
func (c *checker) guids(list []string, path ...any) {
	for i, guid := range list {
		c.require(IsInterfaceGUID(guid), path, "invalid GUID %q: it must be in braces and in upper case", guid)
		c.require(!slices.Contains(list[:i], guid), path, "the GUID %s occurs twice", guid)
	}
}

// Check returns the first problem of a description; nil when a lab can be built from it.
func (d *Description) Check() error {
	c := new(checker)
	c.checkTable(descriptionRules(), reflect.ValueOf(d).Elem(), make([]any, 0, 16))
	if c.err != nil {
		return c.err
	}
	c.require(!d.Epoch.IsZero() && d.Epoch.Year() >= 1970 && d.Epoch.Year() < 2200, []any{"epoch"},
		"epoch must be a date and time from 1970 to 2199")
	c.require(d.Host.NUMANodes*d.Host.ProcessorsPerNode <= maxProcessors, []any{"host", "processors_per_node"},
		"the host must have at most %d processors", maxProcessors)
	c.guids(d.Host.TeamGUIDs, "host", "team_guids")
	c.guids(d.Host.VLANGUIDs, "host", "vlan_guids")
	ports := d.checkAdapters(c)
	schedules := d.checkSchedules(c)
	for i := range d.Flows {
		c.flow(&d.Flows[i], ports, schedules, "flow", i)
		if c.err != nil {
			break
		}
	}
	for i, f := range d.DriverFaults {
		_, known := ports[f.Port]
		c.require(known, []any{"driver_fault", i, "port"}, "there is no port %q", f.Port)
		c.require(schedules[f.Schedule], []any{"driver_fault", i, "schedule"}, "there is no schedule %q", f.Schedule)
		c.require(f.Fault != "", []any{"driver_fault", i, "fault"}, "the name of a fault is required")
	}
	for i, f := range d.Faults {
		p, known := ports[f.Port]
		c.require(known, []any{"fault", i, "port"}, "there is no port %q", f.Port)
		c.require(!known || f.Kind != LinkFlap || !p.Management, []any{"fault", i, "port"},
			"%q carries the operator's session: its link must not flap", f.Port)
		c.require(schedules[f.Schedule] || len(f.Levels) > 0, []any{"fault", i, "schedule"}, "there is no schedule %q", f.Schedule)
		if len(f.Levels) > 0 {
			c.checkTrace(f.Period, f.Levels, func(name string) []any { return []any{"fault", i, name} })
		}
		c.require(!faultTraits[f.Kind].operator, []any{"fault", i, "kind"},
			"%s can't follow a schedule", f.Kind)
		c.require(!known || !faultTraits[f.Kind].function || p.VirtualFunctions > 0, []any{"fault", i, "port"},
			"%q has no virtual functions", f.Port)
	}
	c.virtual(d, ports)
	if d.InfiniBand != nil {
		c.infiniBand(d.InfiniBand)
	}
	if c.err != nil {
		return c.err
	}
	return nil
}

func (d *Description) checkAdapters(c *checker) map[string]*Port {
	ports, functions, devices, management := map[string]*Port{}, map[PCIAddress]bool{}, map[string]bool{}, 0
	for i := range d.Adapters {
		a := &d.Adapters[i]
		c.adapter(a, d.Host.NUMANodes, "adapter", i)
		slot := a.PCI
		c.require(!functions[slot], []any{"adapter", i, "pci"}, "two adapters have the PCI address %s", slot)
		functions[slot] = true
		for j := range a.Ports {
			p := &a.Ports[j]
			c.port(p, "adapter", i, "port", j)
			c.require(ports[p.Connection] == nil, []any{"adapter", i, "port", j, "connection"},
				"two ports are named %q", p.Connection)
			ports[p.Connection] = p
			c.require(!devices[p.Device], []any{"adapter", i, "port", j, "device"}, "two ports are the device %q", p.Device)
			devices[p.Device] = true
			if p.Management {
				management++
				c.require(management == 1, []any{"adapter", i, "port", j, "management"},
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
	lanes := a.PCIeLanes
	c.require(lanes == 1 || lanes == 2 || lanes == 4 || lanes == 8 || lanes == 16, key("pcie_lanes"),
		"pcie_lanes must be 1, 2, 4, 8 or 16, not %d", lanes)
	c.number(a.NUMANode, 0, nodes-1, key("numa_node")...)
}

func (c *checker) port(p *Port, at ...any) {
	key := func(names ...any) []any { return append(at[:len(at):len(at)], names...) }
	c.require(p.Link == InfiniBand || p.Switch.SubnetManager == SubnetManaged, key("switch", "subnet_manager"),
		"only an InfiniBand port has a subnet manager")
	c.require(p.Link == InfiniBand || len(p.Switch.PKeys) == 0, key("switch", "pkeys"), "only an InfiniBand port has partitions")
	c.number(len(p.Switch.PKeys), 0, MaxPKeys, key("switch", "pkeys")...)
	c.require(p.Link == Ethernet || p.RoCE == NoRoCE, key("roce"), "an InfiniBand port has no RoCE")
	c.priorities(p.Lossless, key("lossless"))
	c.priorities(p.CongestionControl, key("congestion_control"))
	c.priorities(p.Switch.Lossless, key("switch", "lossless"))
	c.require(p.Link == Ethernet || p.Switch.DCBX == NoDCBX, key("switch", "dcbx"), "only an Ethernet port has DCBX")
	c.require(CheckSwitchClasses(p.Switch.Classes) == nil, key("switch", "classes"), "%v", CheckSwitchClasses(p.Switch.Classes))
	c.require(CheckSwitchApplications(p.Switch.Applications) == nil, key("switch", "applications"), "%v", CheckSwitchApplications(p.Switch.Applications))
}

func (c *checker) priorities(list []int, path []any) {
	for _, p := range list {
		c.require(p >= 0 && p <= 7, path, "a priority must be 0 to 7, not %d", p)
	}
}

func (d *Description) checkSchedules(c *checker) map[string]bool {
	names := map[string]bool{}
	for i, s := range d.Schedules {
		c.require(!names[s.Name], []any{"schedule", i, "name"}, "two schedules are named %q", s.Name)
		names[s.Name] = true
		for key, span := range map[string][]Duration{"first": s.First, "every": s.Every, "lasting": s.Lasting} {
			ok := len(span) == 2 && span[0] <= span[1]
			c.require(ok, []any{"schedule", i, key}, "%s must be two durations, the shorter first", key)
		}
	}
	return names
}

func (c *checker) flow(f *Flow, ports map[string]*Port, schedules map[string]bool, at ...any) {
	key := func(names ...any) []any { return append(at[:len(at):len(at)], names...) }
	p, known := ports[f.Port]
	c.require(known, key("port"), "there is no port %q", f.Port)
	if !known {
		return
	}
	c.require((f.Protocol == IPoIB) == (p.Link == InfiniBand), key("protocol"), "%q can't carry this protocol", f.Port)
	c.require(f.Protocol != RDMA || p.RoCE == RoCEv2, key("protocol"), "%q has no RoCE v2", f.Port)
	c.require(f.Connections == 0 || f.Protocol == RDMA, key("connections"), "only an RDMA flow has connections")
	c.application(f, key)
	c.require(!f.VXLAN || f.Protocol == TCP || f.Protocol == UDP, key("vxlan"), "only TCP and UDP go through a tunnel")
	tags := 0
	if f.Priority != nil {
		tags = 1
		c.require(p.Link == Ethernet, key("priority"), "InfiniBand packets have no VLAN tag")
	}
	c.require(f.VLAN == 0 || tags == 1, key("vlan"), "a flow with a VLAN needs a priority")
	total := 0.0
	for i, size := range f.Packets {
		added := 0
		if f.VXLAN {
			added = tunnel.VXLAN.Added()
		}
		length := wire.FrameBytes(size.IP+added, tags)
		if f.Protocol == IPoIB {
			length = wire.IPoIBBytes(size.IP)
		}
		longest := min(p.MaxFrame, p.Switch.MaxFrame+wire.VLANTag*tags) + wire.FrameCheck
		c.require(size.IP >= 20 && length <= longest, key("packets", i, "ip"),
			"ip must be at least 20 and fit in a frame of %q, at most %d bytes, not %d", f.Port, p.MaxFrame, size.IP)
		total += size.Share
	}
	c.require(math.Abs(total-1) < 1e-6, key("packets"), "the shares of the packet sizes must add up to 1, not %v", total)
	c.checkRhythm(&f.Rhythm, schedules, key("rhythm"))
}

func (c *checker) checkRhythm(r *Rhythm, schedules map[string]bool, at []any) {
	key := func(name string) []any { return append(at[:len(at):len(at)], name) }
	c.require(r.Kind != Wave || r.Period >= Duration(time.Second), key("period"), "period must be at least 1s")
	c.require(r.Kind != Burst || schedules[r.Schedule], key("schedule"), "there is no schedule %q", r.Schedule)
	if r.Kind == Trace {
		c.checkTrace(r.Period, r.Levels, key)
	}
}

// checkTrace checks a recorded course.
func (c *checker) checkTrace(period Duration, levels []float64, key func(name string) []any) {
	c.require(period >= Duration(time.Second), key("period"), "period must be at least 1s")
	c.require(len(levels) >= 2, key("levels"), "a trace must have at least 2 levels")
	for _, level := range levels {
		c.require(level >= 0 && level <= 1, key("levels"), "a level must be 0 to 1, not %v", level)
	}
}
