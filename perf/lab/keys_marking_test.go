package lab

import (
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/qos"
	"cxdeck/driver/scenes"
)

// markingKeys mark frames with a DSCP, and read priorities and traffic classes from it (QOS-10 to QOS-13).
func markingKeys() []labKey {
	const received = `\Mellanox WinOF-2 Port QoS(` + jumboPort + ` Priority `
	const untagged, untaggedWinOF = `\Mellanox WinOF-2 Port QoS(` + jumboPort + ` Untagged)\Packets Sent`, `\Mellanox Adapter QoS Counters(` + winOFPort + ` Untagged)\Packets Sent`
	trusting := []driver.Operation{set(jumboPort, "RxTrustedState", "2")}
	global := append([]driver.Operation{qos.SetAdapter{Connection: jumboPort}, set(jumboPort, "*FlowControl", "3")}, trusting...)
	congested := append([]driver.Operation{hardware.SetFault{Connection: jumboPort, Fault: description.Congestion, Share: 0.97}}, trusting...)
	storage := qos.AddClass{Class: qos.Class{Name: "storage", Algorithm: qos.ETS, Bandwidth: 95, Priorities: 1 << 3}}
	crowded := func(port string, more ...driver.Operation) []driver.Operation {
		return append([]driver.Operation{storage, fabric.SetSwitchPort{Connection: port, SpeedGbps: new(10)}}, more...)
	}
	control := fabric.ScaleFlow{Flow: "SMB control", Scale: 100}
	shares := fabric.ScaleFlow{Flow: "File shares over IPv6", Scale: 10}
	byCode := func(port string) driver.Operation { return set(port, "DscpBasedEtsEnabled", "1") }
	return []labKey{
		{port: jumboPort, key: "PriorityToDscpMappingTable_3", value: "24", around: trusting, counter: received + `3)\Packets Received`, way: scenes.Rises, factor: 2},
		{port: jumboPort, key: "RroceDscpMarkPriorityFlowControl_3", value: "24", around: trusting, counter: received + `3)\Packets Received`, way: scenes.Rises, factor: 2},
		{port: jumboPort, key: "DscpForGlobalFlowControl", value: "40", around: global, counter: received + `5)\Packets Received`, way: scenes.Rises, factor: 2},
		{port: jumboPort, key: "DcqcnCnpDscp", value: "40", around: congested, counter: received + `5)\Packets Received`, way: scenes.Rises, factor: 2},
		// By its priority RDMA has the large class, by its DSCP of 3 the small one of untagged frames, which it then shares.
		{port: jumboPort, key: "DscpBasedEtsEnabled", value: "1", around: crowded(jumboPort, control), counter: untagged, way: scenes.Rises, factor: 1.2},
		{port: jumboPort, key: "PriorityToDscpMappingTable_3", value: "24", around: crowded(jumboPort, control, byCode(jumboPort)), counter: untagged, way: scenes.Falls, factor: 0.85},
		{port: winOFPort, key: "DscpBasedEtsEnabled", value: "1", around: crowded(winOFPort, shares), counter: untaggedWinOF, way: scenes.Rises, factor: 1.05},
		{port: winOFPort, key: "PriorityToDscpMappingTable_3", value: "24", around: crowded(winOFPort, shares, byCode(winOFPort)), counter: untaggedWinOF, way: scenes.Falls, factor: 0.95},
		{port: winOFPort, key: "RroceDscpMarkPriorityFlowControl_3", value: "24", around: crowded(winOFPort, shares, byCode(winOFPort)), counter: untaggedWinOF, way: scenes.Falls, factor: 0.95},
	}
}
