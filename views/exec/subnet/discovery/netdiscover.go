package discovery

import (
	"fmt"
	"strings"

	"cxdeck/device/infiniband/mad"
	"cxdeck/views/exec/subnet"
)

// netdiscover writes a discovery as a topology file.
type netdiscover struct {
	*subnet.Session
	text  strings.Builder
	full  bool
	group bool
}

var netdiscoverOptions = []subnet.Option{
	subnet.NewOption("full", 'f', "", "show speed, width and lanes of ports"),
	subnet.NewOption("show", 's', "", "show each node as the discovery comes to it"),
	subnet.NewOption("list", 'l', "", "list all nodes"),
	subnet.NewOption("grouping", 'g', "", "put the nodes of a chassis together"),
	subnet.NewOption("Hca_list", 'H', "", "list the channel adapters"),
	subnet.NewOption("Switch_list", 'S', "", "list the switches"),
	subnet.NewOption("Router_list", 'R', "", "list the routers"),
	subnet.NewOption("node-name-map", 0, "<file>", "names for GUIDs"),
	subnet.NewOption("cache", 0, "<file>", "save the discovery in this file"),
	subnet.NewOption("load-cache", 0, "<file>", "take the discovery from this file"),
	subnet.NewOption("diff", 0, "<file>", "show the differences to a saved discovery"),
	subnet.NewOption("diffcheck", 0, "<keys>", "what to compare: sw, ca, router, port, lid, nodedesc"),
	subnet.NewOption("ports", 'p', "", "write a line for each port"),
	subnet.NewOption("max_hops", 'm', "", "write the number of hops"),
	subnet.NewOption("outstanding_smps", 'o', "<number>", "requests on the way at a time"),
}

func runNetdiscover(s *subnet.Session) error {
	s.ReadNames()
	w := &netdiscover{Session: s, full: s.Has("full") > 0, group: s.Has("grouping") > 0}
	keys, err := diffKeys(s, "sw,ca,router,port", "sw", "ca", "router", "port", "lid", "nodedesc")
	if err != nil {
		return err
	}
	var old *scan
	if file := s.Value("diff"); file != "" {
		if old, err = loadScan(s, file); err != nil {
			return subnet.Failed("loading cached fabric for diff failed\n")
		}
	}
	scanned, err := scanOrLoad(s)
	if err != nil {
		return err
	}
	kinds := 0
	for _, c := range s.Given.Options { // the last list that was given counts
		switch c.Letter {
		case 'l':
			kinds = 1<<subnet.KindAdapter | 1<<subnet.KindSwitch | 1<<subnet.KindRouter
		case 'H':
			kinds = 1 << subnet.KindAdapter
		case 'S':
			kinds = 1 << subnet.KindSwitch
		case 'R':
			kinds = 1 << subnet.KindRouter
		}
	}
	switch {
	case s.Has("ports") > 0:
		w.portsReport(scanned)
	case kinds != 0:
		w.list(scanned, kinds)
	case old != nil:
		w.diff(old, scanned, keys)
	default:
		w.topology(scanned)
	}
	if len(s.Given.Operands) > 0 && s.Has("ports") == 0 {
		s.WriteFile(s.Given.Operands[0], []byte(w.text.String()))
	} else {
		s.Printf("%s", w.text.String())
	}
	if file := s.Value("cache"); file != "" {
		s.WriteFile(file, saveScan(scanned))
	}
	return nil
}

// scanOrLoad discovers the network, or loads a discovery.
func scanOrLoad(s *subnet.Session) (*scan, error) {
	if file := s.Value("load-cache"); file != "" {
		loaded, err := loadScan(s, file)
		if err != nil {
			return nil, subnet.Failed("loading cached fabric failed\n")
		}
		return loaded, nil
	}
	scanned, ok := discoverFrom(s, subnet.Self, 0)
	if !ok {
		return nil, subnet.Failed("discover failed\n")
	}
	return scanned, nil
}

func (w *netdiscover) writef(format string, values ...any) {
	fmt.Fprintf(&w.text, format, values...)
}

