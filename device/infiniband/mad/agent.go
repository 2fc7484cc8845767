package mad

import (
	"encoding/binary"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/opensm"
)

// Status is the status of an answer.
type Status uint16

// The statuses. The architecture does not have NoAnswer: nothing came back.
const (
	OK          Status = 0
	Unsupported Status = 0xc  // the attribute
	BadValue    Status = 0x1c // of the modifier or the data
	NoAnswer    Status = 0xffff
)

// Network is a fabric whose nodes answer datagrams.
type Network struct {
	*infiniband.Fabric
	Managers []*opensm.Manager
	Profile  Profile
}

// Get returns an attribute of subnet management from the node of a port at which the request arrived: port 0 of a switch for a request
// by LID, and the port of its last link for a request by directed route.
func (n *Network) Get(at infiniband.Place, attribute Attribute, modifier uint32) ([]byte, Status) {
	data := make([]byte, Size)
	node := n.Of(at)
	switch attribute {
	case NodeDescription:
		copy(data, node.Name)
	case NodeInfo:
		n.nodeInfo(at, data)
	case SwitchInfo:
		if node.Kind != infiniband.Switch {
			return data, Unsupported
		}
		n.switchInfo(node, data)
	case PortInfo:
		return data, n.portInfo(at, int(modifier&0x7fffffff), data)
	case VendorPortInfo:
		port, status := n.port(at, int(modifier))
		if status == OK && !n.Profile.Constant {
			vendorPortInfo(port, data)
		}
		return data, status
	case GUIDInfo:
		if modifier == 0 {
			binary.BigEndian.PutUint64(data, uint64(n.End(at).GUID))
		}
	case PKeyTable:
		return data, n.keys(at, int(modifier>>16), int(modifier&0xffff), data)
	case SLToVL:
		if node.Kind == infiniband.Switch && (int(modifier>>8&0xff) > node.External() || int(modifier&0xff) > node.External()) {
			return data, BadValue
		}
		copy(data, n.Profile.SLToVL[:])
		from := infiniband.Place{Node: at.Node, Port: int(modifier & 0xff)}
		if node.Kind != infiniband.Switch {
			from = at
		}
		if n.ownTables(from) {
			if int(modifier>>8&0xff) > 0 && node.Kind == infiniband.Switch && from.Port == 0 && n.At(from).Tables == nil {
				from.Port = 1 // OpenSM gives packets from outside to port 0 the map of the other ports
			}
			for level, lane := range n.TablesAt(from).LaneOf {
				Field{4 * level, 4, "", nil}.Set(data, uint64(lane))
			}
		}
	case VLArbitration:
		return data, n.arbitration(at, int(modifier&0xffff), int(modifier>>16), data)
	case LinearTable:
		return data, linear(node, int(modifier), data)
	case MulticastTable:
		if node.Kind != infiniband.Switch {
			return data, Unsupported
		}
		multicast(node, int(modifier&0x1ff)*Size/2, int(modifier>>28), data)
	case SMInfo:
		return data, n.smInfo(at, data)
	default:
		return data, Unsupported
	}
	return data, OK
}

// port returns a port by its number. An adapter takes 0 for the port of arrival.
func (n *Network) port(at infiniband.Place, number int) (*infiniband.Port, Status) {
	node := n.Of(at)
	if number > node.External() {
		return nil, BadValue
	}
	if number == 0 && node.Kind != infiniband.Switch {
		number = at.Port
	}
	return &node.Ports[number], OK
}

func (n *Network) nodeInfo(at infiniband.Place, data []byte) {
	node := n.Of(at)
	data[0], data[1] = 1, 1
	NodeType.Set(data, map[infiniband.Kind]uint64{infiniband.Adapter: 1, infiniband.Switch: 2, infiniband.Router: 3}[node.Kind])
	NumPorts.Set(data, uint64(node.External()))
	SystemGUID.Set(data, uint64(node.System))
	NodeGUID.Set(data, uint64(node.GUID))
	PortGUID.Set(data, uint64(n.End(at).GUID))
	PartitionCap.Set(data, uint64(n.keyCap(node, 0)))
	DeviceID.Set(data, uint64(node.Device))
	Revision.Set(data, uint64(max(node.Revision, n.Profile.Revision)))
	ArrivalPort.Set(data, uint64(at.Port))
	VendorID.Set(data, uint64(node.Vendor))
}

// multicastTop is the highest LID of a group in a switch's table.
func multicastTop(node *infiniband.Node) int {
	top := len(node.Multicast)
	for top > 0 && node.Multicast[top-1] == (infiniband.PortSet{}) {
		top--
	}
	return infiniband.FirstMulticastLID + top - 1
}

