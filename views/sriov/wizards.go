package sriov

import (
	"slices"

	"cxdeck/driver"
	"cxdeck/perf/labstate"
	"cxdeck/ui"
	"cxdeck/views/browse"
	"cxdeck/views/change"
	"cxdeck/views/form"
)

// The forms of the screen; each is a step of a guide.
const (
	enableID       = "enable-sriov"
	numVFsID       = "num-vfs"
	attachID       = "attach"
	detachID       = "detach"
	resetID        = "reset-vf"
	quarantineID   = "quarantine"
	releaseID      = "release"
	editID         = "edit-adapter"
	ethertypesID   = "ethertypes"
	dhcpID         = "dhcp"
	monitorID      = "monitor"
	memoryID       = "memory-limit"
	vmqID          = "vmq"
	vmmqID         = "vmmq"
	rdmaID         = "guest-rdma"
	ndkID          = "ndk-virtual-nic"
	directID       = "packetdirect"
	nvgreID        = "nvgre-create"
	nvgreRemovalID = "nvgre-remove"
)

// wizardEntry is an entry in the list of wizards.
type wizardEntry struct {
	id string
	// form returns the form for the current selection.
	form func() change.Form
}

// wizards returns the entries of the list in order.
func (v *View) wizards() []wizardEntry {
	return []wizardEntry{
		{enableID, v.enableForm}, {numVFsID, v.numVFsForm}, {ethertypesID, v.ethertypesForm}, {dhcpID, v.dhcpForm},
		{monitorID, v.monitorForm}, {memoryID, v.memoryForm}, {vmqID, v.vmqForm}, {vmmqID, v.vmmqForm}, {rdmaID, v.rdmaForm},
		{ndkID, v.ndkForm}, {directID, v.directForm}, {nvgreID, v.nvgreForm}, {nvgreRemovalID, v.nvgreRemovalForm},
	}
}

// opening is a form for a subject, the selected object, before it is shown.
type opening struct {
	guide       *change.Forms
	id, subject string
	form        change.Form
}

// show opens the guide of the form.
func (o opening) show() ui.Cmd { return o.guide.Open(o.id, o.subject, o.form) }

func (v *View) opening(id, subject string, f change.Form) opening {
	return opening{v.guide, id, subject, f}
}

// openWizard opens a wizard of the list after the stored values of the ports have been read.
func (v *View) openWizard(id string) ui.Cmd {
	return v.readPolicies(func() ui.Cmd {
		list := v.wizards()
		at := slices.IndexFunc(list, func(w wizardEntry) bool { return w.id == id })
		return v.opening(id, "", list[at].form()).show()
	})
}

// enable opens the wizard that enables SR-IOV.
func (v *View) enable() ui.Cmd { return v.openWizard(enableID) }

// listWizards opens the dialog that lists the wizards.
func (v *View) listWizards() ui.Cmd {
	var list []string
	for _, w := range v.wizards() {
		list = append(list, w.id)
	}
	return change.List("sriov.wizards", list, v.openWizard)
}

// Makers returns the makers of the forms, for commands: nothing is selected then.
func Makers() form.Makers {
	makers := form.Makers{}
	add := func(id string, of func(v *View) change.Form) {
		makers[id] = func(h *driver.Host) (form.Form, error) {
			v := &View{}
			v.Browser = browse.NewBrowser("sriov", columns, func() {}, func() {})
			v.state = new(labstate.Tracker).State(h)
			v.scene = newScene(v.state)
			v.policies = readPolicies(h, v.scene.connections())
			whole := of(v)
			return whole.Core(), nil
		}
	}
	for i, w := range (&View{}).wizards() {
		add(w.id, func(v *View) change.Form { return v.wizards()[i].form() })
	}
	for id := range (&View{}).rowForms() {
		add(id, func(v *View) change.Form { return v.rowForms()[id](nil).form })
	}
	return makers
}

// OpenForm opens a form for the selected object; known is false for the form of another screen.
func (v *View) OpenForm(name string) (cmd ui.Cmd, known bool) {
	if !v.guide.Refresh() {
		return nil, false
	}
	if slices.ContainsFunc(v.wizards(), func(w wizardEntry) bool { return w.id == name }) {
		return v.openWizard(name), true
	}
	of, known := v.rowForms()[name]
	if !known {
		return nil, false
	}
	return of(v.targetRows()).show(), true
}

// rowForms returns the forms for the marked or selected rows.
func (v *View) rowForms() map[string]func(rows []*row) opening {
	return map[string]func(rows []*row) opening{
		attachID: v.attach, detachID: v.detach, resetID: v.reset, editID: v.edit,
		quarantineID: func(rows []*row) opening { return v.setQuarantine(false, rows) },
		releaseID:    func(rows []*row) opening { return v.setQuarantine(true, rows) },
	}
}
