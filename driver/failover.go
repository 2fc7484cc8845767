package driver

import (
	"slices"
	"strings"
	"time"

	"cxdeck/device"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/mux"
)

// Failover is a change of the members that carry a team's traffic by which one that did carries it no longer: it was
// lost or taken out, or the primary one took over again. A team that was down in between, and that no other member took
// over, was interrupted: see TookOver.
type Failover struct {
	// At is when the member was lost; From and To are the connections that carried traffic before and after. To is empty
	// while the team is disconnected.
	At       time.Time
	From, To []string
	// Outage is for how long traffic went into a dead member or found none, LostReceived and LostSent what was lost of it
	// in a dead one, in frames. A member that hands over while it is connected loses nothing.
	Outage                 time.Duration
	LostReceived, LostSent uint64
	// Down says that nobody carried traffic for a time. Stopped says that this was because the drivers of all members were
	// stopped: with the host, for a restart, or by the operator.
	Down    bool `json:",omitempty"`
	Stopped bool `json:",omitempty"`
}

// TookOver says whether a member took over traffic of another. It is false for a team that is down, that came back by the
// members that it went down with, or whose members were all stopped.
func (f *Failover) TookOver() bool {
	if f.To == nil || f.Stopped || slices.Equal(f.From, f.To) {
		return false
	}
	return !f.Down || slices.ContainsFunc(f.To, func(name string) bool { return !slices.Contains(f.From, name) })
}

// FailoverCost is what failovers cost together, with the units of a Failover.
type FailoverCost struct {
	Outage                 time.Duration
	LostReceived, LostSent uint64
}

// FailoversSince are those of a team from a moment on, and what they cost: the measure of a drill.
func (t *TeamView) FailoversSince(moment time.Time) (list []Failover, cost FailoverCost) {
	for _, f := range t.Failovers {
		if f.At.Before(moment) {
			continue
		}
		list = append(list, f)
		cost.Outage += f.Outage
		cost.LostReceived += f.LostReceived
		cost.LostSent += f.LostSent
	}
	return list, cost
}

// keptFailovers is how many of them a team remembers.
const keptFailovers = 8

// remember writes down that other members carry a team's traffic than those before, if they do.
func (h *Host) remember(t *team, before []int) {
	after, was := t.machine.ActiveSet(), t.lost
	t.lost = h.lostFrames(t)
	if slices.Equal(before, after) {
		return
	}
	if n := len(t.failovers); n > 0 && t.failovers[n-1].To == nil && len(after) > 0 {
		last := &t.failovers[n-1]
		last.To, last.Outage = h.connections(after), h.lab.Now().Sub(last.At)
	}
	gone := slices.DeleteFunc(slices.Clone(before), func(port int) bool { return slices.Contains(after, port) })
	// One that was taken out is down only because it is stopped for that.
	dead := slices.ContainsFunc(gone, func(port int) bool {
		return h.memberStatus(port) != mux.Connected && h.teamOf(port) == t
	})
	h.noteCarriers(t, before, gone, dead)
	if len(gone) == 0 {
		return
	}
	f := Failover{
		At: h.lab.Now(), From: h.connections(before), To: h.connections(after),
		LostReceived: t.lost[0] - was[0], LostSent: t.lost[1] - was[1], Down: len(after) == 0,
	}
	f.Stopped = f.Down && !slices.ContainsFunc(gone, func(port int) bool { return h.miniports[port].state == Running })
	if dead {
		f.Outage = h.sinceLost(gone)
		f.At = f.At.Add(-f.Outage)
	}
	t.failovers = append(t.failovers, f)
	t.failovers = t.failovers[max(0, len(t.failovers)-keptFailovers):]
}

// sinceLost is for how long the first of ports that were lost since the last look is dead.
func (h *Host) sinceLost(ports []int) time.Duration {
	now := h.lab.Elapsed()
	first := now
	for _, port := range ports {
		if lost := h.miniports[port].lost; lost > 0 && lost >= now-noticing {
			first = min(first, lost)
		}
	}
	if first == now { // lost at the very start of the lab
		return min(noticing, now)
	}
	return now - first
}

// teamSource is the source of the events of teams, which are in no catalogue.
const teamSource = "mux"

// noteCarriers writes which members carry a team's traffic from now on, and which of those before are gone. Dead says
// that one of these was lost.
func (h *Host) noteCarriers(t *team, before, gone []int, dead bool) {
	e := eventlog.Event{Time: h.lab.Now(), Source: teamSource, Channel: "System", Adapter: t.name}
	by := strings.Join(h.connections(t.machine.ActiveSet()), ", ")
	switch {
	case by == "":
		e.Severity, e.Message = eventlog.Error, "Team "+t.name+" is disconnected: "+h.whyTeam(t)
	case len(before) == 0:
		e.Message = "Team " + t.name + " is connected: traffic goes by " + by
	case len(gone) == 0:
		e.Message = "Team " + t.name + ": traffic goes by " + by + " now"
	default:
		if dead {
			e.Severity = eventlog.Warning
		}
		e.Message = "Team " + t.name + ": traffic goes by " + by + ", and no longer by " + strings.Join(h.connections(gone), ", ")
	}
	h.events.Add(e)
}

// lostFrames are the frames that have gone into dead members of a team.
func (h *Host) lostFrames(t *team) [2]uint64 {
	counters := h.lab.Counters()
	return [2]uint64{
		counters[h.lab.VirtualCell(t.slot, device.VirtualReceivedLost)], counters[h.lab.VirtualCell(t.slot, device.VirtualSentLost)],
	}
}

// connections are the names of ports; nil for none.
func (h *Host) connections(ports []int) (names []string) {
	for _, port := range ports {
		names = append(names, h.connection(port))
	}
	return names
}
