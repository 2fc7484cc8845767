package exec

import (
	"net/netip"
	"slices"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver"
)

// NetDirect is a listener or a connection of NetworkDirect, the RDMA of Windows.
type NetDirect struct {
	// Kernel is the mode: SMB Direct is in the kernel, and other programs have a process.
	Kernel bool `json:"kernel"`
	// Port is the port of the lab, Connection its name, Index that of its interface.
	Port       int    `json:"-"`
	Connection string `json:"connection"`
	Index      int    `json:"interface_index"`
	// Listener waits for connections; it has no Foreign.
	Listener bool           `json:"listener"`
	Local    netip.AddrPort `json:"local"`
	Foreign  netip.AddrPort `json:"foreign,omitzero"`
	// PID is the process, 0 for the kernel; Workload the flow of the lab, empty for a listener.
	PID      int    `json:"pid"`
	Workload string `json:"workload,omitempty"`
}

// The ports of SMB and of the first other RDMA program, the first port that Windows gives the end that opens a connection, the
// first process number, and the first interface index.
const (
	smbPort        = 445
	firstProgram   = 10_000
	firstDynamic   = 49_152
	firstProcess   = 4_000
	processStep    = 4
	firstInterface = 10
)

// InterfaceIndex returns the index of a port's interface in Windows. The indexes below the first belong to loopback and tunnels.
func InterfaceIndex(port int) int { return port + firstInterface }

// NetDirect returns the listeners of the file server and the connections of workloads that move something, up to MaxRows.
func (c *Call) NetDirect() (list []NetDirect, err error) {
	list = []NetDirect{}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		lab, stack, views := h.Lab(), h.Stack(), h.QoS().Flows
		for port := range lab.Ports() {
			if !lab.State(port).Up || stack.WhyNoRDMA(port) != "" {
				continue
			}
			for _, a := range stack.IP(lab.Connection(port)).Addresses {
				list = append(list, NetDirect{Kernel: true, Port: port, Connection: lab.Connection(port), Index: InterfaceIndex(port), Listener: true,
					Local: netip.AddrPortFrom(a.Addr(), smbPort)})
			}
		}
		states := lab.Flows()
		flows := lab.Description().Flows
		for i := range flows {
			list = appendConnections(list, lab, &flows[i], &states[i], i, views[i].NetDirectPort)
		}
		return nil
	})
	return list[:min(len(list), MaxRows)], err
}

// appendConnections adds the connections of flow number i; listens is the port on which its program listens, 0 if unknown.
func appendConnections(list []NetDirect, lab *device.Lab, d *description.Flow, state *device.FlowState, i, listens int) []NetDirect {
	if state.Protocol != description.RDMA || d.Virtual || state.ReceiveRate+state.SendRate == 0 {
		return list
	}
	netDirect := NetDirect{Kernel: d.Application.SMB(), Port: state.Port, Connection: lab.Connection(state.Port),
		Index: InterfaceIndex(state.Port), PID: firstProcess + i*processStep, Workload: d.Name}
	if netDirect.Kernel {
		netDirect.PID = 0
	}
	if listens == 0 {
		if listens = firstProgram; netDirect.Kernel {
			listens = smbPort
		}
	}
	peer := d.Peer
	for n := range d.Connections {
		if len(list) >= MaxRows {
			break
		}
		dynamic := uint16(firstDynamic + (i<<8+n)%(1<<16-firstDynamic))
		netDirect.Local, netDirect.Foreign = netip.AddrPortFrom(d.Local, dynamic), netip.AddrPortFrom(peer, uint16(listens))
		if d.Accepted {
			netDirect.Local, netDirect.Foreign = netip.AddrPortFrom(d.Local, uint16(listens)), netip.AddrPortFrom(peer, dynamic)
		}
		list = append(list, netDirect)
		if peer = peer.Next(); (n+1)%max(d.Flows, 1) == 0 || !peer.IsValid() {
			peer = d.Peer
		}
	}
	return list
}

// BrokenPairs returns how many queue pairs of a port are in the error state.
func BrokenPairs(lab *device.Lab, port int) uint64 {
	return lab.Counters()[counter.Cell(port, counter.ErrorQueuePairs)]
}

// OnlyConnections returns a list without its listeners.
func OnlyConnections(list []NetDirect) []NetDirect {
	return slices.DeleteFunc(list, func(n NetDirect) bool { return n.Listener })
}
