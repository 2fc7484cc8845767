package registry

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/tuning"
)

// scenario is one of the tuning tool's for certain connections: a profile that depends on the processors that there are.
type scenario struct {
	of          tuning.Scenario
	connections []string
	profile     driver.Profile
	tuned       []tuning.Tuned
	// operations store what is not stored yet; absent are the keys that the connections don't have.
	operations []driver.Operation
	absent     []string
	// refusal is why it doesn't fit the connections, empty when it does.
	refusal string
	// base and number are the processors that it has RSS use, for the one that is told them; nil for the others.
	base, number *int
}

// scenarios are what the tuning tool would store for connections. The manual one takes the processors of the card's node until
// the operator names others.
func (s *snapshot) scenarios(connections []string) (list []scenario) {
	for _, one := range tuning.Scenarios() {
		var base, number *int
		if one.Name == manualScenario {
			base, number = s.usualProcessors(connections)
		}
		list = append(list, s.scenario(one, connections, base, number))
	}
	return list
}

// manualScenario is the name of the scenario that the operator names processors for.
const manualScenario = "manual"

// scenario is what the tuning tool would store for connections.
func (s *snapshot) scenario(one tuning.Scenario, connections []string, base, number *int) scenario {
	next := scenario{
		of: one, connections: connections, profile: driver.Profile{Name: one.Name, About: one.About}, base: base, number: number,
	}
	request := tuning.Request{Scenario: one, NDIS: s.ndis, Base: base, Number: number}
	for _, connection := range connections {
		if p := s.portOf(connection); p != nil {
			request.Connections = append(request.Connections, p.tuning)
		}
	}
	tuned, err := tuning.Tune(request)
	if err != nil {
		next.refusal = err.Error()
		return next
	}
	for i := range tuned { // IPoIB does without some of the keys, and so do cards of the other driver
		absent := func(set tuning.Setting) bool { return !next.set(s, i, set) }
		tuned[i].Settings = slices.DeleteFunc(tuned[i].Settings, absent)
		tuned[i].Chosen = slices.DeleteFunc(tuned[i].Chosen, absent)
	}
	next.tuned = tuned
	return next
}

// set takes up one value of a connection; it says whether the connection has the key.
func (c *scenario) set(s *snapshot, connection int, set tuning.Setting) bool {
	at := s.locate(c.connections[connection], "", set.Key)
	if at < 0 {
		if !slices.Contains(c.absent, set.Key) {
			c.absent = append(c.absent, set.Key)
		}
		return false
	}
	e, value := &s.entries[at], strconv.FormatInt(set.Value, 10)
	if connection == 0 {
		c.profile.Values = append(c.profile.Values, driver.ProfileValue{Key: e.Row.Name, Value: value})
	}
	if v, err := e.Row.Parse(value); err == nil && v != e.Stored {
		c.operations = append(c.operations, e.set(v))
	}
	return true
}

// plan is what stores the scenario.
func (c *scenario) plan() driver.Plan {
	return driver.Plan{Title: c.of.Title(c.connections), Operations: c.operations}
}

// portOf is the port of a connection, nil for none.
func (s *snapshot) portOf(connection string) *port {
	for at := range s.ports {
		if p := &s.ports[at]; p.connection == connection {
			return p
		}
	}
	return nil
}

// mostProposed is how many processors are proposed for RSS at most: as many as a port has queues by default.
const mostProposed = 8

// usualProcessors are those that are proposed for the manual scenario: the first of the node of the first connection's card.
func (s *snapshot) usualProcessors(connections []string) (base, number *int) {
	base, number = new(int), new(int)
	*number = 1
	if len(connections) > 0 {
		if p := s.portOf(connections[0]); p != nil && len(p.tuning.Processors) > 0 {
			*base, *number = p.tuning.Processors[0], min(len(p.tuning.Processors), mostProposed)
		}
	}
	return base, number
}

// readProcessors reads what an operator types for the manual scenario: the first processor and how many, "16 8".
func (s *snapshot) readProcessors(typed string) (base, number *int, err error) {
	words := strings.FieldsFunc(typed, func(r rune) bool { return r == ' ' || r == ',' })
	if len(words) != 2 {
		return nil, nil, errors.New("type two numbers: the first processor, and how many from there on, such as 0 8")
	}
	numbers := [2]*int{new(int), new(int)}
	for i, word := range words {
		if *numbers[i], err = strconv.Atoi(word); err != nil {
			return nil, nil, fmt.Errorf("%q is no number; type two, such as 0 8", word)
		}
	}
	base, number = numbers[0], numbers[1]
	switch {
	case *base < 0 || *base >= s.processors:
		return nil, nil, fmt.Errorf("the host has no processor %d: its %d are 0 to %d", *base, s.processors, s.processors-1)
	case *number < 1 || *number > s.processors-*base:
		return nil, nil, fmt.Errorf("from processor %d on there are %d; take 1 to %d of them", *base, s.processors-*base, s.processors-*base)
	}
	return base, number, nil
}

// beforeEntry is what the keys of a plan had before an entry of the journal applied it, by the numbers of entries.
func (s *snapshot) beforeEntry(entry *driver.Entry) map[int]registry.Value {
	values := map[int]registry.Value{}
	for _, o := range entry.Inverse.Operations {
		if at, v, ok := s.valueOf(o); ok {
			values[at] = v
		}
	}
	return values
}

// log is what the tuning tool's log says of the scenario, once an entry of the journal has applied it.
func (c *scenario) log(s *snapshot, entry *driver.Entry) string {
	before := s.beforeEntry(entry)
	return tuning.Log(entry.Time.UTC(), c.of, c.connections, c.tuned, func(connection int, key string) string {
		at := s.locate(c.connections[connection], "", key)
		e := &s.entries[at]
		v, changed := before[at]
		if !changed {
			v = e.Stored
		}
		if !v.Exists() {
			return ""
		}
		return bare(e.Row, v)
	})
}
