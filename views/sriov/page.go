package sriov

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/themes"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
)

// writePage writes the page about the selected row.
func (v *View) writePage() {
	p := &v.Page
	switch r := v.row(); {
	case r == nil:
		p.Text("Nothing is selected.", muted)
	case r.group && r.vm != nil:
		v.writeVM(p, r.vm)
	case r.group:
		v.writePort(p, r.port)
	default:
		v.writeRow(p, r)
	}
}

func (v *View) writeVM(p *browse.Page, vm *virtualization.VMView) {
	p.Text(vm.Name, title)
	state := vmState(p.Glyphs, vm)
	p.Text(state.Text, state.Style)
	p.Blank()
	guest := vm.GuestDriver
	if guest == "" {
		guest = "none: no virtual function works without one"
	}
	p.Field("Driver", guest)
	for i := range vm.Adapters {
		p.Blank()
		v.writeNIC(p, &vm.Adapters[i])
	}
	all := &row{vm: vm}
	v.writeEvents(p, all)
	v.writeChanges(p, all)
}

// writeRow writes the page of a virtual function or an adapter.
func (v *View) writeRow(p *browse.Page, r *row) {
	p.Text(v.name(r), title)
	state := stateCell(p.Glyphs, r)
	p.Text(state.Text, state.Style)
	if reason, trouble := v.why(r); trouble && reason != "" {
		p.Item(p.Glyphs.Warning, wording.UpperFirst(reason)+".", warning)
	} else if reason != "" {
		p.Item(p.Glyphs.Bullet, wording.UpperFirst(reason)+".", muted)
	}
	p.Blank()
	if r.port != nil {
		p.Field("Port", r.port.Description.Connection)
	}
	if r.vf != nil {
		p.Field("VF", strconv.Itoa(r.vf.ID))
		p.Field("Pages", pagesText(r.vf))
		p.Field("Queues", fmt.Sprintf("%d queue pairs", r.vf.QueuePairs))
		if r.vf.GIDs > 0 {
			p.Field("GIDs", strconv.Itoa(r.vf.GIDs))
		}
		if len(r.vf.Faults) > 0 && !v.deck.Exercise {
			var words []string
			for _, f := range r.vf.Faults {
				words = append(words, fmt.Sprint(f))
			}
			p.Field("Lab fault", strings.Join(words, ", "))
		}
	}
	if r.vm != nil && r.nic != nil {
		p.Field("VM", fmt.Sprintf("%s, %s", r.vm.Name, strings.ToLower(string(r.vm.State))))
		p.Blank()
		v.writeNIC(p, r.nic)
	} else if r.vf != nil {
		p.Text("It is free. a attaches it to a virtual machine.", muted)
	}
	v.writeLoad(p, r)
	if r.port != nil {
		v.writePolicy(p, r.port)
	}
	v.writeEvents(p, r)
	v.writeChanges(p, r)
}

func pagesText(vf *virtualization.VFView) string {
	if vf.PageLimit == 0 {
		return fmt.Sprintf("%d of 4 KB, no limit", vf.Pages)
	}
	return fmt.Sprintf("%d of %d allowed, 4 KB each", vf.Pages, vf.PageLimit)
}

// writeNIC writes the settings and the state of a virtual machine's adapter.
func (v *View) writeNIC(p *browse.Page, a *virtualization.VMAdapterView) {
	p.Text(a.Name, bold)
	p.Field("Path", string(a.Path))
	p.Field("Why", a.Why)
	for _, limit := range a.Limits {
		if limit != a.Why {
			p.Field("Limit", limit)
		}
	}
	if a.Device != "" && a.Function < 0 {
		p.Field("Guest sees", a.Device+", without a driver")
	}
	at := a.Switch
	if at == "" {
		at = "none"
	}
	p.Field("Switch", at)
	mac := a.MAC.String() + ", dynamic"
	if a.StaticMAC {
		mac = a.MAC.String() + ", static"
	}
	p.Field("MAC", mac)
	vlan := "none"
	if a.VLAN > 0 {
		vlan = strconv.Itoa(a.VLAN)
	}
	p.Field("VLAN", vlan)
	p.Field("Weights", fmt.Sprintf("IOV %d, VMQ %d, RDMA %d", a.IovWeight, a.VmqWeight, a.RdmaWeight))
	p.Field("IOV QPs", fmt.Sprintf("%d requested, %d granted", a.IovQueuePairs, a.IovQueuePairsGranted))
	vmmq := "off"
	if a.VmmqEnabled {
		vmmq = fmt.Sprintf("%d requested, %d granted", a.VmmqQueuePairs, a.VmmqGranted)
	}
	p.Field("VMMQ", vmmq)
	switch {
	case a.Default:
		p.Field("VMQ", "none of its own: the default queue serves it")
	case len(a.Queues) > 0:
		p.Field("VMQ", "rings "+strings.Trim(fmt.Sprint(a.Queues), "[]"))
	}
	if a.VirtualSubnet > 0 {
		p.Field("NVGRE", fmt.Sprintf("virtual subnet %d", a.VirtualSubnet))
	}
	if a.SwitchPort != "" {
		p.Field("Switch port", a.SwitchPort)
	}
	if len(a.History) > 0 {
		p.Text("Path since", muted)
		for i, h := range slices.Backward(a.History) {
			if len(a.History)-i > maxPast {
				break
			}
			line := deck.EventTime(h.At, v.now) + "  " + string(h.Path)
			if h.Why != "" {
				line += ": " + h.Why
			}
			p.Text(line, text)
		}
	}
}

