package discovery

import (
	"fmt"
	"math/bits"
	"slices"

	"cxdeck/device/infiniband/mad"
	"cxdeck/views/exec/subnet"
)

var linkinfoOptions = []subnet.Option{
	subnet.NewOption("node-name-map", 0, "<file>", "names for GUIDs"),
	subnet.NewOption("switch", 'S', "<port_guid>", "begin at the switch with this GUID"),
	subnet.NewOption("port-guid", 'G', "<port_guid>", "begin at the port with this GUID"),
	subnet.NewOption("Direct", 'D', "<dr_path>", "begin at the end of this directed route"),
	subnet.NewOption("all", 'a', "", "write all nodes that a scan of a part comes to"),
	subnet.NewOption("hops", 'n', "<hops>", "how far to go from the port where the scan begins"),
	subnet.NewOption("down", 'd', "", "write only links that are down"),
	subnet.NewOption("line", 'l', "", "write both ends of a link in a line"),
	subnet.NewOption("additional", 'p', "", "write the settings of the queues, too"),
	subnet.NewOption("load-cache", 0, "<file>", "take the discovery from this file"),
	subnet.NewOption("diff", 0, "<file>", "show the differences to a saved discovery"),
	subnet.NewOption("diffcheck", 0, "<keys>", "what to compare: port, state, lid, nodedesc"),
	subnet.NewOption("filterdownports", 0, "<file>", "leave out ports that were down in a saved discovery"),
	subnet.NewOption("outstanding_smps", 'o', "<number>", "requests on the way at a time"),
	subnet.NewOption("switches-only", 0, "", "write only switches"),
	subnet.NewOption("cas-only", 0, "", "write only channel adapters"),
}

// linkinfo writes the links of nodes.
type linkinfo struct {
	*subnet.Session
	line, downOnly, queues bool
	filter                 *scan
}

func runLinkinfo(s *subnet.Session) error {
	s.ReadNames()
	w := &linkinfo{Session: s, line: s.Has("line") > 0, downOnly: s.Has("down") > 0, queues: s.Has("additional") > 0}
	keys, err := diffKeys(s, "port,state", "port", "state", "lid", "nodedesc")
	if err != nil {
		return err
	}
	path, label := s.Value("Direct"), s.Value("port-guid")
	if label == "" {
		label = s.Value("switch")
	}
	if path != "" && s.Has("load-cache") > 0 {
		s.Complain("Cannot specify cache and direct route path\n")
		return subnet.CodeError(1)
	}
	start, part, guid := subnet.Self, false, subnet.Number(label)
	switch {
	case path != "":
		if start, part = subnet.Directed(path); part {
			data, ok := s.Request(start, mad.NodeInfo, 0)
			if !ok && s.Has("all") == 0 {
				s.Complain("Failed to get local Node Info\n")
				return subnet.CodeError(1)
			}
			guid = mad.PortGUID.Get(data)
		}
	case label != "":
		s.By = subnet.ByGUID
		if start, part = s.Route(label); !part {
			s.Warn("main", "Failed to resolve %s; attempting full scan\n", label)
		}
	}
	var old *scan
	if file := s.Value("diff"); file != "" {
		if old, err = loadScan(s, file); err != nil {
			return subnet.Failed("loading cached fabric for diff failed\n")
		}
	}
	if file := s.Value("filterdownports"); file != "" {
		if w.filter, err = loadScan(s, file); err != nil {
			return subnet.Failed("loading cached fabric for filterdownports failed\n")
		}
	}
	limit := int(subnet.Number(s.Value("hops")))
	if part && limit == 0 {
		limit = 1
	}
	if !part {
		start = subnet.Self
	}
	scanned, err := w.scanFrom(start, limit)
	if err != nil {
		return err
	}
	kind := uint64(0)
	if s.Has("switches-only") > 0 {
		kind = subnet.KindSwitch
	}
	if s.Has("cas-only") > 0 {
		kind = subnet.KindAdapter
	}
	nodes, olds := scanned.nodes, []*found(nil)
	if old != nil {
		olds = old.nodes
	}
	if s.Has("all") == 0 && (label != "" || path != "") {
		n := scanned.find(guid)
		if n == nil || kind != 0 && n.kind != kind {
			s.Complain("Failed to find port: %s\n", label+path)
			return nil
		}
		nodes = []*found{n}
		olds = slices.DeleteFunc(olds, func(other *found) bool { return other.guid != n.guid })
	}
	if kind != 0 {
		others := func(n *found) bool { return n.kind != kind }
		nodes, olds = slices.DeleteFunc(nodes, others), slices.DeleteFunc(olds, others)
	}
	if old != nil {
		w.diff(olds, nodes, keys)
		return nil
	}
	for _, n := range nodes {
		w.node(n, "")
	}
	return nil
}

