package administration

import (
	"cmp"
	"fmt"
	"math/bits"
	"net/netip"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/views/exec/subnet"
)

// rank is the number by which OpenSM orders GUIDs: their bytes from the other end.
func rank(guid description.GUID) uint64 { return bits.ReverseBytes64(uint64(guid)) }

// KnownEnds returns the end ports that a manager has configured, in its order.
func KnownEnds(s *subnet.Session, manager uint16) []infiniband.Place {
	ends := slices.DeleteFunc(s.EndPorts(), func(end infiniband.Place) bool {
		return s.End(end).LID == 0 || s.End(end).ManagerLID != manager
	})
	slices.SortStableFunc(ends, func(a, b infiniband.Place) int { return cmp.Compare(rank(s.End(a).GUID), rank(s.End(b).GUID)) })
	return ends
}

// HasPath reports whether the forwarding tables lead from one end port to another.
func HasPath(s *subnet.Session, from, to infiniband.Place) bool {
	q := &saQuery{Session: s}
	_, ok := q.facts(from, to, s.End(to).LID)
	return ok
}

// entries returns for each node the port at which requests of the manager arrive: the one by which its discovery came first.
func (q *saQuery) entries() map[int]int {
	m, _ := q.Master()
	entries := map[int]int{m.Place.Node: m.Place.Port}
	for queue := []infiniband.Place{m.Place}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		ports := []int{at.Port}
		if q.Of(at).Kind == infiniband.Switch {
			ports = q.portsOf(at)
		} else if at != m.Place {
			continue
		}
		for _, port := range ports {
			far, up := q.Far(infiniband.Place{Node: at.Node, Port: port})
			if _, seen := entries[far.Node]; up && !seen {
				entries[far.Node] = far.Port
				queue = append(queue, far)
			}
		}
	}
	return entries
}

// modeOf returns the lanes, the speed and the packet size of a port as its agent tells them.
func modeOf(data []byte) (infiniband.Width, infiniband.Speed) {
	width := map[uint64]infiniband.Width{1: 1, 2: 4, 4: 8, 8: 12, 16: 2}[mad.WidthActive.Get(data)]
	if extended := mad.ExtendedActive.Get(data); extended != 0 {
		return width, infiniband.FDR + infiniband.Speed(bits.TrailingZeros64(extended))
	}
	return width, map[uint64]infiniband.Speed{1: infiniband.SDR, 2: infiniband.DDR, 4: infiniband.QDR}[mad.SpeedActive.Get(data)]
}

// pathFacts are the smallest packet size and the lowest rate of a path, and whether it exists.
type pathFacts struct {
	mtu, rate uint8
	gbps      float64
}

// narrow takes a port into account.
func (p *pathFacts) narrow(data []byte, field mad.Field) {
	p.mtu = min(p.mtu, uint8(field.Get(data)))
	width, speed := modeOf(data)
	if gbps := float64(width) * speed.LaneGbps(); gbps > 0 && (p.gbps == 0 || gbps < p.gbps) {
		p.gbps, p.rate = gbps, infiniband.RateCode(width, speed)
	}
}

// facts follows the forwarding tables from an end port to a LID.
func (q *saQuery) facts(from, to infiniband.Place, lid uint16) (pathFacts, bool) {
	p := pathFacts{mtu: 15}
	for _, end := range []infiniband.Place{from, to} {
		p.narrow(q.get(end, mad.PortInfo, uint32(end.Port)), mad.MTUCap)
	}
	at := from
	for range mad.MaxHops {
		if at.Node == to.Node {
			return p, true
		}
		node, out := q.Of(at), at.Port
		if node.Kind == infiniband.Switch {
			if int(lid) >= len(node.Routes) || node.Routes[lid] == infiniband.NoRoute {
				return p, false
			}
			out = int(node.Routes[lid])
		} else if at != from {
			return p, false
		}
		place := infiniband.Place{Node: at.Node, Port: out}
		far, up := q.Far(place)
		if !up {
			return p, false
		}
		p.narrow(q.get(place, mad.PortInfo, uint32(out)), mad.MTU)
		at = far
	}
	return p, false
}