// maxPast is the maximum number of changes and of events on the page.
const maxPast = 6

// writeLoad writes the traffic of a row and its load on the firmware.
func (v *View) writeLoad(p *browse.Page, r *row) {
	p.Blank()
	p.Text("Now", title)
	p.Field("Receive", v.deck.ByteRate(r.load.Receive))
	p.Field("Send", v.deck.ByteRate(r.load.Send))
	p.Field("Drops", perf.Number(r.load.Drops, perf.Packets, true, false))
	if r.vf != nil {
		p.Field("Spoofed", perf.Number(r.load.Spoofed, perf.Packets, true, false))
		p.Field("FW CPU", useText(r.load.Use))
		p.Field("Errors", perf.Number(r.load.Errors, perf.NoUnit, true, false)+" (Errors2FW)")
	}
}

// writeEvents writes the newest events that name the function or its machine.
func (v *View) writeEvents(p *browse.Page, r *row) {
	log := v.deck.Events()
	first, end := log.Span()
	written := 0
	for at := end - 1; at >= first && at > end-400 && written < maxPast; at-- {
		e := log.At(at)
		if e == nil || !r.isNamedBy(e) {
			continue
		}
		if written == 0 {
			p.Blank()
			p.Text("Events", title)
		}
		written++
		glyph, role := deck.SeverityLook(p.Glyphs, e.Severity)
		p.Item(glyph, deck.EventTime(e.Time, v.now)+"  "+deck.EventText(e), themes.Style{Role: role})
	}
}

// writeChanges writes the newest changes of the journal that touch the function or its adapter.
func (v *View) writeChanges(p *browse.Page, r *row) {
	m := v.deck.Monitor()
	if m == nil {
		return
	}
	undone, written := map[uint64]bool{}, 0
	for _, e := range slices.Backward(m.Journal()) {
		if e.Undoes > 0 && e.Err == "" {
			undone[e.Undoes] = true
			continue
		}
		if e.Err != "" || !slices.ContainsFunc(e.Plan.Operations, r.isChangedBy) {
			continue
		}
		if written == 0 {
			p.Blank()
			p.Text("Changes", title)
		}
		line := fmt.Sprintf("%s  %d  %s", deck.EventTime(e.Time, v.now), e.Sequence, e.Plan.Title)
		if undone[e.Sequence] {
			line += " (undone)"
		}
		p.Text(line, text)
		if written++; written == maxPast {
			return
		}
	}
}

// isChangedBy reports whether an Operation changes the function of a row, its adapter, or its machine.
func (r *row) isChangedBy(o driver.Operation) bool {
	if o, ok := o.(driver.Guest); ok {
		vm, adapter := o.OnGuest()
		return r.vm != nil && r.vm.Name == vm && (adapter == "" || r.nic == nil || r.nic.Name == adapter)
	}
	if o, ok := o.(driver.Function); ok {
		connection, function := o.OnFunction()
		return r.vf != nil && r.vf.ID == function && r.port.Description.Connection == connection
	}
	return false
}

// isNamedBy reports whether an event names the function or the machine of a row.
func (r *row) isNamedBy(e *eventlog.Event) bool {
	if r.vmName() != "" && strings.Contains(e.Message, r.vmName()) {
		return true
	}
	return r.vf != nil && r.port != nil &&
		(e.Adapter == r.port.Description.Connection || e.Adapter == r.port.Description.Device) &&
		strings.Contains(e.Message+" ", fmt.Sprintf("VF %d ", r.vf.ID))
}

// vfName returns the name of a virtual function with its port.
func vfName(r *row) string { return fmt.Sprintf("%s VF %d", r.port.Description.Connection, r.vf.ID) }
