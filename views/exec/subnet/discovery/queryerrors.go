package discovery

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/infiniband/mad"
	"cxdeck/views/exec/subnet"
)

var queryerrorsOptions = []subnet.Option{
	subnet.NewOption("suppress", 's', "<err1,err2,...>", "leave these counters out"),
	subnet.NewOption("suppress-common", 'c', "", "leave out counters that are often not zero"),
	subnet.NewOption("node-name-map", 0, "<file>", "names for GUIDs"),
	subnet.NewOption("port-guid", 'G', "<port_guid>", "report the node of this port"),
	subnet.NewOption("node-guid", 'S', "<port_guid>", "the same as -G"),
	subnet.NewOption("Direct", 'D', "<dr_path>", "report the node at the end of this route"),
	subnet.NewOption("skip-sl", 0, "", "don't ask for the service levels"),
	subnet.NewOption("report-port", 'r', "", "write the links of ports with errors"),
	subnet.NewOption("threshold-file", 0, "<file>", "read thresholds from this file"),
	subnet.NewOption("GNDN", 'R', "", "has no effect"),
	subnet.NewOption("data", 0, "", "write the data counters of ports with errors"),
	subnet.NewOption("switch", 0, "", "report only switches"),
	subnet.NewOption("ca", 0, "", "report only channel adapters"),
	subnet.NewOption("router", 0, "", "report only routers"),
	subnet.NewOption("details", 0, "", "say what kinds of discards and receive errors they are"),
	subnet.NewOption("counters", 0, "", "write only the data counters"),
	subnet.NewOption("clear-errors", 'k', "", "clear error counters after reading"),
	subnet.NewOption("clear-counts", 'K', "", "clear data counters after reading"),
	subnet.NewOption("load-cache", 0, "<file>", "take the discovery from this file"),
	subnet.NewOption("outstanding_smps", 'o', "<number>", "requests on the way at a time"),
}

// errorReport looks for ports with errors.
type errorReport struct {
	*linkinfo
	thresholds map[string]uint64
	limits     string // the thresholds in the summary
	suppressed []string
	headed     bool

	nodes, badNodes, ports, badPorts, failures int
}

func runQueryerrors(s *subnet.Session) error {
	s.ReadNames()
	q := &errorReport{linkinfo: &linkinfo{Session: s, line: true}, thresholds: map[string]uint64{}}
	if err := q.settings(); err != nil {
		return err
	}
	path, label := s.Value("Direct"), s.Value("port-guid")
	if label == "" {
		label = s.Value("node-guid")
	}
	if path != "" && s.Has("load-cache") > 0 {
		s.Complain("Cannot specify cache and direct route path\n")
		return subnet.CodeError(255)
	}
	start, limit, guid := subnet.Self, 0, subnet.Number(label)
	ok := true
	switch {
	case path != "":
		start, ok = subnet.Directed(path)
		if data, reached := s.Request(start, mad.NodeInfo, 0); ok && reached {
			guid = mad.PortGUID.Get(data)
		}
	case label != "":
		s.By = subnet.ByGUID
		start, ok = s.Route(label)
	}
	if !ok {
		s.Warn("main", "Failed to resolve %s; attempting full scan", path+label)
		start = subnet.Self
	} else if path+label != "" {
		limit = 1
	}
	scanned, err := q.scanFrom(start, limit)
	if err != nil {
		return subnet.CodeError(255)
	}
	nodes := scanned.nodes
	if path+label != "" {
		n := scanned.find(guid)
		if n == nil {
			s.Complain("Failed to find node: %s\n", path+label)
			nodes = nil
		} else {
			nodes = []*found{n}
		}
	} else if s.Has("skip-sl") == 0 {
		if _, ok := s.Master(); !ok {
			s.Complain("Query SA failed: Connection timed out; sa call path_query failed\n")
			return subnet.CodeError(0)
		}
	}
	for _, n := range nodes {
		q.node(n)
	}
	q.summary()
	if q.badPorts > 0 {
		return subnet.CodeError(1)
	}
	return nil
}

// settings reads the counters to leave out, and the thresholds.
func (q *errorReport) settings() error {
	for _, c := range q.Given.Options {
		switch c.Letter {
		case 's':
			for name := range strings.SplitSeq(c.Text, ",") {
				if slices.ContainsFunc(mad.PortCounterFields, func(f mad.Field) bool { return f.Name == name }) {
					q.suppressed = append(q.suppressed, name)
				}
			}
		case 'c':
			q.suppressed = append(q.suppressed, "PortRcvSwitchRelayErrors")
		}
	}
	file := q.Value("threshold-file")
	if file == "" {
		return nil
	}
	data, _ := q.ReadFile(file) // without the file there are no thresholds
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		name, value, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") || !slices.ContainsFunc(mad.Counters, func(c mad.Counter) bool { return c.Name == name }) {
			continue
		}
		q.thresholds[name] = subnet.Number(value)
		q.limits += fmt.Sprintf("[%s = %d]", name, subnet.Number(value))
	}
	return nil
}

