package lab

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/scenes"
	"cxdeck/driver/virtualization"
	"cxdeck/perf"
)

// overlayAt adds a machine in a virtual subnet to a port, with the records that encapsulate its packets with NVGRE.
func overlayAt(port string) []driver.Operation {
	const subnet = 5001
	a := virtualization.NewVMAdapter("Network Adapter", "S")
	a.VirtualSubnet = subnet
	near, far := netip.MustParseAddr("192.168.20.114"), netip.MustParseAddr("192.168.20.115")
	customer, none := netip.MustParseAddr("172.16.14.6"), netip.IPv4Unspecified()
	return []driver.Operation{
		virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: port}},
		virtualization.CreateVM{VM: virtualization.VMRecord{Name: "one", State: virtualization.VMRunning, Adapters: []virtualization.VMAdapterRecord{a}}},
		virtualization.AddNetVirtualization{Records: virtualization.NetVirtualization{
			Lookups: []virtualization.LookupRecord{{CustomerAddress: customer, ProviderAddress: far, VirtualSubnet: subnet, MAC: description.MAC{2}}},
			CustomerRoutes: []virtualization.CustomerRoute{{
				RoutingDomain: "{11111111-2222-3333-4444-000000005001}", VirtualSubnet: subnet, Prefix: netip.PrefixFrom(none, 0), NextHop: none,
			}},
			ProviderAddresses: []virtualization.ProviderAddress{{Connection: port, Address: near, PrefixLength: 24}},
		}},
	}
}

