package driver

import (
	"fmt"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
)

// Key is one key of a connection or card: what it means, what is stored, and what the driver makes of it.
type Key struct {
	Row *registry.Row
	// Path is the registry key that it is a value of; empty for what is kept elsewhere.
	Path string
	// Stored is the value in the registry; it does not exist for a key that is absent.
	Stored registry.Value
	// Effective is the value that the driver works with now, read when it started. It does not exist when the manuals
	// don't say what the driver does without a value.
	Effective registry.Value
	// Default is the value of a fresh installation.
	Default registry.Value
	// Least and Most are the limits on this port; nil is an end that nothing is known of.
	Least, Most *uint32
	// Pending says that what is stored now will only count later; Until says from when on, and is empty for what
	// counts.
	Pending bool
	Until   registry.Moment
	// Why says why what is stored does not count as it is: "9999 is above the limit of 9614; 9614 is used".
	Why string
}

// The scopes in which a key of a connection or card is looked for, in this order.
var (
	connectionScopes = [...]registry.Scope{
		registry.Miniport, registry.Congestion, registry.BusDevice, registry.RoCE, registry.BusDriver,
		registry.Diagnostics, registry.System,
	}
	adapterScopes = connectionScopes[2:]
)

// Keys are the keys of a connection, in the order of the catalogue: its own, and those of its card, driver and system.
// An *UnknownConnectionError is a name that the host does not have.
func (h *Host) Keys(connection string) ([]Key, error) {
	port, err := h.port(connection)
	if err != nil {
		return nil, err
	}
	return h.keys(port, connectionScopes[:]), nil
}

// AdapterKeys are the keys of a card that its ports share. An *UnknownAdapterError is a name that the host does not
// have.
func (h *Host) AdapterKeys(adapter string) ([]Key, error) {
	a, err := h.adapter(adapter)
	if err != nil {
		return nil, err
	}
	return h.keys(h.firstPort(a), adapterScopes), nil
}

func (h *Host) keys(port int, scopes []registry.Scope) (list []Key) {
	catalogue := h.catalogue(port)
	wanted := map[registry.Scope]bool{}
	for _, s := range scopes {
		wanted[s] = true
	}
	d, _, _ := h.lab.Port(port)
	next := h.readRegistry(port)
	for i := range catalogue.Rows {
		if r := &catalogue.Rows[i]; wanted[r.Scope] && r.Fits(d.Link) {
			list = append(list, h.key(port, r, next))
		}
	}
	return list
}

// Registry is what the driver of a connection would make of all that is stored now; the other ports of its card are
// beside it. Its verdicts, and those of proposals made of it, are what an editor shows. An *UnknownConnectionError is a
// name that the host does not have.
func (h *Host) Registry(connection string) (*registry.Effective, error) {
	port, err := h.port(connection)
	if err != nil {
		return nil, err
	}
	return h.besides(port), nil
}

// AdapterRegistry is the same for the keys that the ports of a card share, as its first port has them. An
// *UnknownAdapterError is a name that the host does not have.
func (h *Host) AdapterRegistry(adapter string) (*registry.Effective, error) {
	a, err := h.adapter(adapter)
	if err != nil {
		return nil, err
	}
	return h.besides(h.firstPort(a)), nil
}

func (h *Host) besides(port int) *registry.Effective {
	_, card, _ := h.lab.Port(port)
	var others []*registry.Effective
	for other := range h.miniports {
		if _, a, _ := h.lab.Port(other); a == card && other != port {
			others = append(others, h.readRegistry(other))
		}
	}
	return h.readRegistry(port).Beside(others...)
}

// Key is a key of a connection by its name; case and the asterisk at the front don't matter, and "bus-driver/LogNumQP"
// names the scope, too. An *UnknownKeyError names the nearest.
func (h *Host) Key(connection, name string) (Key, error) {
	port, r, err := h.find(connection, "", name)
	if err != nil {
		return Key{}, err
	}
	return h.key(port, r, h.readRegistry(port)), nil
}

// AdapterKey is a key that the ports of a card share, by its name, as Key.
func (h *Host) AdapterKey(adapter, name string) (Key, error) {
	port, r, err := h.find("", adapter, name)
	if err != nil {
		return Key{}, err
	}
	return h.key(port, r, h.readRegistry(port)), nil
}

