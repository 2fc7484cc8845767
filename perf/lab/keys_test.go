package lab

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/scenes"
)

// labKey is a value of a registry key at a port, and a counter that it changes.
type labKey struct {
	port, key, value string
	// around is applied first, in both labs.
	around []driver.Operation
	// counter is a path; with "*" as its instance, all instances are added up.
	counter string
	way     scenes.Trend
	// reload reloads the driver in both labs, for keys that need more than a restart of the port.
	reload bool
	// describe changes the description of the default lab; lab describes the change.
	lab      string
	describe func(*description.Description)
	// factor is the minimum change: the ratio with to without the key when it rises, the maximum ratio when it falls.
	factor float64
}

// The ports of the default lab on which the keys are tried: one of each driver and link.
const (
	winOFPort    = "Ethernet 3"
	iPoIBPort    = "Ethernet 4"
	winOF2Port   = "Ethernet 5"
	jumboPort    = "Ethernet 7"
	manyPort     = "Ethernet 10"
	pausingPort  = "Ethernet 6"
	workOf       = `\cxdeck Port Work(`
	processor    = `)\% Processor Time`
	interrupts   = `)\Interrupts/sec`
	sendsPosted  = `)\Sends Posted/sec`
	winOFTraffic = `\Mellanox Adapter Traffic Counters(`
	ibTraffic    = `\Mellanox IB Adapter Traffic Counters(`
	rings        = `\Ring statistics(`
	traffic2     = `\Mellanox WinOF-2 Port Traffic(`
	received2    = `\Mellanox WinOF-2 Receive Datapath Counters(`
	sent2        = `\Mellanox WinOF-2 Transmit Datapath Counters(`
	netInterface = `\Network Interface(`
)

// labKeys returns all tested keys.
func labKeys() []labKey {
	return slices.Concat(loadKeys(), placementKeys(), congestionKeys(), rdmaKeys(), queueKeys(), markingKeys(), stackKeys(), driverKeys())
}

