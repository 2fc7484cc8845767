package teaming

import (
	_ "embed"
	"sync"

	"cxdeck/ui"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/change"
)

//go:embed wizards.json
var wizardTable []byte

// procedures returns all wizards. The file is parsed at the first call.
var procedures = sync.OnceValue(func() []change.Procedure { return change.ReadProcedures(wizardTable) })

// open opens a wizard for a subject: the selected team, VLAN or port. created returns the ID of the row to select after the
// plan and the team that the result describes; either may be empty, and created may be nil.
func (v *View) open(id, subject string, f change.Form,
	created func(values wizard.Values) (row, team string)) ui.Cmd {
	f.Waiting, f.Restarts = v.waiting, v.rejoinText
	if created != nil {
		f.Applied = func(values wizard.Values) {
			row, _ := created(values)
			v.choose(row)
		}
		f.Outcome = func(values wizard.Values) wizard.Result {
			_, team := created(values)
			return v.outcome(team)
		}
		f.Do = v.runOffered
	}
	return v.guide.Open(change.ProcedureNamed(procedures(), id), subject, f)
}