// scanFrom discovers from a port, or loads a discovery.
func (w *linkinfo) scanFrom(start mad.Route, limit int) (*scan, error) {
	if file := w.Value("load-cache"); file != "" {
		loaded, err := loadScan(w.Session, file)
		if err != nil {
			w.Complain("loading cached fabric failed\n")
			return nil, subnet.CodeError(1)
		}
		return loaded, nil
	}
	scanned, ok := discoverFrom(w.Session, start, limit)
	if !ok {
		w.Complain("discover failed\n")
		return nil, subnet.CodeError(1)
	}
	return scanned, nil
}

func (w *linkinfo) node(n *found, prefix string) {
	headed := false
	for _, p := range n.ports[1:] {
		if p == nil || w.downOnly && mad.State.Get(p.info) != 1 {
			continue
		}
		w.head(n, &headed, prefix)
		w.port(p, prefix)
	}
}

func (w *linkinfo) head(n *found, headed *bool, prefix string) {
	if *headed || w.line {
		return
	}
	*headed = true
	if n.kind == subnet.KindSwitch {
		guid := mad.PortGUID.Get(n.info)
		if n.ports[0] != nil {
			guid = n.ports[0].guid
		}
		w.Printf("%sSwitch: 0x%016x %s:\n", prefix, guid, w.NameOf(n.guid, n.name))
		return
	}
	w.Printf("%s%s: %s:\n", prefix, map[uint64]string{subnet.KindAdapter: "CA", subnet.KindRouter: "Router"}[n.kind], w.NameOf(n.guid, n.name))
}

// speed writes the speed of a port's link.
func (p *foundPort) speed() string {
	if extended := p.extendedActive(); extended != 0 {
		return mad.ExtendedActive.Format(extended)
	}
	if mad.FDR10Active.Get(p.vendor)&1 != 0 {
		return "10.0 Gbps (FDR10)"
	}
	return mad.SpeedActive.Text(p.info)
}

func (w *linkinfo) port(p *foundPort, prefix string) {
	down := mad.State.Get(p.info) == 1
	if down && w.filter != nil && w.wasDown(p) {
		return
	}
	link := fmt.Sprintf("(              %6s/%8s)", mad.State.Text(p.info), mad.Physical.Text(p.info))
	if !down {
		link = fmt.Sprintf("(%3s %18s %6s/%8s)", mad.WidthActive.Text(p.info), p.speed(), mad.State.Text(p.info), mad.Physical.Text(p.info))
		if w.queues {
			link += fmt.Sprintf(" (HOQ:%d VL_Stall:%d)", mad.HeadOfQueue.Get(p.info), mad.VLStall.Get(p.info))
		}
	}
	far := "           [  ] \"\" ( )\n"
	switch {
	case p.far != nil:
		guid := ""
		if w.line {
			guid = fmt.Sprintf("0x%016x ", p.far.guid)
		}
		width, speed := p.couldBe()
		lid := p.far.lid
		if lid == 0 {
			lid = p.far.found.lid
		}
		far = fmt.Sprintf("%s%6d %4d[  ] \"%s\" (%s %s)\n", guid, lid, p.far.number, w.NameOf(p.far.found.guid, p.far.name), width, speed)
	case !down:
		far = "    \"Port not available\"\n"
	}
	switch {
	case w.line:
		w.Printf("%s0x%016x \"%30s\" ", prefix, p.guid, w.NameOf(p.found.guid, p.name))
	default:
		w.Printf("%s      ", prefix)
		if p.kind != subnet.KindSwitch {
			w.Printf("0x%016x ", p.guid)
		}
	}
	w.Printf("%6d %4d[  ] ==%s==>  %s", p.base(), p.number, link, far)
}

// wasDown reports whether a port was down in the saved discovery.
func (w *linkinfo) wasDown(p *foundPort) bool {
	for _, n := range w.filter.nodes {
		if n.guid == p.found.guid {
			return p.number < len(n.ports) && n.ports[p.number] != nil && mad.State.Get(n.ports[p.number].info) == 1
		}
	}
	return false
}

