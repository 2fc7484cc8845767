package perf

import (
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/driver"
)

// labCause is a row of the manuals' table of what moves when.
type labCause struct {
	name string
	// scene is made at a connection, or operations are applied.
	scene, at  string
	operations []driver.Operation
	// wait is how long it takes to show.
	wait time.Duration
	// settings are changed on the port at the connection, for what no key of its family does.
	settings func(*device.Settings)
	// moves must rise, still must not.
	moves, still []string
}

func set(connection, key, value string) driver.Operation {
	return driver.SetValue{Connection: connection, Key: key, Value: value}
}

func restart(connection string) driver.Operation {
	return driver.RestartAdapter{Connection: connection}
}

// labCauses are the rows that the lab has a cause for.
func labCauses() []labCause {
	off, small := device.NoFlowControl, 1514
	return []labCause{
		{
			name: "no free receive descriptor, WinOF-2", scene: "receiver-too-slow", at: "Ethernet 5",
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
			name:       "no free receive descriptor, WinOF",
			operations: []driver.Operation{driver.SetProcessorSpeed{Connection: "Ethernet 4", Speed: 0.01}},
			moves: []string{
				`\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\No-WQE Drops/sec`,
				`\Device Proprietary Counters(ConnectX-3 Pro)\No-WQE Drops/sec`,
				`\Network Interface(Mellanox ConnectX-3 Pro IPoIB Adapter)\Packets Received Discarded`,
			},
			still: []string{`\Mellanox IB Adapter Traffic Counters(Ethernet 4)\Packets Received Discarded`},
		},
		{
			name: "lossless buffer passes XOFF; lossy traffic is dropped; marks are answered", scene: "incast", at: "Ethernet 7", wait: 60 * time.Second,
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
			name: "far end sends pause", scene: "pause-storm", at: "Ethernet 7",
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
			name: "flow control of hosts and switches does not match",
			operations: []driver.Operation{
				driver.SetSwitchPort{Connection: "Ethernet 7", FlowControl: &off},
				driver.SetSlot{Adapter: "ConnectX-5 Ex", Generation: 1, Lanes: 4},
			},
			moves: []string{`\Mellanox WinOF-2 Diagnostics(Ethernet 7)\Responder Out of Order Sequence Received`},
			still: []string{`\Mellanox WinOF-2 Port QoS(Ethernet 7 Priority 3)\Rcv Pause Frames`},
		},
		{
			name: "peers send longer frames, WinOF-2", scene: "mtu-mismatch", at: "Ethernet 7", wait: 30 * time.Second,
			moves: []string{
				`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Received Frame too long Error`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Received Errors`,
			},
			still: []string{`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Received Bad CRC Error`},
		},
		{
			name:       "frames that the switch does not take",
			operations: []driver.Operation{driver.SetSwitchPort{Connection: "Ethernet 7", MaxFrame: &small}},
			moves: []string{
				`\Mellanox WinOF-2 Diagnostics(Ethernet 7)\Requester QP Transport Retries Exceeded Errors`,
				`\Mellanox WinOF-2 Diagnostics(Ethernet 7)\Requester CQEs with Error`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Sent`,
			},
			still: []string{`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Received Errors`},
		},
		{
			name: "bad cable", wait: 95 * time.Second,
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
			name: "cable pulled", scene: "cable-pulled", at: "Ethernet 7",
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
			name: "slow host memory or slot", scene: "slot-too-narrow", at: "Ethernet 7",
			moves: []string{
				`\Mellanox WinOF-2 PCI Device Diagnostics(ConnectX-5 Ex)\PCI back-pressure cycles`,
				`\Mellanox WinOF-2 PCI Device Diagnostics(ConnectX-5 Ex)\PCI write back-pressure cycles/Sec`,
				`\Mellanox WinOF-2 PCI Device Diagnostics(ConnectX-5 Ex)\Used PCI BW`,
			},
			still: []string{`\Mellanox WinOF-2 PCI Device Diagnostics(ConnectX-4 Lx)\PCI back-pressure cycles`},
		},
		{
			name: "slow slot, WinOF", operations: []driver.Operation{driver.SetSlot{Adapter: "ConnectX-3 Pro", Generation: 1, Lanes: 1}},
			moves: []string{`\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\PCI Back-pressure/sec`},
		},
		{
			name: "small sends are copied",
			moves: []string{
				`\Mellanox WinOF-2 Diagnostics(Ethernet 5)\Copied Send Packets`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 5)\Packets Sent`,
			},
		},
		{
			name:     "UDP is not hashed",
			settings: func(s *device.Settings) { s.RSSUDP = false }, at: "Ethernet 5",
			moves: []string{
				`\Mellanox WinOF-2 Rss Counters(Ethernet 5 Total)\NonRss IPv4/Udp`,
				`\Mellanox WinOF-2 Rss Counters(Ethernet 5 Total)\Rss IPv4/Tcp`,
			},
			still: []string{`\Mellanox WinOF-2 Rss Counters(Ethernet 5 Total)\Rss IPv4/Udp`},
		},
		{
			name: "WinOF counts by processor only when it is told to", wait: 30 * time.Second,
			operations: []driver.Operation{
				set("Ethernet 3", "RssMonitoringEnabled", "1"), set("Ethernet 3", "RssCountersActivatedAtStartup", "1"), restart("Ethernet 3"),
			},
			moves: []string{`\Mellanox Adapter RSS Counters(Ethernet 3 Total)\Rss IPv4/Tcp`},
		},
		{
			name: "tunnelled traffic is hashed by what is inside",
			moves: []string{
				`\Mellanox WinOF-2 Rss Counters(Ethernet 9 Total)\Encapsulated Rss IPv4/Tcp`,
			},
		},
		{
			name: "receive coalescing", settings: func(s *device.Settings) { s.CoalesceIPv4 = true }, at: "Ethernet 8", wait: 30 * time.Second,
			moves: []string{
				`\Mellanox WinOF-2 Port Traffic(Ethernet 8)\RSC Coalesced Packets`,
				`\Mellanox WinOF-2 Port Traffic(Ethernet 8)\RSC Coalesced Events`,
				`\Network Interface(Mellanox ConnectX-5 Ex Ethernet Adapter #2)\TCP RSC Coalesced Packets/sec`,
			},
			still: []string{`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\RSC Coalesced Packets`},
		},
	}
}

