package edit

import (
	"slices"
	"strings"
)

// MergeCongestion returns the commands of a plan without those that set one of the two flags of a priority, DcqcnRPEnablePrio and
// DcqcnNPEnablePrio, when another sets both with DcqcnEnablePrio: Mlx5Cmd has a parameter for both alone (004:380).
func MergeCongestion(commands []string) []string {
	return slices.DeleteFunc(slices.Clone(commands), func(line string) bool {
		for _, flag := range []string{" -Set -DcqcnRPEnablePrio", " -Set -DcqcnNPEnablePrio"} {
			if before, after, found := strings.Cut(line, flag); found && slices.Contains(commands, before+" -Set -DcqcnEnablePrio"+after) {
				return true
			}
		}
		return false
	})
}
