package subnet

import (
	"bytes"
	"fmt"
	"strings"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
)

var osmtestOptions = []option{
	{"flow", 'f', "<c|a|v|s|e|f|m|q|t>", "what to test: c writes an inventory, v compares with it, a runs all tests"},
	{"wait", 'w', "<s>", "time to wait for traps"},
	{"debug", 'd', "<number>", "debug option"},
	{"max_lid", 'm', "<lid>", "highest LID of the inventory"},
	{"guid", 'g', "<guid>", "GUID of the port to send from"},
	{"port", 'p', "", "list the ports to send from"},
	{"inventory", 'i', "<file>", "inventory file (osmtest.dat without it)"},
	{"stress", 's', "<number>", "stress test"},
	{"Multicast_Mode", 'M', "<number>", "length of the multicast test"},
	{"timeout", 't', "<ms>", "time to wait for an answer"},
	{"log_file", 'l', "<file>", "log file"},
	{"verbose", 'v', "", "log more"},
	{"help", 'h', "", "show this help"},
}

// flows are the tests by the letter of their option.
var flows = map[string]string{
	"c": "Create Inventory", "v": "Validate Inventory", "s": "Services Registration", "e": "Event Forwarding", "f": "Stress SA", "m": "Multicast",
	"q": "QoS: VLArb and SLtoVL", "t": "Trap 64/65", "a": "All Validations",
}

// runOsmtest runs tests of the manager. The tests of services, events and multicast pass when the manager answers.
func runOsmtest(s *session) error {
	flow, file := "a", "osmtest.dat"
	if s.has("help") > 0 {
		return s.help()
	}
	if s.has("port") > 0 {
		s.printf("\nListing GUIDs:\nPort 0: 0x%x\n", uint64(s.local().GUID))
		return nil
	}
	s.printf("\nCommand Line Arguments\n")
	if s.has("inventory") > 0 {
		file = s.value("inventory")
		s.printf("\tFile = %s\n", file)
	}
	if s.has("flow") > 0 {
		flow = s.value("flow")
	}
	if flows[flow] == "" {
		s.printf("\nError: unknown flow %s\n", flow)
		return code(2)
	}
	if s.has("guid") > 0 {
		guid := number(s.value("guid"))
		s.printf(" Guid <0x%x>\n", guid)
		if guid != uint64(s.local().GUID) {
			s.printf("\nError: port guid 0x%x not found\n", guid)
			return code(1)
		}
	}
	s.printf("Done with args\n\tFlow = %s\n", flows[flow])
	q := &saQuery{session: s}
	_, ok := s.administration()
	if ok {
		q.manager = s.local().ManagerLID
		q.ends = s.known(q.manager)
	}
	switch {
	case !ok:
	case flow == "c":
		s.result.Files = append(s.result.Files, File{file, q.inventory()})
	case flow == "v", flow == "a":
		ok = q.validate(file)
	case flow == "t":
		ok = false // no link changes while the program waits
	}
	if !ok {
		s.printf("OSMTEST: TEST \"%s\" FAIL\n", flows[flow])
		return code(1)
	}
	s.printf("OSMTEST: TEST \"%s\" PASS\n", flows[flow])
	return nil
}

// validate compares the subnet with an inventory.
func (q *saQuery) validate(file string) bool {
	data, err := q.read(file)
	if err != nil {
		q.complain("osmtest_validate_against_db: can't open inventory file %s\n", file)
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
				q.complain("osmtest_validate: line %d of the inventory is %q, and the subnet has %q\n", i+1, a, b)
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
			mad.PartitionCap.Get(info), mad.DeviceID.Get(info), mad.Revision.Get(info), mad.ArrivalPort.Get(info), mad.VendorID.Get(info), clean(node.Name))
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
