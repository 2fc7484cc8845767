package sriov

import (
	"testing"

	"cxdeck/views/viewtest"
)

// TestAResetIsNotOfferedWithARevert: it can't be undone, so that nobody is asked to confirm it or told that
// u undoes it.
func TestAResetIsNotOfferedWithARevert(t *testing.T) {
	t.Parallel()
	d, v, s := opened(t, viewtest.Lab(t), false)
	v.choose(vfRowID("Ethernet 7", 0))
	s.Press("R", "enter")
	s.Want("Reset the virtual function 0", "Apply")
	s.WantNot("or revert")
	s.Press("enter") // it stops a machine's network, so that Enter alone leads back
	s.WantNot("Apply")
	s.Press("enter")
	s.Push("Apply")
	s.AwaitText(d, "of the journal")
	s.WantNot("Undo the change")
}

// TestARevertedPlanIsToldAsThat: a result does not outlive its plan.
func TestARevertedPlanIsToldAsThat(t *testing.T) {
	t.Parallel()
	d, v, s := opened(t, viewtest.Lab(t), false)
	v.choose(vfRowID("Ethernet 7", 0))
	s.Press("d", "enter")
	s.Want("Apply, confirm in 30 s or revert")
	s.Press("right", "enter")
	s.AwaitText(d, "Still there?")
	s.Press("n")
	s.AwaitText(d, "of the journal was undone.")
	s.WantNot("Undo the change")
}
