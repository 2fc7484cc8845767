package lab

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/virtualization"
	"cxdeck/perf"
)

// functionFault is a fault of a virtual function on a host without other activity.
type functionFault struct {
	name, connection string
	// prepare is applied before the first column, do after it.
	prepare, do []driver.Operation
	// moves are the only counters of virtual functions and of the port's traffic that change; events are the only events.
	moves, events []string
}

// TestFaultsOfFunctionsChangeTheirCounters triggers each fault of a virtual function, for each family of drivers where they
// differ: exactly the counters and events of the counter model appear.
func TestFaultsOfFunctionsChangeTheirCounters(t *testing.T) {
	t.Parallel()
	for _, c := range functionFaults() {
		t.Run(c.connection+" "+c.name, func(t *testing.T) {
			t.Parallel()
			l := virtualPortLab(t, 5)
			connect := []driver.Operation{virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: c.connection, IOV: true}}}
			for _, name := range []string{"first", "second"} {
				connect = append(connect, guestMachine(name, "S", func(a *virtualization.VMAdapterRecord) {
					a.IovWeight, a.Share = 100, 0.5 // the described flows of machines have no traffic
				}))
			}
			for _, f := range l.Host().Lab().Flows() {
				connect = append(connect, fabric.ScaleFlow{Flow: f.Name, Scale: 0})
			}
			applyAll(t, l, connect...)
			if c.prepare != nil {
				applyAll(t, l, c.prepare...)
			}
			var before, after perf.Column
			next(t, l, 0, &before)
			seen := l.Host().EventsAfter(0)
			if c.do != nil {
				if _, err := l.Host().Apply(driver.Plan{Title: c.name, Operations: c.do}); err != nil {
					t.Fatal(err)
				}
			}
			next(t, l, 21*time.Second, &after)
			if got := functionMoves(l.Schema(), c.connection, &before, &after); !slices.Equal(got, sorted(c.moves)) {
				t.Errorf("what moves is\n%s\nand should be\n%s", strings.Join(got, "\n"), strings.Join(sorted(c.moves), "\n"))
			}
			events := map[string]bool{}
			for _, e := range l.Host().EventsAfter(seen[len(seen)-1].Sequence) {
				events[e.Key] = true
			}
			if got := slices.Sorted(maps.Keys(events)); !slices.Equal(got, sorted(c.events)) {
				t.Errorf("the events are %v, and should be %v", got, c.events)
			}
		})
	}
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

// functionMoves returns the counters of a port's virtual functions, and of its own traffic, that changed.
func functionMoves(schema *perf.Schema, connection string, before, after *perf.Column) (moved []string) {
	own := map[string]bool{
		"Bytes Received": true, "Packets Received": true, "Bytes Sent": true, "Packets Sent": true,
		"Packets Received Errors": true, "Packets Received Discarded": true, "Packets Outbound Discarded": true,
	}
	for i := range schema.Series {
		s := &schema.Series[i]
		if s.Cell >= len(before.Cells) || after.Cells[s.Cell] == before.Cells[s.Cell] {
			continue // it is new with a queue, or unchanged
		}
		what, function := strings.CutPrefix(s.Instance, connection+" VF ")
		traffic := s.Instance == connection && (strings.HasSuffix(s.Set, "Port Traffic") || strings.HasSuffix(s.Set, "Adapter Traffic Counters"))
		switch {
		case function:
			moved = append(moved, "VF "+what+": "+s.Counter)
		case traffic && own[s.Counter]:
			moved = append(moved, "port: "+s.Counter)
		}
	}
	return sorted(moved)
}

