package sriov

import (
	"fmt"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/ui/widget/wizard"
)

// waiting returns the reason why a changed adapter is not ready yet; empty if it is.
func (v *View) waiting(o driver.Operation) string {
	if o, ok := o.(driver.Connector); ok && o.Connects() {
		if a := v.scene.nics[nicName(o.OnGuest())]; a != nil {
			return v.waitsForPort(a)
		}
	}
	restart, ok := o.(driver.Restarter)
	if !ok {
		return ""
	}
	if connection := restart.Restarts(); connection != "" {
		return v.starting(connection)
	}
	for _, p := range v.scene.order {
		if word := v.starting(p.Description.Connection); word != "" {
			return word
		}
	}
	return ""
}

// starting reports whether the driver of a port is starting or its link is coming up.
func (v *View) starting(connection string) string {
	p := v.portNamed(connection)
	switch {
	case p == nil:
		return ""
	case p.State == driver.Restarting:
		return connection + " is starting"
	case p.State == driver.Running && p.Cabled && !p.Up:
		return "the link of " + connection + " is coming up"
	default:
		return ""
	}
}

// waitsForPort reports whether the port of an adapter does not exist yet.
func (v *View) waitsForPort(a *virtualization.VMAdapterView) string {
	if p := v.scene.ports[a.Port]; p != nil && a.Path != virtualization.PathVF {
		return v.starting(p.Description.Connection)
	}
	return ""
}

// adapterPaths returns the current paths of the chosen adapters.
func (v *View) adapterPaths(values wizard.Values) wizard.Result {
	r := wizard.Result{Mark: wizard.Good, Word: "done", Text: "All changes of the plan are in effect."}
	for _, a := range v.chosen(values) {
		f := nicFact(a)
		if f.Mark == wizard.Warn {
			r.Mark, r.Word, r.Text = wizard.Warn, "partly done", "Not every adapter takes the path that it requests."
		}
		r.Facts = append(r.Facts, f)
	}
	return r
}

// nicFact returns the path of an adapter.
func nicFact(a *virtualization.VMAdapterView) wizard.Fact {
	f := wizard.Fact{Mark: wizard.Good, Label: nicName(a.VM, a.Name), Word: string(a.Path), Text: a.Why}
	switch {
	case a.Function >= 0:
		f.Word = fmt.Sprintf("%s %d", a.Path, a.Function)
		if a.Path != virtualization.PathVF {
			f.Mark, f.Word = wizard.Warn, string(a.Path)
		}
	case a.IovWeight > 0:
		f.Mark = wizard.Warn
	}
	return f
}
