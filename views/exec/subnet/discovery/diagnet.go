package discovery

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/infiniband/mad"
	"cxdeck/device/infiniband/netfile"
	"cxdeck/views/exec/subnet"
	"cxdeck/views/exec/subnet/administration"
)

var diagnetOptions = []subnet.Option{
	subnet.NewOption("device", 'i', "<name|index>", "channel adapter to send from: its name, or its index from 0"),
	subnet.NewOption("port", 'p', "<number>", "port of the adapter to send from"),
	subnet.NewOption("output_path", 'o', "<directory>", "where the log and the data files go"),
	subnet.NewOption("routing", 'r', "", "check the forwarding tables, too"),
	subnet.NewOption("topology", 't', "<file>", "compare the cables with a topology file of ibnetdiscover"),
	subnet.NewOption("sys_name", 's', "<name>", "name of this host in the topology file"),
	subnet.NewOption("pc", 0, "", "clear the counters of all ports"),
	subnet.NewOption("counter", 'P', "<name=threshold>", "report a counter above this value"),
	subnet.NewOption("ls", 0, "<2.5|5|10|14|25>", "report links that are not of this speed"),
	subnet.NewOption("lw", 0, "<1x|4x|8x|12x>", "report links that are not of this width"),
	subnet.NewOption("help", 'h', "", "show this help"),
	subnet.NewOption("version", 'V', "", "show the version"),
}

// stage is a part of the check, with what it found.
type stage struct {
	name             string
	warnings, errors int
}

// diagnet is a run of ibdiagnet.
type diagnet struct {
	*subnet.Session
	scan       *scan
	stages     []stage
	thresholds map[string]uint64
}

const diagnetRule = "---------------------------------------------\n"

// runDiagnet checks the whole subnet by stages.
func runDiagnet(s *subnet.Session) error {
	if s.Has("help") > 0 {
		return s.Help()
	}
	if s.Has("version") > 0 {
		s.Printf("ibdiagnet 2.1.1\n")
		return nil
	}
	readEnvironment(s)
	s.Adapter = s.Value("device")
	if index, err := strconv.Atoi(s.Adapter); err == nil && index >= 0 && index < len(s.Computer.Adapters) {
		s.Adapter = s.Computer.Adapters[index].Name
	}
	if err := s.Attach(int(subnet.Number(s.Value("port")))); err != nil {
		return err
	}
	d := &diagnet{Session: s, thresholds: map[string]uint64{}}
	for _, c := range s.Given.Options {
		if c.Long == "counter" {
			name, value, ok := strings.Cut(c.Text, "=")
			if !ok || !slices.ContainsFunc(mad.Counters, func(counter mad.Counter) bool { return counter.ThresholdName() == name }) {
				s.Printf("-E- Illegal argument: Illegal value or unknown counter: %s\n", c.Text)
				return subnet.CodeError(1)
			}
			d.thresholds[name] = subnet.Number(value)
		}
	}
	if problem := d.illegal(); problem != "" {
		s.Printf("-E- Illegal argument: %s\n", problem)
		return subnet.CodeError(1)
	}
	s.Printf("----------\n")
	d.begin("Discovery")
	scanned, ok := discoverFrom(s, subnet.Self, 0)
	if !ok {
		s.Printf("-E- Fabric Discover failed, err=SM_IB_ERR\n")
		return subnet.CodeError(1)
	}
	d.scan = scanned
	count := func(kind uint64) (n int) {
		for _, node := range scanned.nodes {
			if node.kind == kind {
				n++
			}
		}
		return n
	}
	s.Printf("-I- Discovering ... %d nodes (%d Switches & %d CA-s) discovered.\n", len(scanned.nodes), count(subnet.KindSwitch), count(subnet.KindAdapter))
	d.end("Fabric Discover finished successfully")
	d.lids()
	d.links()
	d.managers()
	d.counters()
	d.nodes()
	d.speeds()
	d.keys()
	if s.Has("routing") > 0 {
		d.routing()
	}
	if err := d.topology(); err != nil {
		return err
	}
	return d.summary()
}

