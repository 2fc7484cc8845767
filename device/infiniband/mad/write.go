package mad

import (
	"encoding/binary"
	"slices"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/qos"
)

// Write is the data of an attribute that a subnet manager sets in a node.
type Write struct {
	Attribute Attribute `json:"attribute"`
	Modifier  uint32    `json:"modifier,omitempty"`
	Data      []byte    `json:"data"`
}

// lanesOf is the offset of the input port in the modifier of SLToVL.
const lanesOf = 8

// Set keeps data in the fabric as the node does at whose port the request arrived, so that Get reads it. Values that devices fix stay.
func (n *Network) Set(at infiniband.Place, w Write) Status {
	node, data := n.Of(at), w.Data
	if len(data) != Size {
		return BadValue
	}
	place := at // of tables for a port
	isSwitch := node.Kind == infiniband.Switch
	switch w.Attribute {
	case PortInfo:
		if place.Port = int(w.Modifier & 0x7fffffff); !isSwitch && place.Port == 0 {
			place.Port = at.Port
		}
		if place.Port > node.External() {
			return BadValue
		}
		n.setPort(place, data)
	case VendorPortInfo:
		port, status := n.port(at, int(w.Modifier))
		if status != OK {
			return status
		}
		if fdr10 := infiniband.Speeds(1 << infiniband.FDR10); FDR10Enabled.Get(data) == 0 {
			port.Enabled.Speeds &^= fdr10
		} else {
			port.Enabled.Speeds |= fdr10 & port.Supported.Speeds
		}
	case PKeyTable:
		if place.Port = int(w.Modifier >> 16); !isSwitch {
			place.Port = at.Port
		}
		return n.setKeys(place, int(w.Modifier&0xffff), data)
	case SLToVL:
		if place.Port = int(w.Modifier & 0xff); !isSwitch {
			place.Port = at.Port
		}
		if place.Port > node.External() || isSwitch && int(w.Modifier>>lanesOf&0xff) > node.External() {
			return BadValue
		}
		tables := n.tables(place)
		for level := range tables.LaneOf {
			tables.LaneOf[level] = uint8(Field{4 * level, 4, "", nil}.Get(data))
		}
		n.At(place).Tables = tables
	case VLArbitration:
		if place.Port = int(w.Modifier & 0xffff); !isSwitch {
			place.Port = at.Port
		}
		return n.setArbitration(place, int(w.Modifier>>16), data)
	case LinearTable:
		return setRoutes(node, int(w.Modifier), data)
	case MulticastTable:
		return setMulticast(node, int(w.Modifier&0x1ff)*Size/2, int(w.Modifier>>28), data)
	case SwitchInfo:
		if !isSwitch {
			return Unsupported
		}
		if top := int(LinearTop.Get(data)); top > infiniband.MaxLID {
			return BadValue
		} else if top+1 < len(node.Routes) {
			node.Routes = node.Routes[:top+1]
		} else {
			grow(node, top+1)
		}
	default:
		return Unsupported
	}
	return OK
}

// setPort keeps what a manager gives a port in PortInfo: addresses, the state, and the limit of the high table of arbitration.
func (n *Network) setPort(place infiniband.Place, data []byte) {
	port := n.At(place)
	if n.Of(place).Kind != infiniband.Switch || place.Port == 0 {
		port.LID, port.ManagerLID, port.LMC = uint16(LID.Get(data)), uint16(SMLID.Get(data)), uint8(LMC.Get(data))
	}
	state := infiniband.State(State.Get(data))
	if state >= infiniband.Initialize && state <= infiniband.Active && state != port.State && port.Physical == infiniband.LinkUp {
		port.State = state
		n.Outside = true
	}
	limit := uint8(VLHighLimit.Get(data))
	if tables := n.tables(place); n.ownTables(place) && tables.Limit != limit || !n.ownTables(place) && limit != 0 {
		tables.Limit = limit
		port.Tables = tables
	}
}

