package driver

import (
	"cmp"
	"slices"
	"time"

	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
)

// Restart is an Operation that stops adapters, with the traffic that it interrupts.
type Restart struct {
	Operation Operation
	// Needed reports that the plan lacks it, and that its values need it to take effect.
	Needed bool
	// Connections are the names of the connections that go down.
	Connections []string
	// Down is the longest of their downtimes, in lab time; Back is false when one of them stays down.
	Down time.Duration
	Back bool
	// Flows are the flows through them now, fastest first; Rate is the sum of their rates in bits per second.
	Flows []InterruptedFlow
	Rate  float64
	// Teams are teams whose traffic other members take over; their flows continue and are not in Flows.
	Teams []string
	// VirtualFunctions is the number of virtual functions that are removed and return with their ports.
	VirtualFunctions int
	// Management reports that the operator's own session goes through one of them.
	Management bool
}

// InterruptedFlow is a group of flows that a restart interrupts.
type InterruptedFlow struct {
	Name       string `json:"name"`
	Connection string `json:"connection"`
	// Tuples is the number of single flows in the group.
	Tuples int `json:"-"`
	// Rate is the current throughput in both directions, in bits per second.
	Rate float64 `json:"bits_per_second"`
}

// interruption returns the traffic that an Operation interrupts; ok is false when it stops no adapter.
func (h *Host) interruption(o Operation, downs []downtime) (restart Restart, ok bool) {
	ports, _ := h.starts(o)
	switch o := o.(type) {
	case adapters.DisableAdapter, hardware.PullCable, virtualization.SetNumVFs:
		if port, err := h.port(o.Target()); err == nil {
			ports = []int{port}
		}
	case teams.Operation:
		ports = h.restartedPorts(o)
	}
	if len(ports) == 0 {
		return Restart{}, false
	}
	r := Restart{Operation: o, Back: true}
	for _, port := range ports {
		if h.miniports[port].state == Stopped {
			continue
		}
		d, _, _ := h.lab.Port(port)
		r.Connections = append(r.Connections, d.Connection)
		r.Down = max(r.Down, downs[port].down)
		r.Back = r.Back && downs[port].back
		r.VirtualFunctions += h.lab.VirtualFunctions(port)
		r.Management = r.Management || port == h.management
	}
	ofTeam, _ := o.(teams.Operation)
	for i := range h.team.Teams {
		if t := &h.team.Teams[i]; h.teamSet().TakesOver(t, ofTeam, ports) {
			r.Teams = append(r.Teams, t.Name)
		}
	}
	for i, f := range h.lab.Flows() {
		if rate := f.ReceiveRate + f.SendRate; rate > 0 && h.teamSet().Interrupts(ofTeam, ports, i, f.Port) {
			d, _, _ := h.lab.Port(f.Port)
			r.Flows = append(r.Flows, InterruptedFlow{f.Name, d.Connection, f.Tuples, rate})
			r.Rate += rate
		}
	}
	slices.SortStableFunc(r.Flows, func(a, b InterruptedFlow) int { return cmp.Compare(b.Rate, a.Rate) })
	return r, true
}

// ManagementRisk is the effect of a plan on the operator's own session.
type ManagementRisk struct {
	// Connection carries the session; empty when none is marked.
	Connection string
	// Touched reports that the plan changes something there: it had better be applied with a confirmation.
	Touched bool
	// Down is the downtime of its link, in lab time; Lost reports that the link stays down.
	Down time.Duration
	Lost bool
	// Why says what happens to the session, as a sentence without a full stop; empty when nothing does.
	Why string
}

// managementRisk returns the effect of the plan of a review, which was run on a copy, on the operator's own session.
func (h *Host) managementRisk(done *Host, review *Review, downs []downtime) ManagementRisk {
	risk := ManagementRisk{Connection: h.Management()}
	if h.management == nowhere {
		return risk
	}
	port := h.management
	risk.Down = downs[port].down
	risk.Lost = !downs[port].back || h.miniports[port].state == Running && done.miniports[port].state != Running
	switch {
	case done.miniports[port].state == Failed && h.miniports[port].state != Failed:
		risk.Why = "the driver of " + risk.Connection + ", which carries your session, does not start with these values"
	case risk.Lost:
		risk.Why = "the link of " + risk.Connection + ", which carries your session, stays down"
	case risk.Down > 0:
		risk.Why = "the link of " + risk.Connection + ", which carries your session, goes down for " + downtimeText(risk.Down)
	}
	if t := done.team.TeamOf(port); t != nil && h.team.TeamOf(port) != nil && t.Machine.Connected() && (risk.Lost || risk.Down > 0) {
		risk.Lost, risk.Down = false, teams.Reaction
		for _, f := range t.Failovers {
			if !f.At.Add(teams.Reaction).Before(h.Now()) {
				risk.Down = max(risk.Down, f.Outage)
			}
		}
		risk.Why = "the link of " + risk.Connection + " goes down, and other members of its team carry your session"
	}
	risk.Touched = risk.Lost || risk.Down > 0
	for _, o := range review.Plan.Operations {
		_, mark := o.(adapters.MarkManagement)
		if risk.Touched || mark {
			continue
		}
		if _, _, _, value := valueOf(o); o.Target() == risk.Connection || value && slices.ContainsFunc(review.Changes, func(c Change) bool {
			return c.Row.Family == h.family(port) && h.layout.Place(port, c.Row.Scope) == h.layout.Place(c.port, c.Row.Scope)
		}) {
			risk.Touched = true
			risk.Why = "it changes " + risk.Connection + ", which carries your session"
		}
	}
	return risk
}

// downtimeText returns a downtime in words.
func downtimeText(d time.Duration) string {
	if d < 10*time.Second {
		return "a moment"
	}
	return "about " + wording.Seconds(d)
}
