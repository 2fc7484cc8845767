package sriov

import (
	"testing"

	"cxdeck/views/viewtest"
)

// TestResetOffersNoRevert checks that the review of a reset, which can't be undone, offers neither a time to confirm nor u.
func TestResetOffersNoRevert(t *testing.T) {
	t.Parallel()
	d, v, s := openScreen(t, viewtest.Lab(t), false)
	v.choose(vfRowID("Ethernet 7", 0))
	s.Press("R", "enter")
	s.Want("Reset the virtual function 0", "Apply")
	s.WantNot("or revert")
	s.Press("enter") // it interrupts a machine's network: Enter alone closes the review
	s.WantNot("Apply")
	s.Press("enter")
	s.Push("Apply")
	s.AwaitText(d, "of the journal")
	s.WantNot("Undo the change")
}

// TestResultReportsARevertedPlan checks that the result shows when its plan has been reverted.
func TestResultReportsARevertedPlan(t *testing.T) {
	t.Parallel()
	d, v, s := openScreen(t, viewtest.Lab(t), false)
	v.choose(vfRowID("Ethernet 7", 0))
	s.Press("d", "enter")
	s.Want("Apply, confirm in 30 s or revert")
	s.Press("right", "enter")
	s.AwaitText(d, "Keep this change?")
	s.Press("n")
	s.AwaitText(d, "of the journal was undone.")
	s.WantNot("Undo the change")
}
