package ports

import (
	"encoding/binary"
	"slices"
	"strings"

	"cxdeck/device/infiniband/mad"
	"cxdeck/views/exec/subnet"
)

var perfqueryOptions = []subnet.Option{
	subnet.NewOption("extended", 'x', "", "the counters of 64 bits"),
	subnet.NewOption("xmtsl", 'X', "", "data sent by service level"),
	subnet.NewOption("rcvsl", 'S', "", "data received by service level"),
	subnet.NewOption("xmtdisc", 'D', "", "why packets were discarded"),
	subnet.NewOption("rcverr", 'E', "", "kinds of receive errors"),
	subnet.NewOption("extended_speeds", 'T', "", "counters of links of 14 Gb/s a lane and more"),
	subnet.NewOption("oprcvcounters", 0, "", "packets received by operation code"),
	subnet.NewOption("flowctlcounters", 0, "", "packets of flow control"),
	subnet.NewOption("vloppackets", 0, "", "packets by operation code and lane"),
	subnet.NewOption("vlopdata", 0, "", "data by operation code and lane"),
	subnet.NewOption("vlxmitflowctlerrors", 0, "", "errors of flow control by lane"),
	subnet.NewOption("vlxmitcounters", 0, "", "time of waiting to send by lane"),
	subnet.NewOption("swportvlcong", 0, "", "congestion by lane of a switch port"),
	subnet.NewOption("rcvcc", 0, "", "congestion notices received"),
	subnet.NewOption("slrcvfecn", 0, "", "forward notices by service level"),
	subnet.NewOption("slrcvbecn", 0, "", "backward notices by service level"),
	subnet.NewOption("xmitcc", 0, "", "time in congestion"),
	subnet.NewOption("vlxmittimecc", 0, "", "time in congestion by lane"),
	subnet.NewOption("smplctl", 'c', "", "control of sampling"),
	subnet.NewOption("all_ports", 'a', "", "the sum of the ports"),
	subnet.NewOption("loop_ports", 'l', "", "each port"),
	subnet.NewOption("reset_after_read", 'r', "", "reset the counters after reading"),
	subnet.NewOption("Reset_only", 'R', "", "only reset the counters"),
}

// special are the options that ask for another attribute: its name, its number and its fields.
var special = []struct {
	option, name string
	attribute    mad.Attribute
	fields       []mad.Field
}{
	{"xmtsl", "PortXmitDataSL", mad.SentDataByLevel, mad.SentByLevelFields},
	{"rcvsl", "PortRcvDataSL", mad.ReceivedDataByLevel, mad.ReceivedByLevelFields},
	{"xmtdisc", "PortXmitDiscardDetails", mad.SendDiscardDetails, mad.SendDiscardFields},
	{"rcverr", "PortRcvErrorDetails", mad.ReceiveErrorDetails, mad.ReceiveErrorFields},
	{"extended_speeds", "PortExtendedSpeedsCounters", 0x1f, nil},
	{"oprcvcounters", "PortOpRcvCounters", 0x17, nil},
	{"flowctlcounters", "PortFlowCtlCounters", 0x18, nil},
	{"vloppackets", "PortVLOpPackets", 0x19, nil},
	{"vlopdata", "PortVLOpData", 0x1a, nil},
	{"vlxmitflowctlerrors", "PortVLXmitFlowCtlUpdateErrors", 0x1b, nil},
	{"vlxmitcounters", "PortVLXmitWaitCounters", mad.WaitByLane, mad.WaitByLaneFields},
	{"swportvlcong", "SwPortVLCongestion", 0x30, nil},
	{"rcvcc", "PortRcvConCtrl", 0x31, nil},
	{"slrcvfecn", "PortSLRcvFECN", 0x32, nil},
	{"slrcvbecn", "PortSLRcvBECN", 0x33, nil},
	{"xmitcc", "PortXmitConCtrl", 0x34, nil},
	{"vlxmittimecc", "PortVLXmitTimeCong", 0x35, nil},
}

