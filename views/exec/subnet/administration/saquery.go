package administration

import (
	"fmt"
	"net/netip"
	"strings"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/views/exec/subnet"
)

// record is a kind of record that saquery asks for.
type record struct {
	name, alias, operands string
	run                   func(q *saQuery, words []string) error
}

var records = []record{
	{"ClassPortInfo", "CPI", "", (*saQuery).classPortInfo},
	{"NodeRecord", "NR", "[lid]", (*saQuery).nodeRecords},
	{"PortInfoRecord", "PIR", "[[lid]/[port]/[options]]", (*saQuery).portRecords},
	{"SL2VLTableRecord", "SL2VL", "[[lid]/[in_port]/[out_port]]", (*saQuery).laneRecords},
	{"PKeyTableRecord", "PKTR", "[[lid]/[port]/[block]]", (*saQuery).keyRecords},
	{"VLArbitrationTableRecord", "VLAR", "[[lid]/[port]/[block]]", (*saQuery).arbitrationRecords},
	{"InformInfoRecord", "IIR", "[subscriber_gid]", (*saQuery).informRecords},
	{"LinkRecord", "LR", "[[from_lid]/[from_port]] [[to_lid]/[to_port]]", (*saQuery).linkRecords},
	{"ServiceRecord", "SR", "", (*saQuery).serviceRecords},
	{"PathRecord", "PR", "", (*saQuery).pathRecords},
	{"MCMemberRecord", "MCMR", "", (*saQuery).memberRecords},
	{"LFTRecord", "LFTR", "[[lid]/[block]]", (*saQuery).linearRecords},
	{"MFTRecord", "MFTR", "[[mlid]/[position]/[block]]", (*saQuery).multicastRecords},
	{"GUIDInfoRecord", "GIR", "[[lid]/[block]]", (*saQuery).guidRecords},
	{"SwitchInfoRecord", "SWIR", "[lid]", (*saQuery).switchRecords},
	{"SMInfoRecord", "SMIR", "[lid]", (*saQuery).managerRecords},
}

var saqueryOptions = []subnet.Option{
	subnet.NewOption("p", 'p', "", "path records"),
	subnet.NewOption("N", 'N', "", "node records, of a name"),
	subnet.NewOption("L", 'L', "", "LIDs of a name"),
	subnet.NewOption("l", 'l', "", "the first LID of a name"),
	subnet.NewOption("G", 'G', "", "port GUIDs of a name"),
	subnet.NewOption("O", 'O', "", "name of a LID"),
	subnet.NewOption("U", 'U', "", "name of a port GUID"),
	subnet.NewOption("s", 's', "", "ports with a subnet manager"),
	subnet.NewOption("g", 'g', "", "multicast groups"),
	subnet.NewOption("m", 'm', "", "members of multicast groups, or of one: saquery -m 0xC000"),
	subnet.NewOption("x", 'x', "", "link records"),
	subnet.NewOption("c", 'c', "", "what the administration supports"),
	subnet.NewOption("S", 'S', "", "service records"),
	subnet.NewOption("I", 'I', "", "subscriptions"),
	subnet.NewOption("list", 'D', "", "names of the channel adapters"),
	subnet.NewOption("src-to-dst", 0, "<src:dst>", "path records between two names or LIDs"),
	subnet.NewOption("sgid-to-dgid", 0, "<sgid-dgid>", "path records between two GIDs"),
	subnet.NewOption("node-name-map", 0, "<file>", "names for GUIDs"),
	subnet.NewOption("smkey", 0, "<val>", "key that the administration trusts"),
	subnet.NewOption("slid", 0, "<lid>", "source LID of paths"),
	subnet.NewOption("dlid", 0, "<lid>", "destination LID of paths"),
	subnet.NewOption("mlid", 0, "<lid>", "LID of a group"),
	subnet.NewOption("sgid", 0, "<gid>", "source GID of paths"),
	subnet.NewOption("dgid", 0, "<gid>", "destination GID of paths"),
	subnet.NewOption("gid", 0, "<gid>", "GID of a member of groups"),
	subnet.NewOption("mgid", 0, "<gid>", "GID of a group"),
	subnet.NewOption("reversible", 'r', "<val>", "paths that are reversible"),
	subnet.NewOption("numb_path", 'n', "<val>", "number of paths"),
	subnet.NewOption("pkey", 0, "<val>", "partition key of paths and groups"),
	subnet.NewOption("qos_class", 'Q', "<val>", "QoS class of paths"),
	subnet.NewOption("sl", 0, "<val>", "service level of paths and groups"),
	subnet.NewOption("mtu", 'M', "<val>", "packet size of paths and groups, with its selector"),
	subnet.NewOption("rate", 'R', "<val>", "rate of paths and groups, with its selector"),
	subnet.NewOption("pkt_lifetime", 0, "<val>", "lifetime of packets, with its selector"),
	subnet.NewOption("qkey", 'q', "<val>", "QKey of groups"),
	subnet.NewOption("tclass", 'T', "<val>", "traffic class of paths and groups"),
	subnet.NewOption("flow_label", 'F', "<val>", "flow label of paths and groups"),
	subnet.NewOption("hop_limit", 'H', "<val>", "hop limit of paths and groups"),
	subnet.NewOption("scope", 0, "<val>", "scope of groups"),
	subnet.NewOption("join_state", 'J', "<val>", "state of members"),
	subnet.NewOption("proxy_join", 'X', "<val>", "members that another port joined"),
	subnet.NewOption("service_id", 0, "<val>", "service of paths"),
}