func (q *errorReport) summary() {
	q.Printf("\n## Summary: %d nodes checked, %d bad nodes found\n", q.nodes, q.badNodes)
	q.Printf("##          %d ports checked, %d ports have errors beyond threshold\n", q.ports, q.badPorts)
	q.Printf("## Thresholds: %s\n", q.limits)
	if q.failures > 0 {
		q.Printf("##          %d PMA query failures\n", q.failures)
	}
	q.Printf("## Suppressed:")
	for _, name := range q.suppressed {
		q.Printf(" %s", name)
	}
	q.Printf("\n")
}

// wanted reports whether nodes of a kind are reported.
func (q *errorReport) wanted(kind uint64) bool {
	names := map[uint64]string{subnet.KindSwitch: "switch", subnet.KindAdapter: "ca", subnet.KindRouter: "router"}
	named := 0
	for _, name := range names {
		named += q.Has(name)
	}
	return named == 0 || q.Has(names[kind]) > 0
}

// address is the route by which the requests for a port go.
func (n *found) address(port int) mad.Route {
	if n.kind == subnet.KindSwitch {
		return mad.ByLID(uint16(n.lid))
	}
	return mad.ByLID(uint16(n.ports[port].lid))
}

func (q *errorReport) node(n *found) {
	if !q.wanted(n.kind) {
		return
	}
	first, query := 1, 0
	if n.kind == subnet.KindSwitch {
		if mad.EnhancedPort0.Get(n.switchInfo) != 0 {
			first = 0
		}
	} else if query = slices.IndexFunc(n.ports, func(p *foundPort) bool { return p != nil }); query < 0 {
		return
	}
	name := q.NameOf(n.guid, n.name)
	capabilities := uint16(0)
	if data, ok := q.CountersOf(n.address(query), mad.ClassInfo, query); ok {
		capabilities = binary.BigEndian.Uint16(data[2:])
	} else {
		q.Warn("query_cap_mask", "classportinfo query failed on %s, %s port %d", name, n.address(query), query)
		q.failures++
	}
	all := capabilities&mad.AllPorts != 0
	q.headed = false
	dataOnly := q.Has("counters") > 0
	if all && !dataOnly && !q.errors(n, name, capabilities, mad.AllPortsSelect) {
		q.ports += len(n.ports) - 1
	} else {
		for port := first; port < len(n.ports); port++ {
			if n.ports[port] == nil {
				continue
			}
			if dataOnly {
				q.data(n, name, capabilities, port)
			} else {
				q.errors(n, name, capabilities, port)
			}
			q.ports++
			if !all {
				q.clearPort(n, capabilities, port, n.address(port))
			}
		}
	}
	q.nodes++
	if all {
		q.clearPort(n, capabilities, mad.AllPortsSelect, n.address(query))
	}
}

// routeOf is the route for a port, or for the sum of a switch.
func (n *found) routeOf(port int) mad.Route {
	if port == mad.AllPortsSelect {
		return mad.ByLID(uint16(n.lid))
	}
	return n.address(port)
}

// errors writes the errors of a port beyond the thresholds, and reports whether there are any.
func (q *errorReport) errors(n *found, name string, capabilities uint16, port int) bool {
	r := n.routeOf(port)
	data, ok := q.CountersOf(r, mad.PortCounters, port)
	if !ok {
		q.Warn("print_errors", "IB_GSI_PORT_COUNTERS query failed on %s, %s port %d", name, r, port)
		q.failures++
		return false
	}
	text := ""
	for _, c := range mad.Counters {
		isWait := c.Name == "PortXmitWait"
		if c.Bit < 0 || c.Bit > 11 && !isWait || slices.Contains(q.suppressed, c.Name) || isWait && capabilities&mad.SendWait == 0 {
			continue
		}
		value := c.Get(data)
		if value <= q.thresholds[c.Name] {
			continue
		}
		text += fmt.Sprintf(" [%s == %d]", c.Name, value)
		if q.Has("details") > 0 {
			switch c.Name {
			case "PortXmitDiscards":
				text += q.detail(r, port, mad.SendDiscardDetails, mad.SendDiscardFields)
			case "PortRcvErrors":
				text += q.detail(r, port, mad.ReceiveErrorDetails, mad.ReceiveErrorFields)
			}
		}
	}
	if text == "" {
		return false
	}
	if q.Has("data") > 0 {
		fields := mad.PortCounterFields[len(mad.PortCounterFields)-5 : len(mad.PortCounterFields)-1]
		if capabilities&mad.ExtendedWidth != 0 {
			fields = mad.ExtendedCounterFields[2:]
			data, _ = q.CountersOf(r, mad.ExtendedCounters, port)
		}
		for _, f := range fields {
			if f.Get(data) != 0 {
				text += readable(f, data)
			}
		}
	}
	if !q.headed {
		q.headed = true
		q.badNodes++
		if n.kind == subnet.KindSwitch {
			q.Printf("Errors for 0x%x \"%s\"\n", mad.PortGUID.Get(n.info), name)
		} else {
			q.Printf("Errors for \"%s\"\n", name)
		}
	}
	if port == mad.AllPortsSelect {
		q.Printf("   GUID 0x%x port ALL:%s\n", mad.PortGUID.Get(n.info), text)
		return true
	}
	q.Printf("   GUID 0x%x port %d:%s\n", n.ports[port].guid, port, text)
	q.badPorts++
	q.link(n, port)
	return true
}

