package tuning

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/registry/profile"
)

// Tuning holds the values that a scenario stores for connections of a host.
type Tuning struct {
	Scenario    Scenario
	Connections []TunedConnection
	// Operations store the values that are not stored yet.
	Operations []edit.Operation
}

// TunedConnection holds the values for one connection.
type TunedConnection struct {
	Connection string
	// Restored reports that the values of an installation are restored.
	Restored bool
	Settings []TunedSetting
	// Absent are the keys of the scenario that the connection does not have: IPoIB lacks some, and so do WinOF-2 cards.
	Absent []string
}

// TunedSetting is the new value of a key of a connection.
type TunedSetting struct {
	Row *registry.Row
	// Value is the scenario's value, -1 for automatic.
	Value int64
	// Before is the previous value; it does not exist for a key that was absent.
	Before registry.Value
}

// Connections returns the values that a scenario stores for connections of a host. base is the first processor and number the
// number of processors of the manual scenario, nil for the others. It returns a *RejectedError for a request that the tool
// refuses.
func Connections(g edit.Registry, scenario Scenario, base, number *int, connections ...string) (Tuning, error) {
	t := Tuning{Scenario: scenario}
	host := &g.Lab().Host
	request := Request{Scenario: scenario, NDIS: ndisOf(host.System), Base: base, Number: number}
	for _, connection := range connections {
		port, err := g.Port(connection)
		if err != nil {
			return t, err
		}
		request.Connections = append(request.Connections, Connection{
			InfiniBand: g.Description(port).Link == description.InfiniBand, Processors: NodeProcessors(g.Layout, port),
		})
	}
	if limit := host.NUMANodes * host.ProcessorsPerNode; base != nil && number != nil && *base+*number > limit {
		return t, &RejectedError{Reason: "b_and_n_range", Problem: fmt.Sprintf(
			"the host has processors 0 to %d, which do not include all %d from %d on", limit-1, *number, *base)}
	}
	tuned, err := Tune(request)
	if err != nil {
		return t, err
	}
	for i, connection := range connections {
		result := TunedConnection{Connection: connection, Restored: tuned[i].Restored}
		for _, s := range tuned[i].All() {
			port, r, err := g.Find(connection, "", s.Key)
			if err != nil {
				result.Absent = append(result.Absent, s.Key)
				continue
			}
			before := g.Stored(port, r)
			result.Settings = append(result.Settings, TunedSetting{r, s.Value, before})
			value := strconv.FormatInt(s.Value, 10)
			if wanted, err := r.Parse(value); err == nil && wanted != before {
				t.Operations = append(t.Operations, edit.SetValue{Connection: connection, Key: r.Name, Value: value})
			}
		}
		t.Connections = append(t.Connections, result)
	}
	return t, nil
}

// Absent returns the keys that at least one connection does not have, each once.
func (t *Tuning) Absent() (list []string) {
	for i := range t.Connections {
		for _, key := range t.Connections[i].Absent {
			if !slices.Contains(list, key) {
				list = append(list, key)
			}
		}
	}
	return list
}

// Profile returns the values of the first connection as a profile.
func (t *Tuning) Profile() profile.Profile {
	p := profile.Profile{Name: t.Scenario.Name, About: t.Scenario.About}
	for i := range t.Connections[:min(len(t.Connections), 1)] {
		for _, s := range t.Connections[i].Settings {
			p.Values = append(p.Values, profile.Value{Key: s.Row.Name, Value: strconv.FormatInt(s.Value, 10)})
		}
	}
	return p
}

// Log returns the tuning tool's log entry for a tuning at a time.
func (t *Tuning) Log(at time.Time) string {
	var names []string
	tuned, old := make([]Tuned, len(t.Connections)), make([]map[string]string, len(t.Connections))
	for i := range t.Connections {
		connection := &t.Connections[i]
		names, old[i] = append(names, connection.Connection), map[string]string{}
		for _, s := range connection.Settings {
			tuned[i].Settings = append(tuned[i].Settings, Setting{Key: s.Row.Name, Value: s.Value})
			old[i][s.Row.Name] = s.loggedBefore()
		}
	}
	return Log(at.UTC(), t.Scenario, names, tuned, func(i int, key string) string { return old[i][key] })
}

// loggedBefore returns the previous value in the tool's form: -1 for automatic, empty for none.
func (s *TunedSetting) loggedBefore() string {
	if s.Before.Type() == registry.Number {
		return strconv.FormatInt(int64(int32(s.Before.Number())), 10)
	}
	return s.Before.String()
}

// NodeProcessors returns the processors that the tool prefers for a port: the processors of its card's NUMA node.
func NodeProcessors(l *registry.Layout, port int) (list []int) {
	each := l.Lab().Host.ProcessorsPerNode
	for n := range each {
		list = append(list, l.Card(port).NUMANode*each+n)
	}
	return list
}

// ndisOf returns the NDIS version that the tuning tool finds on a version of Windows.
func ndisOf(system string) NDIS {
	if strings.Contains(system, "2008") {
		return NDIS62
	}
	return NDIS63
}