func saqueryOperands() string {
	text := "[query-name] [<name> | <lid> | <guid>]\n\nQueries, in upper or lower case (node records by default):\n"
	for _, r := range records {
		text += strings.TrimRight("  "+r.name+" ("+r.alias+") "+r.operands, " ") + "\n"
	}
	return text
}

// saQuery is a run of saquery: the end ports that the administration knows, in its order, and its LID.
type saQuery struct {
	*subnet.Session
	ends    []infiniband.Place
	manager uint16
	source  uint16 // LIDs of paths
	target  uint16
}

// Exit codes of the real program: the error numbers of its system.
const (
	errIO      = 5
	errInvalid = 22
	errUnknown = 64
	errTimeout = 110
)

// trustedKey is the key of the manager with which requests are trusted.
const trustedKey = 1

func runSaquery(s *subnet.Session) error {
	s.ReadNames()
	words := s.Given.Operands
	kind, mode := "", ""
	for _, c := range s.Given.Options {
		switch c.Letter {
		case 'p':
			kind = "PR"
		case 'S':
			kind = "SR"
		case 'I':
			kind = "IIR"
		case 'x':
			kind = "LR"
		case 'D', 'c', 'N', 'L', 'l', 'G', 'O', 'U', 's', 'g', 'm':
			mode = string(c.Letter)
		}
		if c.Long == "src-to-dst" || c.Long == "sgid-to-dgid" {
			kind = "PR"
		}
	}
	if kind == "" && mode == "" {
		kind = "NR"
		if len(words) > 0 {
			for _, r := range records {
				if strings.EqualFold(words[0], r.name) || strings.EqualFold(words[0], r.alias) {
					kind, words = r.alias, words[1:]
					break
				}
			}
		}
	}
	if missing := map[string]string{"L": "name", "l": "name", "G": "name", "O": "lid", "U": "guid"}[mode]; missing != "" && len(words) == 0 {
		s.Complain("ERROR: %s not specified\n", missing)
		return subnet.ErrUsage
	}
	if mode == "O" && subnet.Number(words[0]) == 0 {
		s.Complain("ERROR: lid invalid\n")
		return subnet.ErrUsage
	}
	if err := checkGIDs(s); err != nil {
		return err
	}
	q := &saQuery{Session: s}
	if err := q.connect(); err != nil {
		return err
	}
	if err := q.addresses(); err != nil {
		return err
	}
	if mode != "" {
		return q.mode(mode, words)
	}
	for _, r := range records {
		if r.alias == kind {
			return r.run(q, words)
		}
	}
	return nil
}

// checkGIDs checks the options that are GIDs.
func checkGIDs(s *subnet.Session) error {
	for _, name := range []string{"sgid", "dgid", "gid", "mgid"} {
		if s.Has(name) == 0 {
			continue
		}
		if a, err := netip.ParseAddr(s.Value(name)); err != nil || !a.Is6() {
			return subnet.ErrUsage
		}
	}
	return nil
}