// ownTables reports whether a manager wrote the tables of a port.
func (n *Network) ownTables(place infiniband.Place) bool {
	return n.QoS != nil || n.At(place).Tables != nil
}

// tables returns a copy of the tables of a port.
func (n *Network) tables(place infiniband.Place) *qos.Tables {
	t := *n.TablesAt(place)
	t.Adapters, t.Routers, t.Port0 = nil, nil, nil
	t.High, t.Low = slices.Clone(t.High), slices.Clone(t.Low)
	if !n.ownTables(place) {
		t.Limit = 0 // as PortInfo shows it
	}
	return &t
}

// setKeys keeps a block of 32 partitions. An external port of a switch checks the ones of the adapter at its link, which has them already.
func (n *Network) setKeys(place infiniband.Place, block int, data []byte) Status {
	node := n.Of(place)
	if place.Port > node.External() || block*32 >= int(n.keyCap(node, place.Port)) {
		return BadValue
	}
	if node.Kind == infiniband.Switch && place.Port > 0 {
		return OK
	}
	keys := slices.Clone(n.At(place).PKeys)
	for i := range 32 {
		for len(keys) <= block*32+i {
			keys = append(keys, 0)
		}
		keys[block*32+i] = description.PKey(binary.BigEndian.Uint16(data[2*i:]))
	}
	for len(keys) > 0 && keys[len(keys)-1] == 0 {
		keys = keys[:len(keys)-1]
	}
	n.At(place).PKeys = keys
	return OK
}

func (n *Network) setArbitration(place infiniband.Place, block int, data []byte) Status {
	if place.Port > n.Of(place).External() || block < 1 || block > 4 || block%2 == 0 {
		return BadValue
	}
	table := make([]qos.Weight, int(VLHighCap.Get(n.Profile.SwitchUp[:])))
	for i := range table {
		if table[i] = (qos.Weight{Lane: data[2*i] & 0xf, Weight: data[2*i+1]}); table[i].Lane >= qos.Lanes {
			return BadValue
		}
	}
	tables := n.tables(place)
	if tables.Low = table; block > 2 {
		tables.Low, tables.High = n.tables(place).Low, table
	}
	n.At(place).Tables = tables
	return OK
}

// grow makes a switch's table of routes at least so long.
func grow(node *infiniband.Node, length int) {
	for len(node.Routes) < length {
		node.Routes = append(node.Routes, infiniband.NoRoute)
	}
}

func setRoutes(node *infiniband.Node, block int, data []byte) Status {
	switch {
	case node.Kind != infiniband.Switch:
		return Unsupported
	case block > infiniband.MaxLID/Size:
		return BadValue
	}
	for _, port := range data {
		if port != infiniband.NoRoute && int(port) > node.External() {
			return BadValue
		}
	}
	routes := &infiniband.Node{Routes: slices.Clone(node.Routes)}
	for i, port := range data {
		if port != infiniband.NoRoute {
			grow(routes, block*Size+i+1)
		}
		if block*Size+i < len(routes.Routes) {
			routes.Routes[block*Size+i] = port
		}
	}
	node.Routes = routes.Routes
	return OK
}

func setMulticast(node *infiniband.Node, first, position int, data []byte) Status {
	const groups = 4096 // as SwitchInfo tells
	switch {
	case node.Kind != infiniband.Switch:
		return Unsupported
	case first+Size/2 > groups:
		return BadValue
	}
	table := slices.Clone(node.Multicast)
	for i := range Size / 2 {
		mask := uint64(binary.BigEndian.Uint16(data[2*i:]))
		for mask != 0 && len(table) <= first+i {
			table = append(table, infiniband.PortSet{})
		}
		if first+i < len(table) {
			word, shift := &table[first+i][position/4], position%4*16
			*word = *word&^(0xffff<<shift) | mask<<shift
		}
	}
	node.Multicast = table
	return OK
}
