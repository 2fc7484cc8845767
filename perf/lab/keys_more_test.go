package lab

import (
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/scenes"
)

// placementKeys returns keys for the segmentation, coalescing and steering of packets, and for the choice of processors.
func placementKeys() []labKey {
	count := []driver.Operation{set(winOFPort, "RssMonitoringEnabled", "1"), set(winOFPort, "RssCountersActivatedAtStartup", "1")}
	const rss, qos2 = `\Mellanox Adapter RSS Counters(`, `\Mellanox WinOF-2 Port QoS(`
	const stalls = `\Mellanox WinOF-2 Diagnostics(` + jumboPort + `)\`
	stall := hardware.SetFault{Connection: jumboPort, Fault: description.Stall, Share: 1}
	return []labKey{
		{port: winOFPort, key: "LSOSize", value: "16000", counter: workOf + winOFPort + sendsPosted, way: scenes.Rises, factor: 1.1},
		{port: iPoIBPort, key: "LSOSize", value: "16000", counter: workOf + iPoIBPort + sendsPosted, way: scenes.Rises, factor: 1.05},
		{port: winOF2Port, key: "LSOSize", value: "16000", counter: sent2 + winOF2Port + ` SqNum_1)\Number of packets posted`, way: scenes.Rises, factor: 1.03},
		{port: winOFPort, key: "RxIntModeration", value: "1", counter: workOf + winOFPort + interrupts, way: scenes.Falls, factor: 0.6},
		{port: winOF2Port, key: "RxIntModeration", value: "1", counter: received2 + winOF2Port + ` RqNum_0)\Number of interrupts`, way: scenes.Falls, factor: 0.6},
		{port: manyPort, key: "RxIntModeration", value: "1", counter: received2 + manyPort + ` RqNum_2)\Average packet count per indicate`, way: scenes.Rises, factor: 2},
		{port: winOFPort, key: "pkt_rate_high", value: "1000000", counter: rings + winOFPort + ` RX 6)\PacketsLowResources`, way: scenes.Rises, factor: 2},
		{port: winOFPort, key: "UseRSSForUDP", value: "0", around: count, counter: rss + winOFPort + ` Total)\NonRss IPv4/Udp`, way: scenes.Rises, factor: 2},
		{port: winOFPort, key: "RssCountersActivatedAtStartup", value: "1", around: count[:1], counter: rss + winOFPort + ` Total)\Rss IPv4/Tcp`, way: scenes.Rises, factor: 2},
		{
			port: winOFPort, key: "DefaultRecvRingProcessor", value: "3", around: []driver.Operation{set(winOFPort, "*RSS", "0")},
			counter: `\cxdeck Processor(3)\% Processor Time`, way: scenes.Rises, factor: 2,
		},
		{port: winOFPort, key: "MaxNumRssCpus", value: "1", counter: rings + winOFPort + ` RX 0)\PacketsReceivedThread`, way: scenes.Rises, factor: 2},
		{port: winOF2Port, key: "*NumaNodeID", value: "1", counter: `\Mellanox WinOF-2 Rss Counters(` + winOF2Port + ` Cpu_21)\Rss IPv4/Tcp`, way: scenes.Rises, factor: 2},
		{port: winOFPort, key: "*NumaNodeID", value: "0", counter: `\cxdeck Processor(0)\% Processor Time`, way: scenes.Rises, factor: 2},
		{port: winOFPort, key: "BlueFlame", value: "0", counter: `\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\External Blueflame hit/sec`, way: scenes.Falls, factor: 0.9},
		{
			port: winOFPort, key: "PromiscuousVlan", value: "1", counter: winOFTraffic + winOFPort + `)\Packets Sent`, way: scenes.Rises, factor: 2,
			around: []driver.Operation{set(winOFPort, "VlanId", "5")},
		},
		{port: winOFPort, key: "VlanId", value: "5", counter: winOFTraffic + winOFPort + `)\Packets Sent`, way: scenes.Falls, factor: 0.5},
		{port: winOFPort, key: "*PriorityVLANTag", value: "1", counter: winOFTraffic + winOFPort + `)\Packets Sent`, way: scenes.Falls, factor: 0.5},
		{
			port: jumboPort, key: "PromiscuousVlan", value: "1", counter: `\RDMA Activity(` + jumboPort + `)\RDMA Outbound Bytes/sec`,
			way: scenes.Rises, factor: 2, around: []driver.Operation{set(jumboPort, "VlanId", "5")},
		},
		{port: jumboPort, key: "VlanId", value: "5", counter: `\RDMA Activity(` + jumboPort + `)\RDMA Outbound Bytes/sec`, way: scenes.Stops},
		{port: jumboPort, key: "*PriorityVLANTag", value: "1", counter: `\RDMA Activity(` + jumboPort + `)\RDMA Outbound Bytes/sec`, way: scenes.Stops},
		{
			port: winOFPort, key: "IgnoreFCS", value: "1", counter: winOFTraffic + winOFPort + `)\Packets Received`, way: scenes.Rises, factor: 1.1,
			around: []driver.Operation{hardware.SetFault{Connection: winOFPort, Fault: description.BadCable, Share: 0.3}},
		},
		{port: winOF2Port, key: "RxTrustedState", value: "2", counter: qos2 + winOF2Port + ` Priority 0)\Packets Received`, way: scenes.Rises, factor: 2},
		{port: jumboPort, key: "RxTrustedState", value: "2", counter: qos2 + jumboPort + ` Untagged)\Packets Received`, way: scenes.Stops},
		{
			port: jumboPort, key: "DeviceRxStallTimeout", value: "60000", counter: stalls + "Critical Stall Watermark Reached", way: scenes.Stops,
			around: []driver.Operation{stall, set(jumboPort, "DeviceRxStallTimeout", "6000")},
		},
		{
			port: jumboPort, key: "DeviceRxStallWatermark", value: "6000", counter: stalls + "Minor Stall Watermark Reached", way: scenes.Rises, factor: 1,
			around: []driver.Operation{stall},
		},
	}
}

// congestionKeys returns keys of congestion control, at a port whose packets are nearly all marked.
func congestionKeys() []labKey {
	const control, activity = `\Mellanox WinOF-2 Congestion Control(` + jumboPort + `)\`, `\RDMA Activity(` + jumboPort + `)\`
	const cnps = control + "Reaction Point Successfully Handled CNP Packets"
	keys := []labKey{
		{key: "DcqcnRPEnablePrio3", value: "0", counter: activity + "RDMA Outbound Bytes/sec", way: scenes.Rises, factor: 2},
		{key: "DcqcnRpgMinRate", value: "100000", counter: activity + "RDMA Outbound Bytes/sec", way: scenes.Rises, factor: 2},
		{key: "DcqcnRpgTimeReset", value: "10000", counter: cnps, way: scenes.Falls, factor: 0.5},
		{key: "DcqcnAlphaToRateShift", value: "5", counter: cnps, way: scenes.Falls, factor: 0.7},
		{key: "DcqcnRpgAiRate", value: "1000", counter: activity + "RDMA Outbound Bytes/sec", way: scenes.Rises, factor: 1.5},
		{key: "DcqcnRpgThreshold", value: "1", counter: cnps, way: scenes.Rises, factor: 1.05},
		{key: "DcqcnClampTgtRate", value: "1", counter: cnps, way: scenes.Falls, factor: 0.95},
		{key: "DcqcnClampTgtRateAfterTimeInc", value: "0", counter: activity + "RDMA Outbound Bytes/sec", way: scenes.Rises, factor: 2},
		{key: "DcqcnDceTcpG", value: "1000", counter: cnps, way: scenes.Falls, factor: 0.9},
		{key: "DcqcnDceTcpRtt", value: "100000", counter: cnps, way: scenes.Falls, factor: 0.7},
		{key: "DcqcnRateReduceMonitorPeriod", value: "4000", counter: activity + "RDMA Outbound Bytes/sec", way: scenes.Rises, factor: 2},
	}
	for i := range keys {
		keys[i].around = []driver.Operation{hardware.SetFault{Connection: jumboPort, Fault: description.Congestion, Share: 0.97}}
	}
	keys = append(keys, recoveryKeys()...)
	for i := range keys {
		keys[i].port = jumboPort
	}
	return keys
}

// recoveryKeys returns keys of congestion control with an effect while flows recover, which other keys must slow down, or at
// the end that sends the notifications.
func recoveryKeys() []labKey {
	const control, out = `\Mellanox WinOF-2 Congestion Control(` + jumboPort + `)\`, `\RDMA Activity(` + jumboPort + `)\RDMA Outbound Bytes/sec`
	const sent, handled = control + "Notification Point CNPs Sent Successfully", control + "Reaction Point Successfully Handled CNP Packets"
	congested := func(more ...driver.Operation) []driver.Operation {
		return append([]driver.Operation{hardware.SetFault{Connection: jumboPort, Fault: description.Congestion, Share: 0.97}}, more...)
	}
	of := func(key, value string) driver.Operation { return set(jumboPort, key, value) }
	slowly := congested(of("DcqcnRpgTimeReset", "131071"), of("DcqcnRpgByteReset", "32767"))
	flood := []driver.Operation{fabric.ScaleFlow{Flow: "SMB Direct reads, volume 1", Scale: 10}}
	return []labKey{
		{key: "DcqcnInitialAlphaValue", value: "1023", around: congested(of("DcqcnDceTcpG", "0")), counter: out, way: scenes.Falls, factor: 0.8},
		{
			key: "DcqcnRpgMinDecFac", value: "100", counter: out, way: scenes.Rises, factor: 2,
			around: congested(of("DcqcnDceTcpRtt", "50"), of("DcqcnDceTcpG", "1000"), of("DcqcnAlphaToRateShift", "0")),
		},
		{key: "DcqcnRateToSetOnFirstCnp", value: "1", around: slowly, counter: out, way: scenes.Falls, factor: 0.95},
		{key: "DcqcnRpgByteReset", value: "1", around: slowly, counter: handled, way: scenes.Rises, factor: 1.1},
		{
			key: "DcqcnRpgHaiRate", value: "1", counter: handled, way: scenes.Falls, factor: 0.8, around: congested(
				of("DcqcnInitialAlphaValue", "1023"), of("DcqcnDceTcpG", "0"), of("DcqcnAlphaToRateShift", "0"), of("DcqcnRpgThreshold", "1"),
				of("DcqcnClampTgtRate", "1"), of("DcqcnRpgAiRate", "1"), of("DcqcnRpgTimeReset", "5000"),
			),
		},
		{key: "DcqcnNPEnablePrio3", value: "0", around: flood, counter: sent, way: scenes.Stops},
		{key: "DcqcnEnablePrio3", value: "0", around: flood, counter: sent, way: scenes.Stops},
		{key: "DcqcnEnablePrio3", value: "0", around: congested(), counter: handled, way: scenes.Stops},
	}
}
