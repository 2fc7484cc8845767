package teams

import (
	"slices"
	"strings"
	"time"

	"cxdeck/device/counter"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/teams/mux"
)

// Failover is a change after which a member no longer carries a team's traffic: its link failed, it was detached, or the
// primary member took over again. It is an interruption when the team was down and no other member took over: see TookOver.
type Failover struct {
	// At is the time at which the member was lost; From and To are the connections that carried traffic before and after. To is
	// empty while the team is disconnected.
	At       time.Time
	From, To []string
	// Outage is the time for which traffic went into a dead member or found none. LostReceived and LostSent are the frames that
	// a dead member lost. A member that hands over while it is connected loses none.
	Outage                 time.Duration
	LostReceived, LostSent uint64
	// Down reports that no member carried traffic for a time. Stopped reports that this was because the drivers of all members
	// were stopped: with the host, for a restart, or by the operator.
	Down    bool `json:",omitempty"`
	Stopped bool `json:",omitempty"`
}

// TookOver reports whether a member took over traffic of another. It is false for a team that is down, that came back with the
// members that it had before, or whose members were all stopped.
func (f *Failover) TookOver() bool {
	if f.To == nil || f.Stopped || slices.Equal(f.From, f.To) {
		return false
	}
	return !f.Down || slices.ContainsFunc(f.To, func(name string) bool { return !slices.Contains(f.From, name) })
}

// FailoverCost is the total cost of failovers, in the units of a Failover.
type FailoverCost struct {
	Outage                 time.Duration
	LostReceived, LostSent uint64
}

// FailoversSince returns a team's failovers from a moment on, and their cost: the measure of a drill.
func (t *View) FailoversSince(moment time.Time) (list []Failover, cost FailoverCost) {
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

// maxFailovers is the number of failovers that a team keeps.
const maxFailovers = 8

// recordFailover adds a failover when a member no longer carries a team's traffic.
func (s Set) recordFailover(t *Team, before []int) {
	after, was := t.Machine.ActiveSet(), t.lost
	t.lost = s.lostFrames(t)
	if slices.Equal(before, after) {
		return
	}
	if n := len(t.Failovers); n > 0 && t.Failovers[n-1].To == nil && len(after) > 0 {
		last := &t.Failovers[n-1]
		last.To, last.Outage = s.connections(after), s.Lab().Now().Sub(last.At)
	}
	stopped := slices.DeleteFunc(slices.Clone(before), func(port int) bool { return slices.Contains(after, port) })
	// A detached member is down only because its adapter restarts.
	dead := slices.ContainsFunc(stopped, func(port int) bool {
		return s.memberStatus(port) != mux.Connected && s.TeamOf(port) == t
	})
	s.logCarriers(t, before, stopped, dead)
	if len(stopped) == 0 {
		return
	}
	f := Failover{
		At: s.Lab().Now(), From: s.connections(before), To: s.connections(after),
		LostReceived: t.lost[0] - was[0], LostSent: t.lost[1] - was[1], Down: len(after) == 0,
	}
	f.Stopped = f.Down && !slices.ContainsFunc(stopped, s.Running)
	if dead {
		f.Outage = s.timeSinceLoss(stopped)
		f.At = f.At.Add(-f.Outage)
	}
	t.Failovers = append(t.Failovers, f)
	t.Failovers = t.Failovers[max(0, len(t.Failovers)-maxFailovers):]
}

// timeSinceLoss returns the time since the first of the links that were lost since the last update was lost.
func (s Set) timeSinceLoss(ports []int) time.Duration {
	now := s.Lab().Elapsed()
	first := now
	for _, port := range ports {
		if lost := s.LinkLost(port); lost > 0 && lost >= now-Reaction {
			first = min(first, lost)
		}
	}
	if first == now { // lost at the very start of the lab
		return min(Reaction, now)
	}
	return now - first
}

// Source is the source of the events of teams, which are in no catalogue.
const Source = "mux"

// logCarriers logs the members that carry a team's traffic from now on, and the members that no longer do. dead reports that
// one of the latter has failed.
func (s Set) logCarriers(t *Team, before, gone []int, dead bool) {
	e := eventlog.Event{Time: s.Lab().Now(), Source: Source, Channel: "System", Adapter: t.Name}
	by := strings.Join(s.connections(t.Machine.ActiveSet()), ", ")
	switch {
	case by == "":
		e.Severity, e.Message = eventlog.Error, "Team "+t.Name+" is disconnected: "+s.whyTeam(t)
	case len(before) == 0:
		e.Message = "Team " + t.Name + " is connected: traffic flows through " + by
	case len(gone) == 0:
		e.Message = "Team " + t.Name + ": traffic now flows through " + by
	default:
		if dead {
			e.Severity = eventlog.Warning
		}
		e.Message = "Team " + t.Name + ": traffic flows through " + by + ", no longer through " + strings.Join(s.connections(gone), ", ")
	}
	s.Log(e)
}

// lostFrames returns the frames that dead members of a team have lost, received and sent.
func (s Set) lostFrames(t *Team) [2]uint64 {
	counters := s.Lab().Counters()
	return [2]uint64{
		counters[s.Lab().VirtualCell(t.Slot, counter.VirtualReceivedLost)], counters[s.Lab().VirtualCell(t.Slot, counter.VirtualSentLost)],
	}
}

// connections returns the names of ports; nil for none.
func (s Set) connections(ports []int) (names []string) {
	for _, port := range ports {
		names = append(names, s.Lab().Connection(port))
	}
	return names
}
