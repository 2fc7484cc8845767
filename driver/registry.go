package driver

import (
	"fmt"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/registry/profile"
	"cxdeck/driver/registry/regedit"
	"cxdeck/driver/registry/regfile"
	"cxdeck/driver/registry/tuning"
	"cxdeck/driver/virtualization"
)

// edits returns the registry of the host, to look at and to change.
func (h *Host) edits() edit.Registry {
	return edit.Registry{Layout: h.layout, Hive: h.hive, Changed: h.changed}
}

// stored returns the stored value of a key of a port.
func (h *Host) stored(port int, r *registry.Row) registry.Value {
	return h.hive.Of(h.layout.Place(port, r.Scope), r)
}

// changed makes the drivers that run take up a key that counts at once.
func (h *Host) changed(port int, r *registry.Row) {
	if r.Name == virtualization.PageLimitKey { // the stored limit shows in the reasons of waiting adapters
		h.reallocateVirtual()
	}
	if r.Applies != registry.AtOnce {
		return
	}
	at := h.layout.Place(port, r.Scope)
	for i := range h.miniports {
		m := &h.miniports[i]
		if h.family(i) != r.Family || h.layout.Place(i, r.Scope) != at || m.state != Running {
			continue
		}
		m.effective = m.effective.With(r, h.hive.Of(at, r))
		h.configure(i)
	}
}

// Keys returns the keys of a connection, its card, its driver and the system, in the order of the catalogue. A
// *request.UnknownConnectionError is a name that the host does not have.
func (h *Host) Keys(connection string) ([]registry.Key, error) {
	port, err := h.port(connection)
	if err != nil {
		return nil, err
	}
	return h.keys(port, registry.ConnectionScopes()), nil
}

// AdapterKeys returns the keys of a card that its ports share. A *request.UnknownAdapterError is a name that the host does
// not have.
func (h *Host) AdapterKeys(adapter string) ([]registry.Key, error) {
	a, err := h.adapter(adapter)
	if err != nil {
		return nil, err
	}
	return h.keys(h.layout.FirstPort(a), registry.AdapterScopes()), nil
}

func (h *Host) keys(port int, scopes []registry.Scope) (list []registry.Key) {
	next := h.readRegistry(port)
	for _, r := range h.catalogue(port).List(h.layout.Description(port).Link, scopes...) {
		list = append(list, h.key(port, r, next))
	}
	return list
}

// Registry returns how the driver of a connection would use the values stored now, with the other ports of its card. An
// editor shows its verdicts and the verdicts of proposals made from it. A *request.UnknownConnectionError is a name
// that the host does not have.
func (h *Host) Registry(connection string) (*registry.Effective, error) {
	port, err := h.port(connection)
	if err != nil {
		return nil, err
	}
	return h.effectiveInputs(port), nil
}

// AdapterRegistry returns the same for the keys that the ports of a card share, as its first port has them. A
// *request.UnknownAdapterError is a name that the host does not have.
func (h *Host) AdapterRegistry(adapter string) (*registry.Effective, error) {
	a, err := h.adapter(adapter)
	if err != nil {
		return nil, err
	}
	return h.effectiveInputs(h.layout.FirstPort(a)), nil
}

func (h *Host) effectiveInputs(port int) *registry.Effective {
	_, card, _ := h.lab.Port(port)
	var others []*registry.Effective
	for other := range h.miniports {
		if _, a, _ := h.lab.Port(other); a == card && other != port {
			others = append(others, h.readRegistry(other))
		}
	}
	return h.readRegistry(port).Beside(others...)
}

// Key returns a key of a connection by its name; case and the asterisk at the front don't matter, and "bus-driver/LogNumQP"
// names the scope, too. A *registry.UnknownKeyError names the nearest.
func (h *Host) Key(connection, name string) (registry.Key, error) {
	port, r, err := h.layout.Find(connection, "", name)
	if err != nil {
		return registry.Key{}, err
	}
	return h.key(port, r, h.readRegistry(port)), nil
}

// AdapterKey returns a key that the ports of a card share, by its name, as Key.
func (h *Host) AdapterKey(adapter, name string) (registry.Key, error) {
	port, r, err := h.layout.Find("", adapter, name)
	if err != nil {
		return registry.Key{}, err
	}
	return h.key(port, r, h.readRegistry(port)), nil
}

// key returns a key of a port, with what its driver would make of all that is stored.
func (h *Host) key(port int, r *registry.Row, would *registry.Effective) registry.Key {
	k := h.layout.Key(port, r, h.stored(port, r), h.miniports[port].effective, would)
	if k.Pending = h.keyWaits(port, r, would); k.Pending {
		k.Until = r.Applies
	}
	h.overrideReading(port, &k)
	return k
}

