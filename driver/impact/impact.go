// Package impact describes the effect of a plan on the users of a host, in sentences. The host computes the effect.
package impact

import (
	"fmt"
	"time"

	"cxdeck/driver/wording"
)

// Impact is the effect of a plan on the users of the host: what it interrupts temporarily or permanently, what it removes,
// and what happens to the operator's own session. It is plain data.
type Impact struct {
	// Connections are the ports whose links go down, in the order of the lab; Lost are the ones that stay down.
	Connections, Lost []string
	// Down is the longest downtime of the other ports, in lab time.
	Down time.Duration
	// Flows is the number of single flows that stop, temporarily or permanently, and Rate their current rate in bits per
	// second.
	Flows int
	Rate  float64
	// Workloads are the groups of flows that stop though their links stay up.
	Workloads []string
	// Teams have a member among Connections; VMs are the running machines whose network stops.
	Teams, VMs []string
	// Stops are the running machines that do not run afterwards.
	Stops []string
	// Session is the effect on the operator's own session, as a sentence without a full stop; empty for none.
	Session string
	// Removes are the objects that no longer exist afterwards, each with its kind: "the team A", "the machine web-01".
	Removes []string
}

// Interrupts reports whether traffic, a running machine or the operator's own session stops, even for a moment.
func (i *Impact) Interrupts() bool {
	return len(i.Connections) > 0 || len(i.Workloads) > 0 || len(i.VMs) > 0 || len(i.Stops) > 0 || i.Session != ""
}

// Any reports whether the plan interrupts or removes anything, so that it needs a confirmation.
func (i *Impact) Any() bool { return i.Interrupts() || len(i.Removes) > 0 }

// Sentences describes the interruptions and removals, the worst for the operator first; rate formats bits per second. No
// sentence is empty; the list is nil without any effect.
func (i *Impact) Sentences(rate func(bits float64) string) (list []string) {
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if i.Session != "" {
		say("%s.", wording.UpperFirst(i.Session))
	}
	if len(i.Connections) > 0 || i.Rate > 0 {
		text := "No traffic passes now"
		if i.Rate > 0 {
			text = "It interrupts " + rate(i.Rate) + " in " + wording.Count(i.Flows, "flow")
		}
		if len(i.Workloads) > 0 {
			text += " (" + wording.Names(i.Workloads) + ")"
		}
		if down := i.Connections; len(i.Lost) > 0 {
			text += fmt.Sprintf("; %s %s down", wording.Names(i.Lost), wording.Verb(len(i.Lost), "stays", "stay"))
		} else if len(down) > 0 && i.Down == 0 { // they are not up now
			text += fmt.Sprintf("; %s %s again", wording.Names(down), wording.Verb(len(down), "starts", "start"))
		} else if len(down) > 0 {
			text += fmt.Sprintf("; %s %s down for about %s", wording.Names(down), wording.Verb(len(down), "is", "are"), wording.Seconds(i.Down))
		}
		say("%s.", text)
	}
	if len(i.Teams) > 0 {
		say("%s %s %s: %s.", wording.Verb(len(i.Teams), "Team", "Teams"), wording.Names(i.Teams), wording.Verb(len(i.Teams), "loses a member", "lose members"),
			"other members take over where there are any")
	}
	if len(i.VMs) > 0 {
		say("The network of %s stops: %s.", wording.Count(len(i.VMs), "virtual machine"), wording.Names(i.VMs))
	}
	if len(i.Stops) > 0 {
		say("%s %s: %s.", wording.Count(len(i.Stops), "running virtual machine"), wording.Verb(len(i.Stops), "stops", "stop"), wording.Names(i.Stops))
	}
	if len(i.Removes) > 0 {
		say("It removes %s.", wording.Names(i.Removes))
	}
	return list
}