// loadKeys returns keys that change the handling of traffic, each with a counter that changes at the default load.
func loadKeys() []labKey {
	global, pausing := description.GlobalPause, 0.3
	return []labKey{
		{port: winOFPort, key: "*JumboPacket", value: "1514", counter: winOFTraffic + winOFPort + `)\Packets Received with Frame Length Error`, way: scenes.Rises, factor: 2},
		{port: winOFPort, key: "*JumboPacket", value: "1514", counter: winOFTraffic + winOFPort + `)\Packets Sent`, way: scenes.Rises, factor: 1.3},
		{port: iPoIBPort, key: "*JumboPacket", value: "1500", counter: ibTraffic + iPoIBPort + `)\Packets Sent`, way: scenes.Rises, factor: 1.2},
		{port: winOF2Port, key: "*JumboPacket", value: "9014", counter: traffic2 + winOF2Port + `)\Packets Sent`, way: scenes.Falls, factor: 0.8},
		{port: jumboPort, key: "*JumboPacket", value: "1514", counter: traffic2 + jumboPort + `)\Packets Received Frame too long Error`, way: scenes.Rises, factor: 2},

		{port: winOFPort, key: "*ReceiveBuffers", value: "256", counter: `\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\No-WQE Drops/sec`, way: scenes.Rises, factor: 2},
		{port: iPoIBPort, key: "*ReceiveBuffers", value: "256", counter: netInterface + `Mellanox ConnectX-3 Pro IPoIB Adapter)\Packets Received Discarded`, way: scenes.Rises, factor: 2},
		{port: winOF2Port, key: "*ReceiveBuffers", value: "256", counter: traffic2 + winOF2Port + `)\Packets Received Discarded No Receive WQEs`, way: scenes.Rises, factor: 2},

		{port: winOFPort, key: "*TransmitBuffers", value: "256", counter: `\Mellanox Adapter Diagnostics Counters(` + winOFPort + `)\TX Ring Is Full Packets`, way: scenes.Rises, factor: 2},
		{port: iPoIBPort, key: "*TransmitBuffers", value: "256", counter: `\Mellanox IB Adapter Diagnostic Counters(` + iPoIBPort + `)\TX Ring Is Full Packets`, way: scenes.Rises, factor: 2},
		{port: winOF2Port, key: "*TransmitBuffers", value: "256", counter: `\Mellanox WinOF-2 Diagnostics(` + winOF2Port + `)\Queued Send Packets`, way: scenes.Rises, factor: 2},
		{port: winOF2Port, key: "*TransmitBuffers", value: "256", counter: sent2 + winOF2Port + ` SqNum_0)\Transmit ring is full`, way: scenes.Rises, factor: 2},

		{port: winOFPort, key: "*RSS", value: "0", counter: rings + winOFPort + ` RX 0)\PacketsReceivedThread`, way: scenes.Rises, factor: 3},
		{port: iPoIBPort, key: "*RSS", value: "0", counter: rings + iPoIBPort + ` RX 0)\PacketsReceivedDPC`, way: scenes.Rises, factor: 3},
		{port: winOF2Port, key: "*RSS", value: "0", counter: `\Mellanox WinOF-2 Rss Counters(` + winOF2Port + ` Total)\NonRss IPv4/Tcp`, way: scenes.Rises, factor: 2},
		{port: winOF2Port, key: "*RSS", value: "0", counter: received2 + winOF2Port + ` RqNum_0)\Number of receive buffers posted`, way: scenes.Rises, factor: 1.5},
		{port: winOFPort, key: "*NumRSSQueues", value: "1", counter: rings + winOFPort + ` RX 0)\PacketsReceivedThread`, way: scenes.Rises, factor: 2},
		{port: iPoIBPort, key: "*NumRSSQueues", value: "2", counter: `\cxdeck Processor(24)\% Processor Time`, way: scenes.Rises, factor: 1.2},
		{port: winOF2Port, key: "*NumRSSQueues", value: "2", counter: received2 + winOF2Port + ` RqNum_1)\Number of receive buffers posted`, way: scenes.Rises, factor: 1.3},
		{port: winOFPort, key: "*MaxRSSProcessors", value: "1", counter: rings + winOFPort + ` RX 0)\PacketsReceivedThread`, way: scenes.Rises, factor: 2},
		{port: iPoIBPort, key: "*MaxRSSProcessors", value: "2", counter: `\cxdeck Processor(24)\% Processor Time`, way: scenes.Rises, factor: 1.2},
		{port: winOF2Port, key: "*MaxRSSProcessors", value: "2", counter: received2 + winOF2Port + ` RqNum_1)\Number of receive buffers posted`, way: scenes.Rises, factor: 1.3},
		{port: winOFPort, key: "*RssBaseProcNumber", value: "0", counter: `\cxdeck Processor(20)\% Processor Time`, way: scenes.Falls, factor: 0.95},
		{port: iPoIBPort, key: "*RssBaseProcNumber", value: "4", counter: `\cxdeck Processor(6)\% Processor Time`, way: scenes.Rises, factor: 1.2},
		{port: winOF2Port, key: "*RssBaseProcNumber", value: "20", counter: received2 + winOF2Port + ` RqNum_0)\CpuNumber`, way: scenes.Rises, factor: 2},

		{port: winOFPort, key: "*InterruptModeration", value: "0", counter: workOf + winOFPort + interrupts, way: scenes.Rises, factor: 1.2},
		{port: winOFPort, key: "*InterruptModeration", value: "0", counter: workOf + winOFPort + processor, way: scenes.Rises, factor: 1.1},
		{port: iPoIBPort, key: "*InterruptModeration", value: "0", counter: workOf + iPoIBPort + interrupts, way: scenes.Rises, factor: 1.2},
		{port: winOF2Port, key: "*InterruptModeration", value: "0", counter: workOf + winOF2Port + interrupts, way: scenes.Rises, factor: 1.2},
		{port: winOFPort, key: "RxIntModerationProfile", value: "0", counter: workOf + winOFPort + interrupts, way: scenes.Rises, factor: 1.2},
		{port: iPoIBPort, key: "RxIntModerationProfile", value: "0", counter: workOf + iPoIBPort + interrupts, way: scenes.Rises, factor: 1.05},
		{port: manyPort, key: "RxIntModerationProfile", value: "0", counter: workOf + manyPort + interrupts, way: scenes.Rises, factor: 1.05},
		{port: winOFPort, key: "TxIntModerationProfile", value: "0", counter: workOf + winOFPort + interrupts, way: scenes.Rises, factor: 1.03},
		{port: iPoIBPort, key: "TxIntModerationProfile", value: "0", counter: workOf + iPoIBPort + interrupts, way: scenes.Rises, factor: 1.1},
		{port: winOF2Port, key: "TxIntModerationProfile", value: "0", counter: workOf + winOF2Port + interrupts, way: scenes.Rises, factor: 1.1},
		{port: winOF2Port, key: "TxIntModerationProfile", value: "2", counter: workOf + winOF2Port + interrupts, way: scenes.Falls, factor: 0.98},
		{port: winOFPort, key: "RecvCompletionMethod", value: "0", counter: rings + winOFPort + ` RX 0)\PacketsReceivedDPC`, way: scenes.Stops},
		{port: winOFPort, key: "RecvCompletionMethod", value: "0", counter: workOf + winOFPort + processor, way: scenes.Rises, factor: 1.5},
		{port: iPoIBPort, key: "RecvCompletionMethod", value: "0", counter: workOf + iPoIBPort + processor, way: scenes.Rises, factor: 1.5},
		{port: winOF2Port, key: "RecvCompletionMethod", value: "0", counter: received2 + winOF2Port + ` RqNum_0)\Packets processed in interrupt mode`, way: scenes.Stops},
		{port: winOF2Port, key: "RecvCompletionMethod", value: "0", counter: `\cxdeck Processor(8)\% Processor Time`, way: scenes.Rises, factor: 1.5},

		{port: pausingPort, key: "*FlowControl", value: "0", counter: `\Mellanox WinOF-2 Port QoS(` + pausingPort + ` Untagged)\Rcv Pause Frames`, way: scenes.Stops},
		{port: pausingPort, key: "*FlowControl", value: "2", counter: `\Mellanox WinOF-2 Port QoS(` + pausingPort + ` Untagged)\Sent Pause Duration`, way: scenes.Stops},
		{
			port: winOFPort, key: "*FlowControl", value: "0", way: scenes.Stops, // without adapter QoS: PFC has priority over it
			around: []driver.Operation{
				set(winOFPort, "*QOS", "0"), fabric.SetSwitchPort{Connection: winOFPort, FlowControl: &global, PauseShare: &pausing},
			},
			counter: `\Mellanox Adapter QoS Counters(` + winOFPort + ` Untagged)\Received Pause Frames`,
		},
		{port: winOFPort, key: "*QOS", value: "0", counter: `\Mellanox Adapter QoS Counters(` + winOFPort + ` Priority 3)\Received Pause Frames`, way: scenes.Stops},

		{port: winOFPort, key: "*LsoV2IPv4", value: "0", counter: workOf + winOFPort + sendsPosted, way: scenes.Rises, factor: 1.05},
		{port: winOFPort, key: "*LsoV2IPv6", value: "0", counter: workOf + winOFPort + sendsPosted, way: scenes.Rises, factor: 1.05},
		{port: winOFPort, key: "*LsoV2IPv6", value: "0", counter: workOf + winOFPort + processor, way: scenes.Rises, factor: 1.01},
		{port: iPoIBPort, key: "*LsoV2IPv4", value: "0", counter: workOf + iPoIBPort + sendsPosted, way: scenes.Rises, factor: 1.3},
		{port: iPoIBPort, key: "*LsoV2IPv4", value: "0", counter: workOf + iPoIBPort + processor, way: scenes.Rises, factor: 1.2},
		{port: iPoIBPort, key: "*LsoV2IPv6", value: "0", counter: workOf + iPoIBPort + sendsPosted, way: scenes.Rises, factor: 1.03},
		{port: winOF2Port, key: "*LsoV2IPv4", value: "0", counter: sent2 + winOF2Port + ` SqNum_1)\Number of packets posted`, way: scenes.Rises, factor: 1.2},
		{port: winOF2Port, key: "*LsoV2IPv4", value: "0", counter: workOf + winOF2Port + processor, way: scenes.Rises, factor: 1.05},
		{port: winOF2Port, key: "*LsoV2IPv6", value: "0", counter: workOf + winOF2Port + sendsPosted, way: scenes.Rises, factor: 1.02},
		{port: winOFPort, key: "*TCPUDPChecksumOffloadIPv4", value: "0", counter: workOf + winOFPort + processor, way: scenes.Rises, factor: 1.05},
		{port: winOFPort, key: "*TCPUDPChecksumOffloadIPv6", value: "0", counter: workOf + winOFPort + processor, way: scenes.Rises, factor: 1.02},
		{port: iPoIBPort, key: "*TCPUDPChecksumOffloadIPv4", value: "0", counter: workOf + iPoIBPort + processor, way: scenes.Rises, factor: 1.05},
		{port: iPoIBPort, key: "*TCPUDPChecksumOffloadIPv6", value: "0", counter: workOf + iPoIBPort + processor, way: scenes.Rises, factor: 1.01},
		{port: winOF2Port, key: "*TCPUDPChecksumOffloadIPv4", value: "0", counter: workOf + winOF2Port + processor, way: scenes.Rises, factor: 1.05},
		{port: winOF2Port, key: "*TCPUDPChecksumOffloadIPv4", value: "1", counter: `\Mellanox WinOF-2 Diagnostics(` + winOF2Port + `)\Correct Checksum Packets In Slow Path`, way: scenes.Rises, factor: 2},
		{port: winOF2Port, key: "*TCPUDPChecksumOffloadIPv6", value: "0", counter: `\Mellanox WinOF-2 Diagnostics Ext 1(` + winOF2Port + `)\Checksum calculated by SW Per Packet`, way: scenes.Rises, factor: 2},

		{port: winOFPort, key: "RssMonitoringEnabled", value: "1", around: []driver.Operation{set(winOFPort, "RssCountersActivatedAtStartup", "1")}, counter: `\Mellanox Adapter RSS Counters(` + winOFPort + ` Total)\Rss IPv4/Udp`, way: scenes.Rises, factor: 2},
	}
}

