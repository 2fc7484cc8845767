package mad

import (
	"encoding/binary"
	"strings"
	"unicode"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/qos"
)

// CounterSize is the number of bytes of an attribute of performance management.
const CounterSize = 192

// Attributes of performance management beyond the ones that all devices have.
const (
	ReceiveErrorDetails Attribute = 0x15
	SendDiscardDetails  Attribute = 0x16
	SentDataByLevel     Attribute = 0x36
	ReceivedDataByLevel Attribute = 0x37
	WaitByLane          Attribute = 0x1c
)

// AllPortsSelect selects the sum of all ports of a switch.
const AllPortsSelect = 0xff

// Counter is a counter of a port: its fields in the two attributes, and the bit that selects it for a reset in PortCounters.
type Counter struct {
	Field
	Extended Field // without bits when the counter has none
	Bit      int
	count    func(*infiniband.Counters) *uint64
}

// ThresholdName returns the name of a counter in the thresholds and reports of ibutils: symbol_error_counter.
func (f *Field) ThresholdName() string {
	var b strings.Builder
	for i, r := range f.Name {
		if unicode.IsUpper(r) {
			if i > 0 && !unicode.IsUpper(rune(f.Name[i-1])) {
				b.WriteByte('_')
			}
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}

var (
	portSelect    = Field{8, 8, "PortSelect", nil}
	counterSelect = Field{16, 16, "CounterSelect", hex}
)

// Names of fields that occur in both attributes.
const (
	sentData, receivedData       = "PortXmitData", "PortRcvData"
	sentPackets, receivedPackets = "PortXmitPkts", "PortRcvPkts"
)

// Counters are the counters of a port in the order in which programs report them.
var Counters = []Counter{
	{Field{32, 16, "SymbolErrorCounter", nil}, Field{}, 0, func(c *infiniband.Counters) *uint64 { return &c.SymbolErrors }},
	{Field{48, 8, "LinkErrorRecoveryCounter", nil}, Field{}, 1, func(c *infiniband.Counters) *uint64 { return &c.LinkRecoveries }},
	{Field{56, 8, "LinkDownedCounter", nil}, Field{}, 2, func(c *infiniband.Counters) *uint64 { return &c.LinkDowned }},
	{Field{64, 16, "PortRcvErrors", nil}, Field{}, 3, func(c *infiniband.Counters) *uint64 { return &c.ReceiveErrors }},
	{Field{80, 16, "PortRcvRemotePhysicalErrors", nil}, Field{}, 4, func(c *infiniband.Counters) *uint64 { return &c.RemotePhysicalErrors }},
	{Field{96, 16, "PortRcvSwitchRelayErrors", nil}, Field{}, 5, func(c *infiniband.Counters) *uint64 { return &c.RelayErrors }},
	{Field{112, 16, "PortXmitDiscards", nil}, Field{}, 6, func(c *infiniband.Counters) *uint64 { return &c.SendDiscards }},
	{Field{128, 8, "PortXmitConstraintErrors", nil}, Field{}, 7, func(c *infiniband.Counters) *uint64 { return &c.SendConstraints }},
	{Field{136, 8, "PortRcvConstraintErrors", nil}, Field{}, 8, func(c *infiniband.Counters) *uint64 { return &c.ReceiveConstraints }},
	{Field{152, 4, "LocalLinkIntegrityErrors", nil}, Field{}, 9, func(c *infiniband.Counters) *uint64 { return &c.IntegrityErrors }},
	{Field{156, 4, "ExcessiveBufferOverrunErrors", nil}, Field{}, 10, func(c *infiniband.Counters) *uint64 { return &c.BufferOverruns }},
	{Field{176, 16, "VL15Dropped", nil}, Field{}, 11, func(c *infiniband.Counters) *uint64 { return &c.VL15Dropped }},
	{Field{192, 32, sentData, nil}, Field{64, 64, sentData, nil}, 12, func(c *infiniband.Counters) *uint64 { return &c.SentData }},
	{Field{224, 32, receivedData, nil}, Field{128, 64, receivedData, nil}, 13, func(c *infiniband.Counters) *uint64 { return &c.ReceivedData }},
	{Field{256, 32, sentPackets, nil}, Field{192, 64, sentPackets, nil}, 14, func(c *infiniband.Counters) *uint64 { return &c.SentPackets }},
	{Field{288, 32, receivedPackets, nil}, Field{256, 64, receivedPackets, nil}, 15, func(c *infiniband.Counters) *uint64 { return &c.ReceivedPackets }},
	{Field{320, 32, "PortXmitWait", nil}, Field{}, 16, func(c *infiniband.Counters) *uint64 { return &c.SendWait }},
	{Field{}, Field{320, 64, "PortUnicastXmitPkts", nil}, -1, func(c *infiniband.Counters) *uint64 { return &c.SentUnicast }},
	{Field{}, Field{384, 64, "PortUnicastRcvPkts", nil}, -1, func(c *infiniband.Counters) *uint64 { return &c.ReceivedUnicast }},
	{Field{}, Field{448, 64, "PortMulticastXmitPkts", nil}, -1, func(c *infiniband.Counters) *uint64 { return &c.SentMulticast }},
	{Field{}, Field{512, 64, "PortMulticastRcvPkts", nil}, -1, func(c *infiniband.Counters) *uint64 { return &c.ReceivedMulticast }},
}

var plainFields, extendedFields = counterFields()

// PortCounterFields are the fields of PortCounters in the order in which programs print them.
var PortCounterFields = plainFields

// ExtendedCounterFields are the fields of PortCountersExtended in that order.
var ExtendedCounterFields = extendedFields

func counterFields() (plain, extended []Field) {
	plain, extended = []Field{portSelect, counterSelect}, []Field{portSelect, counterSelect}
	for _, c := range Counters {
		switch c.Name {
		case "LocalLinkIntegrityErrors":
			plain = append(plain, Field{144, 8, "CounterSelect2", hex})
		case "VL15Dropped":
			plain = append(plain, Field{160, 16, "QP1Dropped", nil})
		}
		if c.Bits > 0 {
			plain = append(plain, c.Field)
		}
		if c.Extended.Bits > 0 {
			extended = append(extended, c.Extended)
		}
	}
	return plain, extended
}

// details are the fields of an attribute of performance management, after the selection.
func details(fields ...Field) []Field { return append([]Field{portSelect, counterSelect}, fields...) }

// The fields of further attributes.
var (
	SendDiscardFields = details(Field{32, 16, "PortInactiveDiscards", nil}, Field{48, 16, "PortNeighborMTUDiscards", nil},
		Field{64, 16, "PortSwLifetimeLimitDiscards", nil}, Field{80, 16, "PortSwHOQLifetimeLimitDiscards", nil})
	ReceiveErrorFields = details(Field{32, 16, "PortLocalPhysicalErrors", nil}, Field{48, 16, "PortMalformedPktErrors", nil},
		Field{64, 16, "PortBufferOverrunErrors", nil}, Field{80, 16, "PortDLIDMappingErrors", nil}, Field{96, 16, "PortVLMappingErrors", nil},
		Field{112, 16, "PortLoopingErrors", nil})
	SentByLevelFields     = details(levels("XmtDataSL")...)
	ReceivedByLevelFields = details(levels("RcvDataSL")...)
)

// WaitByLaneFields are the fields of PortVLXmitWaitCounters, a field for each lane.
var WaitByLaneFields = details(waits()...)

func waits() []Field {
	var fields []Field
	for lane := range 16 {
		fields = append(fields, Field{32 + 16*lane, 16, "PortVLXmitWait" + Field{}.Format(uint64(lane)), nil})
	}
	return fields
}

func levels(name string) []Field {
	var fields []Field
	for level := range 16 {
		fields = append(fields, Field{32 + 32*level, 32, name + Field{}.Format(uint64(level)), nil})
	}
	return fields
}

// GetCounters returns an attribute of performance management of a port, or of all ports of a switch, from the node of the port at which
// the request arrived.
func (n *Network) GetCounters(at infiniband.Place, attribute Attribute, number int) ([]byte, Status) {
	data := make([]byte, CounterSize)
	node := n.Of(at)
	if attribute == ClassInfo {
		data[0], data[1] = 1, 1
		mask := n.Profile.AdapterCounters
		if node.Kind == infiniband.Switch {
			mask = n.Profile.SwitchCounters
		}
		binary.BigEndian.PutUint16(data[2:], mask)
		data[7] = timeout
		return data, OK
	}
	total, status := n.total(at, number)
	if status != OK {
		return data, status
	}
	portSelect.Set(data, uint64(number))
	switch attribute {
	case PortCounters:
		for _, c := range Counters {
			if c.Bits > 0 {
				c.SetUpTo(data, *c.count(&total))
			}
		}
	case ExtendedCounters:
		for _, c := range Counters {
			if c.Extended.Bits > 0 {
				c.Extended.Set(data, *c.count(&total))
			}
		}
	case SendDiscardDetails:
		SendDiscardFields[2].SetUpTo(data, total.SendDiscards)
	case ReceiveErrorDetails:
		ReceiveErrorFields[2].SetUpTo(data, total.ReceiveErrors)
	case SentDataByLevel, ReceivedDataByLevel:
		for level := range qos.Levels {
			sent, received := total.LevelData(level)
			if attribute == ReceivedDataByLevel {
				sent = received
			}
			SentByLevelFields[2+level].SetUpTo(data, sent)
		}
	case WaitByLane:
		for lane, ticks := range total.LaneWaits {
			WaitByLaneFields[2+lane].SetUpTo(data, ticks)
		}
	default:
		return data, Unsupported
	}
	return data, OK
}

// selected returns the ports that a number selects.
func (n *Network) selected(at infiniband.Place, number int) ([]int, Status) {
	node := n.Of(at)
	switch {
	case node.Kind != infiniband.Switch && number != at.Port, number < 0:
		return nil, BadValue
	case number == AllPortsSelect && node.Kind == infiniband.Switch:
		var all []int
		for i := range node.Ports {
			all = append(all, i)
		}
		return all, OK
	case number > node.External():
		return nil, BadValue
	}
	return []int{number}, OK
}

// Selects reports whether a number selects ports of the node at which a request arrived.
func (n *Network) Selects(at infiniband.Place, number int) Status {
	_, status := n.selected(at, number)
	return status
}

// total returns the counters of a port, or the sums of all ports, which stop at the greatest value of the smaller attribute.
func (n *Network) total(at infiniband.Place, number int) (infiniband.Counters, Status) {
	var total infiniband.Counters
	ports, status := n.selected(at, number)
	for _, port := range ports {
		counters := n.Of(at).Ports[port].Counters
		for _, c := range Counters {
			*c.count(&total) += *c.count(&counters)
		}
		for i := range counters.SentLevels {
			total.SentLevels[i] += counters.SentLevels[i]
			total.ReceivedLevels[i] += counters.ReceivedLevels[i]
		}
		for lane, ticks := range counters.LaneWaits {
			total.LaneWaits[lane] += ticks
		}
	}
	return total, status
}

// ClearCounters clears counters of ports: the ones whose bits are in the mask of PortCounters, or, for the extended attribute, all that
// count data and packets.
func (n *Network) ClearCounters(at infiniband.Place, attribute Attribute, number int, mask uint32) Status {
	ports, status := n.selected(at, number)
	for _, port := range ports {
		counters := &n.Of(at).Ports[port].Counters
		for _, c := range Counters {
			if attribute == PortCounters && c.Bit >= 0 && mask>>c.Bit&1 == 1 || attribute == ExtendedCounters && c.Extended.Bits > 0 {
				*c.count(counters) = 0
			}
		}
		if counters.SentData == 0 { // the data by level are parts of the data
			clear(counters.SentLevels[:])
		}
		if counters.ReceivedData == 0 {
			clear(counters.ReceivedLevels[:])
		}
		if counters.SendWait == 0 { // as the sum of the lanes is read
			clear(counters.LaneWaits[:])
		}
	}
	return status
}

// Of returns the place of a counter in a port.
func (c Counter) Of(port *infiniband.Port) *uint64 { return c.count(&port.Counters) }