// connect finds the administration and the end ports that it knows.
func (q *saQuery) connect() error {
	m, ok := q.Master()
	if !ok {
		q.Warn("sa_query", "umad_recv failed: attr 0x11: Connection timed out\n")
		q.Complain("Query SA failed: Connection timed out\n")
		return subnet.CodeError(errTimeout)
	}
	q.manager = q.End(m.Place).LID
	q.ends = KnownEnds(q.Session, q.manager)
	return nil
}

// addresses reads the ends of paths.
func (q *saQuery) addresses() error {
	q.source, q.target = uint16(subnet.Number(q.Value("slid"))), uint16(subnet.Number(q.Value("dlid")))
	if text := q.Value("src-to-dst"); text != "" {
		from, to, ok := strings.Cut(text, ":")
		if !ok {
			return subnet.ErrUsage
		}
		for _, end := range []struct {
			text string
			lid  *uint16
		}{{from, &q.source}, {to, &q.target}} {
			if end.text == "" {
				continue
			}
			lid, err := q.lid(end.text)
			if err != nil {
				return err
			}
			*end.lid = uint16(lid)
		}
	}
	return nil
}

// lid reads a LID, or the name of a node.
func (q *saQuery) lid(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	if c := text[0]; c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
		for _, end := range q.ends {
			if q.Of(end).Name == text {
				return int(q.End(end).LID), nil
			}
		}
		q.Complain("Failed to find lid for \"%s\": Machine is not on the network\n", text)
		return 0, subnet.CodeError(errUnknown)
	}
	lid := subnet.Number(text)
	if lid == 0 || lid > 0xffff {
		q.Complain("Invalid lid specified: \"%s\"\n", text)
		return 0, subnet.CodeError(errInvalid)
	}
	return int(lid), nil
}

// filter is an operand of the form LID/number/number; -1 stands for a part that is not there.
type filter struct{ lid, first, second int }

// filter reads an operand.
func (q *saQuery) filter(words []string, index int) (filter, error) {
	f := filter{-1, -1, -1}
	if index >= len(words) {
		return f, nil
	}
	parts := strings.SplitN(words[index], "/", 3)
	if parts[0] != "" {
		lid, err := q.lid(parts[0])
		if err != nil {
			return f, err
		}
		f.lid = lid
	}
	for i, part := range parts[1:] {
		if part == "" || part[0] < '0' || part[0] > '9' {
			continue
		}
		if value := int(subnet.Number(part)); i == 0 {
			f.first = value
		} else {
			f.second = value
		}
	}
	return f, nil
}

// matches reports whether a value is the one that a filter names.
func matches(wanted, value int) bool { return wanted < 0 || wanted == value }

// has reports whether a filter's LID is one of an end port.
func (q *saQuery) owns(lid int, end infiniband.Place) bool {
	port := q.End(end)
	return lid < 0 || lid >= int(port.LID) && lid < int(port.LID)+1<<port.LMC
}

// get reads an attribute as the manager has it: its requests come by directed routes.
func (q *saQuery) get(end infiniband.Place, attribute mad.Attribute, modifier uint32) []byte {
	data, _ := q.Get(end, attribute, modifier)
	return data
}

// line writes a line of a record: the name, dots up to a width, and the value.
func dotted(width int, name string, value any) string {
	return "\t\t" + name + strings.Repeat(".", max(0, width-len(name))) + fmt.Sprint(value) + "\n"
}

// dump writes a record: its heading and pairs of a name and a value.
func (q *saQuery) dump(heading string, width int, pairs ...any) {
	text := heading + "\n"
	for i := 0; i+1 < len(pairs); i += 2 {
		text += dotted(width, pairs[i].(string), pairs[i+1])
	}
	q.Printf("%s", text)
}

func hexText(value uint64) string { return fmt.Sprintf("0x%X", value) }

func guidText(value uint64) string { return fmt.Sprintf("0x%016x", value) }

