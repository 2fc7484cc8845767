package lab

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/virtualization"
	"cxdeck/perf"
)

// TestEveryCounterWithACauseChanges: each counter without a reason to stay 0 changes in the lab with a fault, a setting or a
// kind of traffic.
func TestEveryCounterWithACauseChanges(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	var mutex sync.Mutex
	moved := map[*perf.Counter]bool{}
	t.Run("runs", func(t *testing.T) {
		for name, run := range movingRuns() {
			t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
				t.Parallel()
				seen := run.moved(t)
				mutex.Lock()
				defer mutex.Unlock()
				maps.Copy(moved, seen)
			})
		}
	})
	for _, set := range perf.Catalogue().Sets() {
		for _, c := range set.Counters {
			if !moved[c] && c.Uncaused == "" && !c.AlwaysZero && !slices.Contains(set.Families, "linux") {
				t.Errorf("%s, %s stays 0", set.Name, c.Name)
			}
		}
	}
}

// movingLab returns the default lab with all kinds of traffic on a port of each family, virtual functions, and an InfiniBand
// WinOF-2 port: Ethernet 8. With two of them, WinOF has only Ethernet.
func movingLab(two bool) *description.Description {
	d := description.Default()
	const gone = "Ethernet 8"
	d.Flows = slices.DeleteFunc(d.Flows, func(f description.Flow) bool { return f.Port == gone || two && f.Protocol == description.IPoIB })
	for i := range d.Flows {
		d.Flows[i].Idle = false
		if f := &d.Flows[i]; f.Protocol == description.RDMA && f.Port == "Ethernet 3" && f.Application == description.SMBDirect {
			f.ReceiveGbps, f.Flows, f.Connections = 60, 1, 1 // too much for the line
		}
	}
	for a := range d.Adapters {
		for i := range d.Adapters[a].Ports {
			p := &d.Adapters[a].Ports[i]
			switch p.Connection {
			case gone:
				p.Link, p.RoCE, p.FlowControl, p.Lossless, p.CongestionControl = description.InfiniBand, description.NoRoCE, description.NoFlowControl, nil, nil
				p.Switch.FlowControl, p.Switch.Lossless, p.MaxFrame = description.NoFlowControl, nil, 4092
			case "Ethernet 4":
				if two {
					p.Link, p.SpeedGbps, p.Switch.SpeedGbps = description.Ethernet, 40, 40
				}
			case "Ethernet 3", "Ethernet 7":
				p.VirtualFunctions, p.CongestionControl = 2, []int{3}
			}
		}
	}
	flow := func(port string, protocol description.Protocol, v6, tunnel bool) description.Flow {
		local, peer := netip.MustParseAddr("10.99.0.1"), netip.MustParseAddr("10.99.0.2")
		if v6 {
			local, peer = netip.MustParseAddr("fd00::1"), netip.MustParseAddr("fd00::2")
		}
		return description.Flow{
			Name: fmt.Sprint(port, protocol, v6, tunnel), Port: port, Protocol: protocol, Local: local, Peer: peer, Flows: 8,
			VXLAN: tunnel, ReceiveGbps: 0.2, SendGbps: 0.2, Packets: []description.PacketSize{{IP: 1000, Share: 0.5}, {IP: 100, Share: 0.5}},
			Virtual:   protocol <= description.RDMA && !tunnel && (!v6 || protocol != description.UDP),
			Multicast: protocol == description.UDP && !tunnel,
		}
	}
	for _, port := range []string{"Ethernet 3", "Ethernet 7"} {
		for _, protocol := range []description.Protocol{description.TCP, description.UDP, description.OtherIP, description.NotIP} {
			for _, v6 := range []bool{false, true} {
				if d.Flows = append(d.Flows, flow(port, protocol, v6, false)); protocol <= description.UDP {
					d.Flows = append(d.Flows, flow(port, protocol, v6, true))
				}
			}
		}
		d.Flows = append(d.Flows, flow(port, description.RDMA, false, false))
	}
	infiniBand := flow(gone, description.IPoIB, false, false)
	group := infiniBand
	group.Name, group.Multicast = "group", true
	d.Flows = append(d.Flows, infiniBand, group)
	return d
}

// movingRun is a lab with changes.
type movingRun struct {
	operations []driver.Operation
	// settings changes the settings of all ports, one after the other.
	settings []func(*setup.Port)
	// after is applied after half of the time.
	after []driver.Operation
	// two adds a second InfiniBand port.
	two bool
}

