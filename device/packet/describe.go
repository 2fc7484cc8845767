package packet

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"cxdeck/device/description"
)

// Protocol returns the name of a frame's innermost protocol.
func (f *Frame) Protocol() string {
	g := f.Group
	switch g.Kind {
	case Pause:
		return "Pause"
	case PriorityPause:
		return "PFC"
	case Discovery:
		return "LLDP"
	case Notification:
		return "CNP"
	case Data, Acknowledge:
	}
	switch {
	case g.Lease:
		return "DHCP"
	case g.Flow.Protocol == description.NotIP:
		return "ARP"
	case g.Flow.Protocol == description.OtherIP:
		return "ICMP"
	case g.Flow.Protocol == description.UDP:
		return "UDP"
	case g.Flow.Protocol != description.RDMA:
		return "TCP"
	case g.RoCE == description.RoCEv1:
		return "RoCE v1"
	}
	return "RoCE v2"
}

// From and To return the two ends of a frame: IP addresses with ports where it has any, the names of the stations otherwise.
func (f *Frame) From() string { return f.end(f.Ends.Source, f.Ends.SourcePort, f.Sent) }

// To returns the receiver of a frame; see From.
func (f *Frame) To() string {
	switch f.Group.Kind {
	case Pause, PriorityPause, Discovery:
		return "neighbour"
	case Data, Acknowledge, Notification:
	}
	return f.end(f.Ends.Destination, f.Ends.DestinationPort, !f.Sent)
}

func (f *Frame) end(address netip.Addr, port uint16, host bool) string {
	switch {
	case !address.IsValid() && host:
		return "host"
	case !address.IsValid():
		return "switch"
	case port == 0:
		return address.String()
	}
	return netip.AddrPortFrom(address, port).String()
}

// Notes returns what stands out in the headers of a frame: tag, DSCP and ECN, encapsulation, and the flow.
func (f *Frame) Notes() string {
	g := f.Group
	var notes []string
	switch g.Kind {
	case PriorityPause:
		notes = append(notes, "priority "+strconv.Itoa(g.Priority))
	case Acknowledge:
		notes = append(notes, "ACK")
	case Pause, Discovery, Notification, Data:
	}
	if g.Tagged && g.Flow.VLAN > 0 {
		notes = append(notes, fmt.Sprintf("VLAN %d", g.Flow.VLAN))
	}
	if g.Tagged && g.Flow.Priority != nil {
		notes = append(notes, fmt.Sprintf("priority %d", *g.Flow.Priority))
	}
	if g.Flow.DSCP > 0 {
		notes = append(notes, fmt.Sprintf("DSCP %d", g.Flow.DSCP))
	}
	if f.Marked {
		notes = append(notes, "CE")
	}
	if g.Flow.VXLAN {
		notes = append(notes, "VXLAN")
	}
	if g.Overlay != nil {
		notes = append(notes, "NVGRE")
	}
	if g.Number >= 0 && g.Flow.Name != "" {
		notes = append(notes, g.Flow.Name)
	}
	return strings.Join(notes, "  ")
}
