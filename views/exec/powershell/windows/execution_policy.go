package windows

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/stack"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// policyScopes returns the scopes of execution policies, the strongest first. The lab has policies of the computer only.
func policyScopes() []string {
	return []string{"MachinePolicy", "UserPolicy", "Process", "CurrentUser", computerScope}
}

// computerScope is the default scope of Set-ExecutionPolicy.
const computerScope = "LocalMachine"

// policyScope returns the scope that a cmdlet names, the computer's without one.
func policyScope(p *powershell.Invocation, scopes []string) (scope string, err error) {
	if !p.Has("Scope") {
		return computerScope, nil
	}
	return powershell.ChooseWord(p.Command, "Scope", p.Values["Scope"], scopes)
}

// setExecutionPolicy implements Set-ExecutionPolicy, the first step of the WinOF manual's "PowerShell Configuration". It asks the
// question of Windows. The lab runs no scripts: the policy has no effect.
func setExecutionPolicy(p *powershell.Invocation) (exec.Answer, error) {
	if len(p.Values["ExecutionPolicy"]) == 0 {
		return exec.Answer{}, exec.Mistake("%s requires a policy: %s", p.Command, strings.Join(stack.ExecutionPolicies(), ", "))
	}
	policy, err := powershell.ChooseWord(p.Command, "ExecutionPolicy", p.Values["ExecutionPolicy"], stack.ExecutionPolicies())
	if err != nil {
		return exec.Answer{}, err
	}
	switch scope, err := policyScope(p, policyScopes()[2:]); {
	case err != nil:
		return exec.Answer{}, err
	case scope != computerScope:
		return exec.PrintLines([]string{fmt.Sprintf("Nothing changes: the lab has no policy of the scope %s.", scope)}, struct {
			Policy string `json:"policy"`
		}{policy}), nil
	}
	o := stack.NewExecutionPolicy(policy)
	plan := driver.Plan{Title: wording.UpperFirst(o.Describe()), Operations: []driver.Operation{o}}
	asked := !p.Flag("Force") && !p.Call.WhatIf
	if asked {
		yes, err := p.Call.Ask(exec.Question{
			Before: exec.CleanLines([]string{
				"Execution Policy Change",
				"The execution policy helps protect you from scripts that you do not trust. Changing the execution policy might " +
					"expose",
				"you to the security risks described in the about_Execution_Policies help topic at",
				"http://go.microsoft.com/fwlink/?LinkID=135170. Do you want to change the execution policy?",
			}),
			Text: `[Y] Yes [N] No [S] Suspend [?] Help (default is "Y"):`, Usual: "Y", Yes: true,
		}, "")
		switch {
		case err != nil:
			return exec.Answer{}, err
		case !yes:
			return exec.Answer{}, errors.New("nothing was changed: the answer was no")
		}
	}
	entry, err := p.Call.Do(plan)
	if err != nil {
		return exec.Answer{}, err
	}
	answer := exec.ChangeAnswer(entry)
	answer.Result = struct {
		Policy string        `json:"policy"`
		Change exec.EntryRow `json:"change"`
	}{policy, entry}
	if asked && entry.ChangesNothing() == nil { // a real host prints nothing after the answer
		answer.Text = nil
	}
	return answer, nil
}

// scopePolicy is the policy of a scope as JSON.
type scopePolicy struct {
	Scope  string `json:"scope"`
	Policy string `json:"policy"`
}

// getExecutionPolicy implements Get-ExecutionPolicy: without a scope it prints the policy in effect.
func getExecutionPolicy(p *powershell.Invocation) (exec.Answer, error) {
	stored := ""
	if err := withStack(p, func(_ *driver.Host, s stack.Set) { stored = s.ExecutionPolicy }); err != nil {
		return exec.Answer{}, err
	}
	rows := []scopePolicy{}
	for _, scope := range policyScopes() {
		row := scopePolicy{scope, "Undefined"}
		if scope == computerScope {
			row.Policy = cmp.Or(stored, row.Policy)
		}
		rows = append(rows, row)
	}
	if p.Flag("List") {
		return exec.Answer{
			Result: struct {
				Scopes []scopePolicy `json:"scopes"`
			}{rows},
			Text: func(w io.Writer) error {
				t := exec.NewTextTable(w, "Scope", "ExecutionPolicy")
				t.Row("-----", "---------------")
				for _, row := range rows {
					t.Row(row.Scope, row.Policy)
				}
				return t.Flush()
			},
		}, nil
	}
	policy := cmp.Or(stored, stack.DefaultExecutionPolicy)
	if p.Has("Scope") {
		scope, err := policyScope(p, policyScopes())
		if err != nil {
			return exec.Answer{}, err
		}
		for _, row := range rows {
			if row.Scope == scope {
				policy = row.Policy
			}
		}
	}
	return exec.PrintLines([]string{policy}, struct {
		Policy string `json:"policy"`
	}{policy}), nil
}
