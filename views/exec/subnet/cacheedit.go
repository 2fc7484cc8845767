package subnet

import (
	"strings"

	"cxdeck/device/infiniband/mad"
)

var cacheeditOptions = []option{
	{"switchguid", 0, "BEFOREGUID:AFTERGUID", "replace the GUID of a switch"},
	{"caguid", 0, "BEFOREGUID:AFTERGUID", "replace the GUID of a channel adapter"},
	{"sysimgguid", 0, "BEFOREGUID:AFTERGUID", "replace the GUID of a system"},
	{"portguid", 0, "NODEGUID:BEFOREGUID:AFTERGUID", "replace the GUID of a port"},
}

// guids reads the value of an option: numbers with colons between them.
func (s *session) guids(option string, count int) ([]uint64, error) {
	parts := strings.Split(s.value(option), ":")
	if len(parts) != count {
		s.complain("invalid input '%s'\n", s.value(option))
		return nil, errUsage
	}
	var values []uint64
	for i, part := range parts {
		if part == "" && i > 0 {
			s.complain("invalid input '%s'\n", s.value(option))
			return nil, errUsage
		}
		values = append(values, number(part))
	}
	return values, nil
}

func runCacheedit(s *session) error {
	words := s.given.operands
	if len(words) < 1 {
		return failed("original cache file not specified")
	}
	if len(words) < 2 {
		return failed("new cache file not specified")
	}
	loaded, err := s.loadScan(words[0])
	if err != nil {
		return failed("loading original cached fabric failed")
	}
	for _, option := range []string{"switchguid", "caguid", "sysimgguid", "portguid"} {
		if s.has(option) == 0 {
			continue
		}
		count := 2
		if option == "portguid" {
			count = 3
		}
		values, err := s.guids(option, count)
		if err != nil {
			return err
		}
		if option == "portguid" {
			if err := replacePort(loaded, values[0], values[1], values[2]); err != nil {
				return err
			}
			continue
		}
		if !replaceGUID(loaded, option, values[0], values[1]) {
			return failed("%s = %x not found", option, values[0])
		}
	}
	s.result.Files = append(s.result.Files, File{words[1], saveScan(loaded)})
	return nil
}

// setGUID gives a node a GUID. The ports of a switch have its GUID.
func (n *found) setGUID(guid uint64) {
	n.guid = guid
	if n.kind != kindSwitch {
		return
	}
	for _, p := range n.ports {
		if p != nil {
			p.guid = guid
		}
	}
}

// replaceGUID replaces the GUID of nodes of a kind, or of systems, and reports whether there was one.
func replaceGUID(s *scan, option string, before, after uint64) bool {
	changed := false
	for _, n := range s.nodes {
		switch {
		case option == "sysimgguid":
			if mad.SystemGUID.Get(n.info) == before {
				mad.SystemGUID.Set(n.info, after)
				changed = true
			}
		case n.guid == before && (option == "switchguid") == (n.kind == kindSwitch) && n.kind != kindRouter:
			n.setGUID(after)
			changed = true
		}
	}
	return changed
}

func replacePort(s *scan, node, before, after uint64) error {
	known, changed := false, false
	for _, n := range s.nodes {
		if n.guid != node {
			continue
		}
		known = true
		if n.kind == kindSwitch {
			if n.guid == before {
				n.setGUID(after)
				changed = true
			}
			continue
		}
		for _, p := range n.ports[1:] {
			if p != nil && p.guid == before {
				p.guid, changed = after, true
				break
			}
		}
	}
	switch {
	case !known:
		return failed("nodeguid = %x not found", node)
	case !changed:
		return failed("portguid = %x not found", before)
	}
	return nil
}
