package driver

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/tuning"
)

// Tuning is what a scenario of the tuning tool stores for connections of a host.
type Tuning struct {
	Scenario    tuning.Scenario
	Connections []TunedConnection
	// Plan stores what is not stored yet; it has no Operations when everything is.
	Plan Plan
}

// TunedConnection is what one of them gets.
type TunedConnection struct {
	Connection string
	// Restored says that it is put back to the values of an installation.
	Restored bool
	Settings []TunedSetting
	// Absent are the keys of the scenario that the connection does not have: IPoIB does without some, and so do cards
	// of WinOF-2.
	Absent []string
}

// TunedSetting is a value that a connection gets.
type TunedSetting struct {
	Row *registry.Row
	// Value is that of the scenario, -1 for automatic.
	Value int64
	// Before is what was stored; it does not exist for a key that was absent.
	Before registry.Value
}

// Tune finds what a scenario would store for connections. It changes nothing. Base and number are the first processor
// and the number of them for the manual scenario, nil for the others. The error of the tool is a *tuning.RejectedError.
func (h *Host) Tune(scenario tuning.Scenario, base, number *int, connections ...string) (Tuning, error) {
	t := Tuning{Scenario: scenario, Plan: Plan{Title: scenario.Title(connections)}}
	request := tuning.Request{Scenario: scenario, NDIS: ndisOf(h.lab.Description().Host.System), Base: base, Number: number}
	for _, connection := range connections {
		port, err := h.port(connection)
		if err != nil {
			return t, err
		}
		d, _, _ := h.lab.Port(port)
		request.Connections = append(request.Connections, tuning.Connection{
			InfiniBand: d.Link == description.InfiniBand, Processors: h.nodeProcessors(port),
		})
	}
	if most := h.lab.Processors(); base != nil && number != nil && *base+*number > most {
		return t, &tuning.RejectedError{Reason: "b_and_n_range", Problem: fmt.Sprintf(
			"the host has processors 0 to %d, and not all of the %d from %d on", most-1, *number, *base)}
	}
	tuned, err := tuning.Tune(request)
	if err != nil {
		return t, err
	}
	for i, connection := range connections {
		one := TunedConnection{Connection: connection, Restored: tuned[i].Restored}
		for _, s := range tuned[i].All() {
			port, r, err := h.find(connection, "", s.Key)
			if err != nil {
				one.Absent = append(one.Absent, s.Key)
				continue
			}
			before := h.hive.Of(h.place(port, r.Scope), r)
			one.Settings = append(one.Settings, TunedSetting{r, s.Value, before})
			value := strconv.FormatInt(s.Value, 10)
			if wanted, err := r.Parse(value); err == nil && wanted != before {
				t.Plan.Operations = append(t.Plan.Operations, SetValue{Connection: connection, Key: r.Name, Value: value})
			}
		}
		t.Connections = append(t.Connections, one)
	}
	return t, nil
}

// Absent are the keys that some connection does not have, each once.
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

// Profile has the values that the first connection gets.
func (t *Tuning) Profile() Profile {
	p := Profile{Name: t.Scenario.Name, About: t.Scenario.About}
	for i := range t.Connections[:min(len(t.Connections), 1)] {
		for _, s := range t.Connections[i].Settings {
			p.Values = append(p.Values, ProfileValue{Key: s.Row.Name, Value: strconv.FormatInt(s.Value, 10)})
		}
	}
	return p
}

// Log is what the tuning tool adds to its log for a tuning at a time.
func (t *Tuning) Log(at time.Time) string {
	var names []string
	tuned, old := make([]tuning.Tuned, len(t.Connections)), make([]map[string]string, len(t.Connections))
	for i := range t.Connections {
		one := &t.Connections[i]
		names, old[i] = append(names, one.Connection), map[string]string{}
		for _, s := range one.Settings {
			tuned[i].Settings = append(tuned[i].Settings, tuning.Setting{Key: s.Row.Name, Value: s.Value})
			old[i][s.Row.Name] = s.before()
		}
	}
	return tuning.Log(at.UTC(), t.Scenario, names, tuned, func(i int, key string) string { return old[i][key] })
}

// before is the value as the tool writes it: -1 for automatic, empty for none.
func (s *TunedSetting) before() string {
	if s.Before.Type() == registry.Number {
		return strconv.FormatInt(int64(int32(s.Before.Number())), 10)
	}
	return s.Before.String()
}

// TuningProcessors are the processors that the tool prefers for a connection: those of its card's NUMA node. An
// *UnknownConnectionError is a name that the host does not have.
func (h *Host) TuningProcessors(connection string) ([]int, error) {
	port, err := h.port(connection)
	if err != nil {
		return nil, err
	}
	return h.nodeProcessors(port), nil
}

func (h *Host) nodeProcessors(port int) (list []int) {
	_, a, _ := h.lab.Port(port)
	d := h.lab.Description()
	for n := range d.Host.ProcessorsPerNode {
		list = append(list, d.Adapters[a].NUMANode*d.Host.ProcessorsPerNode+n)
	}
	return list
}

// Processors is how many logical processors the host has.
func (v *View) Processors() int { return v.NUMANodes * v.ProcessorsPerNode }

// ndisOf is the version that the tuning tool finds on a Windows.
func ndisOf(system string) tuning.NDIS {
	if strings.Contains(system, "2008") {
		return tuning.NDIS62
	}
	return tuning.NDIS63
}
