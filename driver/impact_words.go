package driver

import (
	"fmt"
	"strings"
	"time"
)

// maxNamed is how many things of a kind a sentence names.
const maxNamed = 4

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
			text = "It interrupts " + rate(i.Rate) + " in " + countOf(i.Flows, "flow")
		}
		if len(i.Workloads) > 0 {
			text += " (" + namesOf(i.Workloads) + ")"
		}
		if down := i.Connections; len(i.Lost) > 0 {
			text += fmt.Sprintf("; %s %s down", namesOf(i.Lost), verb(len(i.Lost), "stays", "stay"))
		} else if len(down) > 0 && i.Down == 0 { // they are not up now
			text += fmt.Sprintf("; %s %s again", namesOf(down), verb(len(down), "starts", "start"))
		} else if len(down) > 0 {
			text += fmt.Sprintf("; %s %s down for about %s", namesOf(down), verb(len(down), "is", "are"), seconds(i.Down))
		}
		say("%s.", text)
	}
	if len(i.Teams) > 0 {
		say("%s %s %s: %s.", verb(len(i.Teams), "Team", "Teams"), namesOf(i.Teams), verb(len(i.Teams), "loses a member", "lose members"),
			"other members take over where there are any")
	}
	if len(i.VMs) > 0 {
		say("The network of %s stops: %s.", countOf(len(i.VMs), "virtual machine"), namesOf(i.VMs))
	}
	if len(i.Stops) > 0 {
		say("%s %s: %s.", countOf(len(i.Stops), "running virtual machine"), verb(len(i.Stops), "stops", "stop"), namesOf(i.Stops))
	}
	if len(i.Removes) > 0 {
		say("It removes %s.", namesOf(i.Removes))
	}
	return list
}

// namesOf lists names: "a, b and 3 others".
func namesOf(names []string) string {
	if rest := len(names) - maxNamed; rest > 1 {
		return strings.Join(names[:maxNamed], ", ") + fmt.Sprintf(" and %d others", rest)
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return strings.Join(names, "")
}

// countOf returns a number with its noun: "1 flow", "3 flows".
func countOf(n int, noun string) string { return fmt.Sprintf("%d %s", n, verb(n, noun, noun+"s")) }

func upperFirst(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

func verb(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// seconds returns a length of time as a person says it.
func seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%g s", d.Round(500*time.Millisecond).Seconds())
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}
