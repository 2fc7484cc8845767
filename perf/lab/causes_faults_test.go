package lab

import (
	"slices"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
)

// causeRows are the triggers in the table of causes of the counter model, in its order.
var causeRows = [...]string{
	"no free receive descriptor, drop mode", "no free receive descriptor, dropless mode", "the dropless timer expires",
	"a lossless buffer passes XOFF", "a buffer is full", "the far end sends pause", "the host accepts no packets",
	"flow control of hosts and switches differs", "a kernel debugger", "peers have a larger MTU", "our MTU is larger than the switch's",
	"a bad cable", "IgnoreFCS", "slow host memory", "more queue pairs than the card holds", "too few receives are posted",
	"an RDMA application exits", "wrong keys, bad opcodes, remote failures", "loss in the fabric", "congestion marks",
	"sends that are too small", "packets that are not hashed", "tunnelled traffic", "a virtual function with a wrong MAC",
	"a virtual function overloads the firmware", "traffic of virtual functions", "a send queue without progress",
}

// onlyEthernet removes all but the Ethernet port of the WinOF card from a description, and enables global pause on it.
func onlyEthernet(d *description.Description) {
	for i := range d.Adapters {
		a := &d.Adapters[i]
		if a.Family == description.WinOF {
			a.Ports = a.Ports[:1]
			a.Ports[0].FlowControl, a.Ports[0].Switch.FlowControl = description.GlobalPause, description.GlobalPause
			a.Ports[0].Lossless, a.Ports[0].Switch.Lossless = nil, nil
		}
	}
	var flows []description.Flow
	for _, f := range d.Flows {
		if f.Port != "Ethernet 4" {
			flows = append(flows, f)
		}
	}
	d.Flows = flows
}

// silent removes the flows of a port from a description, so that its own packets are seen.
func silent(connection string) func(*description.Description) {
	return func(d *description.Description) {
		d.Flows = slices.DeleteFunc(d.Flows, func(f description.Flow) bool { return f.Port == connection })
	}
}

