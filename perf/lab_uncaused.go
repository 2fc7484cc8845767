package perf

import "fmt"

// labUncaused says of the counters that nothing in the lab moves why that is; their descriptions repeat it. What binds
// a counter takes it out of here: a test compares.
var labUncaused = [...]struct {
	why      string
	counters []string
}{
	{"the lab's applications make no requests that fail at their own end", []string{
		"Requester length errors", "Responder length errors", "Requester QP operation errors", "Responder QP operation errors",
		"Requester protection errors", "Responder protection errors", "Requester Local Length Errors", "Responder Local Length Errors",
		"Responder Local QP Operation Errors", "Requester Local Protection Errors", "Responder Local Protection Errors",
		"Local Operation Errors", "Requester Memory Window Binding Errors", "Packets Received WQE too small", "Bad doorbells",
		"Drops due to invalid packet size", "OS call to build SGL failed",
	}},
	{"the lab's peers answer each request once, and as the protocol wants", []string{
		"Requester resync", "Responder resync", "Requester Bad Response", "Implied NAK Sequence Errors",
		"Responder duplicate request received", "Responder Duplicate Request Received",
	}},
	{"the firmware of the lab's cards does not count it", []string{
		"Requester time out received", "RoCE Adaptive Retransmission", "RoCE adaptive retransmission timeouts",
		"RoCE Slow Restart", "RoCE Slow Restart CNPs", "RoCE Slow Restart Transmission",
		"Available Dynamic MSI-X Count", "Total Dynamic MSI-X Count", "Dcqcn reaction point new qp reject events",
	}},
	{"the lab's applications share no receive queues", []string{"ICMC SRQ Hit", "ICMC SRQ Miss"}},
	{"the lab's applications use no multicast over RDMA", []string{
		"Bad multicast received",
		"Rdma Bytes Received Multicast/Sec", "Rdma Packets Received Multicast/Sec", "Rdma Bytes Sent Multicast/Sec",
		"Rdma Packets Sent Multicast/Sec",
	}},
	{"the lab's driver makes its queues large enough for all that can be outstanding", []string{
		"CQ overflows", "EQ overflows", "CQ Overflow", "CQ Overrun", "Async EQ Overrun", "Completion EQ Overrun",
		"External Doorbell Drop/sec", "Drops due to completion queue errors", "Output Queue Length",
		"Stalls (RDMA Read)/sec", "Stalls (RDMA Registrations)/sec", "Stalls (Send Queue)/sec",
		"Spurious RCQ Notification Events", "Spurious SCQ Notification Events", "SkipReceiveDueToControlChanges",
		"Slow packets miss in LDB L1 cache", "Slow packets miss in REQSL L1",
	}},
	{"a cable of the lab damages what is received, and nothing but the check and the symbols of it", []string{
		"Packets Outbound Errors", "Packets Received Errors", "Packets Received Unsupported opcode Error",
		"Packets Received Frame Length Error", "Bad Checksum Packets In Slow Path", "Undetermined Checksum Packets In Slow Path",
		"Local Link Integrity Errors", "Port Receive Remote Physical Errors",
	}},
	{"the lab's slots are too narrow or too slow, but never broken", []string{
		"PCI read stuck no receive buffer", "RX PCI errors", "TX PCI errors", "TX PCI non-fatal errors", "TX PCI fatal errors",
		"RX PACKET MARKED PCIe BUFFERS",
	}},
	{"every frame and queue pair of the lab has a steering rule and a key that allow it", []string{
		"Packets Received Steering Dropped", "Generated Packets dropped due to steering failure",
		"Handled Packets dropped due to steering failure", "Packets Received dropped due to Steering",
		"Port Receive Constraint Errors", "Port Xmit Constraint Errors", "Port Receive Switch Relay Errors", "VL15 Dropped",
		"Port Xmit Wait", "Packets Received Unknown",
	}},
	{"what is sent there is never lost in the adapter, or where it is that has a counter of its own", []string{
		"Packets Outbound Discarded",
	}},
	{"no queue of a virtual function breaks in the lab", []string{
		"Current queues under processor handle", "Total queues under processor handle",
	}},
	{"nobody gives the queues of a virtual function another priority in the lab", []string{"Send Queue Priority Update Flow"}},
	{"Hyper-V tags the frames of the lab's virtual machines, and none tags its own", []string{
		"Vlan Anti Spoofing Packets Discarded", "Vlan Anti Spoofing Bytes Discarded",
	}},
	{"no key of the lab's drivers restricts the RoCE of virtual functions", []string{
		"RoCE Restrict Packets Discarded", "RoCE Restrict Bytes Discarded",
	}},
	{"no driver of a virtual machine talks to that of the host in the lab", []string{
		"Currently Active Capabilities Bitmask", "Supported Capabilities Bitmask", "Read Config Block OIDs/Sec",
		"Write Config Block OIDs/Sec", "Read Config Block OIDs Failed To Apply", "Write Config Block OIDs Failed To Apply",
		"Illegal Or Unsupported Read Config Block OIDs", "Illegal Or Unsupported Write Config Block OIDs",
	}},
	{"the lab's driver does not work that way", []string{
		"Packets processed in NDIS poll mode", "Number of packets posted in bypass mode", "Number of traffic profile transitions",
		"Interrupts on incorrect cpu", "StridedWqes", "Offloaded Connections", "Dump Me Now Calls",
	}},
	{"only TCP and UDP go through the lab's tunnels", []string{
		"Encapsulated NonRss IPv4 Only", "Encapsulated NonRss IPv6 Only", "Encapsulated NonRss Misc",
		"Encapsulated Rss IPv4 Only", "Encapsulated Rss IPv6 Only", "Encapsulated Rss Misc",
	}},
	{"what is no IP packet has nothing to hash", []string{"Rss Misc"}},
	{"InfiniBand waits for credits, and has neither control frames nor losses for want of room", []string{
		"Control Packets", "Packets Received Discarded", "Port Xmit Discards",
	}},
	{"the InfiniBand ports of the lab carry IPoIB and no RDMA", []string{
		"Requester CQE errors", "Responder CQE errors", "Requester Invalid request errors", "Responder Invalid request errors",
		"Requester Remote access errors", "Responder Remote access errors", "Requester Remote operation errors",
		"Requester RNR NAK", "Responder RNR NAK", "Requester RNR NAK retries exceeded errors",
		"Requester out of order sequence NAK", "Responder out of order sequence received",
		"Requester transport retries exceeded errors",
	}},
	{"only RDMA frames carry congestion marks in the lab, and those go past the rings", []string{
		"EcnMarkedPacketsIpv4", "EcnMarkedPacketsIpv6",
	}},
}

// uncausedReasons are the reasons by the name of the counter.
func uncausedReasons() (map[string]string, error) {
	reasons := map[string]string{}
	for _, row := range labUncaused {
		for _, counter := range row.counters {
			if reasons[counter] != "" {
				return nil, fmt.Errorf("%s has two reasons to stay 0", counter)
			}
			reasons[counter] = row.why
		}
	}
	return reasons, nil
}
