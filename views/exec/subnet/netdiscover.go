package subnet

import (
	"fmt"
	"strings"

	"cxdeck/device/infiniband/mad"
)

// netdiscover writes a discovery as a topology file.
type netdiscover struct {
	*session
	text  strings.Builder
	full  bool
	group bool
}

var netdiscoverOptions = []option{
	{"full", 'f', "", "show speed, width and lanes of ports"},
	{"show", 's', "", "show each node as the discovery comes to it"},
	{"list", 'l', "", "list all nodes"},
	{"grouping", 'g', "", "put the nodes of a chassis together"},
	{"Hca_list", 'H', "", "list the channel adapters"},
	{"Switch_list", 'S', "", "list the switches"},
	{"Router_list", 'R', "", "list the routers"},
	{"node-name-map", 0, "<file>", "names for GUIDs"},
	{"cache", 0, "<file>", "save the discovery in this file"},
	{"load-cache", 0, "<file>", "take the discovery from this file"},
	{"diff", 0, "<file>", "show the differences to a saved discovery"},
	{"diffcheck", 0, "<keys>", "what to compare: sw, ca, router, port, lid, nodedesc"},
	{"ports", 'p', "", "write a line for each port"},
	{"max_hops", 'm', "", "write the number of hops"},
	{"outstanding_smps", 'o', "<number>", "requests on the way at a time"},
}

func runNetdiscover(s *session) error {
	s.readNames()
	w := &netdiscover{session: s, full: s.has("full") > 0, group: s.has("grouping") > 0}
	keys, err := s.diffKeys("sw,ca,router,port", "sw", "ca", "router", "port", "lid", "nodedesc")
	if err != nil {
		return err
	}
	var old *scan
	if file := s.value("diff"); file != "" {
		if old, err = s.loadScan(file); err != nil {
			return failed("loading cached fabric for diff failed\n")
		}
	}
	scanned, err := s.scanned()
	if err != nil {
		return err
	}
	kinds := 0
	for _, c := range s.given.options { // the last list that was given counts
		switch c.letter {
		case 'l':
			kinds = 1<<kindAdapter | 1<<kindSwitch | 1<<kindRouter
		case 'H':
			kinds = 1 << kindAdapter
		case 'S':
			kinds = 1 << kindSwitch
		case 'R':
			kinds = 1 << kindRouter
		}
	}
	switch {
	case s.has("ports") > 0:
		w.portsReport(scanned)
	case kinds != 0:
		w.list(scanned, kinds)
	case old != nil:
		w.diff(old, scanned, keys)
	default:
		w.topology(scanned)
	}
	if len(s.given.operands) > 0 && s.has("ports") == 0 {
		s.result.Files = append(s.result.Files, File{s.given.operands[0], []byte(w.text.String())})
	} else {
		s.printf("%s", w.text.String())
	}
	if file := s.value("cache"); file != "" {
		s.result.Files = append(s.result.Files, File{file, saveScan(scanned)})
	}
	return nil
}

// scanned discovers the network, or loads a discovery.
func (s *session) scanned() (*scan, error) {
	if file := s.value("load-cache"); file != "" {
		loaded, err := s.loadScan(file)
		if err != nil {
			return nil, failed("loading cached fabric failed\n")
		}
		return loaded, nil
	}
	scanned, ok := s.discover(self, 0)
	if !ok {
		return nil, failed("discover failed\n")
	}
	return scanned, nil
}

func (w *netdiscover) writef(format string, values ...any) {
	fmt.Fprintf(&w.text, format, values...)
}

