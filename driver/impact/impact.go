// Package impact says what a plan does to the users of a host, and puts it into sentences. It computes nothing: the host does.
package impact

import (
	"fmt"
	"time"
)

// Impact is the effect of a plan on the users of the host: what it interrupts temporarily or permanently, what it removes,
// and what happens to the operator's own session. It is plain data.
type Impact struct {
	// Connections are the ports whose links go down, in the order of the lab; Lost are the ones that stay down.
	Connections, Lost []string
	// Down is how long the longest of the others is down, in lab time.
	Down time.Duration
	// Flows is how many single flows stop, temporarily or permanently, and Rate their present rate, in bits per second.
	Flows int
	Rate  float64
	// Workloads are the groups of flows that stop though their links stay up.
	Workloads []string
	// Teams have a member among Connections; VMs are the running machines whose network stops.
	Teams, VMs []string
	// Stops are the running machines that do not run afterwards.
	Stops []string
	// Session is the effect on the operator's own session, as a sentence without its full stop; empty for nothing.
	Session string
	// Removes are the things that do not exist afterwards, each with its kind: "the team A", "the machine web-01".
	Removes []string
}

// Interrupts reports whether traffic, a running machine or the operator's own session stops, be it for a moment.
func (i *Impact) Interrupts() bool {
	return len(i.Connections) > 0 || len(i.Workloads) > 0 || len(i.VMs) > 0 || len(i.Stops) > 0 || i.Session != ""
}

// Any reports whether the plan interrupts or removes anything, so that it asks before it is applied.
func (i *Impact) Any() bool { return i.Interrupts() || len(i.Removes) > 0 }

// Sentences describe what the plan interrupts and removes, the worst for the operator first; rate writes bits per second. They are
// never empty strings; nil when nothing is interrupted.
func (i *Impact) Sentences(rate func(bits float64) string) (list []string) {
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if i.Session != "" {
		say("%s.", upperFirst(i.Session))
	}
	if len(i.Connections) > 0 || i.Rate > 0 {
		text := "No traffic passes now"
		if i.Rate > 0 {
			text = "It interrupts " + rate(i.Rate) + " in " + CountOf(i.Flows, "flow")
		}
		if len(i.Workloads) > 0 {
			text += " (" + NamesOf(i.Workloads) + ")"
		}
		if down := i.Connections; len(i.Lost) > 0 {
			text += fmt.Sprintf("; %s %s down", NamesOf(i.Lost), verb(len(i.Lost), "stays", "stay"))
		} else if len(down) > 0 && i.Down == 0 { // they are not up now
			text += fmt.Sprintf("; %s %s again", NamesOf(down), verb(len(down), "starts", "start"))
		} else if len(down) > 0 {
			text += fmt.Sprintf("; %s %s down for about %s", NamesOf(down), verb(len(down), "is", "are"), Seconds(i.Down))
		}
		say("%s.", text)
	}
	if len(i.Teams) > 0 {
		say("%s %s %s: %s.", verb(len(i.Teams), "Team", "Teams"), NamesOf(i.Teams), verb(len(i.Teams), "loses a member", "lose members"),
			"other members take over where there are any")
	}
	if len(i.VMs) > 0 {
		say("The network of %s stops: %s.", CountOf(len(i.VMs), "virtual machine"), NamesOf(i.VMs))
	}
	if len(i.Stops) > 0 {
		say("%s %s: %s.", CountOf(len(i.Stops), "running virtual machine"), verb(len(i.Stops), "stops", "stop"), NamesOf(i.Stops))
	}
	if len(i.Removes) > 0 {
		say("It removes %s.", NamesOf(i.Removes))
	}
	return list
}