// detail writes the kinds of an error.
func (q *errorReport) detail(r mad.Route, port int, attribute mad.Attribute, fields []mad.Field) string {
	data, ok := q.CountersOf(r, attribute, port)
	if !ok {
		q.failures++
		return ""
	}
	text := ""
	for _, f := range fields[2:] {
		if v := f.Get(data); v != 0 {
			text += fmt.Sprintf(" [%s == %d]", f.Name, v)
		}
	}
	return text
}

// link writes the link of a port, if links are reported.
func (q *errorReport) link(n *found, port int) {
	p := n.ports[port]
	if q.Has("report-port") == 0 || p == nil {
		return
	}
	link := fmt.Sprintf("(              %6s/%8s)", mad.State.Text(p.info), mad.Physical.Text(p.info))
	if mad.State.Get(p.info) != 1 {
		link = fmt.Sprintf("(%3s %18s %6s/%8s)", mad.WidthActive.Text(p.info), p.speed(), mad.State.Text(p.info), mad.Physical.Text(p.info))
	}
	far := "           [  ] \"\" ( )\n"
	if p.far != nil {
		width, speed := p.couldBe()
		lid := p.far.lid
		if lid == 0 {
			lid = p.far.found.lid
		}
		far = fmt.Sprintf("0x%016x %6d %4d[  ] \"%s\" (%s %s)\n", p.far.guid, lid, p.far.number, q.NameOf(p.far.found.guid, p.far.name), width, speed)
	}
	q.Printf("       Link info: %6d%4d[  ] ==%s==>  %s", p.base(), p.number, link, far)
}

// readable writes a counter with its value in a larger unit; data counts units of four bytes.
func readable(f mad.Field, data []byte) string {
	value := f.Get(data)
	units, scaled, divisor, step := []string{"", "K", "M", "G", "T", "P", "E"}, float32(value), uint64(1), 0
	for rest := value / 1024; rest != 0; rest /= 1024 {
		step++
		divisor *= 1024
	}
	if strings.HasSuffix(f.Name, "Data") {
		units = []string{"B", "KB", "MB", "GB", "TB", "PB", "EB"}
		scaled *= 4
		if scaled/float32(divisor) > 1024 {
			step++
			divisor *= 1024
		}
	}
	unit := ""
	if step < len(units) {
		unit = units[step]
	}
	return fmt.Sprintf(" [%s == %d (%5s%s)]", f.Name, value, strconv.FormatFloat(float64(scaled/float32(divisor)), 'f', 3, 64), unit)
}

// data writes the data counters of a port.
func (q *errorReport) data(n *found, name string, capabilities uint16, port int) {
	r := n.routeOf(port)
	attribute, fields := mad.PortCounters, mad.PortCounterFields[len(mad.PortCounterFields)-5:len(mad.PortCounterFields)-1]
	if capabilities&mad.ExtendedWidth != 0 {
		attribute, fields = mad.ExtendedCounters, mad.ExtendedCounterFields[2:]
	}
	data, ok := q.CountersOf(r, attribute, port)
	if !ok {
		q.Warn("print_data_cnts", "IB_GSI_PORT_COUNTERS_EXT query failed on %s, %s port %d", name, r, port)
		q.failures++
		return
	}
	if !q.headed {
		q.headed = true
		q.Printf("Data Counters for 0x%x \"%s\"\n", n.guid, name)
	}
	q.Printf("   GUID 0x%x port %d:", n.guid, port)
	for _, f := range fields {
		q.Printf("%s", readable(f, data))
	}
	q.Printf("\n")
	q.link(n, port)
}

// clearPort clears the counters that the options name.
func (q *errorReport) clearPort(n *found, capabilities uint16, port int, r mad.Route) {
	mask := uint32(0)
	if q.Has("clear-errors") > 0 {
		mask |= 0xfff
		if capabilities&mad.SendWait != 0 {
			mask |= 0x10000
		}
	}
	counts := q.Has("clear-counts") > 0
	if counts {
		mask |= 0xf000
	}
	if mask != 0 && !q.ResetCounters(r, mad.PortCounters, port, mask) {
		q.Complain("Failed to reset errors %s port %d\n", q.NameOf(n.guid, n.name), port)
	}
	if counts && capabilities&mad.ExtendedWidth != 0 && !q.ResetCounters(r, mad.ExtendedCounters, port, 0xff) {
		q.Complain("Failed to reset extended data counters %s, %s port %d\n", q.NameOf(n.guid, n.name), r, port)
	}
}
