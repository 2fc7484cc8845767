package teaming

import (
	"testing"

	"cxdeck/views/viewtest"
)

func TestWizardsFollowTheProcedures(t *testing.T) {
	t.Parallel()
	manual := viewtest.Manual{
		File: "testdata/procedures.json", OnScreen: []string{"team-query-cli"},
		Fields: map[string]string{"team-create-ui/6": "failback", "team-modify-ui/2": "new_name"},
	}
	manual.Follow(t, viewtest.Guides(t, Makers()))
}

func TestEveryStepIsExplained(t *testing.T) {
	t.Parallel()
	viewtest.Explained(t, viewtest.Guides(t, Makers()))
}
