package setup

import (
	"testing"

	"cxdeck/views/viewtest"
)

func TestWizardsFollowTheProcedures(t *testing.T) {
	t.Parallel()
	manual := viewtest.Manual{File: "testdata/procedures.json"}
	manual.Follow(t, viewtest.Guides(t, Makers()))
}

func TestEveryStepIsExplained(t *testing.T) {
	t.Parallel()
	viewtest.Explained(t, viewtest.Guides(t, Makers()))
}
