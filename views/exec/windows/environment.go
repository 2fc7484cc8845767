package windows

import (
	"maps"
	"slices"
	"strings"

	"cxdeck/views/exec"
)

// setVariable implements the set of the command prompt: NAME=VALUE sets an environment variable, NAME= removes it, and the beginning of a
// name lists the variables.
func setVariable(c *exec.Call) (exec.Answer, error) {
	line := strings.Join(c.Arguments, " ")
	name, value, assigns := strings.Cut(line, "=")
	if assigns {
		if name == "" || strings.ContainsAny(name, " :$%") {
			return exec.Answer{}, exec.Mistake("%q is no name of an environment variable; set takes NAME=VALUE", name)
		}
		c.Runner.SetEnvironment(name, value)
	}
	variables := c.Runner.Environment()
	for known := range variables {
		if !assigns && !strings.HasPrefix(known, strings.ToUpper(line)) {
			delete(variables, known)
		}
	}
	var lines []string
	if !assigns {
		for _, known := range slices.Sorted(maps.Keys(variables)) {
			lines = append(lines, known+"="+variables[known])
		}
		if line != "" && len(lines) == 0 {
			return exec.Answer{}, exec.Mistake("the environment variable %s is not defined in this run", line)
		}
	}
	return exec.PrintLines(lines, struct {
		Variables map[string]string `json:"variables"`
	}{variables}), nil
}