// functionFaults returns all faults of virtual functions, at a port of each family.
func functionFaults() []functionFault {
	const winOF, winOF2 = "Ethernet 3", "Ethernet 10"
	misdeed := func(connection string, kind description.FaultKind) []driver.Operation {
		return []driver.Operation{hardware.SetFunctionFault{Connection: connection, Function: 1, Fault: kind, Share: 1}}
	}
	watch := func(use, errors string) []driver.Operation {
		return []driver.Operation{
			set(winOF2, "VfCpuMonEnable", "1"), set(winOF2, "VfCpuMonBatchPeriodSec", "5"),
			set(winOF2, "VfCpuMonFwCpuUsageMax", use), set(winOF2, "VfCpuMonErrors2FwMax", errors), restart(winOF2),
		}
	}
	list := "VFAllowedTxEtherTypeListEnable"
	stop, start := virtualization.SetVMState{VM: "second", State: virtualization.VMOff}, virtualization.SetVMState{VM: "second", State: virtualization.VMRunning}
	sent := []string{"port: Bytes Sent", "port: Packets Sent"}
	both := slices.Concat(sent, []string{"port: Bytes Received", "port: Packets Received"})
	unicast := of("VF 1", "Bytes Sent/Sec", "Bytes Sent Unicast/Sec", "Packets Sent Unicast/Sec", "Tx octets", "Tx packets")
	flood := of("VF 1", "FwCpuUsage", "Errors2FW", "Invalid Commands")
	asks := of("VF 1", "Bytes Sent/Sec", "Bytes Sent Broadcast/Sec", "Packets Sent Broadcast/Sec", "Tx octets", "Tx packets",
		"Bytes Received/Sec", "Bytes Received Broadcast/Sec", "Packets Received Broadcast/Sec", "Rx octets", "Rx packets")
	pages := of("VF 1", "Allocated Memory Pages")
	return []functionFault{
		{name: "nothing", connection: winOF2},
		{name: "nothing", connection: winOF},
		{
			name: "a wrong address is dropped in the switch", connection: winOF2, do: misdeed(winOF2, description.WrongAddress),
			moves: of("VF 1", "Mac Anti Spoofing Packets Discarded", "Mac Anti Spoofing Bytes Discarded"),
		},
		{name: "a wrong address leaves", connection: winOF, do: misdeed(winOF, description.WrongAddress), moves: sent},
		{
			name: "a disallowed Ethertype is dropped in the switch", connection: winOF2, do: misdeed(winOF2, description.DisallowedType),
			moves: of("VF 1", "Allowed EthType Anti Spoofing Packets Discarded", "Allowed EthType Anti Spoofing Bytes Discarded"),
		},
		{
			name: "a disallowed Ethertype leaves while the list is off", connection: winOF2, do: misdeed(winOF2, description.DisallowedType),
			prepare: []driver.Operation{set(winOF2, list, "0"), restart(winOF2)}, moves: slices.Concat(unicast, sent),
		},
		{name: "a disallowed Ethertype leaves damaged", connection: winOF, do: misdeed(winOF, description.DisallowedType), moves: sent},
		{name: "a flood of commands without monitoring", connection: winOF2, do: misdeed(winOF2, description.FirmwareLoad), moves: flood},
		{
			name: "a flood of commands beyond the threshold of use", connection: winOF2, prepare: watch("49", "1000"),
			do: misdeed(winOF2, description.FirmwareLoad), moves: flood, events: []string{"mlx5.vf-cpu-monitor"},
		},
		{
			name: "a flood of commands beyond the threshold of errors", connection: winOF2, prepare: watch("1000", "49"),
			do: misdeed(winOF2, description.FirmwareLoad), moves: flood, events: []string{"mlx5.vf-cpu-monitor"},
		},
		{
			name: "a flood of commands up to the thresholds", connection: winOF2, prepare: watch("50", "50"),
			do: misdeed(winOF2, description.FirmwareLoad), moves: flood,
		},
		{
			name: "a flood of commands", connection: winOF, do: misdeed(winOF, description.FirmwareLoad),
			events: []string{"mlx4.vf-bad-command"},
		},
		{
			name: "a storm", connection: winOF2, do: misdeed(winOF2, description.Storm),
			moves: slices.Concat(sent, of("VF 1", "Bytes Sent/Sec", "Bytes Sent Broadcast/Sec", "Packets Sent Broadcast/Sec", "Tx octets", "Tx packets")),
		},
		{name: "a storm", connection: winOF, do: misdeed(winOF, description.Storm), moves: sent},
		{
			name: "too many pages", connection: winOF2, prepare: []driver.Operation{set(winOF2, "MaxFWPagesUsagePerVF", "1100"), stop},
			do: []driver.Operation{start}, moves: slices.Concat(both, of("VF 1", "Quota Exceeded Command")), events: []string{"mlx5.vf-page-limit"},
		},
		{
			name: "the maximum number of pages", connection: winOF2, prepare: []driver.Operation{set(winOF2, "MaxFWPagesUsagePerVF", "1152"), stop},
			do: []driver.Operation{start}, moves: slices.Concat(both, pages, asks),
		},
		{name: "a machine stops", connection: winOF2, do: []driver.Operation{stop}, moves: pages},
		{
			name: "too few queue pairs", connection: winOF,
			prepare: []driver.Operation{
				stop, edit.SetValue{Adapter: "ConnectX-3 Pro", Key: "bus-driver/LogNumQP", Value: "10"}, adapters.ReloadDriver{Driver: "mlx4"},
			},
			do: []driver.Operation{start}, moves: both, events: []string{"mlx4.vf-load-no-resources"},
		},
		{
			name: "its DHCP goes to the physical function", connection: winOF2,
			prepare: []driver.Operation{
				set(winOF2, "RedirectVfDHCPToPF", "1"), restart(winOF2),
				virtualization.SetFeature{Connection: winOF2, Feature: virtualization.FeaturePromiscuous, On: true}, stop,
			},
			do: []driver.Operation{start}, moves: slices.Concat(both, pages),
		},
		{
			name: "its DHCP is redirected without a receiver", connection: winOF2,
			prepare: []driver.Operation{set(winOF2, "RedirectVfDHCPToPF", "1"), restart(winOF2), stop},
			do:      []driver.Operation{start}, moves: slices.Concat(both, pages, asks),
		},
		{
			name: "the filter platform holds its port", connection: winOF2,
			do: []driver.Operation{virtualization.SetSwitch{Switch: "S", Extension: new(virtualization.ExtensionVFP)}},
			moves: slices.Concat(of("VF 0", "Packets Transmitted dropped due to VPort Down"),
				of("VF 1", "Packets Transmitted dropped due to VPort Down")),
		},
		{
			name: "a storm behind a port that is held", connection: winOF2, do: misdeed(winOF2, description.Storm),
			prepare: []driver.Operation{
				virtualization.SetSwitch{Switch: "S", Extension: new(virtualization.ExtensionVFP)}, virtualization.ReleasePort{VM: "first", Adapter: "Network Adapter"},
			},
			moves: of("VF 1", "Packets Transmitted dropped due to VPort Down"),
		},
	}
}

// of returns the paths of counters of a virtual function.
func of(function string, counters ...string) (list []string) {
	for _, c := range counters {
		list = append(list, function+": "+c)
	}
	return list
}