// TestEveryKeyMovesItsCounters sets each key and restarts the port, and only restarts it in another lab: in the next ten
// seconds, the same in both labs, the counter differs.
func TestEveryKeyMovesItsCounters(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	const seed = 4 // its first incast is late
	hosts, withouts := map[string]*driver.Host{"": rested(t, seed)}, map[string]*labCourse{}
	for i, k := range labKeys() {
		if i%labShare != 0 {
			continue
		}
		host := hosts[k.lab]
		if host == nil {
			host = restedAs(t, seed, k.describe)
			hosts[k.lab] = host
		}
		around, start := append(slices.Clone(k.around), k.start()), 4*time.Second
		if k.reload {
			start *= 2
		}
		name := fmt.Sprintf("%s %+v", k.lab, around)
		if withouts[name] == nil {
			withouts[name] = newCourse(t, host.Clone(), around, start, 10*time.Second)
		}
		without := withouts[name]
		t.Run(k.port+" "+k.key+" "+k.value, func(t *testing.T) {
			t.Parallel()
			p := newPair(t, host.Clone(), without)
			mustApply(t, p.with, slices.Concat(k.around, []driver.Operation{set(k.port, k.key, k.value), k.start()}))
			p.span(t)
			p.span(t)
			with, without := p.change(t, k.counter)
			ok := false
			switch k.way {
			case scenes.Rises:
				ok = with >= math.Max(without*k.factor, without+1)
			case scenes.Falls:
				ok = with <= without*k.factor
			case scenes.Stops:
				ok = with == 0 && without > 0
			}
			if !ok {
				t.Errorf("%s is %.0f with it and %.0f without", k.counter, with, without)
			}
		})
	}
}

// start returns the operation after which the key takes effect.
func (k *labKey) start() driver.Operation {
	if k.reload {
		return adapters.ReloadDriver{Driver: map[description.Family]string{description.WinOF: "mlx4", description.WinOF2: "mlx5"}[portFamilies()[k.port]]}
	}
	return restart(k.port)
}