func movingRuns() map[string]movingRun {
	count := func(s *setup.Port) { s.CountRSS, s.CountFromStart = true, true }
	runs := map[string]movingRun{
		"hashed": {settings: []func(*setup.Port){
			count, func(s *setup.Port) {
				s.CoalesceIPv4, s.CoalesceIPv6, s.RSSUDP, s.RSSRawIP = true, true, true, true
			},
		}},
		"not hashed": {settings: []func(*setup.Port){count, func(s *setup.Port) { s.RSS = false }}},
		"by hand": {settings: []func(*setup.Port){
			func(s *setup.Port) { s.Completion, s.ChecksumTCPIPv4, s.QoS = setup.Polling, 0, false },
			func(s *setup.Port) { s.Congestion[dcqcn.AdditiveRate]++; s.Congestion[dcqcn.AlphaGain]++ },
			func(s *setup.Port) { s.Congestion[dcqcn.AdditiveRate]--; s.Congestion[dcqcn.AlphaGain]-- },
		}},
		"slots": {}, "processors": {},
	}
	ports := []string{"Ethernet 3", "Ethernet 4", "Ethernet 7", "Ethernet 8", "Ethernet 9"}
	for _, kind := range description.FaultKinds() {
		run := movingRun{}
		for _, port := range ports {
			share := 1.0
			switch kind {
			case description.BadCable, description.LongFrames, description.WrongSizes:
				share = 0.3
			case description.Congestion:
				share = 0.97
			default:
			}
			run.operations = append(run.operations, hardware.SetFault{Connection: port, Fault: kind, Share: share})
			if kind == description.LinkFlap {
				run.after = append(run.after, hardware.SetFault{Connection: port, Fault: kind})
			}
			if kind == description.SendHang {
				run.after = append(run.after, restart(port))
			}
		}
		runs["fault "+kind.String()] = run
	}
	held, quota := movingRun{}, movingRun{operations: []driver.Operation{set("Ethernet 7", "MaxFWPagesUsagePerVF", "1000")}}
	for _, name := range []string{"Switch Ethernet 3", "Switch Ethernet 7"} {
		held.operations = append(held.operations, virtualization.SetSwitch{Switch: name, Extension: new(virtualization.ExtensionVFP)})
	}
	for _, name := range []string{"vm001", "vm002", "vm003", "vm004"} { // a machine requests an address when it starts
		quota.operations = append(quota.operations, virtualization.SetVMState{VM: name, State: virtualization.VMOff}, virtualization.SetVMState{VM: name, State: virtualization.VMRunning})
	}
	runs["held"], runs["quota"], runs["started"] = held, quota, movingRun{operations: quota.operations[1:]}
	slots, processors, dropless, pauses := runs["slots"], runs["processors"], movingRun{two: true}, movingRun{}
	deaf := movingRun{settings: []func(*setup.Port){func(s *setup.Port) { s.Congestion[dcqcn.RPEnable+3] = 0 }}}
	dropless.settings = append(dropless.settings, func(s *setup.Port) { s.DropTimeout = 100 })
	for _, card := range []string{"ConnectX-3 Pro", "ConnectX-4 Lx", "ConnectX-5 Ex", "BlueField-2"} {
		slots.operations = append(slots.operations, hardware.SetSlot{Adapter: card, Generation: 1, Lanes: 1})
	}
	for _, port := range ports {
		processors.operations = append(processors.operations, hardware.SetProcessorSpeed{Connection: port, Speed: 1e-3})
		dropless.operations = append(dropless.operations, hardware.SetDropless{Connection: port, On: true})
		dropless.after = append(dropless.after, hardware.SetDropless{Connection: port})
		deaf.operations = append(deaf.operations, hardware.SetFault{Connection: port, Fault: description.Congestion, Share: 0.97})
		long, priority := 0.99, 3
		pauses.operations = append(pauses.operations,
			fabric.SetSwitchPort{Connection: port, PauseShare: &long, PausePriority: &priority})
	}
	runs["slots"], runs["processors"], runs["dropless"], runs["pauses"], runs["deaf"] = slots, processors, dropless, pauses, deaf
	return runs
}

// moved returns the counters that were not 0.
func (r movingRun) moved(t *testing.T) map[*perf.Counter]bool {
	lab, err := device.New(movingLab(r.two), 3)
	if err != nil {
		t.Fatal(err)
	}
	l, err := New(driver.NewHost(lab))
	if err != nil {
		t.Fatal(err)
	}
	var c perf.Column
	next(t, l, 0, &c)
	next(t, l, time.Second, &c)
	apply := func(operations []driver.Operation) {
		for _, o := range operations { // some ports can't have some faults
			if _, err := l.Host().Apply(driver.Plan{Title: "x", Operations: []driver.Operation{o}}); err != nil {
				t.Log(err)
			}
		}
	}
	for _, change := range r.settings {
		for port := range lab.Ports() {
			s := lab.Settings(port)
			change(&s)
			if err := lab.Configure(port, s); err != nil {
				t.Fatal(err)
			}
		}
	}
	apply(r.operations)
	moved, still := map[*perf.Counter]bool{}, []perf.Series(nil)
	schema := (*perf.Schema)(nil)
	for second := range 10 {
		if second == 5 {
			apply(r.after)
		}
		next(t, l, time.Second, &c)
		if schema != l.Schema() {
			schema = l.Schema()
			still = slices.Clone(schema.Series)
		}
		still = slices.DeleteFunc(still, func(s perf.Series) bool {
			if c.Cells[s.Cell] == 0 || c.Cells[s.Cell] == perf.Missing {
				return false
			}
			if known, ok := perf.Catalogue().Counter(s.Set, s.Counter); ok {
				moved[known] = true
			}
			return true
		})
	}
	return moved
}
