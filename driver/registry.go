package driver

import (
	"fmt"

	"cxdeck/device/description"
	"cxdeck/driver/journal"
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
	return h.hive.GetRow(h.layout.Place(port, r.Scope), r)
}

// changed has running drivers read a key that takes effect at once.
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
		m.effective = m.effective.With(r, h.hive.GetRow(at, r))
		h.configure(i)
		h.healingSet().IntervalChanged(i)
	}
}

// Keys returns the keys of a connection, its card, its driver and the system, in the order of the catalogue. It returns a
// *request.UnknownConnectionError for an unknown name.
func (h *Host) Keys(connection string) ([]registry.Key, error) {
	port, err := h.port(connection)
	if err != nil {
		return nil, err
	}
	return h.keys(port, registry.ConnectionScopes()), nil
}

// AdapterKeys returns the keys of a card that its ports share. It returns a *request.UnknownAdapterError for an unknown name.
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

// Registry returns how the driver of a connection would use the values stored now, given the other ports of its card. An editor
// takes its verdicts from it, also on proposed values. It returns a *request.UnknownConnectionError for an unknown name.
func (h *Host) Registry(connection string) (*registry.Effective, error) {
	port, err := h.port(connection)
	if err != nil {
		return nil, err
	}
	return h.effectiveInputs(port), nil
}

// AdapterRegistry is Registry for the keys that the ports of a card share, read by its first port. It returns a
// *request.UnknownAdapterError for an unknown name.
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
// names the scope, too. It returns a *registry.UnknownKeyError, with the nearest name, for an unknown key.
func (h *Host) Key(connection, name string) (registry.Key, error) {
	port, r, err := h.layout.Find(connection, "", name)
	if err != nil {
		return registry.Key{}, err
	}
	return h.key(port, r, h.readRegistry(port)), nil
}

// InUse returns the value of a port's key that its driver uses; false for a key that the driver does not have in the scope.
func (h *Host) InUse(port int, scope registry.Scope, name string) (registry.Value, bool) {
	r, ok := h.catalogue(port).Find(name, scope)
	if !ok {
		return registry.Value{}, false
	}
	return h.miniports[port].effective.Reading(r).Value, true
}

// AdapterKey is Key for a key that the ports of a card share.
func (h *Host) AdapterKey(adapter, name string) (registry.Key, error) {
	port, r, err := h.layout.Find("", adapter, name)
	if err != nil {
		return registry.Key{}, err
	}
	return h.key(port, r, h.readRegistry(port)), nil
}

// key returns a key of a port; would are the values that its driver would use if it read the registry now.
func (h *Host) key(port int, r *registry.Row, would *registry.Effective) registry.Key {
	k := h.layout.Key(port, r, h.lab.State(port).Rate, h.stored(port, r), h.miniports[port].effective, would)
	if k.Pending = h.isPending(port, r, would); k.Pending {
		k.TakesEffect = r.Applies
	}
	h.overrideReading(port, &k)
	return k
}

// overrideReading replaces the reading of a key that something other than the registry decides.
func (h *Host) overrideReading(port int, k *registry.Key) {
	switch {
	case k.Row.Name == "roce_mode" && h.withoutRoCE(port) && k.Effective.Exists():
		k.Effective = registry.NumberValue(roceOff)
		k.Reason = "SriovPortMode gives all virtual functions to the other port of the card, and this one is native Ethernet without RoCE"
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
	return Plan{Title: title, Operations: operationsOf(operations)}
}

// operationsOf returns the Operations of a part of the host as Operations.
func operationsOf[O Operation](part []O) []Operation {
	list := make([]Operation, len(part))
	for i, o := range part {
		list[i] = o
	}
	return list
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

// Idle reports that an Operation on the registry would change nothing; see edit.Idle. It is false for any other Operation.
func (h *Host) Idle(o Operation) bool {
	edits, ok := o.(edit.Operation)
	return ok && edit.Idle(h.edits(), edits)
}

// ImportRegistry returns the changes that a registry file would make, and the plan that makes them; the plan has no Operations
// when there are none. The host stays unchanged. It fails when the changes exceed a plan.
func (h *Host) ImportRegistry(title string, f *regfile.File) (Plan, regedit.Import, error) {
	in, err := regedit.ImportFile(h.edits(), f)
	if n := len(in.Operations); n > journal.MaxOperations {
		return Plan{}, regedit.Import{}, fmt.Errorf("the file makes %d changes, and a plan can hold %d; split the file", n, journal.MaxOperations)
	}
	return planOf(title, in.Operations), in, err
}

// ExportRegistry returns the registry as a file for regedit; see regedit.Export.
func (h *Host) ExportRegistry(connections ...string) (*regfile.File, error) {
	return regedit.Export(h.edits(), connections...)
}

// UnknownValues returns the stored values that no driver of the host reads.
func (h *Host) UnknownValues() []regedit.StoredUnknown { return regedit.Unknown(h.edits()) }

// RegistryFile returns the values of a plan as a file for regedit, the last one of each. Operations that a file can't express,
// such as restarts and values that Windows keeps elsewhere, are listed in left. It fails when the plan can't be applied.
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

// ApplyProfile returns the plan that stores a profile's values on connections, where they are not stored yet. absent lists the
// keys that a connection does not have; it fails when there is nothing to store.
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

// TuningProcessors returns the processors that the tool prefers for a connection. It returns a *request.UnknownConnectionError
// for an unknown name.
func (h *Host) TuningProcessors(connection string) ([]int, error) {
	port, err := h.port(connection)
	if err != nil {
		return nil, err
	}
	return tuning.NodeProcessors(h.layout, port), nil
}
