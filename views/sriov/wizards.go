package sriov

import (
	_ "embed"
	"slices"
	"sync"

	"cxdeck/ui"
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
	var list []*change.Procedure
	for _, w := range v.wizards() {
		list = append(list, change.ProcedureNamed(procedures(), w.id))
	}
	return change.List("sriov.wizards", list, v.openWizard)
}
