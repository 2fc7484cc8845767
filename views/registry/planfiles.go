package registry

import (
	"context"

	"cxdeck/driver"
	"cxdeck/driver/script"
	"cxdeck/ui"
)

// exportPlan asks for a file and writes a plan to it; the extension selects the format.
func (v *View) exportPlan(plan driver.Plan) ui.Cmd {
	m := v.deck.Monitor()
	job := exportJob{what: "the plan " + plan.Title, contents: func(ctx context.Context, path string) ([]script.File, []string, error) {
		host, err := m.Clone(ctx)
		if err != nil {
			return nil, nil, err
		}
		return script.Files(host, plan, path)
	}}
	return askExport("Export the plan", "File: .ps1 is a PowerShell script, .reg a registry file, .txt text for a ticket", "plan.ps1", job)
}
