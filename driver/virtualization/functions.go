package virtualization

import (
	"fmt"
	"slices"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/registry"
)

// The host memory that a virtual function takes, in pages of 4 KB: a fixed part, and a part for each queue pair. The manuals give
// neither. The driver in the guest requests the pages, so an unassigned function takes none.
const (
	FunctionPages  = 1024
	QueuePairPages = 128
)

// FunctionPairsLog is the binary logarithm of the number of queue pairs that a card reserves for a virtual function: an
// assumption of the lab.
const FunctionPairsLog = 10

// PageLimitKey is the key that bounds the memory of a virtual function.
const PageLimitKey = "MaxFWPagesUsagePerVF"

// MaxPageLimit bounds MaxFWPagesUsagePerVF in pages of 4 KB: the driver uses it for larger stored values (IOV-15). The manual
// gives no bound.
const MaxPageLimit = 1 << 30

// noGuestDriver is the reason why a machine lacks a virtual function that it could have.
const noGuestDriver = "the guest has no driver for it; install the driver of the host's package there"

// vendorAdapter is the name of a virtual function in a machine's device manager, also without a driver for it (seed 000,
// line 801).
const vendorAdapter = "Mellanox Virtual Adapter"

// Pages returns the memory of the adapter's virtual function, in pages of 4 KB.
func (a *VMAdapterRecord) Pages(granted int) int { return FunctionPages + QueuePairPages*granted }

// requestsFunction reports whether an adapter requests a virtual function, or why it can't have one; why is empty when it is
// not set to have one.
func (v Hypervisor) requestsFunction(scoped scopedAdapter) (asks bool, why string) {
	m, a := scoped.machine, scoped.adapter
	if m == nil || a.IovWeight == 0 || m.State != VMRunning && m.State != VMPaused {
		return false, ""
	}
	switch {
	case a.Quarantine != "":
		return false, "it is in quarantine: " + a.Quarantine
	case scoped.at < 0:
		return false, "it is not connected to a switch"
	case v.Switches[scoped.at].Team != "":
		return false, "its switch is on a team, whose ports provide no virtual functions"
	case !v.Switches[scoped.at].IOV:
		return false, "its switch was created without SR-IOV; recreate it with SR-IOV"
	case a.Port < 0 || a.Slot < 0:
		return false, "no port of its switch has a free virtual function"
	case !v.Running(a.Port):
		return false, v.notRunningReason(a.Port)
	case v.Lab().VirtualFunctions(a.Port) == 0:
		return false, v.noFunctions(a.Port)
	case m.GuestDriver == "":
		return false, noGuestDriver
	case m.NetVSC.problem() != "":
		return false, m.NetVSC.problem()
	}
	if why := v.guestLacksSRIOV(a.Port, m); why != "" {
		return false, why
	}
	return true, ""
}

// functionsTaken holds the assigned virtual functions of each port, and their number for each card.
type functionsTaken struct {
	ports []*[counter.MaxFunctions]bool
	cards []int
}

func (t *functionsTaken) takenOf(port int) []bool {
	if t.ports[port] == nil {
		t.ports[port] = new([counter.MaxFunctions]bool)
	}
	return t.ports[port][:]
}