// readEnvironment adds the options that environment variables give. A name of this host counts only with a topology file.
func readEnvironment(s *subnet.Session) {
	for _, v := range [][2]string{{"topology", "IBDIAG_TOPO_FILE"}, {"sys_name", "IBDIAG_SYS_NAME"}, {"device", "IBDIAG_DEV_IDX"}, {"port", "IBDIAG_PORT_NUM"}} {
		if value := s.Computer.Environment[v[1]]; value != "" && s.Has(v[0]) == 0 && (v[0] != "sys_name" || s.Has("topology") > 0) {
			s.Given.Options = append(s.Given.Options, subnet.Choice{Option: subnet.Option{Long: v[0]}, Text: value})
		}
	}
}

// linkSpeeds are the speeds that --ls names.
var linkSpeeds = map[string]string{"2.5": "2.5 Gbps", "5": "5.0 Gbps", "10": "10.0 Gbps", "14": "14.0625 Gbps", "25": "25.78125 Gbps"}

// illegal returns what is wrong with the values of the options; it is empty if they are right.
func (d *diagnet) illegal() string {
	speed, width := d.Value("ls"), strings.ToLower(d.Value("lw"))
	switch {
	case speed != "" && linkSpeeds[speed] == "":
		return "--ls takes 2.5, 5, 10, 14 or 25, not " + speed
	case width != "" && !slices.Contains([]string{"1x", "4x", "8x", "12x"}, width):
		return "--lw takes 1x, 4x, 8x or 12x, not " + width
	case d.Value("sys_name") != "" && d.Value("topology") == "":
		return "-s names this host in a topology file, and -t gives none"
	}
	return ""
}

// begin writes the heading of a stage.
func (d *diagnet) begin(name string) {
	d.Printf("\n%s%s\n", diagnetRule, name)
	d.stages = append(d.stages, stage{name: name})
}

// end writes the result of a check.
func (d *diagnet) end(text string) {
	last := &d.stages[len(d.stages)-1]
	if last.errors > 0 {
		text = strings.Replace(text, "successfully", "with errors", 1)
		d.Printf("-E- %s\n", text)
		return
	}
	d.Printf("-I- %s\n", text)
}

func (d *diagnet) report(isError bool, format string, values ...any) {
	last, letter := &d.stages[len(d.stages)-1], "W"
	if isError {
		letter = "E"
		last.errors++
	} else {
		last.warnings++
	}
	d.Printf("-%s- %s\n", letter, fmt.Sprintf(format, values...))
}

// title names a port: the node and its port.
func (p *foundPort) title() string {
	if p.kind == subnet.KindSwitch {
		return fmt.Sprintf("S%016x/N%016x/P%d(%s)", mad.SystemGUID.Get(p.found.info), p.found.guid, p.number, subnet.Clean(p.name))
	}
	return fmt.Sprintf("%s/P%d", subnet.Clean(p.name), p.number)
}

// up calls do for the ports with a link.
func (d *diagnet) up(do func(p *foundPort)) {
	for _, n := range slices.Backward(d.scan.nodes) {
		for _, p := range n.ports[1:] {
			if p != nil && p.info != nil && mad.Physical.Get(p.info) == 5 {
				do(p)
			}
		}
	}
}

func (d *diagnet) lids() {
	d.begin("Lids Check")
	owners := map[uint64]*foundPort{}
	for _, n := range slices.Backward(d.scan.nodes) {
		for i, p := range n.ports {
			if p == nil || p.info == nil || n.kind == subnet.KindSwitch && i > 0 || n.kind != subnet.KindSwitch && mad.Physical.Get(p.info) != 5 {
				continue
			}
			switch other := owners[p.lid]; {
			case p.lid == 0:
				d.report(true, "%s - lid is zero", p.title())
			case other != nil:
				d.report(true, "%s - lid %d is configured also on %s", p.title(), p.lid, other.title())
			}
			owners[p.lid] = p
		}
	}
	d.end("Lids Check finished successfully")
}

