package winof

import (
	"slices"
	"strings"

	"cxdeck/views/exec"
)

// subTool is a part of mlxtool as its help lists it.
type subTool struct {
	Name string `json:"name"`
	Help string `json:"help"`
}

// mlxtoolUsage is the general usage of the tool, as the manual prints it.
const mlxtoolUsage = "Usage: mlxtool.exe <tool-name> <tool-arguments>"

// mlxtoolHelp lists the sub-tools of mlxtool, the arguments of one, or explains one argument.
func mlxtoolHelp(c *exec.Call) (exec.Answer, error) {
	prefix := strings.ToLower(strings.Join(append([]string{"mlxtool"}, c.Arguments...), " "))
	var list []subTool
	var page []string
	for _, command := range c.Runner.Table.Commands() {
		name := strings.ToLower(command.Name)
		if command.Name == "mlxtool help" || name != prefix && !strings.HasPrefix(name, prefix+" ") {
			continue
		}
		if len(c.Arguments) > 1 || name == prefix {
			if len(page) > 0 {
				page = append(page, "")
			}
			page = append(page, strings.Split(strings.TrimRight(command.Page(), "\n"), "\n")...)
		}
		rest := strings.Fields(command.Name)[1+len(c.Arguments):]
		if len(rest) == 0 {
			rest = strings.Fields(command.Name)[1:]
		}
		if len(c.Arguments) == 0 {
			rest = rest[:1]
		}
		if one := strings.Join(rest, " "); !slices.ContainsFunc(list, func(s subTool) bool { return s.Name == one }) {
			help := command.Describe().Help
			if len(c.Arguments) == 0 {
				help = "mlxtool help " + one + " lists its arguments"
			}
			list = append(list, subTool{one, help})
		}
	}
	if len(list) == 0 {
		return exec.Answer{}, exec.Mistake("mlxtool has no sub-tool %q; mlxtool help lists them", strings.Join(c.Arguments, " "))
	}
	lines := page
	if lines == nil {
		width := 0
		for _, tool := range list {
			width = max(width, len(tool.Name))
		}
		if len(c.Arguments) == 0 {
			lines = []string{mlxtoolUsage, "", "Tools:"}
		}
		for _, tool := range list {
			lines = append(lines, "  "+tool.Name+strings.Repeat(" ", width-len(tool.Name)+2)+tool.Help)
		}
	}
	return exec.PrintLines(lines, struct {
		SubTools []subTool `json:"sub_tools"`
	}{list}), nil
}

// helpFirst moves the word help behind mlxtool: mlxtool alone and mlxtool SUB-TOOL help are forms of mlxtool help.
func helpFirst(words []string) []string {
	switch {
	case len(words) == 0 || !strings.EqualFold(exec.TrimExe(words[0]), "mlxtool"):
		return words
	case len(words) == 1:
		return []string{words[0], "help"}
	case len(words) > 2 && strings.EqualFold(words[2], "help"):
		return append([]string{words[0], "help", words[1]}, words[3:]...)
	}
	return words
}