// driverKeys returns keys for sends, tunnels and virtual functions, and keys that take effect when a driver is loaded.
func driverKeys() []labKey {
	const posted, activity, diagnostics = sendsPosted, `\RDMA Activity(`, `\Mellanox WinOF-2 Diagnostics(`
	const tunnelPort, overlayPort = "Ethernet 9", "Ethernet 8"
	const cnps, disallowed = `\Mellanox WinOF-2 Port QoS(` + jumboPort + ` Priority `, `\Mellanox WinOF-2 VF Port Traffic(` + jumboPort + ` VF 0)\Allowed EthType Anti Spoofing Packets Discarded`
	flood := []driver.Operation{fabric.ScaleFlow{Flow: "SMB Direct reads, volume 1", Scale: 10}}
	odd := []driver.Operation{fault(jumboPort, description.DisallowedType, 1)}
	short := []driver.Operation{fault(winOFPort, description.FewReceives, 0.1)}
	noBase := func(port string) []driver.Operation {
		return []driver.Operation{edit.DeleteValue{Connection: port, Key: "*RssBaseProcNumber"}}
	}
	return []labKey{
		{port: jumboPort, key: "LSOMinSegment", value: "32", counter: workOf + jumboPort + posted, way: scenes.Rises, factor: 1.2},
		{port: winOFPort, key: "LSOMinSegment", value: "32", counter: workOf + winOFPort + posted, way: scenes.Rises, factor: 1.1},
		{port: winOFPort, key: "LSOTcpOptions", value: "0", counter: workOf + winOFPort + posted, way: scenes.Rises, factor: 1.1},
		{port: winOF2Port, key: "LSOTcpOptions", value: "0", counter: sent2 + winOF2Port + ` SqNum_1)\Number of packets posted`, way: scenes.Rises, factor: 1.2},
		{port: winOFPort, key: "*IPChecksumOffloadIPv4", value: "0", counter: workOf + winOFPort + processor, way: scenes.Rises, factor: 1.02},
		{port: winOF2Port, key: "*IPChecksumOffloadIPv4", value: "0", counter: workOf + winOF2Port + processor, way: scenes.Rises, factor: 1.02},
		{port: tunnelPort, key: "*EncapsulatedPacketTaskOffloadVxlan", value: "0", counter: workOf + tunnelPort + processor, way: scenes.Rises, factor: 1.02},
		{port: winOFPort, key: "*EncapsulatedPacketTaskOffload", value: "0", around: overlayAt(winOFPort), counter: workOf + winOFPort + processor, way: scenes.Rises, factor: 1.02},
		{port: overlayPort, key: "*EncapsulatedPacketTaskOffload", value: "0", around: overlayAt(overlayPort), counter: workOf + overlayPort + processor, way: scenes.Rises, factor: 1.02},
		{port: tunnelPort, key: "*VxlanUDPPortNumber", value: "8472", counter: workOf + tunnelPort + posted, way: scenes.Rises, factor: 1.02},
		{port: winOFPort, key: "NumTcb", value: "1", counter: `\Mellanox Adapter Diagnostics Counters(` + winOFPort + `)\TX Copied Packets`, way: scenes.Falls, factor: 0.5},
		{port: winOF2Port, key: "NumTcb", value: "2", counter: diagnostics + winOF2Port + `)\Copied Send Packets`, way: scenes.Falls, factor: 0.5},
		{port: winOFPort, key: "TxHashDisrtibution", value: "1", counter: `\cxdeck Processor(17)\Interrupts/sec`, way: scenes.Rises, factor: 1.03},
		{port: winOFPort, key: "EnableRSS", value: "0", counter: rings + winOFPort + ` RX 0)\PacketsReceivedThread`, way: scenes.Rises, factor: 3},
		{port: winOFPort, key: "TxInterruptProcessor", value: "4", counter: `\cxdeck Processor(4)\Interrupts/sec`, way: scenes.Rises, factor: 1.2},
		{port: winOFPort, key: "*RssOrVmqPreference", value: "1", counter: rings + winOFPort + ` RX 0)\PacketsReceivedThread`, way: scenes.Rises, factor: 2},
		{port: winOF2Port, key: "*RssOrVmqPreference", value: "1", counter: `\Mellanox WinOF-2 Rss Counters(` + winOF2Port + ` Total)\NonRss IPv4/Tcp`, way: scenes.Rises, factor: 2},
		{port: winOFPort, key: "RssMaxProcNumber", value: "16", counter: rings + winOFPort + ` RX 0)\PacketsReceivedThread`, way: scenes.Rises, factor: 2},
		{port: winOFPort, key: "RssBaseCpu", value: "4", around: noBase(winOFPort), counter: `\cxdeck Processor(4)` + `\% Processor Time`, way: scenes.Rises, factor: 1.05},
		{port: winOF2Port, key: "RssBaseCpu", value: "20", around: noBase(winOF2Port), counter: received2 + winOF2Port + ` RqNum_0)\CpuNumber`, way: scenes.Rises, factor: 2},

		{port: winOFPort, key: "ThreadPoll", value: "0", counter: rings + winOFPort + ` RX 0)\PacketsReceivedThread`, way: scenes.Falls, factor: 0.95},
		{port: winOFPort, key: "AveragePollThreshold", value: "1", counter: rings + winOFPort + ` RX 6)\PacketsReceivedThread`, way: scenes.Rises, factor: 2},
		{port: winOFPort, key: "ThisPollThreshold", value: "1", counter: rings + winOFPort + ` RX 6)\PacketsReceivedThread`, way: scenes.Rises, factor: 2},
		{port: winOFPort, key: "AverageFactor", value: "0", around: []driver.Operation{set(winOFPort, "AveragePollThreshold", "1")}, counter: rings + winOFPort + ` RX 6)\PacketsReceivedThread`, way: scenes.Falls, factor: 0.5},
		{port: winOFPort, key: "pkt_rate_low", value: "255999", around: []driver.Operation{set(winOFPort, "pkt_rate_high", "256000")}, counter: rings + winOFPort + ` RX 6)\NumTrafficProfileTransitions`, way: scenes.Rises, factor: 1.1},

		{port: winOFPort, key: "roce_udp_dport", value: "4792", counter: activity + winOFPort + `)\RDMA Outbound Bytes/sec`, way: scenes.Stops},
		{port: winOFPort, key: "roce_udp_dport", value: "4792", counter: activity + winOFPort + `)\RDMA Failed Connection Attempts`, way: scenes.Rises, factor: 2},
		{port: winOFPort, key: "MaxCMRetries", value: "1", reload: true, counter: activity + winOFPort + `)\RDMA Active Connections`, way: scenes.Stops},
		{port: winOFPort, key: "RoceRcE2EFlowControlEnable", value: "0", reload: true, around: short, counter: `\Mellanox Adapter Diagnostics Counters(` + winOFPort + `)\Requester RNR NAK`, way: scenes.Rises, factor: 2},
		{port: jumboPort, key: "DcqcnCnpPrioMode", value: "0", around: flood, counter: cnps + `7)\Packets Sent`, way: scenes.Rises, factor: 2},
		{port: jumboPort, key: "DcqcnCnp802pPrio", value: "5", around: append([]driver.Operation{set(jumboPort, "DcqcnCnpPrioMode", "0")}, flood...), counter: cnps + `5)\Packets Sent`, way: scenes.Rises, factor: 2},
		{port: jumboPort, key: "VFAllowedTxEtherTypeListEnable", value: "0", around: odd, counter: disallowed, way: scenes.Stops},
		{
			port: jumboPort, key: "VFAllowedTxEtherType3", value: "0x88B5", counter: disallowed, way: scenes.Stops,
			around: append([]driver.Operation{
				set(jumboPort, "VFAllowedTxEtherType0", "0x0800"), set(jumboPort, "VFAllowedTxEtherType1", "0x0806"),
			}, odd...),
		},

		{
			port: winOFPort, key: "UseRSSForRawIP", value: "0", counter: `\Mellanox Adapter RSS Counters(` + winOFPort + ` Total)\NonRss IPv4 Only`,
			around: []driver.Operation{set(winOFPort, "RssMonitoringEnabled", "1"), set(winOFPort, "RssCountersActivatedAtStartup", "1")},
			lab:    "with echo requests to Ethernet 3", describe: withEchoes, way: scenes.Rises, factor: 2,
		},
		{port: winOFPort, key: "TxUntagPriorityTag", value: "1", counter: `\Mellanox Adapter QoS Counters(` + winOFPort + ` Priority 4)\Bytes Sent`, lab: "with a priority and no VLAN", describe: withBarePriority, way: scenes.Falls, factor: 0.98},
		{port: winOF2Port, key: "TxUntagPriorityTag", value: "1", counter: `\Mellanox WinOF-2 Port QoS(` + winOF2Port + ` Priority 4)\Bytes Sent`, lab: "with a priority and no VLAN", describe: withBarePriority, way: scenes.Falls, factor: 0.98},
		{port: winOFPort, key: "*RssBaseProcGroup", value: "1", counter: `\cxdeck Processor(80)` + `\% Processor Time`, lab: "with 96 processors", describe: withGroups, way: scenes.Rises, factor: 2},
		{port: winOF2Port, key: "*RssBaseProcGroup", value: "1", counter: `\cxdeck Processor(72)` + `\% Processor Time`, lab: "with 96 processors", describe: withGroups, way: scenes.Rises, factor: 2},
	}
}

