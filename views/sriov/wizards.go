package sriov

import (
	_ "embed"
	"sync"

	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/change"
)

//go:embed wizards.json
var wizardTable []byte

// procedures are all wizards. They are read when the first one is asked for.
var procedures = sync.OnceValue(func() []change.Procedure { return change.ReadProcedures(wizardTable) })

// The ids of the wizards.
const (
	enableID     = "enable-sriov"
	numVFsID     = "num-vfs"
	attachID     = "attach"
	detachID     = "detach"
	resetID      = "reset-vf"
	quarantineID = "quarantine"
	releaseID    = "release"
	editID       = "edit-adapter"
	ethertypesID = "ethertypes"
	dhcpID       = "dhcp"
	monitorID    = "monitor"
	memoryID     = "memory-limit"
	vmqID        = "vmq"
	vmmqID       = "vmmq"
	rdmaID       = "guest-rdma"
	ndkID        = "ndk-virtual-nic"
	directID     = "packetdirect"
	nvgreID      = "nvgre-create"
	nvgreGoneID  = "nvgre-remove"
)

// forms are what the wizards of the list ask; each is made for what is selected when it opens.
func (v *View) forms(id string) (subject string, form change.Form) {
	switch id {
	case numVFsID:
		return v.numVFsForm()
	case ethertypesID:
		return v.ethertypesForm()
	case dhcpID:
		return v.dhcpForm()
	case monitorID:
		return v.monitorForm()
	case memoryID:
		return v.memoryForm()
	case vmqID:
		return v.vmqForm()
	case vmmqID:
		return v.vmmqForm()
	case rdmaID:
		return v.rdmaForm()
	case ndkID:
		return v.ndkForm()
	case directID:
		return v.directForm()
	case nvgreID:
		return v.nvgreForm()
	case nvgreGoneID:
		return v.nvgreGoneForm()
	default:
		return "", v.enableForm()
	}
}

// openWizard opens a wizard of the list, once what is stored for the ports is known.
func (v *View) openWizard(id string) ui.Cmd {
	open := func() ui.Cmd {
		subject, form := v.forms(id)
		return v.guide.Open(change.ProcedureNamed(procedures(), id), subject, form)
	}
	return v.readPolicies(open)
}

// enable opens the wizard that sets SR-IOV up.
func (v *View) enable() ui.Cmd { return v.openWizard(enableID) }

// listed are the wizards of the list, in its order.
var listed = []string{enableID, numVFsID, ethertypesID, dhcpID, monitorID, memoryID, vmqID, vmmqID, rdmaID, ndkID,
	directID, nvgreID, nvgreGoneID}

// listWizards lists the wizards.
func (v *View) listWizards() ui.Cmd {
	d := &wizardList{view: v, table: widget.Table{
		ID: "sriov.wizards", Focused: true, SortColumn: -1,
		Columns: []widget.TableColumn{{Title: "Wizard", Width: 26}, {Title: "What for", Width: 30, Grow: 1, Rank: 1}},
	}}
	d.table.List.SetLength(len(listed))
	return ui.OpenDialog(d)
}

// wizardList is the dialog that lists the wizards.
type wizardList struct {
	view  *View
	table widget.Table
}

// Title implements ui.Dialog.
func (d *wizardList) Title() string { return "Wizards" }

// goalHeight is the room below the list for what the selected wizard is for, which the list may have cut.
const goalHeight = 3

// Size implements ui.Dialog.
func (d *wizardList) Size(width, height int) (int, int) {
	return min(width, 110), min(height, len(listed)+1+goalHeight)
}

// Update implements ui.Dialog.
func (d *wizardList) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case ui.KeyMsg:
		if msg.Name == "enter" {
			return true, d.view.openWizard(listed[d.table.List.Cursor()])
		}
		d.table.List.Key(msg.Name)
	case ui.HitMsg:
		if step := msg.Button.Wheel(); step != 0 {
			d.table.List.Scroll(step)
		} else if msg.ID == d.table.ID && msg.Button == ui.Press && msg.Index < len(listed) {
			return true, d.view.openWizard(listed[msg.Index])
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
		goal := change.ProcedureNamed(procedures(), listed[d.table.List.Cursor()]).Goal
		for y, line := range widget.Wrap(goal, below.Width-1) {
			below.Print(0, y+1, line, text)
		}
	}
	d.table.Draw(list, func(at int, cells []widget.TableCell) {
		p := change.ProcedureNamed(procedures(), listed[at])
		cells[0] = widget.TableCell{Text: p.Title}
		cells[1] = widget.TableCell{Text: p.Goal, Style: muted}
	})
}

// Hints implements ui.Dialog.
func (d *wizardList) Hints() []ui.Hint {
	return []ui.Hint{{Key: "enter", Name: "open"}, {Key: "esc", Name: "close"}}
}
