package sriov

import (
	_ "embed"
	"slices"
	"sync"

	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/change"
)

//go:embed wizards.json
var wizardTable []byte

// procedures returns all wizards. The file is parsed at the first call.
var procedures = sync.OnceValue(func() []change.Procedure { return change.ReadProcedures(wizardTable) })

// The IDs of the wizards, as in wizards.json.
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
	// form returns the form for the present selection.
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

// open opens a wizard for a subject, the selected object.
func (v *View) open(id, subject string, form change.Form) ui.Cmd {
	return v.guide.Open(change.ProcedureNamed(procedures(), id), subject, form)
}

// openWizard opens a wizard of the list after the stored values of the ports have been read.
func (v *View) openWizard(id string) ui.Cmd {
	return v.readPolicies(func() ui.Cmd {
		list := v.wizards()
		at := slices.IndexFunc(list, func(w wizardEntry) bool { return w.id == id })
		return v.open(id, "", list[at].form())
	})
}

// enable opens the wizard that enables SR-IOV.
func (v *View) enable() ui.Cmd { return v.openWizard(enableID) }

// listWizards opens the dialog that lists the wizards.
func (v *View) listWizards() ui.Cmd {
	d := &wizardList{view: v, list: v.wizards(), table: widget.Table{
		ID: "sriov.wizards", Focused: true, SortColumn: -1,
		Columns: []widget.TableColumn{{Title: "Wizard", Width: 26}, {Title: "What for", Width: 30, Grow: 1, Rank: 1}},
	}}
	d.table.List.SetLength(len(d.list))
	return ui.OpenDialog(d)
}

// wizardList is the dialog that lists the wizards.
type wizardList struct {
	view  *View
	list  []wizardEntry
	table widget.Table
}

// Title implements ui.Dialog.
func (d *wizardList) Title() string { return "Wizards" }

// goalHeight is the number of rows below the list for the goal of the selected wizard, which the list may cut.
const goalHeight = 3

// Size implements ui.Dialog.
func (d *wizardList) Size(width, height int) (int, int) {
	return min(width, 110), min(height, len(d.list)+1+goalHeight)
}

// Update implements ui.Dialog.
func (d *wizardList) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case ui.KeyMsg:
		if msg.Name == "enter" {
			return true, d.view.openWizard(d.list[d.table.List.Cursor()].id)
		}
		d.table.List.Key(msg.Name)
	case ui.HitMsg:
		if step := msg.Button.Wheel(); step != 0 {
			d.table.List.Scroll(step)
		} else if msg.ID == d.table.ID && msg.Button == ui.Press && msg.Index < len(d.list) {
			return true, d.view.openWizard(d.list[msg.Index].id)
		}
	}
	return false, nil
}

// Draw implements ui.Dialog.
func (d *wizardList) Draw(area widget.Area) {
	list := area
	if area.Height > 2*goalHeight {
		var below widget.Area
		list, below = area.SplitTop(area.Height - goalHeight)
		goal := change.ProcedureNamed(procedures(), d.list[d.table.List.Cursor()].id).Goal
		for y, line := range widget.Wrap(goal, below.Width-1) {
			below.Print(0, y+1, line, text)
		}
	}
	d.table.Draw(list, func(at int, cells []widget.TableCell) {
		p := change.ProcedureNamed(procedures(), d.list[at].id)
		cells[0] = widget.TableCell{Text: p.Title}
		cells[1] = widget.TableCell{Text: p.Goal, Style: muted}
	})
}

// Hints implements ui.Dialog.
func (d *wizardList) Hints() []ui.Hint {
	return []ui.Hint{{Key: "enter", Name: "open"}, {Key: "esc", Name: "close"}}
}