// uncausedRows are the rows of the manuals' table that nothing in the lab can make yet.
const uncausedRows = "longer frames from the peers of a WinOF port; dropless mode and its timer; stalls; a kernel debugger; more queue pairs than the card holds; " +
	"a receiver that posts too few receives; an RDMA application that exits; wrong keys and operation codes; " +
	"virtual functions that spoof or overload the firmware; a send queue without progress"

// TestWhatMovesWhen makes each cause and looks at what moves.
func TestWhatMovesWhen(t *testing.T) {
	t.Parallel()
	t.Log("without a cause in the lab: ", uncausedRows)
	for _, cause := range labCauses() {
		t.Run(strings.ReplaceAll(cause.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			tryCause(t, &cause)
		})
	}
}

func tryCause(t *testing.T, cause *labCause) {
	l := newLab(t, 11)
	var before, after Column
	next(t, l, 0, &before)
	next(t, l, 3*time.Second, &before)
	plan := driver.Plan{Title: cause.name, Operations: cause.operations}
	if scene, ok := driver.SceneNamed(cause.scene); ok {
		made, err := scene.Plan(l.Host(), cause.at)
		if err != nil {
			t.Fatal(err)
		}
		plan = made
	}
	if len(plan.Operations) > 0 {
		if _, err := l.Host().Apply(plan); err != nil {
			t.Fatal(err)
		}
	}
	if cause.settings != nil {
		lab := l.Host().Lab()
		port := portOf(t, lab, cause.at)
		settings := lab.Settings(port)
		cause.settings(&settings)
		if err := lab.Configure(port, settings); err != nil {
			t.Fatal(err)
		}
	}
	wait := cause.wait
	if wait == 0 {
		wait = 15 * time.Second
	}
	next(t, l, wait, &after)
	change := func(path string) int64 {
		i, ok := l.Schema().Find(path)
		if !ok {
			t.Errorf("there is no %s", path)
			return 0
		}
		cell := l.Schema().Series[i].Cell
		if cell >= len(before.Cells) { // it came with the change
			return after.Cells[cell]
		}
		return after.Cells[cell] - before.Cells[cell]
	}
	for _, path := range cause.moves {
		if change(path) <= 0 {
			t.Errorf("%s does not move", path)
		}
	}
	for _, path := range cause.still {
		if n := change(path); n != 0 {
			t.Errorf("%s moved by %d", path, n)
		}
	}
}

// TestResets: T2 a start of the driver clears no counter of the adapter, T3 but those that it keeps itself; a restart of
// the card clears all.
func TestResets(t *testing.T) {
	t.Parallel()
	l := newLab(t, 2)
	var before, after Column
	next(t, l, 0, &before)
	next(t, l, 25*time.Second, &before)
	value := func(c *Column, path string) int64 {
		i, ok := l.Schema().Find(path)
		if !ok {
			t.Fatalf("there is no %s", path)
		}
		return c.Cells[l.Schema().Series[i].Cell]
	}
	const (
		hardware = `\Mellanox WinOF-2 Port Traffic(Ethernet 5)\Bytes Received`
		software = `\Mellanox WinOF-2 Rss Counters(Ethernet 5 Total)\Rss IPv4/Tcp`
	)
	if value(&before, hardware) == 0 || value(&before, software) <= 0 {
		t.Fatalf("%d bytes, %d packets by kind", value(&before, hardware), value(&before, software))
	}
	if _, err := l.Host().Apply(driver.Plan{Title: "x", Operations: []driver.Operation{restart("Ethernet 5")}}); err != nil {
		t.Fatal(err)
	}
	next(t, l, 9*time.Second, &after)
	if value(&after, hardware) < value(&before, hardware) {
		t.Error("T2: a start of the driver cleared the adapter's counters")
	}
	if value(&after, software) >= value(&before, software) {
		t.Errorf("T3: %d packets by kind after the start, %d before", value(&after, software), value(&before, software))
	}
	_, card, _ := l.Host().Lab().Port(portOf(t, l.Host().Lab(), "Ethernet 5"))
	l.Host().Lab().ResetCard(card)
	next(t, l, 0, &after)
	if n := value(&after, hardware); n != 0 {
		t.Errorf("T2: %d bytes after a restart of the card", n)
	}
}