// id is the name of a node in the file: a letter of its kind, and its GUID.
func (n *found) id() string {
	letter := map[uint64]string{subnet.KindAdapter: "H", subnet.KindSwitch: "S", subnet.KindRouter: "R"}[n.kind]
	if letter == "" {
		letter = "?"
	}
	return fmt.Sprintf("\"%s-%016x\"", letter, n.guid)
}

// rate writes the width and the speed of a port's link: "4xFDR".
func (p *foundPort) rate() string {
	width := map[uint64]string{1: "1x", 2: "4x", 4: "8x", 8: "12x", 16: "2x"}[mad.WidthActive.Get(p.info)]
	speed := map[uint64]string{1: "SDR", 2: "DDR", 4: "QDR"}[mad.SpeedActive.Get(p.info)]
	extended := p.extendedActive()
	if _, known := p.capabilities(); !known {
		width, speed, extended = "", "", 0
	}
	switch {
	case extended != 0:
		speed = map[uint64]string{1: "FDR", 2: "EDR", 4: "HDR", 8: "NDR"}[extended]
	case mad.SpeedActive.Get(p.info) == 4 && mad.FDR10Active.Get(p.vendor)&1 != 0:
		speed = "FDR10"
	}
	if width == "" {
		width = "??"
	}
	if speed == "" {
		speed = "???"
	}
	return width + speed
}

func (w *netdiscover) topology(s *scan) {
	w.writef("#\n# Topology file: generated on %s\n#\n", w.Computer.Now.Format("Mon Jan _2 15:04:05 2006"))
	if w.Has("max_hops") > 0 {
		w.writef("# Reported max hops discovered: %d\n# Total MADs used: %d\n", s.hops, s.requests)
	}
	w.writef("# Initiated from node %016x port %016x\n", s.from.guid, mad.PortGUID.Get(s.from.info))
	if w.group {
		for i, guid := range s.chassis {
			w.writef("\nChassis %d (guid 0x%x)\n\n# Spine Nodes\n# Line Nodes\n# Chassis Switches", i+1, guid)
			w.nodes(s, func(n *found) bool { return n.kind == subnet.KindSwitch && n.chassis == i+1 })
			w.writef("\n# Chassis CAs")
			w.nodes(s, func(n *found) bool { return n.kind == subnet.KindAdapter && n.chassis == i+1 })
		}
		w.writef("\nNon-Chassis Nodes\n")
	}
	for _, kind := range []uint64{subnet.KindSwitch, subnet.KindAdapter, subnet.KindRouter} {
		w.nodes(s, func(n *found) bool { return n.kind == kind && (!w.group || n.chassis == 0) })
	}
}

// nodes writes the nodes that match, with their links.
func (w *netdiscover) nodes(s *scan, matches func(*found) bool) {
	for _, n := range s.nodes {
		if !matches(n) {
			continue
		}
		w.head(n, "", "")
		for _, p := range n.ports[1:] {
			if p != nil && p.far != nil {
				w.link(p, "")
			}
		}
	}
}

// head writes the lines of a node before its links. The prefixes mark lines of a comparison.
func (w *netdiscover) head(n *found, ids, line string) {
	w.writef("\n%svendid=0x%x\n%sdevid=0x%x\n", ids, mad.VendorID.Get(n.info), ids, mad.DeviceID.Get(n.info))
	system := mad.SystemGUID.Get(n.info)
	if system != 0 {
		w.writef("%ssysimgguid=0x%x", ids, system)
	}
	if w.group && n.chassis != 0 {
		w.writef("\t\t# Chassis %d", n.chassis)
	}
	if system != 0 || w.group && n.chassis != 0 {
		w.writef("\n")
	}
	switch n.kind {
	case subnet.KindSwitch:
		w.writef("%sswitchguid=0x%x(%x)", ids, n.guid, mad.PortGUID.Get(n.info))
		if w.group {
			w.writef("\t# ")
		}
		w.writef("\n")
	default:
		w.writef("%s%sguid=0x%x\n", ids, map[uint64]string{subnet.KindAdapter: "ca", subnet.KindRouter: "rt"}[n.kind], n.guid)
	}
	w.detail(n, line)
	w.writef("\n")
}

