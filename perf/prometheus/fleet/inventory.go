package fleet

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"cxdeck/driver/wording"
	"cxdeck/perf"
)

// publish makes a new schema and a new inventory.
func (s *Source) publish() {
	s.changed = false
	generation := uint64(1)
	if s.schema != nil {
		generation = s.schema.Generation + 1
	}
	published := 0
	if s.schema != nil {
		published = len(s.schema.Series)
	}
	for i := range s.series {
		speed := s.cells[i].port.speed
		if !(speed > 0) || s.series[i].Line == uint64(speed) {
			continue
		}
		if i < published { // a published list never changes
			s.series, published = slices.Clone(s.series), 0
		}
		s.series[i].Line = uint64(speed)
	}
	s.schema = perf.UncheckedSchema(generation, len(s.series), slices.Clip(s.series))
	v := &perf.Inventory{Host: s.info.Host}
	hosts := make([]*host, 0, len(s.hosts))
	for _, h := range s.hosts {
		hosts = append(hosts, h)
	}
	slices.SortFunc(hosts, func(a, b *host) int { return compareNames(a.name, b.name) })
	for _, h := range hosts {
		if len(h.ports) > 0 || !h.up() {
			h.addTo(v)
		}
	}
	v.TotalLabel = "Total (" + wording.Count(len(hosts), "host") + ")"
	s.inventory = v
}

// compareNames orders names by their words and numbers: "Ethernet 9" is before "Ethernet 10".
func compareNames(a, b string) int {
	digits := func(text string) int {
		return len(text) - len(strings.TrimLeft(text, "0123456789"))
	}
	x, y := a, b
	for x != "" && y != "" {
		if n, m := digits(x), digits(y); n > 0 && m > 0 {
			first, second := strings.TrimLeft(x[:n], "0"), strings.TrimLeft(y[:m], "0")
			if order := cmp.Or(cmp.Compare(len(first), len(second)), cmp.Compare(first, second)); order != 0 {
				return order
			}
			x, y = x[n:], y[m:]
			continue
		}
		if x[0] != y[0] {
			return cmp.Compare(x[0], y[0])
		}
		x, y = x[1:], y[1:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(a, b))
}

// up reports whether any target of the host is scraped.
func (h *host) up() bool { return slices.ContainsFunc(h.targets, func(t *target) bool { return t.up }) }

// addTo appends the host and its ports to an inventory.
func (h *host) addTo(v *perf.Inventory) {
	at := len(v.Nodes)
	node := perf.Node{ID: h.name, Parent: -1, Kind: perf.HostNode, Name: h.name, State: perf.StateRunning,
		Identity: []perf.Field{{Label: "Scraped at", Value: h.instance}, {Label: "Job", Value: h.job}}}
	if !h.up() {
		node.State, node.StateText = perf.StateFailed, "not scraped"
	}
	v.Nodes = append(v.Nodes, node)
	ports := make([]*port, 0, len(h.ports))
	for _, p := range h.ports {
		if p.receive < 0 && p.send < 0 && math.IsNaN(p.up) && math.IsNaN(p.speed) { // an adapter with counters of its own
			v.Nodes[at].Instances = append(v.Nodes[at].Instances, p.instances...)
			continue
		}
		ports = append(ports, p)
	}
	v.Nodes[at].Detail = fmt.Sprintf("%d ports", len(ports))
	if len(ports) == 1 {
		v.Nodes[at].Detail = "1 port"
	}
	slices.Sort(v.Nodes[at].Instances)
	slices.SortFunc(ports, func(a, b *port) int { return compareNames(a.name, b.name) })
	for _, p := range ports {
		child := perf.Node{ID: h.name + "\x00" + p.name, Parent: at, Kind: perf.PortNode, Name: h.name + ": " + p.name, Instances: p.instances}
		if p.speed > 0 {
			child.Speed, child.SpeedText = uint64(p.speed), perf.Number(p.speed, perf.Bits, false, false)
		}
		switch {
		case !h.up():
			child.State = perf.StateUnknown
		case p.up == 1:
			child.State = perf.StateUp
		case p.up == 0:
			child.State = perf.StateDown
		}
		parent := &v.Nodes[at]
		parent.Instances = append(parent.Instances, p.instances...)
		for _, list := range []struct {
			series               int
			child, parent, total *[]int
		}{
			{p.receive, &child.Receive, &parent.Receive, &v.Receive}, {p.send, &child.Send, &parent.Send, &v.Send}, {p.drops, &child.Drops, &parent.Drops, &v.Drops},
		} {
			if list.series >= 0 {
				*list.child, *list.parent, *list.total = []int{list.series}, append(*list.parent, list.series), append(*list.total, list.series)
			}
		}
		v.Nodes = append(v.Nodes, child)
	}
}