func (d *diagnet) links() {
	d.begin("Links Check")
	d.up(func(p *foundPort) {
		if p.far == nil || p.far.info == nil {
			return
		}
		if near, far := mad.State.Get(p.info), mad.State.Get(p.far.info); near != far && p.title() < p.far.title() {
			d.report(true, "link between %s and %s has different logical states: %s and %s", p.title(), p.far.title(), mad.State.Text(p.info), mad.State.Text(p.far.info))
		} else if near == 2 {
			d.report(false, "%s - the port is in INIT state", p.title())
		}
	})
	d.end("Links Check finished successfully")
}

func (d *diagnet) managers() {
	d.begin("Subnet Manager")
	masters := 0
	for _, m := range d.Managers {
		place := m.Place
		for _, n := range d.scan.nodes {
			if n.guid != uint64(d.Of(place).GUID) || !m.Running {
				continue
			}
			d.Printf("-I- SM on %s: priority %d, state %s\n", subnet.Clean(n.name), m.Priority, strings.TrimPrefix(m.Role.String(), "SMINFO_"))
			if m.Role.String() == "SMINFO_MASTER" {
				masters++
			}
		}
	}
	d.Printf("-I- SM Info retrieving finished successfully\n")
	switch {
	case masters == 0:
		d.report(true, "Not found master subnet manager in fabric")
	case masters > 1:
		d.report(true, "Found %d master subnet managers in fabric", masters)
	}
	d.end("Subnet Manager Check finished successfully")
}

func (d *diagnet) counters() {
	d.begin("Port Counters")
	d.up(func(p *foundPort) {
		r := p.address(p.number)
		data, ok := d.CountersOf(r, mad.PortCounters, p.number)
		if !ok {
			d.report(true, "%s - No response for MAD PMPortCounters", p.title())
			return
		}
		for _, c := range mad.Counters {
			if c.Bit < 0 || c.Bit > 11 {
				continue
			}
			if value := c.Get(data); value > d.thresholds[c.ThresholdName()] {
				d.report(false, "%s - \"%s\" increased by %d", p.title(), c.ThresholdName(), value)
			}
		}
		if d.Has("pc") > 0 {
			d.ResetCounters(r, mad.PortCounters, p.number, 0x1ffff)
		}
	})
	d.Printf("-I- Ports counters retrieving finished successfully\n")
	if d.Has("pc") > 0 {
		d.Printf("-I- Ports counters clearing finished successfully\n")
	}
	d.end("Ports counters value Check finished successfully")
}

func (d *diagnet) nodes() {
	d.begin("Nodes Information")
	names := map[string]int{}
	for _, n := range d.scan.nodes {
		if n.kind == subnet.KindAdapter {
			names[n.name]++
		}
	}
	for _, n := range slices.Backward(d.scan.nodes) {
		if names[n.name] > 1 {
			d.report(false, "Node with GUID=0x%016x is configured with duplicated node description - %s", n.guid, subnet.Clean(n.name))
		}
	}
	d.end("Nodes Info retrieving finished successfully")
}

func (d *diagnet) speeds() {
	d.begin("Speed / Width checks")
	d.Printf("-I- Link Speed Check (Compare to supported link speed)\n")
	speed, width := linkSpeeds[d.Value("ls")], strings.ToUpper(d.Value("lw"))
	for _, isWidth := range []bool{false, true} {
		if isWidth {
			d.end("Links Speed Check finished successfully")
			d.Printf("-I- Link Width Check (Compare to supported link width)\n")
		}
		d.up(func(p *foundPort) {
			if p.far == nil || p.far.info == nil || p.title() > p.far.title() {
				return
			}
			couldWidth, couldSpeed := p.couldBe()
			has, could, wanted, what := p.speed(), couldSpeed, speed, "speed"
			if isWidth {
				has, could, wanted, what = mad.WidthActive.Text(p.info), couldWidth, width, "width"
			}
			switch {
			case wanted != "" && has != wanted:
				d.report(true, "Link: %s<-->%s - Unexpected actual link %s %s (expected %s)", p.title(), p.far.title(), what, has, wanted)
			case wanted == "" && could != "":
				d.report(false, "Link: %s<-->%s - Unexpected actual link %s %s (enable_%s = %s, supported on both ends = %s)", p.title(), p.far.title(), what, has, what, has,
					strings.TrimPrefix(could, "Could be "))
			}
		})
	}
	d.end("Links Width Check finished successfully")
}

