package driver

import (
	"fmt"
	"slices"

	"cxdeck/driver/registry"
)

// PendingKey is a key whose stored value has not taken effect yet.
type PendingKey struct {
	// Target is the owner of the key: a connection, a card, a driver ("mlx5") or the host.
	Target string
	// Connections have drivers that still use an older value.
	Connections []string
	registry.Key
}

// Pending returns the keys of the host whose stored values have not taken effect yet, each once, in the order of ports and
// catalogue.
func (h *Host) Pending() []PendingKey {
	waiting := make([][]*registry.Row, len(h.miniports))
	for port := range waiting {
		waiting[port] = h.waitingKeys(port)
	}
	return h.pendingKeys(waiting)
}

// pendingKeys returns the waiting keys of all ports, each once.
func (h *Host) pendingKeys(waiting [][]*registry.Row) (list []PendingKey) {
	at := map[rowPlace]int{}
	for port, rows := range waiting {
		d, _, _ := h.lab.Port(port)
		for _, r := range rows {
			s := rowPlace{h.layout.Place(port, r.Scope), r}
			i, known := at[s]
			if !known {
				i = len(list)
				at[s] = i
				list = append(list, PendingKey{Target: h.layout.Owner(port, r.Scope), Key: h.key(port, r, h.readRegistry(port))})
			}
			list[i].Connections = append(list[i].Connections, d.Connection)
		}
	}
	return list
}

// Waiting returns the keys whose values a plan has changed and that the starts in progress do not bring into effect, each once.
func (h *Host) Waiting(plan Plan) (list []PendingKey) {
	changed := h.changedRows(plan)
	for _, k := range h.Pending() {
		port, err := h.port(k.Connections[0])
		if err != nil {
			continue
		}
		r := &h.catalogue(port).Rows[k.Row.Index]
		_, mine := changed[rowPlace{h.layout.Place(port, r.Scope), r}]
		if m := &h.miniports[port]; mine && (m.state != Restarting || !reads(m.start, r)) {
			list = append(list, k)
		}
	}
	return list
}

// waitingKeys returns the keys of a port whose stored values its driver would read differently now, in the order of the
// catalogue.
func (h *Host) waitingKeys(port int) (list []*registry.Row) {
	if !h.stale(port) {
		return nil
	}
	would := h.readRegistry(port)
	rows := h.catalogue(port).Rows
	for i := range rows {
		if r := &rows[i]; h.isPending(port, r, would) {
			list = append(list, r)
		}
	}
	return list
}

// stale reports whether a stored value of a port differs from the one that its driver has read.
func (h *Host) stale(port int) bool {
	d, _, _ := h.lab.Port(port)
	effective, rows := h.miniports[port].effective, h.catalogue(port).Rows
	for i := range rows {
		r := &rows[i]
		if r.Scope.Stored() && r.Fits(d.Link) && h.stored(port, r) != effective.Reading(r).Stored {
			return true
		}
	}
	return false
}

// isPending reports whether the driver of a port uses another value than it would read now, and will not read it without an
// Operation: a stopped driver reads its keys when it is enabled.
func (h *Host) isPending(port int, r *registry.Row, would *registry.Effective) bool {
	m := &h.miniports[port]
	if (m.state == Stopped || m.state == Failed) && reads(m.start, r) {
		return false
	}
	next, now := would.Reading(r), m.effective.Reading(r)
	return next.Value != now.Value || h.droplessByKey(port, r) && next.Stored.Exists() != now.Stored.Exists()
}

// pending names the changes of the registry that wait for a restart of a port, of its waiting keys; empty when none does.
func (h *Host) pending(port int, keys []*registry.Row) string {
	var first string
	waiting := 0
	for _, r := range keys {
		if !reads(registry.AtRestart, r) {
			continue
		}
		if waiting++; first == "" {
			stored := h.stored(port, r)
			first = r.Name + " " + stored.String()
			if !stored.Exists() {
				first = r.Name + " deleted"
			}
		}
	}
	if waiting > 1 {
		return fmt.Sprintf("%s and %d more", first, waiting-1)
	}
	return first
}

// countWaiting counts the waiting keys of each port, each card and the whole host, where a shared key is one.
func (v *View) countWaiting(pending []PendingKey) {
	v.Waits = len(pending)
	for i := range v.Adapters {
		a := &v.Adapters[i]
		for _, k := range pending {
			here := false
			for j := range a.Ports {
				if p := &a.Ports[j]; slices.Contains(k.Connections, p.Description.Connection) {
					p.Waits++
					here = true
				}
			}
			if here {
				a.Waits++
			}
		}
	}
}
