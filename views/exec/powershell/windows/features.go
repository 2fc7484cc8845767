package windows

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/qos"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// windowsFeatures returns the names of the features of the lab.
func windowsFeatures() []string { return []string{qos.FeatureName, virtualization.RoleName} }

// featureTitle returns the name that Windows shows for a feature.
func featureTitle(name string) string {
	if name == qos.FeatureName {
		return "Data Center Bridging"
	}
	return name
}

// switchWindowsFeature implements Install-WindowsFeature and Uninstall-WindowsFeature. Hyper-V takes effect at a reboot, which -Restart
// adds.
func switchWindowsFeature(installed bool) func(*powershell.Invocation) (exec.Answer, error) {
	return func(p *powershell.Invocation) (exec.Answer, error) {
		if _, err := p.Required("Name", "the name of a feature: "+strings.Join(windowsFeatures(), ", ")); err != nil {
			return exec.Answer{}, err
		}
		plan := driver.Plan{}
		role := false
		for _, typed := range p.Values["Name"] {
			name, err := powershell.ChooseWord(p.Command, "Name", []string{typed}, windowsFeatures())
			if err != nil {
				return exec.Answer{}, err
			}
			var o driver.Operation = qos.SetFeature{Installed: installed}
			if name == virtualization.RoleName {
				o, role = virtualization.SetRole{Installed: installed}, true
			}
			if !slices.Contains(plan.Operations, o) {
				plan.Operations = append(plan.Operations, o)
			}
		}
		plan.Title = wording.UpperFirst(plan.Operations[0].Describe())
		if len(plan.Operations) > 1 {
			plan.Title = p.Command + " " + strings.Join(p.Values["Name"], ", ")
		}
		role = role && p.View.Machine.NextHyperV != installed
		if role && p.Flag("Restart") {
			plan.Operations = append(plan.Operations, adapters.Reboot{Host: p.View.Name})
		}
		row, err := p.Call.Do(plan)
		if err != nil || row.WhatIf {
			return exec.ChangeAnswer(row), err
		}
		answer := exec.ChangeAnswer(row)
		answer.Text = func(w io.Writer) error { return writeFeatureResult(w, &row, role && !p.Flag("Restart")) }
		return answer, nil
	}
}

// writeFeatureResult writes the answer of Windows to a change of features.
func writeFeatureResult(w io.Writer, row *exec.EntryRow, restart bool) error {
	var changed []string
	for _, o := range row.Operations {
		switch o.Kind {
		case qos.SetFeature{}.Kind():
			changed = append(changed, featureTitle(qos.FeatureName))
		case virtualization.SetRole{}.Kind():
			changed = append(changed, featureTitle(virtualization.RoleName))
		}
	}
	code, needed := "Success", "No"
	switch {
	case len(changed) == 0:
		code = "NoChangeNeeded"
	case restart:
		code, needed = "SuccessRestartRequired", "Yes"
	}
	t := exec.NewTextTable(w, "Success", "Restart Needed", "Exit Code", "Feature Result")
	t.Row("-------", "--------------", "---------", "--------------")
	t.Row("True", needed, code, "{"+strings.Join(changed, ", ")+"}")
	err := t.Flush()
	if restart {
		_, werr := fmt.Fprintln(w, "WARNING: You must restart this server to finish the process.")
		err = errors.Join(err, werr)
	}
	for _, line := range row.ChangesNothing() {
		_, werr := fmt.Fprintln(w, exec.Clean(line))
		err = errors.Join(err, werr)
	}
	return err
}

// featureRow is a feature of Windows as JSON.
type featureRow struct {
	Name        string `json:"name"`
	DisplayName string `json:"display_name"`
	Installed   bool   `json:"installed"`
	State       string `json:"install_state"`
}

// getWindowsFeature implements Get-WindowsFeature.
func getWindowsFeature(p *powershell.Invocation) (exec.Answer, error) {
	names, err := p.NamesMatching(windowsFeatures(), "feature", "Get-WindowsFeature")
	if err != nil {
		return exec.Answer{}, err
	}
	v, err := p.QoS()
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []featureRow{}
	for _, name := range names {
		now, next := v.Installed, v.Installed
		if name == virtualization.RoleName {
			now, next = p.View.Machine.HyperV, p.View.Machine.NextHyperV
		}
		state := map[[2]bool]string{{true, true}: "Installed", {false, true}: "InstallPending", {true, false}: "UninstallPending"}[[2]bool{now, next}]
		if state == "" {
			state = "Available"
		}
		rows = append(rows, featureRow{name, featureTitle(name), now, state})
	}
	return exec.Answer{
		Result: struct {
			Features []featureRow `json:"features"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "Display Name", "Name", "Install State")
			t.Row("------------", "----", "-------------")
			for i := range rows {
				mark := "[ ] "
				if rows[i].Installed {
					mark = "[X] "
				}
				t.Row(mark+rows[i].DisplayName, rows[i].Name, rows[i].State)
			}
			return t.Flush()
		},
	}, nil
}
