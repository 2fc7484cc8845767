package description

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/infiniband/qos"
)

// InfiniBandSubnet describes the subnet that the host's InfiniBand ports belong to: its nodes, cables, managers and traffic. The switch
// ports of the host's own ports ("IB1/4") name switches of it.
type InfiniBandSubnet struct {
	Switches []InfiniBandNode `toml:"switch" range:"0 512"`
	Hosts    []InfiniBandNode `toml:"host" range:"0 4096"`
	Routers  []InfiniBandNode `toml:"router" range:"0 16"`
	Links    []InfiniBandLink `toml:"link" range:"0 16384"`
	// FatTree adds a two-level fat tree.
	FatTree *FatTree `toml:"fat_tree,omitempty" json:",omitempty"`
	// Partitions is the content of partitions.conf; the default gives all ports full membership of the default partition.
	Partitions string           `toml:"partitions,omitempty" json:",omitempty"`
	Flows      []InfiniBandFlow `toml:"flow" range:"0 4096"`
	// QoS are options of OpenSM's QoS, as in opensm.conf.
	QoS string `toml:"qos,omitempty" json:",omitempty"`
	// Policy is the section qos-ulps of OpenSM's policy file, which gives paths their service level.
	Policy string `toml:"qos_policy,omitempty" json:",omitempty"`
}

// InfiniBandNode is a switch, a host's adapter or a router.
type InfiniBandNode struct {
	// Name is its node description, which the links use.
	Name string `toml:"name" required:"true"`
	// GUID is the node's GUID; 0 derives one from its place in the list.
	GUID GUID `toml:"guid"`
	// Ports is the number of its ports: 36 for a switch, 1 for other nodes, when it is 0.
	Ports int       `toml:"ports" range:"0 254"`
	Speed LaneSpeed `toml:"speed"`
	// Address is the IP address of a peer of the host's own flows, whose packets its first cabled port gets.
	Address netip.Addr `toml:"address,omitempty" json:",omitzero"`
	// Manager is the subnet manager on the node.
	Manager *InfiniBandManager `toml:"manager,omitempty" json:",omitempty"`
}

// InfiniBandManager is a subnet manager at the start.
type InfiniBandManager struct {
	Stopped  bool   `toml:"stopped,omitempty" json:",omitempty"`
	Priority int    `toml:"priority" range:"0 15"`
	Routing  string `toml:"routing,omitempty" json:",omitempty"` // "minhop" or "updn"
	LMC      int    `toml:"lmc,omitempty" json:",omitempty" range:"0 7"`
}

// InfiniBandLink is a cable between two ports: "IB1/12".
type InfiniBandLink struct {
	From string `toml:"from" required:"true"`
	To   string `toml:"to" required:"true"`
	// Width limits the lanes of the link: 1 or 4; 0 for all.
	Width int `toml:"width,omitempty" json:",omitempty" range:"0 12"`
	// Speed limits the speed of the link.
	Speed     LaneSpeed `toml:"speed,omitempty" json:",omitempty"`
	Unplugged bool      `toml:"unplugged,omitempty" json:",omitempty"`
	// SymbolErrors is the number of symbol errors in a second that both ends count.
	SymbolErrors float64 `toml:"symbol_errors,omitempty" json:",omitempty"`
}

// FatTree is a two-level fat tree. The ports of its leaves from hosts_per_leaf + spines + 1 on are free for other links.
type FatTree struct {
	Leaves       int       `toml:"leaves" range:"1 36"`
	Spines       int       `toml:"spines" range:"1 18"`
	HostsPerLeaf int       `toml:"hosts_per_leaf" range:"0 18"`
	Speed        LaneSpeed `toml:"speed"`
}

// InfiniBandFlow is traffic between two nodes of the subnet beyond the host's own.
type InfiniBandFlow struct {
	From string `toml:"from" required:"true"`
	To   string `toml:"to" required:"true"`
	// Gbps is the rate in Gb/s of data, Bytes the length of a packet, 2048 when it is 0.
	Gbps  float64 `toml:"gbps"`
	Bytes int     `toml:"bytes,omitempty" json:",omitempty" range:"0 4096"`
	// Level is its service level, which the tables of the ports map to a lane.
	Level int `toml:"service_level,omitempty" json:",omitempty" range:"0 15"`
}