// commonKey returns the key of a partition in which two ports may talk: one of them must be a full member.
func (q *saQuery) commonKey(a, b infiniband.Place, wanted description.PKey) (description.PKey, bool) {
	for _, key := range q.End(a).PKeys {
		for _, other := range q.End(b).PKeys {
			full := key == key.Full() || other == other.Full()
			if key.Full() == other.Full() && full && (wanted == 0 || wanted.Full() == key.Full()) {
				return key, true
			}
		}
	}
	return 0, false
}

// gid returns the GID of an end port.
func (q *saQuery) gid(end infiniband.Place) netip.Addr {
	a, _ := netip.ParseAddr(subnet.GIDText(0xfe80<<48, uint64(q.End(end).GUID)))
	return a
}

// selected returns the value of a path that fits an option with a selector: the path's own, or the smaller one that the option asks for.
func (q *saQuery) selected(name string, value uint8) (uint8, bool) {
	if q.Has(name) == 0 {
		return value, true
	}
	wanted := uint8(subnet.Number(q.Value(name)))
	limit := wanted & 0x3f
	switch wanted >> 6 {
	case 0: // greater
		return value, value > limit
	case 1: // less
		return min(value, limit-1), limit > 1
	case 2:
		return limit, value >= limit
	}
	return value, true // as great as it can be
}

// lifetime is the code of the time that a packet may travel.
const lifetime = 0x12

func (q *saQuery) pathRecords([]string) error {
	source, target := q.Value("sgid"), q.Value("dgid")
	if text := q.Value("sgid-to-dgid"); text != "" {
		var ok bool
		if source, target, ok = strings.Cut(text, "-"); !ok {
			return subnet.ErrUsage
		}
	}
	var wanted [2]netip.Addr
	for i, text := range []string{source, target} {
		if text == "" {
			continue
		}
		a, err := netip.ParseAddr(text)
		if err != nil || !a.Is6() {
			return subnet.ErrUsage
		}
		wanted[i] = a
	}
	limit := 127
	if q.Has("numb_path") > 0 {
		limit = int(subnet.Number(q.Value("numb_path"))) & 0x7f
	}
	for _, to := range q.ends {
		if q.target != 0 && !q.owns(int(q.target), to) || wanted[1].IsValid() && q.gid(to) != wanted[1] {
			continue
		}
		for _, from := range q.ends {
			if q.source != 0 && !q.owns(int(q.source), from) || wanted[0].IsValid() && q.gid(from) != wanted[0] {
				continue
			}
			if limit > 0 {
				q.path(from, to)
			}
		}
	}
	return nil
}

// path writes the path between two end ports.
func (q *saQuery) path(from, to infiniband.Place) {
	lid := q.End(to).LID
	if q.target != 0 {
		lid = q.target
	}
	first := q.End(from).LID
	if q.source != 0 {
		first = q.source
	}
	facts, ok := q.facts(from, to, lid)
	key, shared := q.commonKey(from, to, description.PKey(subnet.Number(q.Value("pkey"))))
	level, life := uint64(q.LevelOf(subnet.Number(q.Value("service_id")), key, to)), uint8(lifetime)
	if from == to {
		life = 0
	}
	mtu, mtuFits := q.selected("mtu", facts.mtu)
	rate, rateFits := q.selected("rate", facts.rate)
	if !ok || !shared || !mtuFits || !rateFits || q.Has("sl") > 0 && subnet.Number(q.Value("sl")) != level {
		return
	}
	q.dump("PathRecord dump:", 24, "service_id", guidText(subnet.Number(q.Value("service_id"))), "dgid", q.gid(to), "sgid", q.gid(from), "dlid", lid, "slid", first,
		"hop_flow_raw", hexText(subnet.Number(q.Value("flow_label"))<<8|subnet.Number(q.Value("hop_limit"))), "tclass", hexText(subnet.Number(q.Value("tclass"))), "num_path_revers", "0x80",
		"pkey", hexText(uint64(key)), "qos_class", "0x0", "sl", hexText(level), "mtu", hexText(0x80|uint64(mtu)), "rate", hexText(0x80|uint64(rate)),
		"pkt_life", hexText(0x80|uint64(life)), "preference", "0x0", "resv2", "0x000000000000")
}