// mode answers the options that are no records.
func (q *saQuery) mode(mode string, words []string) error {
	switch mode {
	case "c":
		return q.classPortInfo(nil)
	case "g":
		for _, g := range q.groups() {
			q.dump("MCMemberRecord group dump:", 24, "MGID", netip.AddrFrom16(g.GID), "Mlid", hexText(uint64(g.LID)), "Mtu", hexText(0x80|uint64(g.MTU)),
				"pkey", hexText(uint64(g.PKey)), "Rate", hexText(0x80|uint64(g.Rate)), "SL", "0x0")
		}
		return nil
	case "m":
		return q.members(words)
	case "s":
		return q.managers()
	}
	if mode == "D" {
		q.Printf("   LID \"name\"\n================\n")
	}
	for _, end := range q.ends {
		node, port := q.Of(end), q.End(end)
		name := q.NameOf(uint64(node.GUID), node.Name)
		switch mode {
		case "D":
			if node.Kind == infiniband.Adapter {
				q.Printf("%6d  \"%s\"\n", port.LID, name)
			}
			continue
		case "O":
			if uint64(port.LID) == subnet.Number(words[0]) {
				q.Printf("%s\n", name)
			}
			continue
		case "U":
			if uint64(port.GUID) == subnet.Number(words[0]) {
				q.Printf("%s\n", name)
			}
			continue
		}
		if len(words) > 0 && words[0] != node.Name && words[0] != name {
			continue
		}
		switch mode {
		case "N":
			q.node(end)
		case "G":
			q.Printf("%s\n", guidText(uint64(port.GUID)))
		default:
			q.Printf("%d\n", port.LID)
		}
		if mode == "l" {
			return nil
		}
	}
	return nil
}

func (q *saQuery) classPortInfo([]string) error {
	q.Printf("SA ClassPortInfo:\n")
	for _, pair := range [][2]string{
		{"Base version", "1"}, {"Class version", "2"}, {"Capability mask", "0x2602"}, {"Capability mask 2", "0x0000B5E8"}, {"Response time value", "0x10"},
		{"Redirect GID", "::"}, {"Redirect TC/SL/FL", "0x00000000"}, {"Redirect LID", "0"}, {"Redirect PKey", "0x0000"}, {"Redirect QP", "0x00000001"},
		{"Redirect QKey", "0x80010000"}, {"Trap GID", "::"}, {"Trap TC/SL/FL", "0x00000000"}, {"Trap LID", "0"}, {"Trap PKey", "0x0000"},
		{"Trap HL/QP", "0x00000000"}, {"Trap QKey", "0x80010000"},
	} {
		q.Printf("%s", dotted(25, pair[0], pair[1]))
	}
	return nil
}

func (q *saQuery) node(end infiniband.Place) {
	info, node := q.get(end, mad.NodeInfo, 0), q.Of(end)
	number := end.Port
	if node.Kind == infiniband.Switch {
		number = 0
	}
	q.dump("NodeRecord dump:", 24, "lid", q.End(end).LID, "reserved", "0x0", "base_version", "0x1", "class_version", "0x1",
		"node_type", mad.NodeType.Text(info), "num_ports", mad.NumPorts.Get(info), "sys_guid", guidText(mad.SystemGUID.Get(info)),
		"node_guid", guidText(mad.NodeGUID.Get(info)), "port_guid", guidText(mad.PortGUID.Get(info)), "partition_cap", hexText(mad.PartitionCap.Get(info)),
		"device_id", hexText(mad.DeviceID.Get(info)), "revision", hexText(mad.Revision.Get(info)), "port_num", number,
		"vendor_id", hexText(mad.VendorID.Get(info)), "NodeDescription", q.NameOf(uint64(node.GUID), node.Name))
}

func (q *saQuery) nodeRecords(words []string) error {
	f, err := q.filter(words, 0)
	for _, end := range q.ends {
		if err == nil && q.owns(f.lid, end) {
			q.node(end)
		}
	}
	return err
}

// portsOf are the ports of an end port: all ports of a switch.
func (q *saQuery) portsOf(end infiniband.Place) []int {
	if q.Of(end).Kind != infiniband.Switch {
		return []int{end.Port}
	}
	var ports []int
	for i := range q.Of(end).Ports {
		ports = append(ports, i)
	}
	return ports
}

// eachPort calls do for the ports that a filter matches.
func (q *saQuery) eachPort(f filter, do func(end infiniband.Place, port int)) {
	for _, end := range q.ends {
		if !q.owns(f.lid, end) {
			continue
		}
		for _, port := range q.portsOf(end) {
			if matches(f.first, port) {
				do(end, port)
			}
		}
	}
}

