package registry

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/profile"
	"cxdeck/driver/registry/tuning"
	"cxdeck/driver/request"
	"cxdeck/views/registry/keyset"
)

// scenario is a scenario of the tuning tool for certain connections.
type scenario struct {
	of          tuning.Scenario
	connections []string
	plan        driver.Plan
	tuned       tuning.Tuning
	profile     profile.Profile
	// refusal is the reason why it can't be used for the connections; empty if it can.
	refusal string
	// base and number are the first RSS processor and their count, for the manual scenario; nil for the others.
	base, number *int
}

// scenarios lists the values that the tuning tool would store for connections of a host. The manual scenario uses the
// processors of the card's node until the operator names others.
func scenarios(h *driver.Host, connections []string) (list []scenario) {
	for _, scenario := range tuning.Scenarios() {
		var base, number *int
		if scenario.Name == manualScenario {
			base, number = usualProcessors(h, connections)
		}
		list = append(list, newScenario(h, scenario, connections, base, number))
	}
	return list
}

// manualScenario is the name of the scenario for which the operator chooses processors.
const manualScenario = "manual"

func newScenario(h *driver.Host, s tuning.Scenario, connections []string, base, number *int) scenario {
	next := scenario{of: s, connections: connections, base: base, number: number}
	var err error
	if next.plan, next.tuned, err = h.Tune(s, base, number, connections...); err != nil {
		next.refusal = err.Error()
		var rejected *tuning.RejectedError
		if errors.As(err, &rejected) && rejected.Reason == "c2_required" {
			next.refusal += "; select the branch of the card in the tree to take both of its ports"
		}
	}
	next.profile = next.tuned.Profile()
	return next
}

// maxProposed is the maximum default number of RSS processors: a port has as many queues by default.
const maxProposed = 8

// usualProcessors returns the default of the manual scenario: the first processors of the NUMA node of the first connection's
// card.
func usualProcessors(h *driver.Host, connections []string) (base, number *int) {
	base, number = new(int), new(int)
	*number = 1
	if len(connections) > 0 {
		if list, err := h.TuningProcessors(connections[0]); err == nil && len(list) > 0 {
			*base, *number = list[0], min(len(list), maxProposed)
		}
	}
	return base, number
}

// readProcessors parses the processors of the manual scenario: the first one and their number, "16 8".
func readProcessors(s *keyset.Snapshot, typed string) (base, number *int, err error) {
	words := strings.FieldsFunc(typed, func(r rune) bool { return r == ' ' || r == ',' })
	if len(words) != 2 {
		return nil, nil, errors.New("type two numbers, the first processor and the count, such as 0 8")
	}
	numbers := [2]*int{new(int), new(int)}
	for i, word := range words {
		if *numbers[i], err = strconv.Atoi(word); err != nil {
			return nil, nil, request.Errorf("invalid number %q; type two numbers, such as 0 8", word)
		}
	}
	base, number = numbers[0], numbers[1]
	switch {
	case *base < 0 || *base >= s.Processors:
		return nil, nil, fmt.Errorf("the host has no processor %d: it has %d, 0 to %d", *base, s.Processors, s.Processors-1)
	case *number < 1 || *number > s.Processors-*base:
		return nil, nil, fmt.Errorf("from processor %d on there are %d: choose 1 to %d", *base, s.Processors-*base, s.Processors-*base)
	}
	return base, number, nil
}

// log returns the tuning tool's log of the scenario, once an entry of the journal has applied it.
func (c *scenario) log(s *keyset.Snapshot, entry *driver.Entry) string {
	before := map[int]registry.Value{}
	for _, o := range entry.Inverse.Operations {
		if at, v, ok := s.ValueOf(o); ok {
			before[at] = v
		}
	}
	for i := range c.tuned.Connections {
		tuned := &c.tuned.Connections[i]
		for j := range tuned.Settings { // a value may have changed between the review and the plan
			if v, changed := before[s.Locate(tuned.Connection, "", tuned.Settings[j].Row.Name)]; changed {
				tuned.Settings[j].Before = v
			}
		}
	}
	return c.tuned.Log(entry.Time)
}