func (d *diagnet) keys() {
	d.begin("Partition Keys")
	d.Printf("-I- Partition Keys retrieving finished successfully\n")
	d.end("Partition Keys finished successfully")
}

// routing follows the tables from each adapter to each other one.
func (d *diagnet) routing() {
	d.begin("Routing")
	ends := administration.KnownEnds(d.Session, d.Local().ManagerLID)
	paths := 0
	for _, from := range ends {
		for _, to := range ends {
			if from == to || d.Of(from).Kind == 2 || d.Of(to).Kind == 2 {
				continue
			}
			paths++
			if !administration.HasPath(d.Session, from, to) {
				d.report(true, "Unassigned LFT for lid=%d: no path from %s to %s", d.End(to).LID, subnet.Clean(d.Of(from).Name), subnet.Clean(d.Of(to).Name))
			}
		}
	}
	d.Printf("-I- Scanned %d CA to CA paths\n", paths)
	d.end("Routing check finished successfully")
}

// topology compares the cables with the ones of a topology file.
func (d *diagnet) topology() error {
	file := d.Value("topology")
	if file == "" {
		return nil
	}
	data, err := d.ReadFile(file)
	if err != nil {
		d.Printf("-E- Failed to read the topology file %s\n", file)
		return subnet.CodeError(1)
	}
	d.begin("Topology")
	now, planned := netfile.Cables(topologyOf(d.Session, d.scan)), netfile.Cables(string(data))
	if len(planned) == 0 {
		d.report(true, "%s has no cable", file)
	}
	if name := d.Value("sys_name"); name != "" {
		switch id, local := netfile.System(string(data), name), fmt.Sprintf("H-%016x", d.scan.from.guid); {
		case id == "":
			d.report(true, "%s has no system %s", file, name)
		case id != local:
			d.report(true, "%s is the node %s of %s, and this host is %s", name, id, file, local)
		}
	}
	for _, cable := range slices.Sorted(maps.Keys(planned)) {
		if !now[cable] {
			d.report(true, "Missing cable: %s", cable)
		}
	}
	for _, cable := range slices.Sorted(maps.Keys(now)) {
		if !planned[cable] {
			d.report(true, "Extra cable: %s", cable)
		}
	}
	d.end("Topology matching finished successfully")
	return nil
}

// topologyOf is the topology file of a discovery.
func topologyOf(s *subnet.Session, scanned *scan) string {
	w := &netdiscover{Session: s}
	w.topology(scanned)
	return w.text.String()
}

func (d *diagnet) summary() error {
	d.Printf("\n%sSummary\n-I- %-26s%-11s%-11s%s\n", diagnetRule, "Stage", "Warnings", "Errors", "Comment")
	failures := 0
	for _, st := range d.stages {
		d.Printf("-I- %-26s%-11d%-11d\n", st.name, st.warnings, st.errors)
		failures += st.errors
	}
	if folder := d.Value("output_path"); folder != "" {
		log := strings.TrimRight(folder, "/") + "/ibdiagnet2.log"
		d.Printf("\n-I- You can find detailed errors/warnings in: %s\n", log)
		d.WriteFile(log, []byte(d.Printed()))
	}
	if failures > 0 {
		return subnet.CodeError(1)
	}
	return nil
}
