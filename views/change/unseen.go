package change

import (
	"fmt"
	"slices"

	"cxdeck/driver"
)

// newEffects lists the effects of a new review of a plan that an earlier review, which the operator has read, did not have: others
// may have changed the host in between. Each is a sentence without a full stop. Rates and times are left out, as they vary by
// themselves.
func newEffects(read, now *driver.Review) (list []string) {
	seen := effectsOf(read)
	for _, effect := range effectsOf(now) {
		if !slices.Contains(seen, effect) {
			list = append(list, effect)
		}
	}
	return list
}

// effectsOf lists the effects of a plan on values and on the users of the host.
func effectsOf(r *driver.Review) (list []string) {
	add := func(format string, names []string) {
		for _, name := range names {
			list = append(list, fmt.Sprintf(format, name))
		}
	}
	for i := range r.Changes {
		c := &r.Changes[i]
		value := "is absent"
		if c.From.Exists() {
			value = "is " + c.From.String()
		}
		list = append(list, fmt.Sprintf("%s of %s %s now", c.Row.Name, c.Target, value))
	}
	add("%s goes down", r.Impact.Connections)
	add("%s stays down", r.Impact.Lost)
	add("the team %s has a member that goes down", r.Impact.Teams)
	add("the network of the machine %s stops", r.Impact.VMs)
	add("the machine %s stops", r.Impact.Stops)
	add("it removes %s", r.Impact.Removes)
	return list
}