// labFaultCauses are the rows with a fault, or a mode of the operator, as their cause.
func labFaultCauses() []labCause {
	one, half := 1.0, 0.9
	dropless := hardware.SetDropless{Connection: "Ethernet 6", On: true}
	busy := fabric.ScaleFlow{Flow: "Telemetry", Scale: 10}
	slow := func(connection string, speed float64) driver.Operation {
		return hardware.SetProcessorSpeed{Connection: connection, Speed: speed}
	}
	return []labCause{
		{
			row: 1, name: "no receive posted for datagrams and unreliable connections",
			prepare: []driver.Operation{
				fabric.ScaleFlow{Flow: "Order book over RDMA datagrams", Scale: 1}, fabric.ScaleFlow{Flow: "Sensor stream over unreliable RDMA", Scale: 1},
			},
			operations: []driver.Operation{fault("Ethernet 3", description.FewReceives, 0.01)},
			moves: []string{
				`\Mellanox Adapter Diagnostics Counters(Ethernet 3)\Discarded UD packets`,
				`\Mellanox Adapter Diagnostics Counters(Ethernet 3)\Discarded UC packets`,
			},
			still: []string{
				`\Mellanox Adapter Traffic Counters(Ethernet 3)\Packets Received Discarded`,
				`\Mellanox Adapter Traffic Counters(Ethernet 3)\Packets Received Errors`,
				`\Network Interface(Mellanox ConnectX-3 Pro Ethernet Adapter)\Packets Received Discarded`,
				`\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\No-WQE Drops/sec`,
			},
		},
		{
			name: "an application uses NDSPI", operations: []driver.Operation{fabric.ScaleFlow{Flow: "Archive over SMB Direct"}},
			describe: func(d *description.Description) {
				for i := range d.Flows {
					if f := &d.Flows[i]; f.Protocol == description.RDMA && f.Port == "Ethernet 8" {
						f.Application, f.Idle = description.NDSPI, false
					}
				}
			},
			moves: []string{
				`\RDMA Activity(Ethernet 8)\RDMA Inbound Bytes/sec`, `\RDMA Activity(Ethernet 8)\RDMA Inbound Frames/sec`,
				`\RDMA Activity(Ethernet 8)\RDMA Outbound Bytes/sec`, `\RDMA Activity(Ethernet 8)\RDMA Outbound Frames/sec`,
			},
			still: []string{
				`\RDMA Activity(Ethernet 8)\RDMA Accepted Connections`, `\RDMA Activity(Ethernet 8)\RDMA Active Connections`,
				`\RDMA Activity(Ethernet 8)\RDMA Completion Queue Errors`, `\RDMA Activity(Ethernet 8)\RDMA Connection Errors`,
				`\RDMA Activity(Ethernet 8)\RDMA Failed Connection Attempts`, `\RDMA Activity(Ethernet 8)\RDMA Initiated Connections`,
				`\SMB Direct Connection(Ethernet 8)\Bytes RDMA Read/sec`, `\SMB Direct Connection(Ethernet 8)\Sends/sec`,
			},
		},
		{
			row: 2, name: "dropless mode, WinOF-2",
			prepare:    []driver.Operation{set("Ethernet 6", "DelayDropTimeout", "100"), restart("Ethernet 6")},
			operations: []driver.Operation{hardware.SetDropless{Connection: "Ethernet 6"}, dropless, busy, slow("Ethernet 6", 0.13)},
			moves: []string{
				`\Mellanox WinOF-2 Diagnostics(Ethernet 6)\Dropless Mode Entries`,
				`\Mellanox WinOF-2 Port QoS(Ethernet 6 Untagged)\Sent Pause Frames`,
				`\Mellanox WinOF-2 Port QoS(Ethernet 6 Untagged)\Rcv Pause Duration`,
			},
			still: []string{
				`\Mellanox WinOF-2 Port Traffic(Ethernet 6)\Packets Received Discarded No Receive WQEs`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 6)\Packets Received Discarded`,
			},
			events: []string{"mlx5.dropless-entered"},
		},
		{
			row: 2, name: "dropless mode, WinOF", describe: onlyEthernet,
			prepare: []driver.Operation{set("Ethernet 3", "DelayDropTimeout", "65535"), restart("Ethernet 3")},
			operations: []driver.Operation{
				hardware.SetDropless{Connection: "Ethernet 3", On: true}, slow("Ethernet 3", 0.01),
				fabric.ScaleFlow{Flow: "Backup to tape host", Scale: 10},
			},
			moves: []string{
				`\Mellanox Adapter Diagnostics Counters(Ethernet 3)\Dropless Mode Entries`,
				`\Mellanox Adapter QoS Counters(Ethernet 3 Untagged)\Sent Pause Frames`,
				`\Mellanox Adapter QoS Counters(Ethernet 3 Untagged)\Received Pause Duration`,
			},
			still: []string{
				`\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\No-WQE Drops/sec`,
				`\Mellanox Adapter Traffic Counters(Ethernet 3)\Packets Received Discarded`,
			},
			events: []string{"mlx4.dropless-entered"},
		},
		{
			row: 3, name: "the dropless timer expires, WinOF-2", operations: []driver.Operation{dropless, busy, slow("Ethernet 6", 0.01)},
			moves: []string{
				`\Mellanox WinOF-2 Diagnostics(Ethernet 6)\Dropless Mode Exits`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 6)\Packets Received Discarded No Receive WQEs`,
			},
			events: []string{"mlx5.dropless-entered", "mlx5.delay-drop-timeout"},
		},
		{
			row: 3, name: "the dropless timer expires, WinOF", describe: onlyEthernet,
			prepare: []driver.Operation{set("Ethernet 3", "DelayDropTimeout", "1"), restart("Ethernet 3")},
			operations: []driver.Operation{
				hardware.SetDropless{Connection: "Ethernet 3", On: true}, slow("Ethernet 3", 0.01),
				fabric.ScaleFlow{Flow: "Backup to tape host", Scale: 10},
			},
			moves: []string{
				`\Mellanox Adapter Diagnostics Counters(Ethernet 3)\Dropless Mode Exits`,
				`\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\No-WQE Drops/sec`,
			},
			events: []string{"mlx4.delay-drop-timeout"},
		},
		{
			row: 5, name: "a slot too narrow for lossy traffic",
			operations: []driver.Operation{
				hardware.SetSlot{Adapter: "BlueField-2", Generation: 1, Lanes: 1}, fabric.ScaleFlow{Flow: "Virtual machines, web tier", Scale: 5},
			},
			moves: []string{
				`\Mellanox WinOF-2 Port Traffic(Ethernet 10)\Packets Received Discarded`,
				`\Network Interface(Mellanox BlueField-2 Ethernet Adapter #2)\Packets Received Discarded`,
			},
			still: []string{
				`\Mellanox WinOF-2 Port QoS(Ethernet 10 Untagged)\Sent Pause Frames`,
				`\Mellanox WinOF-2 Port QoS(Ethernet 10 Priority 0)\Sent Pause Frames`,
			},
		},
		{
			row: 7, name: "stall, before the time limit", wait: 700 * time.Millisecond,
			operations: []driver.Operation{fault("Ethernet 7", description.Stall, one)},
			moves: []string{
				`\Mellanox WinOF-2 Port QoS(Ethernet 7 Priority 3)\Sent Pause Frames`,
				`\Mellanox WinOF-2 Diagnostics(Ethernet 7)\Minor Stall Watermark Reached`,
			},
			still: []string{
				`\Mellanox WinOF-2 Diagnostics(Ethernet 7)\Critical Stall Watermark Reached`,
				`\Mellanox WinOF-2 Port QoS(Ethernet 7 Priority 3)\packets received discarded`,
			},
		},
		{
			row: 7, name: "pauses stop after the time limit of a stall", prepare: []driver.Operation{fault("Ethernet 7", description.Stall, one)},
			moves: []string{
				`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Received Discarded`,
				`\Mellanox WinOF-2 Diagnostics(Ethernet 7)\Stalled State Packet discarded`,
			},
			still: []string{
				`\Mellanox WinOF-2 Port QoS(Ethernet 7 Priority 3)\Sent Pause Frames`,
				`\Mellanox WinOF-2 Port QoS(Ethernet 7 Priority 3)\Rcv Pause Frames`,
			},
		},
		{
			row: 7, name: "stall, beyond the time limit", wait: 5 * time.Second,
			operations: []driver.Operation{fault("Ethernet 7", description.Stall, one)},
			moves: []string{
				`\Mellanox WinOF-2 Diagnostics(Ethernet 7)\Critical Stall Watermark Reached`,
				`\Mellanox WinOF-2 Port QoS(Ethernet 7 Priority 3)\packets received discarded`,
			},
			still: []string{`\RDMA Activity(Ethernet 7)\RDMA Inbound Frames/sec`},
		},
		{
			row: 7, name: "stall, WinOF", wait: 5 * time.Second,
			operations: []driver.Operation{fault("Ethernet 3", description.Stall, one)},
			moves: []string{
				`\Mellanox Adapter QoS Counters(Ethernet 3 Priority 3)\Sent Pause Frames`,
				`\Mellanox Adapter Diagnostics Counters(Ethernet 3)\Packet detected as stalled`,
				`\Mellanox Adapter Diagnostics Counters(Ethernet 3)\Device detected stalled state`,
			},
		},
		{
			row: 9, name: "a kernel debugger disables flow control",
			operations: []driver.Operation{
				fault("Ethernet 3", description.Debugger, one), hardware.SetSlot{Adapter: "ConnectX-3 Pro", Generation: 1, Lanes: 1},
			},
			moves: []string{`\Mellanox Adapter Traffic Counters(Ethernet 3)\Packets Received Discarded`},
			still: []string{
				`\Mellanox Adapter QoS Counters(Ethernet 3 Priority 3)\Sent Pause Frames`,
				`\Mellanox Adapter QoS Counters(Ethernet 3 Priority 3)\Received Pause Frames`,
			},
		},
		{
			row: 10, name: "peers send longer frames, WinOF",
			operations: []driver.Operation{fault("Ethernet 4", description.LongFrames, 0.01)},
			moves: []string{
				`\Mellanox IB Adapter Traffic Counters(Ethernet 4)\Packets Received with Frame Length Error`,
				`\Mellanox IB Adapter Traffic Counters(Ethernet 4)\Packets Received Errors`,
			},
			still: []string{`\Mellanox IB Adapter Traffic Counters(Ethernet 4)\Packets Received with Bad CRC Error`},
		},
		{
			name: "peers send frames of wrong sizes, WinOF-2", operations: []driver.Operation{fault("Ethernet 5", description.WrongSizes, 0.01)},
			moves: []string{
				`\Mellanox WinOF-2 Port Traffic(Ethernet 5)\Packets Received Frame undersize Error`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 5)\Packets Received Fragments Error`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 5)\Packets Received jabbers Error`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 5)\Packets Received Errors`,
			},
			still: []string{
				`\Mellanox WinOF-2 Port Traffic(Ethernet 5)\Packets Received Frame too long Error`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 5)\Packets Received Bad CRC Error`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 5)\Packets Received Symbol Error`,
			},
		},
		{
			name: "peers send frames of wrong sizes, WinOF", operations: []driver.Operation{fault("Ethernet 3", description.WrongSizes, 0.01)},
			moves: []string{
				`\Mellanox Adapter Traffic Counters(Ethernet 3)\Packets Received with Frame Length Error`,
				`\Mellanox Adapter Traffic Counters(Ethernet 3)\Packets Received Errors`,
			},
			still: []string{`\Mellanox Adapter Traffic Counters(Ethernet 3)\Packets Received with Bad CRC Error`},
		},
		{
			row: 12, name: "bad cable, WinOF", operations: []driver.Operation{fault("Ethernet 3", description.BadCable, 1e-3)},
			moves: []string{
				`\Mellanox Adapter Traffic Counters(Ethernet 3)\Packets Received with Bad CRC Error`,
				`\Mellanox Adapter Traffic Counters(Ethernet 3)\Packets Received with Symbol Error`,
				`\Mellanox Adapter Traffic Counters(Ethernet 3)\Packets Received Errors`,
			},
			still: []string{`\Mellanox Adapter Traffic Counters(Ethernet 3)\Packets Received with Frame Length Error`},
		},
		{
			row: 13, name: "IgnoreFCS accepts damaged frames",
			prepare:    []driver.Operation{set("Ethernet 3", "IgnoreFCS", "1"), restart("Ethernet 3")},
			operations: []driver.Operation{fault("Ethernet 3", description.BadCable, 1e-3)},
			moves:      []string{`\Mellanox Adapter Traffic Counters(Ethernet 3)\Packets Received`},
			still: []string{
				`\Mellanox Adapter Traffic Counters(Ethernet 3)\Packets Received with Bad CRC Error`,
				`\Mellanox Adapter Traffic Counters(Ethernet 3)\Packets Received Errors`,
			},
		},
		{
			row: 15, name: "many queue pairs", operations: []driver.Operation{fault("Ethernet 3", description.ManyQueuePairs, half)},
			moves: []string{
				`\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\SQ Miss/sec`, `\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\RQ Miss/sec`,
				`\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\CQ Miss/sec`, `\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\EQ Miss/sec`,
				`\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\MTT Miss/sec`, `\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\MPT Miss/sec`,
				`\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\Steering/QPC Back-pressure/sec`,
				`\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\MPT entries used for QP`,
				`\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\MTT entries used for MR`,
				`\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\CPU MEM-pages (4K) mapped by TPT for CQ`,
			},
			still: []string{`\Mellanox WinOF-2 Device Diagnostics(ConnectX-4 Lx)\L0 MTT miss`},
		},
		{
			row: 16, name: "too few receives, WinOF", operations: []driver.Operation{fault("Ethernet 3", description.FewReceives, 0.01)},
			moves: []string{
				`\Mellanox Adapter Diagnostics Counters(Ethernet 3)\Responder RNR NAK`,
				`\Mellanox Adapter Diagnostics Counters(Ethernet 3)\Requester RNR NAK`,
				`\Mellanox Adapter Diagnostics Counters(Ethernet 3)\Requester RNR NAK retries exceeded errors`,
				`\Mellanox Adapter Diagnostics Counters(Ethernet 3)\Requester CQE errors`,
				`\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\Current QPS in error state`,
			},
		},
		{
			row: 16, name: "too few receives, WinOF-2", operations: []driver.Operation{fault("Ethernet 8", description.FewReceives, 0.01)},
			moves: []string{
				`\Mellanox WinOF-2 Diagnostics(Ethernet 8)\Responder RNR NAK`, `\Mellanox WinOF-2 Diagnostics(Ethernet 8)\Requester RNR NAK`,
				`\Mellanox WinOF-2 Diagnostics(Ethernet 8)\Requester RNR NAK Retries Exceeded Error`,
				`\Mellanox WinOF-2 Diagnostics(Ethernet 8)\Requester CQEs with Error`,
			},
			still: []string{`\Mellanox WinOF-2 Diagnostics(Ethernet 7)\Responder RNR NAK`},
		},
		{
			row: 17, name: "an RDMA application exits", wait: 2 * time.Second,
			operations: []driver.Operation{fault("Ethernet 3", description.ApplicationExit, one)},
			moves: []string{
				`\Mellanox Adapter Diagnostics Counters(Ethernet 3)\Responder CQE errors`,
				`\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\Packets discarded due to invalid QP`,
			},
			still: []string{
				`\Mellanox Adapter Traffic Counters(Ethernet 3)\Packets Received Discarded`,
				`\Mellanox Adapter Traffic Counters(Ethernet 3)\Packets Received Errors`,
				`\Mellanox Adapter Diagnostics Counters(Ethernet 3)\Requester CQE errors`,
				`\RDMA Activity(Ethernet 3)\RDMA Connection Errors`, `\RDMA Activity(Ethernet 3)\RDMA Failed Connection Attempts`,
			},
		},
		{
			row: 18, name: "wrong keys", operations: []driver.Operation{fault("Ethernet 3", description.WrongKey, 0.001)},
			moves: []string{
				`\Mellanox Adapter Diagnostics Counters(Ethernet 3)\Responder Remote access errors`,
				`\Mellanox Adapter Diagnostics Counters(Ethernet 3)\Requester Remote access errors`,
			},
			still: []string{
				`\Mellanox Adapter Diagnostics Counters(Ethernet 3)\Responder Invalid request errors`,
				`\Mellanox Adapter Diagnostics Counters(Ethernet 3)\Requester Remote operation errors`,
			},
		},
		{
			row: 18, name: "bad opcodes", operations: []driver.Operation{fault("Ethernet 9", description.BadRequest, 0.001)},
			moves: []string{
				`\Mellanox WinOF-2 Diagnostics(Ethernet 9)\Responder Remote Invalid Request Errors`,
				`\Mellanox WinOF-2 Diagnostics(Ethernet 9)\Requester Remote Invalid Request Errors`,
			},
			still: []string{`\Mellanox WinOF-2 Diagnostics(Ethernet 9)\Responder Remote Access Errors`},
		},
		{
			row: 18, name: "remote failures", operations: []driver.Operation{fault("Ethernet 9", description.RemoteFailure, 0.001)},
			moves: []string{`\Mellanox WinOF-2 Diagnostics(Ethernet 9)\Requester Remote Operation Errors`},
			still: []string{`\Mellanox WinOF-2 Diagnostics(Ethernet 9)\Requester Remote Access Errors`},
		},
		{
			row: 19, name: "loss in the fabric", operations: []driver.Operation{fault("Ethernet 3", description.BadCable, 0.001)},
			moves: []string{
				`\Mellanox Adapter Diagnostics Counters(Ethernet 3)\Responder out of order sequence received`,
				`\Mellanox Adapter Diagnostics Counters(Ethernet 3)\Requester out of order sequence NAK`,
				`\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\Last Retransmitted QP`,
			},
			still: []string{`\Mellanox Adapter Diagnostics Counters(Ethernet 3)\Requester transport retries exceeded errors`},
		},
		{
			row: 20, name: "marks on sent packets", operations: []driver.Operation{fault("Ethernet 7", description.Congestion, half)},
			moves: []string{
				`\Mellanox WinOF-2 Congestion Control(Ethernet 7)\Reaction Point Successfully Handled CNP Packets`,
				`\Mellanox WinOF-2 Congestion Control(Ethernet 7)\Reaction Point Current Number of Flows`,
			},
			still: []string{`\Mellanox WinOF-2 Congestion Control(Ethernet 7)\Reaction Point Ignored CNP Packets`},
		},
		{
			row: 20, name: "marks, WinOF",
			describe: func(d *description.Description) {
				for i := range d.Adapters {
					if d.Adapters[i].Family == description.WinOF {
						d.Adapters[i].Ports[0].CongestionControl = []int{3}
					}
				}
			},
			operations: []driver.Operation{fault("Ethernet 3", description.Congestion, 0.97)},
			moves:      []string{`\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\Arrived RDMA CNPs`},
		},
		{
			row: 20, name: "marks that the sender ignores",
			prepare:    []driver.Operation{set("Ethernet 7", "DcqcnRPEnablePrio3", "0"), restart("Ethernet 7")},
			operations: []driver.Operation{fault("Ethernet 7", description.Congestion, half)},
			moves:      []string{`\Mellanox WinOF-2 Congestion Control(Ethernet 7)\Reaction Point Ignored CNP Packets`},
			still:      []string{`\Mellanox WinOF-2 Congestion Control(Ethernet 7)\Reaction Point Successfully Handled CNP Packets`},
		},
		{
			row: 22, name: "packets without an IP header", at: "Ethernet 5", wait: 30 * time.Second,
			moves: []string{`\Mellanox WinOF-2 Rss Counters(Ethernet 5 Total)\NonRss Misc`},
			still: []string{`\Mellanox WinOF-2 Rss Counters(Ethernet 5 Total)\Rss Misc`},
		},
		{
			row: 24, name: "a virtual function with a wrong MAC", describe: silent("Ethernet 7"),
			operations: []driver.Operation{fault("Ethernet 7", description.WrongAddress, half)},
			moves: []string{
				`\Mellanox WinOF-2 VF Port Traffic(Ethernet 7 VF 0)\Mac Anti Spoofing Packets Discarded`,
				`\Mellanox WinOF-2 VF Port Traffic(Ethernet 7 VF 0)\Mac Anti Spoofing Bytes Discarded`,
			},
			still: []string{
				`\Mellanox WinOF-2 VF Port Traffic(Ethernet 7 VF 1)\Mac Anti Spoofing Packets Discarded`,
				`\Mellanox WinOF-2 VF Port Traffic(Ethernet 7 VF 0)\Allowed EthType Anti Spoofing Packets Discarded`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Outbound Discarded`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Sent`,
			},
		},
		{
			row: 24, name: "a virtual function with a disallowed Ethertype", describe: silent("Ethernet 7"),
			operations: []driver.Operation{fault("Ethernet 7", description.DisallowedType, half)},
			moves: []string{
				`\Mellanox WinOF-2 VF Port Traffic(Ethernet 7 VF 0)\Allowed EthType Anti Spoofing Packets Discarded`,
				`\Mellanox WinOF-2 VF Port Traffic(Ethernet 7 VF 0)\Allowed EthType Anti Spoofing Bytes Discarded`,
			},
			still: []string{
				`\Mellanox WinOF-2 VF Port Traffic(Ethernet 7 VF 1)\Allowed EthType Anti Spoofing Packets Discarded`,
				`\Mellanox WinOF-2 VF Port Traffic(Ethernet 7 VF 0)\Mac Anti Spoofing Packets Discarded`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Outbound Discarded`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Sent`,
			},
		},
		{
			row: 25, name: "a virtual function overloads the firmware",
			operations: []driver.Operation{
				set("Ethernet 7", "VfCpuMonEnable", "1"), set("Ethernet 7", "VfCpuMonBatchPeriodSec", "5"),
				set("Ethernet 7", "VfCpuMonFwCpuUsageMax", "20"), fault("Ethernet 7", description.FirmwareLoad, half),
			},
			moves: []string{
				`\VF Monitoring(Ethernet 7 VF 0)\FwCpuUsage`, `\VF Monitoring(Ethernet 7 VF 0)\Errors2FW`,
			},
			still:  []string{`\VF Monitoring(Ethernet 7 VF 1)\FwCpuUsage`},
			events: []string{"mlx5.vf-cpu-monitor"},
		},
		{
			row: 26, name: "traffic of virtual functions counts at the port",
			describe: func(d *description.Description) {
				for i := range d.Adapters {
					for j := range d.Adapters[i].Ports {
						if p := &d.Adapters[i].Ports[j]; p.Connection == "Ethernet 10" {
							p.VirtualFunctions = 4
						}
					}
				}
			},
			moves: []string{
				`\Mellanox WinOF-2 VF Port Traffic(Ethernet 10 VF 0)\Bytes Received/Sec`, `\Mellanox WinOF-2 VF Port Traffic(Ethernet 10 VF 3)\Bytes Sent/Sec`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 10)\Bytes Received`,
			},
		},
		{
			row: 27, name: "a send queue hangs, WinOF", wait: 25 * time.Second,
			operations: []driver.Operation{
				fabric.ScaleFlow{Flow: "Backup to tape host", Scale: 10}, fault("Ethernet 3", description.SendHang, one),
			},
			moves:  []string{`\Mellanox Adapter Diagnostics Counters(Ethernet 3)\TX Ring Is Full Packets`},
			events: []string{"mlx4.sh-hw-send-stall", "mlx4.eth-stopped", "mlx4.eth-started", "mlx4.eth-reset"},
		},
		{
			row: 27, name: "a send queue hangs, WinOF-2", wait: 20 * time.Second,
			operations: []driver.Operation{fault("Ethernet 10", description.SendHang, one)},
			moves:      []string{`\Mellanox WinOF-2 Transmit Datapath Counters(Ethernet 10 SqNum_0)\Transmit ring is full`},
			events:     []string{"mlx5.tx-timeout", "mlx5.reset-by-miniport", "mlx5.stopped", "mlx5.identity"},
		},
	}
}