// counting reads the counters of a node.
type counting struct {
	*subnet.Session
	route              mad.Route
	port               int
	ports              []int
	mask               uint32
	maskGiven          bool
	capabilities       uint16
	extended, all      bool
	loop, reset, erase bool
}

func runPerfquery(s *subnet.Session) error {
	c := &counting{
		Session: s, mask: 0xffff, extended: s.Has("extended") > 0, all: s.Has("all_ports") > 0, loop: s.Has("loop_ports") > 0,
		reset: s.Has("reset_after_read") > 0, erase: s.Has("Reset_only") > 0,
	}
	if err := c.address(); err != nil {
		return err
	}
	data, ok := s.CountersOf(c.route, mad.ClassInfo, c.port)
	if !ok {
		return subnet.Failed("classportinfo query")
	}
	c.capabilities = binary.BigEndian.Uint16(data[2:])
	emulated := false
	if c.capabilities&mad.AllPorts == 0 && c.port == mad.AllPortsSelect {
		if !c.all {
			return subnet.Failed("AllPortSelect not supported")
		}
		emulated = true
	}
	for _, attribute := range special {
		if s.Has(attribute.option) > 0 {
			return c.special(attribute.name, attribute.attribute, attribute.fields)
		}
	}
	if s.Has("smplctl") > 0 {
		s.CountersOf(c.route, 0x10, c.port)
		return subnet.Failed("sampctlquery")
	}
	if emulated || c.loop && (c.all || c.port == mad.AllPortsSelect) {
		if err := c.everyPort(); err != nil {
			return err
		}
		if emulated && !c.loop {
			s.Warn("main", "Emulating AllPortSelect by iterating through all ports")
		}
	}
	if !c.erase {
		if err := c.read(emulated); err != nil {
			return err
		}
	}
	if c.erase || c.reset {
		return c.clearAll()
	}
	return nil
}

// address reads the operands: the node, its ports and the mask of a reset.
func (c *counting) address() error {
	words := c.Given.Operands
	if c.all {
		c.port = mad.AllPortsSelect
	}
	if len(words) > 1 {
		first, last, isRange := strings.Cut(words[1], "-")
		switch {
		case strings.Contains(words[1], ","):
			for _, word := range strings.FieldsFunc(words[1], func(r rune) bool { return r == ',' }) {
				c.ports = append(c.ports, int(subnet.Number(word)))
			}
			if len(c.ports) == 0 || len(c.ports) > mad.AllPortsSelect {
				return subnet.Failed("invalid list of ports %q", words[1])
			}
			c.port = c.ports[0]
		case isRange:
			low, high := int(subnet.Number(first)), int(subnet.Number(last))
			if low >= high {
				return subnet.Failed("max port must be greater than min port in range")
			}
			for port := low; port <= min(high, mad.AllPortsSelect-1); port++ {
				c.ports = append(c.ports, port)
			}
			c.port = low
		default:
			c.port = int(uint32(subnet.Number(words[1])))
		}
	}
	if len(words) > 2 {
		c.mask, c.maskGiven = uint32(subnet.Number(words[2])), true
	}
	if len(words) == 0 {
		c.route = mad.ByLID(c.Local().LID)
		if c.route.LID == 0 {
			c.route = subnet.Self
		}
		if !c.all {
			c.port = c.From.Port
		}
		return nil
	}
	var err error
	c.route, err = c.Resolve(words[0])
	return err
}

// special reads and resets another attribute.
func (c *counting) special(name string, attribute mad.Attribute, fields []mad.Field) error {
	if !c.erase {
		data, ok := c.CountersOf(c.route, attribute, c.port)
		if !ok {
			return subnet.Failed("cannot query %s", name)
		}
		c.Printf("# %s counters: %s port %d\n%s", name, c.route, c.port, mad.Print(fields, data))
	}
	if (c.erase || c.reset) && !c.ResetCounters(c.route, attribute, c.port, c.mask) {
		return subnet.Failed("cannot reset %s", name)
	}
	return nil
}