func (n *Network) switchInfo(node *infiniband.Node, data []byte) {
	copy(data, n.Profile.Switch[:])
	LinearTop.Set(data, uint64(max(0, len(node.Routes)-1)))
	if !n.Profile.Constant {
		MulticastTop.Set(data, uint64(multicastTop(node)))
	}
}

func (n *Network) portInfo(at infiniband.Place, number int, data []byte) Status {
	port, status := n.port(at, number)
	if status != OK {
		return status
	}
	node := n.Of(at)
	if node.Kind != infiniband.Switch && number == 0 {
		number = at.Port
	}
	place := infiniband.Place{Node: at.Node, Port: number}
	up := port.Physical == infiniband.LinkUp
	end, template := true, &n.Profile.AdapterUp
	switch {
	case node.Kind == infiniband.Switch && number == 0:
		template = &n.Profile.Management
	case node.Kind == infiniband.Switch && up:
		end, template = false, &n.Profile.SwitchUp
	case node.Kind == infiniband.Switch:
		end, template = false, &n.Profile.SwitchDown
	case !up:
		template = &n.Profile.AdapterDown
	}
	copy(data, template[:])
	LocalPort.Set(data, uint64(at.Port))
	if n.ownTables(place) {
		VLHighLimit.Set(data, uint64(n.TablesAt(place).Limit))
	}
	State.Set(data, uint64(port.State))
	Physical.Set(data, uint64(port.Physical))
	if end {
		LID.Set(data, uint64(port.LID))
		SMLID.Set(data, uint64(port.ManagerLID))
		LMC.Set(data, uint64(port.LMC))
		mask := CapMask.Get(data) &^ IsSM
		if port.IsManager {
			mask |= IsSM
		}
		CapMask.Set(data, mask)
	}
	if node.Kind != infiniband.Adapter && number > 0 && port.State == infiniband.Active {
		HeadOfQueue.Set(data, leafQueue)
		if far, _ := n.Far(place); node.Kind == infiniband.Switch && n.Of(far).Kind == infiniband.Switch {
			HeadOfQueue.Set(data, spineQueue)
		}
	}
	if n.Profile.Constant && (!up || number == 0) {
		return OK
	}
	n.modes(place, port, data)
	return OK
}

// modes writes widths, speeds, packet sizes and lanes.
func (n *Network) modes(place infiniband.Place, port *infiniband.Port, data []byte) {
	WidthEnabled.Set(data, uint64(port.Enabled.Widths))
	SpeedEnabled.Set(data, architectureSpeeds(port.Enabled.Speeds))
	extended := extendedSet(port.Enabled.Speeds)
	if n.Profile.Constant && port.Speed < infiniband.FDR {
		// The simulator tells of no fast speeds on a link that runs without one.
		ExtendedSupported.Set(data, 0)
		extended = 0
	}
	ExtendedEnabled.Set(data, extended)
	WidthActive.Set(data, uint64(port.Width.Bit()))
	active, fast := activeSpeed(port.Speed)
	SpeedActive.Set(data, active)
	ExtendedActive.Set(data, fast)
	if n.Profile.Constant {
		return
	}
	if port.State == infiniband.Down {
		WidthActive.Set(data, uint64(port.Supported.Widths.Widest().Bit()))
		SpeedActive.Set(data, 1)
	}
	WidthSupported.Set(data, uint64(port.Supported.Widths))
	SpeedSupported.Set(data, architectureSpeeds(port.Supported.Speeds))
	ExtendedSupported.Set(data, extendedSet(port.Supported.Speeds))
	mtu, vls := port.MTU, port.VLs
	if far, up := n.Far(place); up {
		mtu, vls = min(mtu, n.At(far).MTU), min(vls, n.At(far).VLs)
	}
	MTUCap.Set(data, uint64(port.MTU))
	VLCap.Set(data, uint64(port.VLs))
	MTU.Set(data, uint64(mtu))
	VLs.Set(data, uint64(vls))
	if end := n.Of(place); end.Kind == infiniband.Switch && place.Port > 0 && port.State == infiniband.Active {
		if far, _ := n.Far(place); n.Of(far).Kind != infiniband.Switch {
			Field{348, 2, "", nil}.Set(data, 3) // the switch drops packets of partitions that the adapter isn't in
		}
	}
}

// architectureSpeeds returns the bits of SDR, DDR and QDR, and extendedSet the bits of FDR, EDR and HDR.
func architectureSpeeds(s infiniband.Speeds) uint64 { return uint64(s>>infiniband.SDR) & 7 }