// id is the name of a node in the file: a letter of its kind, and its GUID.
func (n *found) id() string {
	letter := map[uint64]string{kindAdapter: "H", kindSwitch: "S", kindRouter: "R"}[n.kind]
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
	w.writef("#\n# Topology file: generated on %s\n#\n", w.computer.Now.Format("Mon Jan _2 15:04:05 2006"))
	if w.has("max_hops") > 0 {
		w.writef("# Reported max hops discovered: %d\n# Total MADs used: %d\n", s.hops, s.requests)
	}
	w.writef("# Initiated from node %016x port %016x\n", s.from.guid, mad.PortGUID.Get(s.from.info))
	if w.group {
		for i, guid := range s.chassis {
			w.writef("\nChassis %d (guid 0x%x)\n\n# Spine Nodes\n# Line Nodes\n# Chassis Switches", i+1, guid)
			w.nodes(s, func(n *found) bool { return n.kind == kindSwitch && n.chassis == i+1 })
			w.writef("\n# Chassis CAs")
			w.nodes(s, func(n *found) bool { return n.kind == kindAdapter && n.chassis == i+1 })
		}
		w.writef("\nNon-Chassis Nodes\n")
	}
	for _, kind := range []uint64{kindSwitch, kindAdapter, kindRouter} {
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
	case kindSwitch:
		w.writef("%sswitchguid=0x%x(%x)", ids, n.guid, mad.PortGUID.Get(n.info))
		if w.group {
			w.writef("\t# ")
		}
		w.writef("\n")
	default:
		w.writef("%s%sguid=0x%x\n", ids, map[uint64]string{kindAdapter: "ca", kindRouter: "rt"}[n.kind], n.guid)
	}
	w.detail(n, line)
	w.writef("\n")
}

func (w *netdiscover) detail(n *found, line string) {
	if n.kind == kindSwitch {
		port := "base"
		if mad.EnhancedPort0.Get(n.switchInfo) != 0 {
			port = "enhanced"
		}
		w.writef("%sSwitch\t%d %s\t\t# \"%s\" %s port 0 lid %d lmc %d", line, len(n.ports)-1, n.id(), w.nameOf(n.guid, n.name), port, n.lid, n.lmc)
		return
	}
	w.writef("%s%s\t%d %s\t\t# \"%s\"", line, map[uint64]string{kindAdapter: "Ca", kindRouter: "Rt"}[n.kind], len(n.ports)-1, n.id(), clean(n.name))
}

func (w *netdiscover) link(p *foundPort, prefix string) {
	far := p.far
	w.writef("%s[%d]", prefix, p.number)
	guid := ""
	if far.kind != kindSwitch {
		guid = fmt.Sprintf("(%x) ", far.guid)
	}
	if p.kind == kindSwitch {
		w.writef("\t%s[%d]%s\t\t# \"%s\" lid %d %s", far.id(), far.number, guid, w.nameOf(far.found.guid, far.name), far.base(), p.rate())
	} else {
		if guid != "" {
			guid = " " + guid
		}
		w.writef("(%x) \t%s[%d]%s\t\t# lid %d lmc %d \"%s\" lid %d %s", p.guid, far.id(), far.number, guid, p.lid, p.lmc,
			w.nameOf(far.found.guid, far.name), far.base(), p.rate())
	}
	if w.full {
		w.writef(" s=%d w=%d v=%d", mad.SpeedActive.Get(p.info), mad.WidthActive.Get(p.info), mad.VLCap.Get(p.info))
	}
	w.writef("\n")
}

func (w *netdiscover) list(s *scan, kinds int) {
	for _, kind := range []uint64{kindAdapter, kindSwitch, kindRouter} {
		if kinds>>kind&1 == 0 {
			continue
		}
		for _, n := range s.nodes {
			if n.kind == kind {
				w.writef("%s\t : 0x%016x ports %d devid 0x%x vendid 0x%x \"%s\"\n", kindName(kind), n.guid, len(n.ports)-1,
					mad.DeviceID.Get(n.info), mad.VendorID.Get(n.info), w.nameOf(n.guid, n.name))
			}
		}
	}
}

func kindName(kind uint64) string {
	return map[uint64]string{kindAdapter: "Ca", kindSwitch: "Switch", kindRouter: "Router"}[kind]
}

func (w *netdiscover) portsReport(s *scan) {
	short := map[uint64]string{kindAdapter: "CA", kindSwitch: "SW", kindRouter: "RT"}
	for _, n := range s.nodes {
		for i := len(n.ports) - 1; i > 0; i-- {
			p := n.ports[i]
			if p == nil {
				continue
			}
			w.writef("%2s %5d %2d 0x%016x %s %s", short[n.kind], p.base(), p.number, p.guid, split(p.rate()), "")
			if far := p.far; far != nil {
				w.writef("- %2s %5d %2d 0x%016x ( '%s' - '%s' )\n", short[far.kind], far.base(), far.number, far.guid,
					w.nameOf(n.guid, n.name), w.nameOf(far.found.guid, far.name))
			} else {
				w.writef("%35s'%s'\n", "", w.nameOf(n.guid, n.name))
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