// everyPort lists the ports of the node.
func (c *counting) everyPort() error {
	node, ok := c.Request(c.route, mad.NodeInfo, 0)
	if !ok {
		return subnet.Failed("smp query nodeinfo failed")
	}
	last, first := int(mad.NumPorts.Get(node)), 1
	if mad.NodeType.Get(node) == subnet.KindSwitch {
		info, ok := c.Request(c.route, mad.SwitchInfo, 0)
		if !ok {
			return subnet.Failed("smp query nodeinfo failed")
		}
		if mad.EnhancedPort0.Get(info) != 0 {
			first = 0
		}
	}
	c.ports = nil
	for port := first; port <= last; port++ {
		c.ports = append(c.ports, port)
	}
	return nil
}

// attribute is the one to read, with its fields.
func (c *counting) attribute() (mad.Attribute, []mad.Field) {
	if c.extended {
		return mad.ExtendedCounters, mad.ExtendedCounterFields
	}
	return mad.PortCounters, mad.PortCounterFields
}

func (c *counting) read(emulated bool) error {
	every := emulated || c.loop && (c.all || c.port == mad.AllPortsSelect)
	if !every && len(c.ports) < 2 {
		data, err := c.one(c.port)
		if err != nil {
			return err
		}
		c.write(c.port, data)
		return nil
	}
	sum := make([]byte, mad.CounterSize)
	isSum := c.all && !c.loop
	_, fields := c.attribute()
	for _, port := range c.ports {
		data, err := c.one(port)
		if err != nil {
			return err
		}
		if !isSum {
			c.write(port, data)
			continue
		}
		for _, f := range fields[2:] {
			f.SetUpTo(sum, f.Get(sum)+f.Get(data))
		}
	}
	if isSum {
		fields[0].Set(sum, mad.AllPortsSelect)
		c.write(mad.AllPortsSelect, sum)
	}
	return nil
}

// one reads the counters of a port.
func (c *counting) one(port int) ([]byte, error) {
	attribute, fields := c.attribute()
	if c.extended && c.capabilities&mad.ExtendedWidth == 0 {
		c.Warn("dump_perfcounters", "PerfMgt ClassPortInfo CapMask 0x%02X; No extended counter support indicated\n", c.capabilities)
	}
	data, ok := c.CountersOf(c.route, attribute, port)
	if !ok && c.extended {
		return nil, subnet.Failed("perfextquery")
	}
	if !ok {
		return nil, subnet.Failed("perfquery")
	}
	if c.capabilities&mad.SendWait == 0 && !c.extended {
		i := slices.IndexFunc(fields, func(f mad.Field) bool { return f.Name == "PortXmitWait" })
		fields[i].Set(data, 0)
	}
	return data, nil
}

func (c *counting) write(port int, data []byte) {
	_, fields := c.attribute()
	if c.extended {
		c.Printf("# Port extended counters: %s port %d (CapMask: 0x%02X CapMask2: 0x%07X)\n", c.route, port, c.capabilities, 0)
	} else {
		c.Printf("# Port counters: %s port %d (CapMask: 0x%02X)\n", c.route, port, c.capabilities)
	}
	c.Printf("%s", mad.Print(fields, data))
}

// clearAll resets the counters of the ports.
func (c *counting) clearAll() error {
	attribute, _ := c.attribute()
	mask := c.mask
	if !c.maskGiven && !c.extended && c.capabilities&mad.SendWait != 0 {
		mask |= 1 << 16
	}
	ports := c.ports
	if len(ports) < 2 {
		ports = []int{c.port}
	}
	for _, port := range ports {
		if c.ResetCounters(c.route, attribute, port, mask) {
			continue
		}
		if c.extended {
			return subnet.Failed("perf ext reset")
		}
		return subnet.Failed("perf reset")
	}
	return nil
}