// key is a key of a port, with what its driver would make of all that is stored.
func (h *Host) key(port int, r *registry.Row, would *registry.Effective) Key {
	d, a, _ := h.lab.Port(port)
	m := &h.miniports[port]
	stored := h.hive.Of(h.place(port, r.Scope), r)
	now, next := m.effective.Reading(r), would.Reading(r)
	least, most := would.Bounds(r)
	k := Key{
		Row: r, Path: r.Path(d.Class), Stored: stored, Effective: now.Value, Default: r.Default(d.Link),
		Least: least, Most: most, Why: next.Why, Pending: h.waits(port, r, would),
	}
	if k.Pending {
		k.Until = r.Applies
	}
	h.overrule(port, &k)
	if r.Scope == registry.BusDevice {
		k.Path = r.Path(h.busClass(a))
	}
	k.Row = r.OnPort(d)
	return k
}

// overrule puts what the driver of a port does in place of what it read, where something else than the registry decides.
func (h *Host) overrule(port int, k *Key) {
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

// busClass is the index of the class key of a card's bus device. The manuals' example is 0073: the first card that has
// one has that.
func (h *Host) busClass(adapter int) string {
	index := 73
	for _, a := range h.lab.Description().Adapters[:adapter] {
		if a.Family == description.WinOF {
			index++
		}
	}
	return fmt.Sprintf("%04d", index)
}

// find is the key of a name, on the port that it is for or on one of those that share it.
func (h *Host) find(connection, adapter, name string) (port int, r *registry.Row, err error) {
	target, scopes := connection, connectionScopes[:]
	if connection != "" && adapter != "" {
		return 0, nil, fmt.Errorf("name either a connection or an adapter, not both")
	}
	if connection == "" {
		a, err := h.adapter(adapter)
		if err != nil {
			return 0, nil, err
		}
		port, target, scopes = h.firstPort(a), adapter, adapterScopes
	} else if port, err = h.port(connection); err != nil {
		return 0, nil, err
	}
	d, _, _ := h.lab.Port(port)
	catalogue := h.catalogue(port)
	if r, ok := catalogue.Find(name, scopes...); ok && r.Fits(d.Link) {
		return port, r, nil
	}
	if r, ok := catalogue.Find(name, connectionScopes[:]...); ok && connection == "" {
		return 0, nil, fmt.Errorf("%s belongs to a connection; name one of %s instead of the card", r.Name, adapter)
	}
	nearest := catalogue.Nearest(name, scopes...)
	if r, ok := catalogue.Find(nearest, scopes...); ok && !r.Fits(d.Link) {
		nearest = "" // ports of the other kind have it
	}
	return 0, nil, &UnknownKeyError{Target: target, Key: name, Nearest: nearest}
}

// UnknownKeyError is a key that a connection or card does not have.
type UnknownKeyError struct {
	Target, Key string
	// Nearest is the name that was probably meant; empty when none is near.
	Nearest string
}

// Error says which, and what to do.
func (e *UnknownKeyError) Error() string {
	if e.Nearest != "" {
		return fmt.Sprintf("%s has no key %q; did you mean %s?", e.Target, e.Key, e.Nearest)
	}
	return fmt.Sprintf("%s has no key %q; list its keys to see those that it has", e.Target, e.Key)
}

// UnknownAdapterError is a card that the host does not have.
type UnknownAdapterError struct{ Adapter string }

// Error says which, and what to do.
func (e *UnknownAdapterError) Error() string {
	return fmt.Sprintf("no adapter card is called %q; use a name that the Overview shows, such as \"ConnectX-5 Ex\"", e.Adapter)
}

// adapter finds a card by its name.
func (h *Host) adapter(name string) (int, error) {
	for i := range h.lab.Description().Adapters {
		if h.lab.Description().Adapters[i].Name == name {
			return i, nil
		}
	}
	return 0, &UnknownAdapterError{name}
}

// firstPort is the first port of a card; every card has one.
func (h *Host) firstPort(adapter int) int {
	for port := range h.miniports {
		if _, a, _ := h.lab.Port(port); a == adapter {
			return port
		}
	}
	panic("driver: a card without ports")
}

func (h *Host) family(port int) description.Family { return h.lab.Family(port) }

func (h *Host) catalogue(port int) *registry.Catalogue { return registry.Keys(h.family(port)) }

// place is where the keys of a scope are for a port.
func (h *Host) place(port int, scope registry.Scope) registry.Place {
	_, a, _ := h.lab.Port(port)
	switch scope {
	case registry.Miniport, registry.Congestion:
		return registry.Place{Scope: scope, Index: port}
	case registry.BusDevice:
		return registry.Place{Scope: scope, Index: a}
	case registry.System:
		return registry.Place{Scope: scope}
	default:
		return registry.Place{Scope: scope, Index: int(h.lab.Description().Adapters[a].Family)}
	}
}
