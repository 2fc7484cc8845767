package sriov

import (
	"fmt"

	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
	"cxdeck/ui/widget/wizard"
)

// enableOutcome verifies the result: the settings are in effect after the reboot, or the machine uses its function.
func (v *View) enableOutcome(values wizard.Values) wizard.Result {
	p, _ := v.target(values)
	if p == nil {
		return wizard.Result{Mark: wizard.Bad, Word: "gone", Text: "The port no longer exists."}
	}
	vm, nic := machineOf(values)
	a := v.scene.nics[nicName(vm, nic)]
	r := wizard.Result{Mark: wizard.Good, Word: "done", Facts: v.checkFacts(&p.SRIOV)}
	switch {
	case a != nil && a.IovWeight > 0 && a.Path == virtualization.PathVF:
		r.Text = fmt.Sprintf("%s runs on VF %d of %s.", vm, a.Function, p.Description.Connection)
		r.Facts = append(r.Facts, nicFact(a))
	case a != nil && a.IovWeight > 0:
		r.Mark, r.Word, r.Text = wizard.Warn, "partly done", vm+" is not on a virtual function: "+wording.OrDash(a.Why)+"."
		r.Facts = append(r.Facts, nicFact(a))
	default:
		r.Word = "part 1 of 2 done"
		r.Text = fmt.Sprintf("The host has restarted with %d virtual functions in the firmware for %s. "+
			"Driver, switch and machine come next.",
			p.SRIOV.FirmwareVFs, p.Description.Connection)
		r.Next = []wizard.Key{{ID: goOnKey, Key: ".", Name: "continue",
			Help: "Continue with driver, switch and machine"}}
	}
	return r
}