// overrideReading replaces the reading of a key where something other than the registry decides.
func (h *Host) overrideReading(port int, k *registry.Key) {
	switch {
	case k.Row.Name == "roce_mode" && h.withoutRoCE(port) && k.Effective.Exists():
		k.Effective = registry.NumberValue(roceOff)
		k.Why = "SriovPortMode gives all virtual functions to the other port of the card, and this one is native Ethernet without RoCE"
	case k.Row.Name == "NetworkAddress":
		if d, _, _ := h.lab.Port(port); h.mac(port) == d.MAC {
			k.Effective = registry.Value{}
		}
	}
}

// adapter finds a card by its name.
func (h *Host) adapter(name string) (int, error) { return h.layout.Adapter(name) }

func (h *Host) family(port int) description.Family { return h.lab.Family(port) }

func (h *Host) catalogue(port int) *registry.Catalogue { return h.layout.Catalogue(port) }

// planOf returns a plan of Operations on the registry.
func planOf(title string, operations []edit.Operation) Plan {
	plan := Plan{Title: title, Operations: make([]Operation, len(operations))}
	for i, o := range operations {
		plan.Operations[i] = o
	}
	return plan
}

// editsOf returns the Operations of a plan on the registry.
func editsOf(plan Plan) (list []edit.Operation) {
	for _, o := range plan.Operations {
		if o, ok := o.(edit.Operation); ok {
			list = append(list, o)
		}
	}
	return list
}

// Idle reports that an Operation on the registry has nothing to do; see edit.Idle. It is false for any other Operation.
func (h *Host) Idle(o Operation) bool {
	edits, ok := o.(edit.Operation)
	return ok && edit.Idle(h.edits(), edits)
}

// ImportRegistry finds out what a registry file would change, and the plan that changes it, which has no Operations when
// nothing has to change. It changes nothing. It fails when a plan could not hold all changes.
func (h *Host) ImportRegistry(title string, f *regfile.File) (Plan, regedit.Import, error) {
	in, err := regedit.ImportFile(h.edits(), f)
	if n := len(in.Operations); n > maxOperations {
		return Plan{}, regedit.Import{}, fmt.Errorf("the file makes %d changes, and a plan can hold %d; split the file", n, maxOperations)
	}
	return planOf(title, in.Operations), in, err
}

// ExportRegistry returns the registry as a file for regedit; see regedit.Export.
func (h *Host) ExportRegistry(connections ...string) (*regfile.File, error) {
	return regedit.Export(h.edits(), connections...)
}

// RegistryFile returns the values of a plan as a file for regedit, the last one of each. What a file can't do is left out
// and named: restarts, and values that Windows keeps elsewhere. It fails when the plan can't be applied.
func (h *Host) RegistryFile(plan Plan) (f *regfile.File, left []string, err error) {
	if err := h.Check(plan); err != nil {
		return nil, nil, err
	}
	b := regedit.NewBuilder(h.edits())
	for _, o := range plan.Operations {
		whole := false
		if o, ok := o.(edit.Operation); ok {
			if whole, err = b.Add(o); err != nil {
				return nil, nil, err
			}
		}
		if !whole {
			left = append(left, o.Describe())
		}
	}
	return b.File, left, nil
}

// ProfileOf returns a profile of the stored values of a connection; see profile.Of.
func (h *Host) ProfileOf(connection, name string, keys ...string) (profile.Profile, error) {
	return profile.Of(h.edits(), connection, name, keys...)
}

// ApplyProfile returns the plan that stores a profile's values on connections, where they are not stored yet. Keys that a
// connection does not have are left out and named; it fails when nothing is left to do.
func (h *Host) ApplyProfile(p profile.Profile, connections ...string) (plan Plan, absent []string, err error) {
	operations, absent, err := p.Operations(h.edits(), connections...)
	return planOf("Profile "+p.Name, operations), absent, err
}

// Tune returns the values that a scenario of the tuning tool stores for connections, and a plan for the values that differ
// from the stored ones; see tuning.Connections. It changes nothing.
func (h *Host) Tune(scenario tuning.Scenario, base, number *int, connections ...string) (Plan, tuning.Tuning, error) {
	t, err := tuning.Connections(h.edits(), scenario, base, number, connections...)
	return planOf(scenario.Title(connections), t.Operations), t, err
}

// TuningProcessors returns the processors that the tool prefers for a connection. A *request.UnknownConnectionError is a name
// that the host does not have.
func (h *Host) TuningProcessors(connection string) ([]int, error) {
	port, err := h.port(connection)
	if err != nil {
		return nil, err
	}
	return tuning.NodeProcessors(h.layout, port), nil
}
