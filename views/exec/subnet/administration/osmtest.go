package administration

import (
	"bytes"
	"fmt"
	"strings"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/views/exec/subnet"
)

var osmtestOptions = []subnet.Option{
	subnet.NewOption("flow", 'f', "<c|a|v|s|e|f|m|q|t>", "what to test: c writes an inventory, v compares with it, a runs all tests"),
	subnet.NewOption("wait", 'w', "<s>", "time to wait for traps"),
	subnet.NewOption("debug", 'd', "<number>", "debug option"),
	subnet.NewOption("max_lid", 'm', "<lid>", "highest LID of the inventory"),
	subnet.NewOption("guid", 'g', "<guid>", "GUID of the port to send from"),
	subnet.NewOption("port", 'p', "", "list the ports to send from"),
	subnet.NewOption("inventory", 'i', "<file>", "inventory file (osmtest.dat without it)"),
	subnet.NewOption("stress", 's', "<number>", "stress test"),
	subnet.NewOption("Multicast_Mode", 'M', "<number>", "length of the multicast test"),
	subnet.NewOption("timeout", 't', "<ms>", "time to wait for an answer"),
	subnet.NewOption("log_file", 'l', "<file>", "log file"),
	subnet.NewOption("verbose", 'v', "", "log more"),
	subnet.NewOption("help", 'h', "", "show this help"),
}

// flows are the tests by the letter of their option.
var flows = map[string]string{
	"c": "Create Inventory", "v": "Validate Inventory", "s": "Services Registration", "e": "Event Forwarding", "f": "Stress SA", "m": "Multicast",
	"q": "QoS: VLArb and SLtoVL", "t": "Trap 64/65", "a": "All Validations",
}

// runOsmtest runs tests of the manager. The tests of services, events and multicast pass when the manager answers.
func runOsmtest(s *subnet.Session) error {
	flow, file := "a", "osmtest.dat"
	if s.Has("help") > 0 {
		return s.Help()
	}
	if s.Has("port") > 0 {
		s.Printf("\nListing GUIDs:\nPort 0: 0x%x\n", uint64(s.Local().GUID))
		return nil
	}
	s.Printf("\nCommand Line Arguments\n")
	if s.Has("inventory") > 0 {
		file = s.Value("inventory")
		s.Printf("\tFile = %s\n", file)
	}
	if s.Has("flow") > 0 {
		flow = s.Value("flow")
	}
	if flows[flow] == "" {
		s.Printf("\nError: unknown flow %s\n", flow)
		return subnet.CodeError(2)
	}
	if s.Has("guid") > 0 {
		guid := subnet.Number(s.Value("guid"))
		s.Printf(" Guid <0x%x>\n", guid)
		if guid != uint64(s.Local().GUID) {
			s.Printf("\nError: port guid 0x%x not found\n", guid)
			return subnet.CodeError(1)
		}
	}
	s.Printf("Done with args\n\tFlow = %s\n", flows[flow])
	q := &saQuery{Session: s}
	_, ok := s.Master()
	if ok {
		q.manager = s.Local().ManagerLID
		q.ends = KnownEnds(s, q.manager)
	}
	switch {
	case !ok:
	case flow == "c":
		s.WriteFile(file, q.inventory())
	case flow == "v", flow == "a":
		ok = q.validate(file)
	case flow == "t":
		ok = false // no link changes while the program waits
	}
	if !ok {
		s.Printf("OSMTEST: TEST \"%s\" FAIL\n", flows[flow])
		return subnet.CodeError(1)
	}
	s.Printf("OSMTEST: TEST \"%s\" PASS\n", flows[flow])
	return nil
}

// validate compares the subnet with an inventory.
func (q *saQuery) validate(file string) bool {
	data, err := q.ReadFile(file)
	if err != nil {
		q.Complain("osmtest_validate_against_db: can't open inventory file %s\n", file)
		return false
	}
	if fresh := q.inventory(); !bytes.Equal(data, fresh) {
		old, now := strings.Split(string(data), "\n"), strings.Split(string(fresh), "\n")
		for i := range max(len(old), len(now)) {
			var a, b string
			if i < len(old) {
				a = old[i]
			}
			if i < len(now) {
				b = now[i]
			}
			if a != b {
				q.Complain("osmtest_validate: line %d of the inventory is %q, and the subnet has %q\n", i+1, a, b)
				break
			}
		}
		return false
	}
	return true
}

// inventory is the text of an inventory: the nodes, their links and the paths between them.
func (q *saQuery) inventory() []byte {
	var b bytes.Buffer
	b.WriteString("#\n# Node Records\n#\n")
	for _, end := range q.ends {
		info, node := q.get(end, mad.NodeInfo, 0), q.Of(end)
		fmt.Fprintf(&b, "DEFINE_NODE\nlid                     0x%X\nbase_version            0x1\nclass_version           0x1\nnode_type               0x%X # (%s)\n",
			q.End(end).LID, mad.NodeType.Get(info), mad.NodeType.Text(info))
		fmt.Fprintf(&b, "num_ports               0x%X\nsys_guid                0x%016x\nnode_guid               0x%016x\nport_guid               0x%016x\n",
			mad.NumPorts.Get(info), mad.SystemGUID.Get(info), mad.NodeGUID.Get(info), mad.PortGUID.Get(info))
		fmt.Fprintf(&b, "partition_cap           0x%X\ndevice_id               0x%X\nrevision                0x%X\n# port_num              0x%X\n# vendor_id             0x%X\n# node_desc             %s\nEND\n\n",
			mad.PartitionCap.Get(info), mad.DeviceID.Get(info), mad.Revision.Get(info), mad.ArrivalPort.Get(info), mad.VendorID.Get(info), subnet.Clean(node.Name))
	}
	b.WriteString("#\n# Link Records\n#\n")
	q.eachPort(filter{-1, -1, -1}, func(end infiniband.Place, port int) {
		if far, up := q.Far(infiniband.Place{Node: end.Node, Port: port}); up && port > 0 {
			fmt.Fprintf(&b, "DEFINE_LINK\nfrom_lid                0x%X\nfrom_port_num           0x%X\nto_port_num             0x%X\nto_lid                  0x%X\nEND\n\n",
				q.End(end).LID, port, far.Port, q.End(far).LID)
		}
	})
	return b.Bytes()
}