func (w *netdiscover) detail(n *found, line string) {
	if n.kind == subnet.KindSwitch {
		port := "base"
		if mad.EnhancedPort0.Get(n.switchInfo) != 0 {
			port = "enhanced"
		}
		w.writef("%sSwitch\t%d %s\t\t# \"%s\" %s port 0 lid %d lmc %d", line, len(n.ports)-1, n.id(), w.NameOf(n.guid, n.name), port, n.lid, n.lmc)
		return
	}
	w.writef("%s%s\t%d %s\t\t# \"%s\"", line, map[uint64]string{subnet.KindAdapter: "Ca", subnet.KindRouter: "Rt"}[n.kind], len(n.ports)-1, n.id(), subnet.Clean(n.name))
}

func (w *netdiscover) link(p *foundPort, prefix string) {
	far := p.far
	w.writef("%s[%d]", prefix, p.number)
	guid := ""
	if far.kind != subnet.KindSwitch {
		guid = fmt.Sprintf("(%x) ", far.guid)
	}
	if p.kind == subnet.KindSwitch {
		w.writef("\t%s[%d]%s\t\t# \"%s\" lid %d %s", far.id(), far.number, guid, w.NameOf(far.found.guid, far.name), far.base(), p.rate())
	} else {
		if guid != "" {
			guid = " " + guid
		}
		w.writef("(%x) \t%s[%d]%s\t\t# lid %d lmc %d \"%s\" lid %d %s", p.guid, far.id(), far.number, guid, p.lid, p.lmc,
			w.NameOf(far.found.guid, far.name), far.base(), p.rate())
	}
	if w.full {
		w.writef(" s=%d w=%d v=%d", mad.SpeedActive.Get(p.info), mad.WidthActive.Get(p.info), mad.VLCap.Get(p.info))
	}
	w.writef("\n")
}

func (w *netdiscover) list(s *scan, kinds int) {
	for _, kind := range []uint64{subnet.KindAdapter, subnet.KindSwitch, subnet.KindRouter} {
		if kinds>>kind&1 == 0 {
			continue
		}
		for _, n := range s.nodes {
			if n.kind == kind {
				w.writef("%s\t : 0x%016x ports %d devid 0x%x vendid 0x%x \"%s\"\n", kindName(kind), n.guid, len(n.ports)-1,
					mad.DeviceID.Get(n.info), mad.VendorID.Get(n.info), w.NameOf(n.guid, n.name))
			}
		}
	}
}

func kindName(kind uint64) string {
	return map[uint64]string{subnet.KindAdapter: "Ca", subnet.KindSwitch: "Switch", subnet.KindRouter: "Router"}[kind]
}

func (w *netdiscover) portsReport(s *scan) {
	short := map[uint64]string{subnet.KindAdapter: "CA", subnet.KindSwitch: "SW", subnet.KindRouter: "RT"}
	for _, n := range s.nodes {
		for i := len(n.ports) - 1; i > 0; i-- {
			p := n.ports[i]
			if p == nil {
				continue
			}
			w.writef("%2s %5d %2d 0x%016x %s %s", short[n.kind], p.base(), p.number, p.guid, split(p.rate()), "")
			if far := p.far; far != nil {
				w.writef("- %2s %5d %2d 0x%016x ( '%s' - '%s' )\n", short[far.kind], far.base(), far.number, far.guid,
					w.NameOf(n.guid, n.name), w.NameOf(far.found.guid, far.name))
			} else {
				w.writef("%35s'%s'\n", "", w.NameOf(n.guid, n.name))
			}
		}
	}
}

// split puts a space between width and speed.
func split(rate string) string {
	if i := strings.LastIndexAny(rate, "x"); i >= 0 {
		return rate[:i+1] + " " + rate[i+1:]
	}
	return "?? ???"
}
