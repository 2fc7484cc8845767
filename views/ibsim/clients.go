package ibsim

import (
	"context"
	"encoding/binary"
	"errors"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/agent"
	"cxdeck/device/infiniband/mad"
)

// Subnet is the subnet that the programs see.
type Subnet interface {
	// Network returns a copy of the network as it is now, and the ports of the host, of which the first is the usual one.
	Network(ctx context.Context) (*mad.Network, []infiniband.Place, error)
	// Clear resets counters.
	Clear(ctx context.Context, reset *agent.Clear) error
	// SetPort sets what a port may do.
	SetPort(ctx context.Context, port *agent.Port) error
}

// maxClients is the maximum number of programs at a time.
const maxClients = 32

// client is a program that is connected: the port that it sends from.
type client struct {
	process uint32
	at      infiniband.Place
}

var errNode = errors.New("no such node")

// attach returns the port of a program: the usual one, or the first port of the node with a name or GUID that SIM_HOST gives.
func attach(network *mad.Network, own []infiniband.Place, name string) (infiniband.Place, error) {
	if name == "" {
		for _, at := range own {
			if at != infiniband.Nowhere && network.At(at).State == infiniband.Active {
				return at, nil
			}
		}
		for _, at := range own {
			if at != infiniband.Nowhere {
				return at, nil
			}
		}
		return infiniband.Nowhere, errNode
	}
	if node := network.Named(name); node >= 0 {
		return infiniband.Place{Node: node, Port: network.Nodes[node].First()}, nil
	}
	digits := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(name, "H-"), "S-"), "0x")
	if guid, err := strconv.ParseUint(digits, 16, 64); err == nil {
		if at, ok := network.FindGUID(description.GUID(guid)); ok {
			return at, nil
		}
	}
	return infiniband.Nowhere, errNode
}

// answerControl answers a control message of a connected program in place.
func answerControl(network *mad.Network, c client, message *control) {
	get := func(attribute mad.Attribute, modifier uint32) {
		data, _ := network.Get(c.at, attribute, modifier)
		copy(message.data[:], data)
	}
	node, end := network.Of(c.at), network.End(c.at)
	switch message.kind {
	case controlPort:
		clear(message.data[:])
		binary.NativeEndian.PutUint16(message.data[:], end.LID)
		message.data[2] = byte(network.At(c.at).State)
	case controlVendor:
		clear(message.data[:])
		binary.NativeEndian.PutUint32(message.data[:], node.Vendor)
		binary.NativeEndian.PutUint32(message.data[4:], uint32(node.Device))
		binary.NativeEndian.PutUint32(message.data[8:], node.Revision)
		binary.NativeEndian.PutUint64(message.data[16:], 1)
	case controlGID:
		clear(message.data[:])
		binary.BigEndian.PutUint64(message.data[:], 0xfe80<<48)
		binary.BigEndian.PutUint64(message.data[8:], uint64(end.GUID))
	case controlGUID:
		binary.BigEndian.PutUint64(message.data[:], uint64(node.GUID))
	case controlNodeInfo:
		get(mad.NodeInfo, 0)
	case controlPortInfo:
		port := uint32(message.data[0])
		if port == 0 || int(port) > node.External() {
			port = uint32(c.at.Port)
		}
		get(mad.PortInfo, port)
	case controlKeys:
		get(mad.PKeyTable, uint32(c.at.Port)<<16)
	case controlSetManager: // accepted: programs say it when they end, and the lab's own manager stays the one that answers
	default:
		message.kind = controlError
	}
}