// withEchoes adds IP packets without ports to a WinOF port; the default lab has none.
func withEchoes(d *description.Description) {
	d.Flows = append(slices.Clip(d.Flows), description.Flow{
		Name: "Echo requests, Ethernet 3", Port: winOFPort, Protocol: description.OtherIP, Flows: 40,
		Local: netip.MustParseAddr("10.3.0.10"), Peer: netip.MustParseAddr("10.3.9.1"), ReceiveGbps: 0.01,
		Packets: []description.PacketSize{{IP: 84, Share: 1}}, Rhythm: description.Rhythm{Kind: description.Steady},
	})
}

// withBarePriority adds small packets of a priority without a VLAN to two ports.
func withBarePriority(d *description.Description) {
	priority := 4
	d.Flows = slices.Clip(d.Flows)
	for _, port := range []string{winOFPort, winOF2Port} {
		d.Flows = append(d.Flows, description.Flow{
			Name: "Calls, " + port, Port: port, Protocol: description.UDP, Flows: 40, Priority: &priority,
			Local: netip.MustParseAddr("10.3.0.10"), Peer: netip.MustParseAddr("10.3.9.1"), SendGbps: 0.01,
			Packets: []description.PacketSize{{IP: 84, Share: 1}}, Rhythm: description.Rhythm{Kind: description.Steady},
		})
	}
}

// withGroups gives the host more processors than Windows puts into one group.
func withGroups(d *description.Description) { d.Host.ProcessorsPerNode = 48 }

// Series of virtual functions are missing while a key keeps them closed, and restart when they return.
func TestSeriesOfVirtualFunctionsVanishAndReturn(t *testing.T) {
	t.Parallel()
	const path = `\Mellanox WinOF-2 VF Port Traffic(` + jumboPort + ` VF 0)\Bytes Received/Sec`
	var c perf.Column
	l := sourceOf(t, rested(t, 4), &c)
	at, ok := l.Schema().Find(path)
	if !ok {
		t.Fatalf("there is no %s", path)
	}
	cell := l.Schema().Series[at].Cell
	next(t, l, 20*time.Second, &c)
	before := c.Cells[cell]
	for _, step := range []struct {
		value string
		good  func(n int64) bool
	}{
		{"0", func(n int64) bool { return n == perf.Missing }},
		{"1", func(n int64) bool { return n > 0 && n < before }},
	} {
		mustApply(t, l, []driver.Operation{set(jumboPort, "*SRIOV", step.value), restart(jumboPort)})
		next(t, l, 5*time.Second, &c)
		if n := c.Cells[cell]; !step.good(n) {
			t.Errorf("with *SRIOV %s it is %d, and was %d", step.value, n, before)
		}
	}
}