func extendedSet(s infiniband.Speeds) uint64 { return uint64(s>>infiniband.FDR) & 15 }

// activeSpeed returns the two fields of a link's speed. An extended speed shows as QDR in the older field.
func activeSpeed(s infiniband.Speed) (active, extended uint64) {
	switch {
	case s >= infiniband.FDR:
		return 4, 1 << (s - infiniband.FDR)
	case s == infiniband.FDR10:
		return 4, 0
	case s == infiniband.NoSpeed:
		return 0, 0
	}
	return 1 << (s - infiniband.SDR), 0
}

func vendorPortInfo(port *infiniband.Port, data []byte) {
	bit := func(has bool) uint64 {
		if has {
			return 1
		}
		return 0
	}
	FDR10Supported.Set(data, bit(port.Supported.Speeds.Has(infiniband.FDR10)))
	FDR10Enabled.Set(data, bit(port.Enabled.Speeds.Has(infiniband.FDR10)))
	FDR10Active.Set(data, bit(port.Speed == infiniband.FDR10))
}

// keyCap is the number of partition keys that a port can hold.
func (n *Network) keyCap(node *infiniband.Node, port int) uint16 {
	switch {
	case node.Kind != infiniband.Switch:
		return n.Profile.AdapterKeys
	case port == 0:
		return n.Profile.SwitchKeys
	}
	return uint16(EnforceCap.Get(n.Profile.Switch[:]))
}

// keys writes a block of 32 partition keys. An external port of a switch has the keys of the adapter at its link.
func (n *Network) keys(at infiniband.Place, number, block int, data []byte) Status {
	node := n.Of(at)
	if node.Kind != infiniband.Switch {
		number = at.Port
	}
	if number > node.External() || block*32 >= int(n.keyCap(node, number)) {
		return BadValue
	}
	keys := node.Ports[number].PKeys
	if node.Kind == infiniband.Switch && number > 0 {
		if far, up := n.Far(infiniband.Place{Node: at.Node, Port: number}); up && n.Of(far).Kind != infiniband.Switch {
			keys = n.At(far).PKeys
		}
	}
	for i := range 32 {
		if block*32+i < len(keys) {
			binary.BigEndian.PutUint16(data[2*i:], uint16(keys[block*32+i]))
		}
	}
	return OK
}

// arbitration writes a block of a table of arbitration: 1 and 2 are the low table, 3 and 4 the high one.
func (n *Network) arbitration(at infiniband.Place, number, block int, data []byte) Status {
	node := n.Of(at)
	if node.Kind == infiniband.Switch && number > node.External() || block < 1 || block > 4 || block%2 == 0 {
		return BadValue
	}
	weights := n.Profile.Low
	if block > 2 {
		weights = n.Profile.High
	}
	place := at
	if node.Kind == infiniband.Switch {
		place.Port = number
	}
	if n.ownTables(place) {
		tables := n.TablesAt(place)
		table := tables.Low
		if block > 2 {
			table = tables.High
		}
		weights = nil
		for _, w := range table {
			weights = append(weights, Weight(w))
		}
	}
	for i, w := range weights {
		if i < int(VLHighCap.Get(n.Profile.SwitchUp[:])) {
			data[2*i], data[2*i+1] = w.Lane, w.Weight
		}
	}
	return OK
}

func linear(node *infiniband.Node, block int, data []byte) Status {
	if node.Kind != infiniband.Switch {
		return Unsupported
	}
	if block > infiniband.MaxLID/Size {
		return BadValue
	}
	for i := range data {
		data[i] = infiniband.NoRoute
		if lid := block*Size + i; lid < len(node.Routes) {
			data[i] = node.Routes[lid]
		}
	}
	return OK
}

// multicast writes 32 entries of the multicast table: of each group the ports from position*16.
func multicast(node *infiniband.Node, first, position int, data []byte) {
	for i := range Size / 2 {
		if first+i < len(node.Multicast) {
			mask := node.Multicast[first+i][position/4] >> (position % 4 * 16)
			binary.BigEndian.PutUint16(data[2*i:], uint16(mask))
		}
	}
}

func (n *Network) smInfo(at infiniband.Place, data []byte) Status {
	for _, m := range n.Managers {
		if !m.Running || n.End(m.Place) != n.End(at) {
			continue
		}
		SMGUID.Set(data, uint64(n.End(m.Place).GUID))
		SMActivity.Set(data, uint64(m.Activity))
		SMPriority.Set(data, uint64(m.Priority))
		SMState.Set(data, uint64(m.Role))
		return OK
	}
	return NoAnswer // without a manager nobody takes the request
}
