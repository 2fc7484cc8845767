package infiniband

import (
	"fmt"
	"io"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/netfile"
	"cxdeck/device/infiniband/opensm"
	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/driver/subnet"
	"cxdeck/views/exec"
)

// errNoSubnet reports a lab without InfiniBand.
var errNoSubnet = request.Errorf("the lab has no InfiniBand port; start one with --lab manual-ib")

// read returns the subnet as it is now, and the places of the host's ports.
func read(c *exec.Call) (s *opensm.Subnet, own []infiniband.Place, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		if s, own = h.Lab().Subnet(); s == nil {
			return errNoSubnet
		}
		return nil
	})
	return s, own, err
}

// nodeRow is a node as JSON.
type nodeRow struct {
	Name   string `json:"node"`
	Kind   string `json:"kind"`
	GUID   string `json:"guid"`
	LID    int    `json:"lid"`
	Ports  int    `json:"ports"`
	Active int    `json:"active_ports"`
	// Manager is the role of the subnet manager on the node, empty without one.
	Manager  string `json:"manager,omitempty"`
	Priority *uint8 `json:"priority,omitempty"`
	Routing  string `json:"routing,omitempty"`
}

// kindWords are the kinds of nodes as the commands write them.
var kindWords = [...]string{infiniband.Adapter: "adapter", infiniband.Switch: "switch", infiniband.Router: "router"}

// roleWords are the roles of managers as the commands write them.
var roleWords = [...]string{opensm.NotActive: "stopped", opensm.Discovering: "discovering", opensm.Standby: "standby", opensm.Master: "master"}

func nodes(s *opensm.Subnet) []nodeRow {
	rows := make([]nodeRow, len(s.Fabric.Nodes))
	for n := range s.Fabric.Nodes {
		node := &s.Fabric.Nodes[n]
		rows[n] = nodeRow{Name: node.Name, Kind: kindWords[node.Kind], GUID: node.GUID.String(), Ports: node.External()}
		for p := 1; p < len(node.Ports); p++ {
			if node.Ports[p].State == infiniband.Active {
				rows[n].Active++
			}
			if rows[n].LID == 0 {
				rows[n].LID = int(node.EndPort(p).LID)
			}
		}
	}
	for _, m := range s.Managers {
		row := &rows[m.Place.Node]
		row.Manager, row.Priority, row.Routing = roleWords[m.Role], new(m.Priority), string(m.Engine)
		if m.Fell {
			row.Routing = string(opensm.MinHop)
		}
	}
	return rows
}

// show prints the nodes of the subnet.
func show(c *exec.Call, _ *struct{}) (exec.Answer, error) {
	s, _, err := read(c)
	if err != nil {
		return exec.Answer{}, err
	}
	rows := nodes(s)
	return exec.Answer{
		Result: struct {
			Nodes []nodeRow `json:"nodes"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "NODE", "KIND", "GUID", "LID", "PORTS", "ACTIVE", "SUBNET MANAGER")
			for i := range rows {
				r := &rows[i]
				manager := r.Manager
				if r.Priority != nil {
					manager = fmt.Sprintf("%s, priority %d, %s", r.Manager, *r.Priority, r.Routing)
				}
				t.Row(r.Name, r.Kind, r.GUID, fmt.Sprint(r.LID), fmt.Sprint(r.Ports), fmt.Sprint(r.Active), manager)
			}
			return t.Flush()
		},
	}, nil
}

// portRow is a port with a cable as JSON.
type portRow struct {
	Port     string `json:"port"`
	To       string `json:"to"`
	State    string `json:"state"`
	Physical string `json:"physical_state"`
	Width    string `json:"width,omitempty"`
	Speed    string `json:"speed,omitempty"`
	// SymbolErrors, LinkDowned and ReceiveErrors are counters; SentWait counts ticks.
	SymbolErrors  uint64 `json:"symbol_errors"`
	LinkDowned    uint64 `json:"link_downed"`
	ReceiveErrors uint64 `json:"receive_errors"`
	SendWait      uint64 `json:"send_wait"`
}

// ports prints the ports with a cable, of all nodes or of one.
func ports(c *exec.Call, in *struct{ Node string }) (exec.Answer, error) {
	s, _, err := read(c)
	if err != nil {
		return exec.Answer{}, err
	}
	f, rows := s.Fabric, []portRow{}
	if in.Node != "" && f.Named(in.Node) < 0 {
		return exec.Answer{}, &subnet.UnknownNodeError{Name: in.Node}
	}
	for n := range f.Nodes {
		for p := 1; p < len(f.Nodes[n].Ports); p++ {
			port := &f.Nodes[n].Ports[p]
			if port.Far == infiniband.Nowhere || in.Node != "" && f.Nodes[n].Name != in.Node {
				continue
			}
			row := portRow{
				Port: subnet.Name(f, infiniband.Place{Node: n, Port: p}), To: subnet.Name(f, port.Far), State: port.State.String(), Physical: port.Physical.String(),
				SymbolErrors: port.Counters.SymbolErrors, LinkDowned: port.Counters.LinkDowned, ReceiveErrors: port.Counters.ReceiveErrors,
				SendWait: port.Counters.SendWait,
			}
			if port.Physical == infiniband.LinkUp {
				row.Width, row.Speed = port.Width.String(), port.Speed.String()
			}
			rows = append(rows, row)
		}
	}
	return exec.Answer{
		Result: struct {
			Ports []portRow `json:"ports"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "PORT", "TO", "STATE", "LINK", "WIDTH", "SPEED", "SYMBOL ERRORS", "LINK DOWNED", "RECEIVE ERRORS")
			for i := range rows {
				r := &rows[i]
				t.Row(r.Port, r.To, r.State, r.Physical, r.Width, r.Speed, fmt.Sprint(r.SymbolErrors), fmt.Sprint(r.LinkDowned), fmt.Sprint(r.ReceiveErrors))
			}
			return t.Flush()
		},
	}, nil
}

// export writes the subnet as a network of the simulator ibsim. Programs attach to the host's first port.
func export(c *exec.Call, in *struct{ File string }) (exec.Answer, error) {
	s, own, err := read(c)
	if err != nil {
		return exec.Answer{}, err
	}
	first := 0
	for _, at := range own {
		if at != infiniband.Nowhere {
			first = at.Node
			break
		}
	}
	if err := c.Stream(in.File, func(w io.Writer) error { return netfile.Write(w, s.Fabric, first) }); err != nil {
		return exec.Answer{}, err
	}
	return exec.PrintLines([]string{fmt.Sprintf("wrote %d nodes to %s", len(s.Fabric.Nodes), exec.Clean(in.File))}, struct {
		File  string `json:"file"`
		Nodes int    `json:"nodes"`
	}{in.File, len(s.Fabric.Nodes)}), nil
}
