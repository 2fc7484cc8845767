package counters

import (
	"fmt"
	"time"

	"cxdeck/ui"
)

// maxPastHosts is the largest number of hosts whose past is shown together; it limits what the server is asked for.
const maxPastHosts = 8

// pastLength is how far back a time may be that is typed in the present; a shown past reaches back to its first sample.
const pastLength = 90 * 24 * time.Hour

// goBackActions returns the action that goes back in time on the hosts of the curves; none outside the present of a fleet.
func (s *Screen) goBackActions() []ui.Action {
	if s.deck.OpenPast == nil || s.deck.InPast() {
		return nil
	}
	a := ui.Action{ID: "counters.go-back", Keys: []string{"{"}, Name: "go back", Disabled: s.deck.CannotGoBack(),
		Help: "Go back in time on the hosts of the shown counters, a minute to begin with; @ types a time",
		Run:  func() ui.Cmd { return s.goBack(s.cursorTime().Add(-time.Minute)) }}
	if a.Disabled == "" && len(s.curves) == 0 {
		a.Disabled = "no counter is shown; a adds some"
	}
	return []ui.Action{a}
}

// goBack opens the past of the hosts of the curves at a time, the host of the selected curve first.
func (s *Screen) goBack(at time.Time) ui.Cmd {
	var instances []string
	if i := s.selected(); i >= 0 {
		instances = append(instances, s.curves[i].instance)
	}
	for i := range s.curves {
		instances = append(instances, s.curves[i].instance)
	}
	hosts := s.deck.HostsOf(instances)
	switch {
	case len(hosts) == 0:
		return ui.Toast(ui.Caution, "The shown counters belong to no host; Enter on a host of Overview shows its counters.")
	case len(hosts) > maxPastHosts:
		return ui.Batch(s.deck.GoBack(hosts[:maxPastHosts], at),
			ui.Toast(ui.Note, fmt.Sprintf("The past of %d of the %d hosts is read.", maxPastHosts, len(hosts))))
	}
	return s.deck.GoBack(hosts, at)
}
