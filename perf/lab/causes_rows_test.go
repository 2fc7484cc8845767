package lab

import (
	"slices"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
)

// labCauses are the rows with a cause in the lab.
func labCauses() []labCause {
	off, small, three := description.NoFlowControl, 1514, 3
	most, whole := 0.99, 1.0
	return []labCause{
		{
			row: 1, name: "no free receive descriptor, WinOF-2", scene: "receiver-too-slow", at: "Ethernet 5",
			moves: []string{
				`\Mellanox WinOF-2 Port Traffic(Ethernet 5)\Packets Received Discarded No Receive WQEs`,
				`\Network Interface(Mellanox ConnectX-4 Lx Ethernet Adapter)\Packets Received Discarded`,
				`\Mellanox WinOF-2 Device Diagnostics(ConnectX-4 Lx)\Internal RQ out of buffer`,
			},
			still: []string{
				`\Mellanox WinOF-2 Port Traffic(Ethernet 5)\Packets Received Discarded`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 5)\Packets Received Errors`,
			},
		},
		{
			row: 1, name: "no free receive descriptor, WinOF",
			operations: []driver.Operation{hardware.SetProcessorSpeed{Connection: "Ethernet 4", Speed: 0.01}},
			moves: []string{
				`\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\No-WQE Drops/sec`,
				`\Device Proprietary Counters(ConnectX-3 Pro)\No-WQE Drops/sec`,
				`\Network Interface(Mellanox ConnectX-3 Pro IPoIB Adapter)\Packets Received Discarded`,
			},
			still: []string{`\Mellanox IB Adapter Traffic Counters(Ethernet 4)\Packets Received Discarded`},
		},
		{
			row: 4, name: "lossless buffer passes XOFF; lossy traffic is dropped; marks are answered", scene: "incast", at: "Ethernet 7", wait: 60 * time.Second,
			moves: []string{
				`\Mellanox WinOF-2 Port QoS(Ethernet 7 Priority 3)\Sent Pause Frames`,
				`\Mellanox WinOF-2 Port QoS(Ethernet 7 Priority 3)\Rcv Pause Duration`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Received Discarded`,
				`\Network Interface(Mellanox ConnectX-5 Ex Ethernet Adapter)\Packets Received Discarded`,
				`\Mellanox WinOF-2 Congestion Control(Ethernet 7)\Notification Point RoCEv2 ECN Marked Packets`,
				`\Mellanox WinOF-2 Congestion Control(Ethernet 7)\Notification Point CNPs Sent Successfully`,
			},
			still: []string{
				`\Mellanox WinOF-2 Port QoS(Ethernet 7 Untagged)\Sent Pause Frames`,
				`\Mellanox WinOF-2 Port QoS(Ethernet 7 Priority 3)\packets received discarded`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Received Errors`,
			},
		},
		{
			row: 6, name: "far end sends pause", scene: "pause-storm", at: "Ethernet 7",
			moves: []string{
				`\Mellanox WinOF-2 Port QoS(Ethernet 7 Priority 3)\Rcv Pause Frames`,
				`\Mellanox WinOF-2 Port QoS(Ethernet 7 Priority 3)\Sent Pause Duration`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Control Packets`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Outbound Discarded`,
				`\Mellanox WinOF-2 Diagnostics(Ethernet 7)\Head of Queue timeout Packet discarded`,
			},
			still: []string{`\Mellanox WinOF-2 Port QoS(Ethernet 7 Untagged)\Rcv Pause Frames`},
		},
		{
			row: 6, name: "far end sends pause until the send ring is full, WinOF", describe: onlyEthernet,
			operations: []driver.Operation{
				fabric.SetSwitchPort{Connection: "Ethernet 3", PauseShare: &most}, fabric.ScaleFlow{Flow: "Backup to tape host", Scale: 10},
			},
			moves: []string{
				`\Mellanox Adapter QoS Counters(Ethernet 3 Untagged)\Received Pause Frames`,
				`\Mellanox Adapter QoS Counters(Ethernet 3 Untagged)\Sent Pause Duration`,
				`\Mellanox Adapter Diagnostics Counters(Ethernet 3)\TX Ring Is Full Packets`,
				`\Mellanox Adapter QoS Counters(Ethernet 3 Untagged)\Sent Discard Frames`,
			},
			still: []string{`\Mellanox Adapter QoS Counters(Ethernet 3 Priority 3)\Received Pause Frames`},
		},
		{
			row: 6, name: "paused traffic is not sent", wait: 3 * time.Second,
			prepare: []driver.Operation{fabric.SetSwitchPort{Connection: "Ethernet 7", PauseShare: &whole, PausePriority: &three}},
			moves:   []string{`\Mellanox WinOF-2 Port QoS(Ethernet 7 Priority 3)\Rcv Pause Frames`},
			still:   []string{`\Mellanox WinOF-2 Port QoS(Ethernet 7 Priority 3)\Packets Sent`},
		},
		{
			row: 8, name: "flow control of hosts and switches does not match",
			operations: []driver.Operation{
				fabric.SetSwitchPort{Connection: "Ethernet 7", FlowControl: &off},
				hardware.SetSlot{Adapter: "ConnectX-5 Ex", Generation: 1, Lanes: 4},
			},
			moves: []string{
				`\Mellanox WinOF-2 Diagnostics(Ethernet 7)\Responder Out of Order Sequence Received`,
				`\Mellanox WinOF-2 Port QoS(Ethernet 7 Priority 3)\Sent Pause Frames`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Received Discarded`,
			},
			still: []string{`\Mellanox WinOF-2 Port QoS(Ethernet 7 Priority 3)\Rcv Pause Frames`},
		},
		{
			row: 10, name: "peers send longer frames, WinOF-2", scene: "mtu-mismatch", at: "Ethernet 7", wait: 30 * time.Second,
			moves: []string{
				`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Received Frame too long Error`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Received Errors`,
			},
			still: []string{`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Received Bad CRC Error`},
		},
		{
			row: 11, name: "frames that the switch does not accept",
			operations: []driver.Operation{fabric.SetSwitchPort{Connection: "Ethernet 7", MaxFrame: &small}},
			moves: []string{
				`\Mellanox WinOF-2 Diagnostics(Ethernet 7)\Requester QP Transport Retries Exceeded Errors`,
				`\Mellanox WinOF-2 Diagnostics(Ethernet 7)\Requester CQEs with Error`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Sent`,
			},
			still: []string{`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Received Errors`},
		},
		{
			row: 12, name: "bad cable", wait: 95 * time.Second,
			moves: []string{
				`\Mellanox WinOF-2 Port Traffic(Ethernet 6)\Packets Received Bad CRC Error`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 6)\Packets Received Symbol Error`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 6)\Packets Received Errors`,
				`\Mellanox WinOF-2 Port Diagnostics(Ethernet 6)\RX Error Lane 0 phy`,
				`\Mellanox WinOF-2 Port Diagnostics(Ethernet 6)\RX PCS Corrected Bits phy`,
			},
			still: []string{`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Received Errors`},
		},
		{
			row: 12, name: "cable pulled", scene: "cable-pulled", at: "Ethernet 7",
			moves: []string{
				`\Mellanox WinOF-2 Diagnostics(Ethernet 7)\Link State Change Down Events`,
				`\Mellanox WinOF-2 Diagnostics(Ethernet 7)\Link State Change Events`,
				`\RDMA Activity(Ethernet 7)\RDMA Connection Errors`,
			},
			still: []string{
				`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Received`, `\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Sent`,
			},
		},
		{
			row: 14, name: "slow host memory or slot", scene: "slot-too-narrow", at: "Ethernet 7",
			moves: []string{
				`\Mellanox WinOF-2 PCI Device Diagnostics(ConnectX-5 Ex)\PCI back-pressure cycles`,
				`\Mellanox WinOF-2 PCI Device Diagnostics(ConnectX-5 Ex)\PCI write back-pressure cycles/Sec`,
				`\Mellanox WinOF-2 PCI Device Diagnostics(ConnectX-5 Ex)\Used PCI BW`,
			},
			still: []string{`\Mellanox WinOF-2 PCI Device Diagnostics(ConnectX-4 Lx)\PCI back-pressure cycles`},
		},
		{
			row: 14, name: "slow slot, WinOF", operations: []driver.Operation{hardware.SetSlot{Adapter: "ConnectX-3 Pro", Generation: 1, Lanes: 1}},
			moves: []string{`\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\PCI Back-pressure/sec`},
		},
		{
			row: 21, name: "small sends are copied",
			moves: []string{
				`\Mellanox WinOF-2 Diagnostics(Ethernet 5)\Copied Send Packets`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 5)\Packets Sent`,
			},
		},
		{
			row: 22, name: "UDP is not hashed",
			settings: func(s *setup.Port) { s.RSSUDP = false }, at: "Ethernet 5",
			moves: []string{
				`\Mellanox WinOF-2 Rss Counters(Ethernet 5 Total)\NonRss IPv4/Udp`,
				`\Mellanox WinOF-2 Rss Counters(Ethernet 5 Total)\Rss IPv4/Tcp`,
			},
			still: []string{`\Mellanox WinOF-2 Rss Counters(Ethernet 5 Total)\Rss IPv4/Udp`},
		},
		{
			row: 22, name: "WinOF counts by processor only when it is enabled", wait: 30 * time.Second,
			operations: []driver.Operation{
				set("Ethernet 3", "RssMonitoringEnabled", "1"), set("Ethernet 3", "RssCountersActivatedAtStartup", "1"), restart("Ethernet 3"),
			},
			moves: []string{`\Mellanox Adapter RSS Counters(Ethernet 3 Total)\Rss IPv4/Tcp`},
		},
		{
			row: 22, name: "raw IP is not hashed", wait: 30 * time.Second,
			settings: func(s *setup.Port) { s.RSSRawIP = false }, at: "Ethernet 5",
			moves: []string{`\Mellanox WinOF-2 Rss Counters(Ethernet 5 Total)\NonRss IPv4 Only`},
			still: []string{`\Mellanox WinOF-2 Rss Counters(Ethernet 5 Total)\Rss IPv4 Only`},
		},
		{
			row: 23, name: "only tunnelled traffic", wait: 20 * time.Second,
			describe: func(d *description.Description) {
				d.Flows = slices.DeleteFunc(d.Flows, func(f description.Flow) bool { return f.Port == "Ethernet 9" && !f.VXLAN })
			},
			moves: []string{
				`\Mellanox WinOF-2 Rss Counters(Ethernet 9 Total)\Encapsulated Rss IPv4/Tcp`,
				`\Mellanox WinOF-2 Rss Counters(Ethernet 9 Total)\Encapsulated Rss IPv4/Udp`,
			},
			still: []string{
				`\Mellanox WinOF-2 Rss Counters(Ethernet 9 Total)\Rss IPv4/Tcp`,
				`\Mellanox WinOF-2 Rss Counters(Ethernet 9 Total)\Rss IPv4/Udp`,
				`\Mellanox WinOF-2 Rss Counters(Ethernet 9 Total)\NonRss IPv4/Tcp`,
			},
		},
		{
			row: 23, name: "tunnelled traffic is hashed by the inner packet",
			moves: []string{
				`\Mellanox WinOF-2 Rss Counters(Ethernet 9 Total)\Encapsulated Rss IPv4/Tcp`,
			},
		},
		{
			name: "receive coalescing", settings: func(s *setup.Port) { s.CoalesceIPv4 = true }, at: "Ethernet 8", wait: 30 * time.Second,
			moves: []string{
				`\Mellanox WinOF-2 Port Traffic(Ethernet 8)\RSC Coalesced Packets`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 8)\RSC Coalesced Events`,
				`\Network Interface(Mellanox ConnectX-5 Ex Ethernet Adapter #2)\TCP RSC Coalesced Packets/sec`,
			},
			still: []string{`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\RSC Coalesced Packets`},
		},
	}
}
