package powershell

import (
	"errors"
	"strings"

	"cxdeck/driver/cmdlet"
	"cxdeck/views/exec"
)

// executionPolicies returns the execution policies of Windows.
func executionPolicies() []string {
	return []string{"AllSigned", "RemoteSigned", "Restricted", "Unrestricted", "Bypass", "Undefined", "Default"}
}

// setExecutionPolicy implements Set-ExecutionPolicy, the first step of the WinOF manual's "PowerShell Configuration". It asks
// the question of Windows. The lab runs no scripts, so the policy is not stored.
func setExecutionPolicy(c *exec.Call) (exec.Answer, error) {
	const command = "Set-ExecutionPolicy"
	values, err := readArguments(c, command, c.Arguments, cmdlet.Find(command).Parameters)
	if err != nil {
		return exec.Answer{}, err
	}
	if len(values["ExecutionPolicy"]) == 0 {
		return exec.Answer{}, exec.Mistake("%s requires a policy: %s", command, strings.Join(executionPolicies(), ", "))
	}
	policy, err := chooseWord(command, "ExecutionPolicy", values["ExecutionPolicy"], executionPolicies())
	if err != nil {
		return exec.Answer{}, err
	}
	if !switchOn(values["Force"]) && !c.WhatIf {
		yes, err := c.Ask(exec.Question{
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
	return exec.Answer{Result: struct {
		Policy string `json:"policy"`
	}{policy}}, nil
}