func (q *saQuery) portRecords(words []string) error {
	f, err := q.filter(words, 0)
	if err != nil {
		return err
	}
	entries := q.entries()
	q.eachPort(f, func(end infiniband.Place, port int) {
		if end.Port == 0 {
			end.Port = entries[end.Node]
		}
		data := q.get(end, mad.PortInfo, uint32(port))
		q.Printf("PortInfoRecord dump:\n\tRID\n%s\tPortInfo dump:\n", dotted(24, "EndPortLid", q.End(end).LID)+dotted(24, "PortNum", port)+dotted(24, "Options", "0x0"))
		text := mad.Line(mad.MKey.Name, q.Key(data)) + mad.Print(mad.PortFields, data)
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, "\t") {
				line = "\t\t" + line
			}
			q.Printf("%s", line)
		}
	})
	return nil
}

func (q *saQuery) linkRecords(words []string) error {
	from, err := q.filter(words, 0)
	if err != nil {
		return err
	}
	to, err := q.filter(words, 1)
	if err != nil {
		return err
	}
	q.eachPort(from, func(end infiniband.Place, port int) {
		far, up := q.Far(infiniband.Place{Node: end.Node, Port: port})
		if !up || port == 0 || !q.owns(to.lid, far) || !matches(to.first, far.Port) {
			return
		}
		q.dump("LinkRecord dump:", 27, "FromLID", q.End(end).LID, "FromPort", port, "ToPort", far.Port, "ToLID", q.End(far).LID)
	})
	return nil
}

// laneRecords and arbitrationRecords: the manager does not ask for the tables while it has no quality of service to set up, and
// answers with zeros.
func (q *saQuery) laneRecords(words []string) error {
	f, err := q.filter(words, 0)
	if err != nil {
		return err
	}
	for _, end := range q.ends {
		if !q.owns(f.lid, end) {
			continue
		}
		ports := q.portsOf(end)
		if q.Of(end).Kind != infiniband.Switch {
			ports = []int{0}
		}
		for _, out := range ports {
			for _, in := range ports {
				if matches(f.first, in) && matches(f.second, out) {
					q.dump("SL2VLTableRecord dump:", 27, "LID", q.End(end).LID, "InPort", in, "OutPort", out)
					q.Printf("\t\tSL: 0| 1| 2| 3| 4| 5| 6| 7| 8| 9|10|11|12|13|14|15|\n\t\tVL:%s\n", strings.Repeat(" 0|", 16))
				}
			}
		}
	}
	return nil
}

func (q *saQuery) arbitrationRecords(words []string) error {
	f, err := q.filter(words, 0)
	if err != nil {
		return err
	}
	q.eachPort(f, func(end infiniband.Place, port int) {
		for block := 1; block <= 4; block++ {
			if !matches(f.second, block) {
				continue
			}
			q.dump("VLArbTableRecord dump:", 27, "LID", q.End(end).LID, "Port", port, "Block", block)
			zeros := strings.Repeat(" 0|", 16)
			q.Printf("%s", strings.Repeat("\t\tVL    :"+zeros+"\n\t\tWeight:"+zeros+"\n", 2))
		}
	})
	return nil
}

// keyRecords: only a request with the manager's key is answered.
func (q *saQuery) keyRecords(words []string) error {
	f, err := q.filter(words, 0)
	if err != nil {
		return err
	}
	if subnet.Number(q.Value("smkey")) != trustedKey {
		q.Complain("ERROR: Query result returned 0x0200,  SA(SA_ERR_REQ_INVALID)\n")
		return subnet.CodeError(errIO)
	}
	q.eachPort(f, func(end infiniband.Place, port int) {
		for block := 0; ; block++ {
			data, status := q.Get(end, mad.PKeyTable, uint32(port<<16|block))
			if status != mad.OK {
				return
			}
			if !matches(f.second, block) {
				continue
			}
			q.dump("PKeyTableRecord dump:", 27, "LID", q.End(end).LID, "Port", port, "Block", block)
			q.Printf("\t\tPKey Table:\n")
			for i := range 32 {
				q.Printf("%s0x%04x%s", map[bool]string{true: "\t\t"}[i%8 == 0], uint16(data[2*i])<<8|uint16(data[2*i+1]), map[bool]string{true: "\n", false: " "}[i%8 == 7])
			}
			q.Printf("\n")
		}
	})
	return nil
}
