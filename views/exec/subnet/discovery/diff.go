package discovery

import (
	"slices"
	"strings"

	"cxdeck/views/exec/subnet"
)

// diffKeys reads the option of what to compare.
func diffKeys(s *subnet.Session, usual string, known ...string) ([]string, error) {
	text := usual
	if s.Has("diffcheck") > 0 {
		text = s.Value("diffcheck")
	}
	keys := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == ',' })
	for _, key := range keys {
		if !slices.Contains(known, key) {
			s.Complain("invalid diff check key: %s\n", key)
			return nil, subnet.ErrUsage
		}
	}
	return keys, nil
}

// diff writes what differs between a saved discovery and a new one: lines of the old one begin with "<", lines of the new one with ">".
func (w *netdiscover) diff(old, fresh *scan, keys []string) {
	w.group = false
	for _, kind := range []struct {
		key  string
		kind uint64
	}{{"sw", subnet.KindSwitch}, {"ca", subnet.KindAdapter}, {"router", subnet.KindRouter}} {
		if !slices.Contains(keys, kind.key) {
			continue
		}
		w.diffKind(old, fresh, kind.kind, keys, "< ", "> ")
		w.diffKind(fresh, old, kind.kind, nil, "> ", "< ") // only nodes that are new
	}
}

func (w *netdiscover) diffKind(a, b *scan, kind uint64, keys []string, first, second string) {
	for _, n := range a.nodes {
		if n.kind != kind {
			continue
		}
		i := slices.IndexFunc(b.nodes, func(other *found) bool { return other.guid == n.guid })
		if i < 0 {
			w.head(n, first, first)
			for _, p := range n.ports[1:] {
				if p != nil && p.far != nil {
					w.link(p, first)
				}
			}
			continue
		}
		w.diffNode(n, b.nodes[i], keys, first, second)
	}
}

func (w *netdiscover) diffNode(a, b *found, keys []string, first, second string) {
	compare := func(key string) bool { return slices.Contains(keys, key) }
	headed := false
	head := func() {
		if !headed {
			w.head(a, "", "")
			headed = true
		}
	}
	if compare("lid") && a.lid != b.lid || compare("nodedesc") && a.name != b.name {
		w.head(a, "", first)
		w.detail(b, second)
		w.writef("\n")
		headed = true
	}
	if len(keys) == 0 || !compare("port") && !compare("lid") && !compare("nodedesc") {
		return
	}
	if len(a.ports) != len(b.ports) {
		head()
		w.writef("%snumports = %d\n%snumports = %d\n", first, len(a.ports)-1, second, len(b.ports)-1)
		return
	}
	for i := 1; i < len(a.ports); i++ {
		old, fresh := diffPort(a.ports[i], b.ports[i], compare)
		if old {
			head()
			w.diffLink(a.ports[i], first)
		}
		if fresh {
			head()
			w.diffLink(b.ports[i], second)
		}
	}
}

func (w *netdiscover) diffLink(p *foundPort, prefix string) {
	if p.far == nil {
		w.writef("%s[%d]\n", prefix, p.number)
		return
	}
	w.link(p, prefix)
}

// diffPort reports whether the line of the old port, and that of the new one, belongs into a comparison.
func diffPort(a, b *foundPort, compare func(string) bool) (old, fresh bool) {
	linked := func(p *foundPort) bool { return p != nil && p.far != nil }
	if compare("port") {
		switch {
		case a != nil && b == nil || linked(a) && !linked(b):
			old = true
		case a == nil && b != nil || !linked(a) && linked(b):
			fresh = true
		case a != nil && b != nil && (a.guid != b.guid || linked(a) && linked(b) && a.far.guid != b.far.guid):
			old, fresh = true, true
		}
	}
	if a == nil || b == nil {
		return old, fresh
	}
	if compare("lid") && a.lid != b.lid {
		old, fresh = true, true
	}
	if compare("port") && linked(a) && linked(b) &&
		(compare("nodedesc") && a.far.name != b.far.name || compare("lid") && a.far.lid != b.far.lid) {
		old, fresh = true, true
	}
	return old, fresh
}
