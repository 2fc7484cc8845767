package lab

import (
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/scenes"
)

// queueKeys returns keys for buffers, interrupt moderation and polling.
func queueKeys() []labKey {
	const polled, caught = ` RqNum_0)\Packets processed in polling mode`, `)\Packets Received Discarded No Receive WQEs`
	const qos = `\Mellanox WinOF-2 Port QoS(`
	adaptive := []driver.Operation{set(winOF2Port, "AveragePollThreshold", "1")}
	short := []driver.Operation{set(winOF2Port, "*ReceiveBuffers", "256")}
	narrow := []driver.Operation{hardware.SetSlot{Adapter: "ConnectX-5 Ex", Generation: 1, Lanes: 4}}
	third, pausing := 3, 1.0
	storm := []driver.Operation{fabric.SetSwitchPort{Connection: jumboPort, PausePriority: &third, PauseShare: &pausing}}
	return []labKey{
		{port: winOF2Port, key: "AveragePollThreshold", value: "1", counter: received2 + winOF2Port + polled, way: scenes.Rises, factor: 2},
		{port: winOF2Port, key: "ThisPollThreshold", value: "1", counter: received2 + winOF2Port + polled, way: scenes.Rises, factor: 2},
		{port: winOF2Port, key: "AverageFactor", value: "0", around: adaptive, counter: received2 + winOF2Port + polled, way: scenes.Stops},
		{port: winOF2Port, key: "ThreadPoll", value: "0", around: adaptive, counter: received2 + winOF2Port + polled, way: scenes.Falls, factor: 0.9},
		{port: winOF2Port, key: "AsyncReceiveIndicate", value: "1", around: short, counter: traffic2 + winOF2Port + caught, way: scenes.Falls, factor: 0.5},
		{port: jumboPort, key: "RxUntaggedMapToLossless", value: "1", around: narrow, counter: qos + jumboPort + ` Untagged)\Sent Pause Frames`, way: scenes.Rises, factor: 1},
		{port: jumboPort, key: "RxUntaggedMapToLossless", value: "1", around: narrow, counter: qos + jumboPort + ` Untagged)\Packets Received Discarded`, way: scenes.Stops},
		{
			port: winOFPort, key: "RxUntaggedMapToLossless", value: "1", counter: `\Mellanox Adapter QoS Counters(` + winOFPort + ` Untagged)\Sent Pause Frames`,
			around: []driver.Operation{hardware.SetSlot{Adapter: "ConnectX-3 Pro", Generation: 1, Lanes: 1}}, way: scenes.Rises, factor: 1,
		},
		{port: jumboPort, key: "DefaultUntaggedPriority", value: "2", counter: qos + jumboPort + ` Priority 2)\Packets Received`, way: scenes.Rises, factor: 2},
		{port: jumboPort, key: "DefaultUntaggedPriority", value: "2", counter: qos + jumboPort + ` Untagged)\Packets Received`, way: scenes.Stops},
		{port: jumboPort, key: "TCHeadOfQueueLifeTimeLimitEnable", value: "0", around: storm, counter: `\Mellanox WinOF-2 Diagnostics(` + jumboPort + `)\Head of Queue timeout Packet discarded`, way: scenes.Stops},
	}
}
