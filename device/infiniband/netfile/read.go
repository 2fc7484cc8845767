package netfile

import (
	"slices"
	"strings"
)

// Cables returns the cables of a file of ibnetdiscover, each by its two ends in their order: a node's GUID and its port.
func Cables(text string) map[string]bool {
	cables := map[string]bool{}
	node := ""
	for line := range strings.Lines(text) {
		_, rest, quoted := strings.Cut(line, "\"")
		id, rest, ended := strings.Cut(rest, "\"")
		switch {
		case !quoted || !ended:
		case strings.HasPrefix(line, "["):
			port, _, _ := strings.Cut(line[1:], "]")
			far, _, closed := strings.Cut(strings.TrimPrefix(rest, "["), "]")
			if node == "" || !closed || !strings.HasPrefix(rest, "[") {
				continue
			}
			ends := []string{node + " port " + port, id + " port " + far}
			slices.Sort(ends)
			cables[strings.Join(ends, " to ")] = true
		case strings.HasPrefix(line, "Switch"), strings.HasPrefix(line, "Ca"), strings.HasPrefix(line, "Rt"):
			node = id
		}
	}
	return cables
}

// System returns the id of the first channel adapter of a system in a file of ibnetdiscover: its description is the name of the system, or
// begins with it.
func System(text, system string) string {
	for line := range strings.Lines(text) {
		parts := strings.Split(line, "\"")
		if len(parts) < 5 || !strings.HasPrefix(line, "Ca") {
			continue
		}
		if description := parts[3]; description == system || strings.HasPrefix(description, system+" ") {
			return parts[1]
		}
	}
	return ""
}