// LaneSpeed is the name of the speed of a lane of InfiniBand: "FDR"; empty for FDR.
type LaneSpeed string

// laneSpeeds are the known speeds, the slowest first.
var laneSpeeds = []string{"SDR", "DDR", "QDR", "FDR10", "FDR", "EDR", "HDR", "NDR"}

// UnmarshalText reads the name of a speed.
func (s *LaneSpeed) UnmarshalText(text []byte) error {
	if !slices.Contains(laneSpeeds, string(text)) {
		return fmt.Errorf("invalid speed %q; choose from %s", text, strings.Join(laneSpeeds, ", "))
	}
	*s = LaneSpeed(text)
	return nil
}

// CutPort splits the name of a port, "IB1/12", into its node and its number.
func CutPort(name string) (node string, port int, err error) {
	i := strings.LastIndexByte(name, '/')
	if i > 0 {
		if port, err = strconv.Atoi(name[i+1:]); err == nil && port > 0 {
			return name[:i], port, nil
		}
	}
	return "", 0, fmt.Errorf("%q is no port: it must be the name of a node and a port, such as IB1/12", name)
}

// infiniBand checks the subnet: names are unique, and links and flows name nodes and ports.
func (c *checker) infiniBand(s *InfiniBandSubnet) {
	ports := map[string]int{}
	add := func(list []InfiniBandNode, key string, usual int) {
		for i := range list {
			path := []any{"infiniband", key, i, "name"}
			_, taken := ports[list[i].Name]
			c.require(!taken, path, "two nodes are called %q", list[i].Name)
			c.require(!strings.Contains(list[i].Name, "/"), path, "the name of a node can't contain /")
			ports[list[i].Name] = usual
			if list[i].Ports > 0 {
				ports[list[i].Name] = list[i].Ports
			}
			if m := list[i].Manager; m != nil {
				c.require(m.Routing == "" || m.Routing == "minhop" || m.Routing == "updn", []any{"infiniband", key, i, "manager", "routing"},
					"routing must be minhop or updn, not %q", m.Routing)
			}
		}
	}
	add(s.Switches, "switch", 36)
	add(s.Hosts, "host", 1)
	add(s.Routers, "router", 1)
	if t := s.FatTree; t != nil {
		for i := range t.Spines {
			ports[fmt.Sprintf("Spine-%d", i+1)] = 36
		}
		for i := range t.Leaves {
			ports[fmt.Sprintf("Leaf-%d", i+1)] = 36
		}
		for i := range t.Leaves * t.HostsPerLeaf {
			ports[fmt.Sprintf("Host-%d", i+1)] = 1
		}
	}
	for i := range s.Links {
		l := &s.Links[i]
		for key, end := range map[string]string{"from": l.From, "to": l.To} {
			path := []any{"infiniband", "link", i, key}
			node, port, err := CutPort(end)
			c.require(err == nil, path, "%v", err)
			if err == nil {
				number, known := ports[node]
				c.require(known, path, "the subnet has no node %q", node)
				c.require(!known || port <= number, path, "%s has %d ports", node, number)
			}
		}
		c.require(l.SymbolErrors >= 0 && l.SymbolErrors <= 1e6, []any{"infiniband", "link", i, "symbol_errors"}, "symbol_errors must be 0 to 1000000")
		c.require(slices.Contains([]int{0, 1, 2, 4, 8, 12}, l.Width), []any{"infiniband", "link", i, "width"}, "width must be 1, 2, 4, 8 or 12")
	}
	_, err := qos.Parse(s.QoS)
	c.require(err == nil, []any{"infiniband", "qos"}, "the options of QoS have an error: %v", err)
	_, err = qos.ParsePolicy(s.Policy)
	c.require(err == nil, []any{"infiniband", "qos_policy"}, "the QoS policy has an error: %v", err)
	for i := range s.Flows {
		f := &s.Flows[i]
		for key, node := range map[string]string{"from": f.From, "to": f.To} {
			_, known := ports[node]
			c.require(known, []any{"infiniband", "flow", i, key}, "the subnet has no node %q", node)
		}
		c.require(f.Gbps >= 0 && f.Gbps <= 1000, []any{"infiniband", "flow", i, "gbps"}, "gbps must be 0 to 1000")
	}
}