// assignFunctions takes virtual functions from adapters that can't have them any more, and answers new requests. An adapter in
// had gets its function again, whatever the current limits are.
func (v Hypervisor) assignFunctions(list []scopedAdapter, had map[*Adapter]int) {
	taken := functionsTaken{make([]*[counter.MaxFunctions]bool, len(v.Ports)), make([]int, len(v.Cards))}
	var asking []*Adapter
	for _, scoped := range list {
		a := scoped.adapter
		asks, why := v.requestsFunction(scoped)
		if !asks || a.Function >= v.Lab().VirtualFunctions(a.Port) {
			a.Function = setup.NoFunction
		}
		if !asks {
			a.Requested, a.Why = false, why
			continue
		}
		if a.Function != setup.NoFunction {
			taken.takenOf(a.Port)[a.Function] = true
			taken.cards[v.cardOf(a.Port)]++
		} else if !a.Requested {
			asking = append(asking, a)
		}
	}
	attach := func(a *Adapter, function int) {
		a.Requested, a.Why, a.Function, a.Claim = true, "", function, function+1
		taken.takenOf(a.Port)[function] = true
		taken.cards[v.cardOf(a.Port)]++
	}
	isFree := func(a *Adapter, function int) bool {
		return function >= 0 && function < v.Lab().VirtualFunctions(a.Port) && !taken.takenOf(a.Port)[function]
	}
	firstFree := func(port int) int {
		return slices.Index(taken.takenOf(port)[:v.Lab().VirtualFunctions(port)], false)
	}
	for _, a := range asking {
		if f, ok := had[a]; ok && isFree(a, f) {
			attach(a, f)
		}
	}
	answer := func(a *Adapter, function int) {
		a.Requested, a.Why = true, v.refuseFunction(a, function, taken.cards[v.cardOf(a.Port)])
		if a.Why != "" {
			return
		}
		if a.Claim != function+1 { // its counters belong to another machine
			v.Lab().ResetFunction(a.Port, function)
		}
		attach(a, function)
	}
	for _, a := range asking { // another adapter that requests one now does not get the last function of this one
		if f := a.Claim - 1; !a.Requested && isFree(a, f) {
			answer(a, f)
		}
	}
	for _, a := range asking {
		if a.Requested {
			continue
		}
		if free := firstFree(a.Port); free >= 0 {
			answer(a, free)
		} else {
			a.Requested = true
		}
	}
	for _, scoped := range list {
		switch a := scoped.adapter; {
		case a.Function != setup.NoFunction:
			a.Why = ""
		case a.Requested: // the present reason: others may have come and gone since the request
			if firstFree(a.Port) < 0 {
				a.Why = fmt.Sprintf("all %d virtual functions of %s are taken", v.Lab().VirtualFunctions(a.Port), v.connection(a.Port))
			} else if _, a.Why = v.refusal(a, taken.cards[v.cardOf(a.Port)]); a.Why == "" {
				a.Why = "a virtual function is free now; it is requested again when the machine is stopped and started"
			}
		}
	}
}

const pageLimitEvent = "mlx5.vf-page-limit"

// refuseFunction returns why a card can't give an adapter a virtual function, and counts and logs the refusal (IOV-15); empty
// when it can.
func (v Hypervisor) refuseFunction(a *Adapter, function, attached int) string {
	event, why := v.refusal(a, attached)
	if event != "" {
		v.Note(a.Port, event)
	}
	if event == pageLimitEvent {
		v.Lab().RefuseFunction(a.Port, function)
	}
	return why
}

// refusal returns why a card can't give an adapter a virtual function, with the event that reports it; both are empty when it
// can.
func (v Hypervisor) refusal(a *Adapter, attached int) (event, why string) {
	if v.family(a.Port) == description.WinOF2 {
		limit, pages := v.pageLimit(a.Port), a.Pages(v.GrantedPairs(a.Port, a.IovQueuePairs))
		if limit > 0 && pages > limit {
			return pageLimitEvent, fmt.Sprintf("it takes %d pages of memory, and MaxFWPagesUsagePerVF allows %d", pages, limit)
		}
		return "", ""
	}
	if n, ok := v.number(a.Port, "LogNumQP", registry.BusDriver); ok && n < 31 && attached+1 > 1<<n>>FunctionPairsLog {
		return "mlx4.vf-load-no-resources", "the card has too few queue pairs for another one; raise LogNumQP"
	}
	return "", ""
}

// pageLimit returns the stored MaxFWPagesUsagePerVF, 0 for none: it applies to the next function that is assigned.
func (v Hypervisor) pageLimit(port int) int {
	if value, _ := v.Stored(port, PageLimitKey, registry.Miniport); value.Type() == registry.Number {
		return int(min(value.Number(), MaxPageLimit))
	}
	return 0
}

// GrantedPairs returns the number of queue pairs that an adapter gets for a number that it requests (VIRT-3).
func (v Hypervisor) GrantedPairs(port, asked int) int { return max(1, min(asked, v.Lab().Rings(port))) }
