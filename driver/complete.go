package driver

import (
	"slices"

	"cxdeck/driver/adapters"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
)

// Complete appends to a plan the restarts of adapters, reloads of drivers or reboot that its values need to take effect and
// that it lacks. A plan that can't be applied is returned unchanged. Values that take effect only for new virtual machines need
// none of them.
func (h *Host) Complete(plan Plan) Plan {
	done := h.Clone()
	if _, err := done.run(plan); err != nil {
		return plan
	}
	return Plan{Title: plan.Title, Operations: append(slices.Clone(plan.Operations), done.startsNeededBy(plan)...)}
}

// startsNeededBy returns the restarts, reloads or reboot after which the values of a plan take effect on a host on which it was
// run, none larger than a value needs.
func (h *Host) startsNeededBy(plan Plan) (list []Operation) {
	moments := h.moments(plan)
	if slices.Contains(moments, registry.AtReboot) {
		return []Operation{adapters.Reboot{Host: h.lab.Description().Host.Name}}
	}
	for port, moment := range moments {
		d, _, _ := h.lab.Port(port)
		driver := h.family(port).Driver()
		var o Operation
		switch moment {
		case registry.AtReload:
			o = adapters.ReloadDriver{Driver: driver}
		case registry.AtRestart:
			if o = (adapters.RestartAdapter{Connection: d.Connection}); slices.Contains(list, Operation(adapters.ReloadDriver{Driver: driver})) || h.needsReload(driver, moments) {
				continue
			}
		default:
			continue
		}
		if !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	return list
}

// needsReload reports whether a port of a driver needs a reload of it.
func (h *Host) needsReload(driver string, moments []registry.EffectTime) bool {
	ports, _ := h.driverPorts(driver) // the host has it
	return slices.ContainsFunc(ports, func(port int) bool { return moments[port] == registry.AtReload })
}

// moments returns for each port the kind of start after which the values of a plan take effect; empty when none is needed.
func (h *Host) moments(plan Plan) []registry.EffectTime {
	list := make([]registry.EffectTime, len(h.miniports))
	changed := h.changedRows(plan)
	for port := range h.miniports {
		m := &h.miniports[port]
		for _, r := range h.waitingKeys(port) {
			_, mine := changed[rowPlace{h.layout.Place(port, r.Scope), r}]
			if !mine || m.state == Restarting && reads(m.start, r) {
				continue
			}
			list[port] = laterMoment(list[port], r.Applies)
		}
		if m.state == Failed && list[port] == "" && h.hasChangedKey(port, changed) {
			list[port] = registry.AtRestart // an adapter that did not start may start now
		}
	}
	return list
}

// hasChangedKey reports whether a port has one of the changed keys.
func (h *Host) hasChangedKey(port int, changed map[rowPlace]bool) bool {
	for at := range changed {
		if at.row.Family == h.family(port) && h.layout.Place(port, at.row.Scope) == at.place {
			return true
		}
	}
	return false
}

// rowPlace is a key with the place of its value.
type rowPlace struct {
	place registry.Place
	row   *registry.Row
}

// changedRows returns the keys that a plan stores or deletes.
func (h *Host) changedRows(plan Plan) map[rowPlace]bool {
	rows := map[rowPlace]bool{}
	for _, o := range plan.Operations {
		if o, ok := o.(edit.Operation); ok {
			values, _ := o.Resolve(h.edits()) // empty when it can't be applied
			for i := range values {
				if v := &values[i]; v.Row != nil {
					rows[rowPlace{v.Place, v.Row}] = true
				}
			}
		}
	}
	return rows
}

// valueOf returns the owner and the key of an Operation on a value; ok is false for any other Operation.
func valueOf(o Operation) (connection, adapter, key string, ok bool) {
	w, ok := o.(edit.Writer)
	if !ok {
		return "", "", "", false
	}
	connection, adapter, key = w.Writes()
	return connection, adapter, key, true
}

// laterMoment returns the moment that stops more of the host. It is never AtNewVM: no Operation restarts for that.
func laterMoment(a, b registry.EffectTime) registry.EffectTime {
	order := []registry.EffectTime{"", registry.AtRestart, registry.AtReload, registry.AtReboot}
	if slices.Index(order, b) > slices.Index(order, a) {
		return b
	}
	return a
}