// groups are the multicast groups that the options name.
func (q *saQuery) groups() []infiniband.Group {
	return slices.DeleteFunc(slices.Clone(q.Groups), func(g infiniband.Group) bool {
		lid, gid, key := subnet.Number(q.Value("mlid")), q.Value("mgid"), subnet.Number(q.Value("pkey"))
		if lid != 0 && lid != uint64(g.LID) || key != 0 && description.PKey(key).Full() != g.PKey.Full() || q.Has("qkey") > 0 && subnet.Number(q.Value("qkey")) != uint64(g.QKey) {
			return true
		}
		if a, err := netip.ParseAddr(gid); err == nil && a != netip.AddrFrom16(g.GID) {
			return true
		}
		mtu, mtuFits := q.selected("mtu", g.MTU)
		rate, rateFits := q.selected("rate", g.Rate)
		return !mtuFits || !rateFits || mtu != g.MTU || rate != g.Rate
	})
}

// join is the state of a full member.
const join = 1

// memberRecords writes the groups; with the manager's key, or for a port, it writes the members.
func (q *saQuery) memberRecords([]string) error {
	member := func(g *infiniband.Group, gid netip.Addr, state int) {
		q.dump("MCMember Record dump:", 24, "MGID", netip.AddrFrom16(g.GID), "PortGid", gid, "qkey", fmt.Sprintf("0x%x", g.QKey), "mlid", fmt.Sprintf("0x%x", g.LID),
			"mtu", fmt.Sprintf("0x%x", 0x80|g.MTU), "TClass", fmt.Sprintf("0x%x", g.Class), "pkey", fmt.Sprintf("0x%x", uint16(g.PKey)), "rate", fmt.Sprintf("0x%x", 0x80|g.Rate),
			"pkt_life", fmt.Sprintf("0x%x", 0x80|lifetime), "SL", fmt.Sprintf("0x%x", g.Level), "FlowLabel", fmt.Sprintf("0x%x", g.Flow), "HopLimit", "0x0", "Scope", fmt.Sprintf("0x%x", g.Scope),
			"JoinState", fmt.Sprintf("0x%x", state), "ProxyJoin", "0x0")
	}
	groups := q.groups()
	for i := range groups {
		g := &groups[i]
		port, err := netip.ParseAddr(q.Value("gid"))
		if subnet.Number(q.Value("smkey")) != trustedKey && err != nil {
			member(g, netip.IPv6Unspecified(), min(join, len(g.Members)))
			continue
		}
		for _, end := range g.Members {
			if err != nil || q.gid(end) == port {
				member(g, q.gid(end), join)
			}
		}
	}
	return nil
}

// members writes the members of groups; without the manager's key the administration names none of them.
func (q *saQuery) members(words []string) error {
	groups := q.groups()
	for i := range groups {
		g := &groups[i]
		write := func(gid netip.Addr, state int, name string) {
			if len(words) > 0 {
				if subnet.Number(words[0]) == uint64(g.LID) {
					q.Printf("\t\tPortGid.................%s (%s)\n", gid, name)
				}
				return
			}
			q.dump("MCMemberRecord member dump:", 24, "MGID", netip.AddrFrom16(g.GID), "Mlid", hexText(uint64(g.LID)), "PortGid", gid,
				"ScopeState", hexText(uint64(g.Scope)<<4|uint64(state)), "ProxyJoin", "0x0", "NodeDescription", name)
		}
		if subnet.Number(q.Value("smkey")) != trustedKey {
			write(netip.IPv6Unspecified(), min(join, len(g.Members)), "<unknown>")
			continue
		}
		for _, end := range g.Members {
			write(q.gid(end), join, q.NameOf(uint64(q.Of(end).GUID), q.Of(end).Name))
		}
	}
	return nil
}
