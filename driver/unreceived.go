package driver

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"cxdeck/device"
	"cxdeck/device/reach"
	"cxdeck/device/setup"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
)

// Unreceived is current traffic that will have no receiver after a plan, for one reason.
type Unreceived struct {
	// Target is the team or the connection of the traffic. VLAN is the id of its frames if it is the reason, else 0.
	Target string `json:"target"`
	VLAN   int    `json:"vlan,omitempty"`
	// Why is the reason, as a clause.
	Why string `json:"why"`
	// Flows are the affected groups of flows, the fastest first, each with its rate without a receiver, in both directions; Rate
	// is their sum, in bits per second.
	Rate  float64           `json:"bits_per_second"`
	Flows []InterruptedFlow `json:"workloads"`
}

const (
	// averaging is the time over which a review averages the current rates, as flows come in bursts.
	averaging = 2 * time.Second
	// minLost is the minimum lost share of a flow that a review reports. A change of frame sizes alone loses less.
	minLost = 0.02
	// minRate is the minimum lost rate that a review reports, in bits per second.
	minRate = 1000
)

// unreceived returns current traffic that has a receiver now and none on a copy on which a plan was run and time has passed. It
// leaves out links that the plan takes down permanently: the review's restarts list them.
func (h *Host) unreceived(done *Host, restarts []Restart) (list []Unreceived) {
	before, after := h.lab.Reaches(), done.lab.Reaches()
	missed := make([][2]float64, len(before))
	found := false
	for i := range before {
		b, a := &before[i], &after[i]
		if a.Reasons.First(b.Reasons) == reach.NoLink && staysDown(restarts, h.connection(b.Port)) {
			continue
		}
		for direction := range b.DeliverableBits {
			if part := 1 - a.DeliverableBits[direction]/b.DeliverableBits[direction]; b.DeliverableBits[direction] > 0 && part >= minLost {
				missed[i][direction] = part
				found = true
			}
		}
	}
	if !found {
		return nil
	}
	moves := h.presentRates(len(before))
	places := map[string]int{}
	for i, parts := range missed {
		rate := parts[0]*moves[i][0] + parts[1]*moves[i][1]
		if rate < minRate {
			continue
		}
		a := &after[i]
		unreceived := h.unreceivedOf(done, a, a.Reasons.First(before[i].Reasons))
		key := fmt.Sprintf("%s\x00%d\x00%s", unreceived.Target, unreceived.VLAN, unreceived.Why)
		at, seen := places[key]
		if !seen {
			at = len(list)
			places[key] = at
			list = append(list, unreceived)
		}
		list[at].Rate += rate
		tuples := 0
		if described := h.lab.Description().Flows; i < len(described) {
			tuples = described[i].Flows
		}
		list[at].Flows = append(list[at].Flows, InterruptedFlow{a.Name, h.connection(a.Port), tuples, rate})
	}
	for i := range list {
		slices.SortStableFunc(list[i].Flows, func(a, b InterruptedFlow) int { return cmp.Compare(b.Rate, a.Rate) })
	}
	slices.SortStableFunc(list, func(a, b Unreceived) int { return cmp.Compare(b.Rate, a.Rate) })
	return list
}

// settled returns the host, or while drivers start and links come up a copy on which they have: the traffic of a link that is
// about to come up is current traffic.
func (h *Host) settled() *Host {
	waits := h.Waits()
	if len(waits) == 0 {
		return h
	}
	copied := h.Clone()
	copied.Advance(waits[len(waits)-1].Until.Sub(h.lab.Now()) + device.Step)
	return copied
}

// staysDown reports whether the plan takes the link of a connection down permanently.
func staysDown(restarts []Restart, connection string) bool {
	return slices.ContainsFunc(restarts, func(r Restart) bool { return !r.Back && slices.Contains(r.Connections, connection) })
}

// presentRates returns the received and sent rates of flows, in bits per second: the average over the coming time on a copy.
func (h *Host) presentRates(flows int) [][2]float64 {
	now, sums := h.Clone(), make([][2]float64, flows)
	steps := int(averaging / device.Step)
	for range steps {
		now.Advance(device.Step)
		now.lab.AddDelivered(sums)
	}
	for i := range sums {
		for direction := range sums[i] {
			sums[i][direction] /= float64(steps)
		}
	}
	return sums
}

// portLoss says which virtual machines moved traffic through a port, and move none on a copy.
func (h *Host) portLoss(done *Host, port int) string {
	moves := func(h *Host) (list []string, why map[string]string) {
		why = map[string]string{}
		h.virtual.Each(func(name virtualization.AdapterName, _ *virtualization.Machine, a *virtualization.Adapter) {
			why[name.VM] = a.Why
			if name.VM != "" && a.Port == port && slices.ContainsFunc(h.lab.Guests(port), func(g setup.Guest) bool {
				return g.Slot == a.Slot && g.Share > 0
			}) {
				list = append(list, name.VM)
			}
		})
		return list, why
	}
	before, _ := moves(h)
	after, why := moves(done)
	unserved := slices.DeleteFunc(slices.Compact(before), func(vm string) bool { return slices.Contains(after, vm) })
	switch {
	case len(unserved) == 0:
		return "its virtual machines get a smaller share of the port"
	case len(unserved) == 1 && why[unserved[0]] != "":
		return unserved[0] + " has no virtual port for it: " + why[unserved[0]]
	case len(unserved) == 1:
		return unserved[0] + " has no virtual port there"
	}
	return wording.Names(unserved) + " have no virtual port there"
}

// unreceivedOf returns the place where a group of flows has no receiver, and the reason.
func (h *Host) unreceivedOf(done *Host, r *device.Reach, why reach.Reason) Unreceived {
	u := Unreceived{Target: h.connection(r.Port)}
	on := u.Target
	if t := done.team.TeamOf(r.Port); t != nil {
		u.Target, on = t.Name, "the team "+t.Name
	}
	switch {
	case why == reach.NoMachine || why == reach.NoReason && r.Virtual:
		u.Why = h.portLoss(done, r.Port)
	case why == reach.NoReason: // in part: some machines are gone, or have a smaller share of the port
		u.Why = "a smaller part of it has a receiver there"
	case why == reach.NoLink:
		u.Why, _ = why.Clause(h.connection(r.Port), false, 0)
	default:
		var vlan bool
		if u.Why, vlan = why.Clause(on, on != u.Target, r.VLAN); vlan {
			u.VLAN = r.VLAN
		}
	}
	return u
}

// caution returns the traffic as a warning.
func (u *Unreceived) caution() Caution {
	names := make([]string, len(u.Flows))
	for i := range u.Flows {
		names[i] = u.Flows[i].Name
	}
	return Caution{eventlog.Error, u.Target, "", fmt.Sprintf("%s of current traffic will be dropped: %s (%s)", wording.Rate(u.Rate), u.Why, wording.Names(names))}
}