// widest returns the bit of the widest width of a set.
func widest(set uint64) uint64 {
	for _, bit := range []uint64{8, 4, 2, 16} {
		if set&bit != 0 {
			return bit
		}
	}
	return 1
}

// highest returns the highest bit of a set, 1 for an empty one.
func highest(set uint64) uint64 { return 1 << max(0, bits.Len64(set)-1) }

// couldBe writes the width and the speed that both ends of a link support when the link does not have them.
func (p *foundPort) couldBe() (width, speed string) {
	near, far := p.info, p.far.info
	if best := widest(mad.WidthSupported.Get(near) & mad.WidthSupported.Get(far)); best&mad.WidthActive.Get(near) == 0 {
		width = "Could be " + mad.WidthActive.Format(best)
	}
	mask, _ := p.capabilities()
	farMask, _ := p.far.capabilities()
	extended, farExtended := mad.ExtendedSupported.Get(near), mad.ExtendedSupported.Get(far)
	if mask&farMask&mad.HasExtendedSpeeds != 0 && extended != 0 && farExtended != 0 {
		if best := highest(extended & farExtended); best&mad.ExtendedActive.Get(near) == 0 {
			speed = "Could be " + mad.ExtendedActive.Format(best)
		}
		return width, speed
	}
	if mad.FDR10Supported.Get(p.vendor)&mad.FDR10Supported.Get(p.far.vendor)&1 != 0 {
		switch {
		case mad.FDR10Active.Get(p.vendor)&1 != 0:
		case mad.SpeedActive.Get(near) == 4:
			speed = "Could be FDR10 (Found link at QDR but expected speed is FDR10)"
		default:
			speed = "Could be FDR10"
		}
		return width, speed
	}
	if best := highest(mad.SpeedSupported.Get(near) & mad.SpeedSupported.Get(far)); best&mad.SpeedActive.Get(near) == 0 {
		speed = "Could be " + mad.SpeedActive.Format(best)
	}
	return width, speed
}

// diff writes what differs between the nodes of a saved discovery and the nodes of a new one.
func (w *linkinfo) diff(old, fresh []*found, keys []string) {
	find := func(nodes []*found, guid uint64) *found {
		if i := slices.IndexFunc(nodes, func(n *found) bool { return n.guid == guid }); i >= 0 {
			return nodes[i]
		}
		return nil
	}
	for _, n := range old {
		other := find(fresh, n.guid)
		if other == nil {
			w.node(n, "< ")
			continue
		}
		w.diffNode(n, other, keys)
	}
	for _, n := range fresh {
		if find(old, n.guid) == nil {
			w.node(n, "> ")
		}
	}
}

func (w *linkinfo) diffNode(a, b *found, keys []string) {
	compare := func(key string) bool { return slices.Contains(keys, key) }
	headed := false
	if compare("lid") && a.kind == subnet.KindSwitch && a.lid != b.lid || compare("nodedesc") && a.name != b.name {
		first, second := false, false
		w.head(a, &first, "< ")
		w.head(b, &second, "> ")
		headed = true
	}
	if len(a.ports) != len(b.ports) {
		w.head(a, &headed, "")
		w.Printf("< numports = %d\n> numports = %d\n", len(a.ports)-1, len(b.ports)-1)
		return
	}
	for i := 1; i < len(a.ports); i++ {
		p, q := a.ports[i], b.ports[i]
		if p == nil && q == nil {
			continue
		}
		differs := false
		linked := func(p *foundPort) bool { return p != nil && p.far != nil }
		if compare("port") {
			differs = (p == nil) != (q == nil) || linked(p) != linked(q) || linked(p) && linked(q) && p.far.guid != q.far.guid
		}
		if p != nil && q != nil {
			differs = differs || compare("state") && mad.State.Get(p.info) != mad.State.Get(q.info)
			if compare("port") && linked(p) && linked(q) {
				differs = differs || compare("lid") && p.far.lid != q.far.lid || compare("nodedesc") && p.far.name != q.far.name
			}
		}
		if !differs {
			continue
		}
		for _, side := range []struct {
			port   *foundPort
			prefix string
		}{{p, "< "}, {q, "> "}} {
			if side.port != nil {
				w.head(a, &headed, "")
				w.port(side.port, side.prefix)
			}
		}
	}
}
