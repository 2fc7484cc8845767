package lab

import (
	"net/netip"
	"slices"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/scenes"
	"cxdeck/driver/virtualization"
)

// stackKeys change what pauses do, how long packets wait, and what they cost Windows and the driver's threads.
func stackKeys() []labKey {
	const diagnostics, caught = `\Mellanox WinOF-2 Diagnostics(`, `)\Packets Received Discarded No Receive WQEs`
	const pauses = `\Mellanox Adapter QoS Counters(` + winOFPort
	const datagrams, groups, tagged = "with long datagrams", "with 200 multicast groups at Ethernet 3", "with machines in VLAN 110"
	narrow := hardware.SetSlot{Adapter: "ConnectX-3 Pro", Generation: 1, Lanes: 1}
	third, pausing, some := 3, 1.0, 0.3
	storm := []driver.Operation{fabric.SetSwitchPort{Connection: jumboPort, PausePriority: &third, PauseShare: &pausing}}
	paused := []driver.Operation{fabric.SetSwitchPort{Connection: winOFPort, PausePriority: &third, PauseShare: &some}}
	global := []driver.Operation{set(winOFPort, "*QOS", "0"), set(winOFPort, "*FlowControl", "0"), fabric.SetSwitchPort{Connection: winOFPort, FlowControl: new(description.GlobalPause), PauseShare: &some}, narrow}
	short := []driver.Operation{set(winOF2Port, "*ReceiveBuffers", "256")}
	reserved := append([]driver.Operation{set(winOF2Port, "AsyncReceiveIndicate", "1")}, short...)
	lossy := []driver.Operation{set(winOF2Port, "*ReceiveBuffers", "256"), hardware.SetFault{Connection: winOF2Port, Fault: description.BadCable, Share: 0.0006}}
	lossyWinOF := []driver.Operation{hardware.SetFault{Connection: winOFPort, Fault: description.BadCable, Share: 0.0011}}
	single := []driver.Operation{set(winOFPort, "SingleStream", "1")}
	return []labKey{
		{port: winOFPort, key: "AllowFlowControlUnderDebugger", value: "1", around: []driver.Operation{narrow, fault(winOFPort, description.Debugger, 1)}, counter: pauses + ` Priority 3)\Sent Pause Frames`, way: scenes.Rises, factor: 1},
		{port: winOFPort, key: "PerPriRxPause", value: "1", around: []driver.Operation{narrow}, counter: pauses + ` Priority 3)\Sent Pause Frames`, way: scenes.Stops},
		{port: winOFPort, key: "PerPriTxPause", value: "1", around: paused, counter: pauses + ` Priority 3)\Received Pause Frames`, way: scenes.Stops},
		{port: winOFPort, key: "RxPause", value: "1", around: global, counter: pauses + ` Untagged)\Sent Pause Frames`, way: scenes.Rises, factor: 1},
		{port: winOFPort, key: "TxPause", value: "1", around: global, counter: pauses + ` Untagged)\Received Pause Frames`, way: scenes.Rises, factor: 1},
		{port: jumboPort, key: "TCHeadOfQueueLifeTimeLimit", value: "2", around: storm, counter: diagnostics + jumboPort + `)\Head of Queue timeout Packet discarded`, way: scenes.Rises, factor: 2},
		{port: jumboPort, key: "TCStallCount", value: "1", around: storm, counter: diagnostics + jumboPort + `)\Head of Queue timeout Packet discarded`, way: scenes.Rises, factor: 10},
		{port: winOF2Port, key: "BlueFlame", value: "0", counter: workOf + winOF2Port + processor, way: scenes.Falls, factor: 0.995},
		{port: winOFPort, key: "LogNumRdmaRc", value: "1", reload: true, counter: `\RDMA Activity(` + winOFPort + `)\RDMA Outbound Bytes/sec`, way: scenes.Falls, factor: 0.6},
		{port: winOFPort, key: "LogNumRdmaRc", value: "1", reload: true, counter: `\RDMA Activity(` + winOFPort + `)\RDMA Failed Connection Attempts`, way: scenes.Rises, factor: 1},
		{port: winOFPort, key: "*VMQVlanFiltering", value: "0", around: machine(winOFPort), lab: tagged, describe: withMachinesInVLAN, counter: workOf + winOFPort + processor, way: scenes.Rises, factor: 1.01},
		{port: "Ethernet 8", key: "*VMQVlanFiltering", value: "0", around: machine("Ethernet 8"), lab: tagged, describe: withMachinesInVLAN, counter: workOf + "Ethernet 8" + processor, way: scenes.Rises, factor: 1.01},
		{port: winOF2Port, key: "RfdReservationFactor", value: "0", around: reserved, counter: traffic2 + winOF2Port + caught, way: scenes.Rises, factor: 1.5},
		{port: winOF2Port, key: "ReturnPacketThreshold", value: "16", around: short, counter: traffic2 + winOF2Port + caught, way: scenes.Falls, factor: 0.7},
		{port: winOFPort, key: "ReturnPacketThreshold", value: "16", around: []driver.Operation{set(winOFPort, "*ReceiveBuffers", "256")}, counter: `\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\No-WQE Drops/sec`, way: scenes.Falls, factor: 0.9},
		{port: winOFPort, key: "*HeaderDataSplit", value: "1", counter: workOf + winOFPort + processor, way: scenes.Falls, factor: 0.999},
		{port: winOFPort, key: "SingleStream", value: "1", around: []driver.Operation{set(winOFPort, "TxForwardingProcessor", "3")}, counter: `\cxdeck Processor(3)\% Processor Time`, way: scenes.Rises, factor: 1.05},
		{port: winOFPort, key: "TxForwardingProcessor", value: "3", around: single, counter: `\cxdeck Processor(3)\% Processor Time`, way: scenes.Rises, factor: 1.05},
		{port: winOFPort, key: "MaxNumOfMCList", value: "1024", lab: groups, describe: withGroupsOf(winOFPort), counter: workOf + winOFPort + processor, way: scenes.Falls, factor: 0.99},
		{port: winOFPort, key: "ThreadDpcEnable", value: "1", reload: true, counter: workOf + winOFPort + processor, way: scenes.Rises, factor: 1.01},
		{port: winOF2Port, key: "ThreadDpcEnable", value: "1", reload: true, counter: workOf + winOF2Port + processor, way: scenes.Rises, factor: 1.01},
		{port: winOFPort, key: "FastSendDatagramThreshold", value: "65536", lab: datagrams, describe: withDatagrams, counter: workOf + winOFPort + processor, way: scenes.Falls, factor: 0.99},
		{port: winOF2Port, key: "FastSendDatagramThreshold", value: "65536", lab: datagrams, describe: withDatagrams, counter: workOf + winOF2Port + processor, way: scenes.Falls, factor: 0.99},
		{port: winOFPort, key: "TcpWindowSize", value: "1024", counter: winOFTraffic + winOFPort + `)\Packets Sent`, way: scenes.Falls, factor: 0.95},
		{port: jumboPort, key: "TcpWindowSize", value: "64", counter: `\Mellanox WinOF-2 Port QoS(` + jumboPort + ` Untagged)\Packets Sent`, way: scenes.Falls, factor: 0.95},
		{port: winOFPort, key: "SackOpts", value: "0", around: lossyWinOF, counter: winOFTraffic + winOFPort + `)\Packets Sent`, way: scenes.Falls, factor: 0.99},
		{port: winOF2Port, key: "SackOpts", value: "0", around: lossy, counter: traffic2 + winOF2Port + `)\Packets Received`, way: scenes.Falls, factor: 0.99},
	}
}

