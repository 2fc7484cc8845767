package netfile

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
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

// Names returns the descriptions of the nodes in a file of ibnetdiscover, by their GUIDs.
func Names(text string) map[description.GUID]string {
	names := map[description.GUID]string{}
	for line := range strings.Lines(text) {
		parts := strings.Split(line, "\"")
		if len(parts) < 5 || !strings.HasPrefix(line, "Ca") && !strings.HasPrefix(line, "Switch") && !strings.HasPrefix(line, "Rt") {
			continue
		}
		if _, digits, ok := strings.Cut(parts[1], "-"); ok {
			if guid, err := strconv.ParseUint(digits, 16, 64); err == nil {
				names[description.GUID(guid)] = parts[3]
			}
		}
	}
	return names
}

// Find returns the GUID of the first node in a file whose description is a name, or else begins with it as its first word.
func Find(text, name string) (description.GUID, bool) {
	begins, found := description.GUID(0), false
	names := Names(text)
	for _, guid := range slices.Sorted(maps.Keys(names)) {
		switch {
		case names[guid] == name:
			return guid, true
		case !found && strings.HasPrefix(names[guid], name+" "):
			begins, found = guid, true
		}
	}
	return begins, found
}
