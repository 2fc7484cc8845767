package teaming

import (
	"fmt"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/ui"
	"cxdeck/ui/widget/wizard"
)

// waiting returns the reason why a restarted port is not up yet; empty if it is up or can't come up.
func (v *View) waiting(o driver.Operation) string {
	restart, ok := o.(driver.Restarter)
	if !ok {
		return ""
	}
	connection := restart.Restarts()
	p := v.port(connection)
	if p == nil || !p.Cabled || p.State == driver.Stopped || p.State == driver.Failed {
		return ""
	}
	if m := v.member(connection); m != nil && m.Status != mux.Connected {
		return m.Why
	}
	switch {
	case p.State == driver.Restarting:
		return "its driver is starting"
	case !p.Up:
		return "its link is coming up"
	default:
		return ""
	}
}

// drillKey is the key that begins a drill from a result.
const drillKey = "drill"

// outcome returns the state of a team after its plan has been applied.
func (v *View) outcome(team string) wizard.Result {
	r := wizard.Result{Mark: wizard.Good, Word: "done", Text: "All changes of the plan are in effect."}
	t := v.teamNamed(team)
	if t == nil {
		return r
	}
	r.Text = t.Name + " is up."
	if !t.Connected || t.Why != "" {
		r.Mark, r.Word = wizard.Warn, "partly done"
		r.Text = fmt.Sprintf("%s is degraded: %s.", t.Name, t.Why)
	}
	if !t.Connected {
		r.Text = fmt.Sprintf("%s exists but is not up: %s.", t.Name, t.Why)
	}
	for i := range t.Members {
		r.Facts = append(r.Facts, memberFact(&t.Members[i]))
	}
	if len(t.Members) > 1 && t.Connected {
		r.Next = []wizard.Key{{ID: drillKey, Key: "B", Name: "drill",
			Help: "Pull the cable of the active member for a few seconds"}}
	}
	return r
}

// runOffered runs the action that a result of outcome offers.
func (v *View) runOffered(id string) (cmd ui.Cmd, known bool) {
	if id != drillKey {
		return nil, false
	}
	if a := v.drillAction(); a.Disabled == "" {
		return a.Run(), true
	}
	return nil, true
}

func memberFact(m *teams.MemberView) wizard.Fact {
	f := wizard.Fact{Mark: wizard.Good, Label: m.Connection, Word: strings.ToLower(m.Role.String()),
		Text: m.Why}
	switch {
	case m.Status != mux.Connected:
		f.Mark, f.Word = wizard.Down, strings.ToLower(m.Status.String())
	case m.Role == mux.Backup:
		f.Mark = wizard.Down
	}
	return f
}
