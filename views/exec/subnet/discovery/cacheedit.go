package discovery

import (
	"strings"

	"cxdeck/device/infiniband/mad"
	"cxdeck/views/exec/subnet"
)

var cacheeditOptions = []subnet.Option{
	subnet.NewOption("switchguid", 0, "BEFOREGUID:AFTERGUID", "replace the GUID of a switch"),
	subnet.NewOption("caguid", 0, "BEFOREGUID:AFTERGUID", "replace the GUID of a channel adapter"),
	subnet.NewOption("sysimgguid", 0, "BEFOREGUID:AFTERGUID", "replace the GUID of a system"),
	subnet.NewOption("portguid", 0, "NODEGUID:BEFOREGUID:AFTERGUID", "replace the GUID of a port"),
}

// guidPairs reads the value of an option: numbers with colons between them.
func guidPairs(s *subnet.Session, option string, count int) ([]uint64, error) {
	parts := strings.Split(s.Value(option), ":")
	if len(parts) != count {
		s.Complain("invalid input '%s'\n", s.Value(option))
		return nil, subnet.ErrUsage
	}
	var values []uint64
	for i, part := range parts {
		if part == "" && i > 0 {
			s.Complain("invalid input '%s'\n", s.Value(option))
			return nil, subnet.ErrUsage
		}
		values = append(values, subnet.Number(part))
	}
	return values, nil
}

func runCacheedit(s *subnet.Session) error {
	words := s.Given.Operands
	if len(words) < 1 {
		return subnet.Failed("original cache file not specified")
	}
	if len(words) < 2 {
		return subnet.Failed("new cache file not specified")
	}
	loaded, err := loadScan(s, words[0])
	if err != nil {
		return subnet.Failed("loading original cached fabric failed")
	}
	for _, option := range []string{"switchguid", "caguid", "sysimgguid", "portguid"} {
		if s.Has(option) == 0 {
			continue
		}
		count := 2
		if option == "portguid" {
			count = 3
		}
		values, err := guidPairs(s, option, count)
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
			return subnet.Failed("%s = %x not found", option, values[0])
		}
	}
	s.WriteFile(words[1], saveScan(loaded))
	return nil
}

// setGUID gives a node a GUID. The ports of a switch have its GUID.
func (n *found) setGUID(guid uint64) {
	n.guid = guid
	if n.kind != subnet.KindSwitch {
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
		case n.guid == before && (option == "switchguid") == (n.kind == subnet.KindSwitch) && n.kind != subnet.KindRouter:
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
		if n.kind == subnet.KindSwitch {
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
		return subnet.Failed("nodeguid = %x not found", node)
	case !changed:
		return subnet.Failed("portguid = %x not found", before)
	}
	return nil
}
