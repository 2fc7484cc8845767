package exec

import (
	"errors"
	"strings"
)

// executionPolicies are those of Windows.
func executionPolicies() []string {
	return []string{"AllSigned", "RemoteSigned", "Restricted", "Unrestricted", "Bypass", "Undefined", "Default"}
}

// setExecutionPolicy is Set-ExecutionPolicy, the first step of the WinOF manual's "PowerShell Configuration". It asks
// as Windows does. The lab runs no scripts, and no rule gives the policy an effect, so that nothing of it is kept.
func setExecutionPolicy(c *call) (answer, error) {
	const command = "Set-ExecutionPolicy"
	values, err := c.parameters(command, c.arguments, "ExecutionPolicy -Scope -Force?")
	if err != nil {
		return answer{}, err
	}
	if len(values["ExecutionPolicy"]) == 0 {
		return answer{}, mistake("%s needs a policy: %s", command, strings.Join(executionPolicies(), ", "))
	}
	policy, err := oneOf(command, "ExecutionPolicy", values["ExecutionPolicy"], executionPolicies())
	if err != nil {
		return answer{}, err
	}
	if !psOn(values["Force"]) && !c.whatIf {
		yes, err := c.ask(question{
			before: cleanLines([]string{
				"Execution Policy Change",
				"The execution policy helps protect you from scripts that you do not trust. Changing the execution policy might " +
					"expose",
				"you to the security risks described in the about_Execution_Policies help topic at",
				"http://go.microsoft.com/fwlink/?LinkID=135170. Do you want to change the execution policy?",
			}),
			text: `[Y] Yes [N] No [S] Suspend [?] Help (default is "Y"):`, usual: "Y", yes: true,
		}, "")
		switch {
		case err != nil:
			return answer{}, err
		case !yes:
			return answer{}, errors.New("nothing was changed: the answer was no")
		}
	}
	return answer{result: struct {
		Policy string `json:"policy"`
	}{policy}}, nil
}