// machine is a running machine at a virtual switch on a port.
func machine(port string) []driver.Operation {
	a := virtualization.NewVMAdapter("Network Adapter", "S")
	a.VLAN = 110
	return []driver.Operation{
		virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: port}},
		virtualization.CreateVM{VM: virtualization.VMRecord{Name: "one", State: virtualization.VMRunning, Adapters: []virtualization.VMAdapterRecord{a}}},
	}
}

// withMachinesInVLAN adds traffic of virtual machines in a VLAN to two ports.
func withMachinesInVLAN(d *description.Description) {
	d.Flows = slices.Clip(d.Flows)
	for port, gbps := range map[string]float64{winOFPort: 15, "Ethernet 8": 5} {
		d.Flows = append(d.Flows, description.Flow{
			Name: "Machines, " + port, Port: port, Protocol: description.TCP, Flows: 40, Virtual: true, VLAN: 110, Priority: new(int),
			Local: netip.MustParseAddr("10.3.0.10"), Peer: netip.MustParseAddr("10.3.9.1"), ReceiveGbps: gbps,
			Packets: []description.PacketSize{{IP: 1400, Share: 1}}, Rhythm: description.Rhythm{Kind: description.Steady},
		})
	}
}

// withDatagrams adds long datagrams that two ports send.
func withDatagrams(d *description.Description) {
	d.Flows = slices.Clip(d.Flows)
	for _, port := range []string{winOFPort, winOF2Port} {
		d.Flows = append(d.Flows, description.Flow{
			Name: "Video, " + port, Port: port, Protocol: description.UDP, Flows: 40,
			Local: netip.MustParseAddr("10.3.0.10"), Peer: netip.MustParseAddr("10.3.9.1"), SendGbps: 3,
			Packets: []description.PacketSize{{IP: 1400, Share: 1}}, Rhythm: description.Rhythm{Kind: description.Steady},
		})
	}
}

// withGroupsOf adds multicast groups to a port, more than its card filters by default.
func withGroupsOf(port string) func(*description.Description) {
	return func(d *description.Description) {
		d.Flows = append(slices.Clip(d.Flows), description.Flow{
			Name: "Groups, " + port, Port: port, Protocol: description.UDP, Flows: 200, Multicast: true,
			Local: netip.MustParseAddr("239.3.0.10"), Peer: netip.MustParseAddr("10.3.9.1"), ReceiveGbps: 1,
			Packets: []description.PacketSize{{IP: 800, Share: 1}}, Rhythm: description.Rhythm{Kind: description.Steady},
		})
	}
}
