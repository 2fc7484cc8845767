package winof

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/driver"
	"cxdeck/driver/health/healing"
	"cxdeck/views/exec"
	"cxdeck/views/exec/registrykey"
)

// statsRow are statistics of an object as JSON: of a connection or a device.
type statsRow struct {
	Connection string                `json:"connection,omitempty"`
	Adapter    string                `json:"adapter,omitempty"`
	Statistics []healing.CommandStat `json:"statistics"`
}

// statsAnswer prints statistics with their unit.
func statsAnswer(rows []statsRow, first, unit string) exec.Answer {
	return exec.Answer{
		Result: struct {
			Rows []statsRow `json:"rows"`
			Unit string     `json:"unit"`
		}{rows, unit},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, first, "NAME", "COUNT", "FAILED", "AVERAGE ("+unit+")", "MAX ("+unit+")")
			for _, r := range rows {
				for _, s := range r.Statistics {
					t.Row(r.Connection+r.Adapter, s.Name, strconv.FormatUint(s.Count, 10), strconv.FormatUint(s.Failed, 10),
						strconv.FormatFloat(s.Average, 'f', 1, 64), strconv.FormatFloat(s.Max, 'f', 1, 64))
				}
			}
			return t.Flush()
		},
	}
}

// oidStats implements mlxtool dbg oid-stats.
func oidStats(c *exec.Call) (exec.Answer, error) {
	list, err := registrykey.ToolTargets(c, description.WinOF, "mlxtool dbg oid-stats", "", false)
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []statsRow{}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		set := h.Healing()
		for i := range list {
			port, err := set.Port(list[i].Connection)
			if err != nil {
				return err
			}
			rows = append(rows, statsRow{Connection: list[i].Connection, Statistics: set.Requests(port)})
		}
		return nil
	})
	return statsAnswer(rows, "CONNECTION", "us"), err
}

// cmdStats implements mlxtool dbg cmd-stats.
func cmdStats(c *exec.Call, view *driver.View) (exec.Answer, error) {
	cards, err := cardsAt(c, view, "mlxtool dbg cmd-stats")
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []statsRow{}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		set := h.Healing()
		for _, a := range cards {
			_, card, _ := h.Lab().Port(a.Ports[0].Port)
			rows = append(rows, statsRow{Adapter: a.Description.Name, Statistics: set.Commands(card)})
		}
		return nil
	})
	return statsAnswer(rows, "DEVICE", "ms"), err
}

// endPointRow is an end point of IPoIB as JSON.
type endPointRow struct {
	Connection string `json:"connection"`
	Kind       string `json:"kind"`
	Address    string `json:"address"`
	GID        string `json:"gid"`
	LID        string `json:"lid"`
	QPN        string `json:"qpn"`
	PKey       string `json:"pkey"`
}

// The flags of mlxtool dbg ipoib-ep and the kinds of end points that they select.
var endPointFlags = map[string]string{"-l": "local", "-m": "multicast", "-r": "remote"}

// ipoibEndPoints implements mlxtool dbg ipoib-ep. The manual does not show its output.
func ipoibEndPoints(c *exec.Call) (exec.Answer, error) {
	kinds, name := map[string]bool{}, ""
	for _, word := range c.Arguments {
		switch kind := endPointFlags[strings.ToLower(word)]; {
		case kind != "":
			kinds[kind] = true
		case strings.HasPrefix(word, "-"):
			return exec.Answer{}, exec.Mistake("mlxtool dbg ipoib-ep takes -l, -m, -r and the name of an interface, not %q", word)
		case name != "":
			return exec.Answer{}, exec.Mistake("mlxtool dbg ipoib-ep takes one interface; quote a name with spaces")
		default:
			name = word
		}
	}
	wants := func(kind string) bool { return len(kinds) == 0 || kinds[kind] }
	list, err := registrykey.ToolTargets(c, description.WinOF, "mlxtool dbg ipoib-ep", name, false)
	if err != nil {
		return exec.Answer{}, err
	}
	rows, found := []endPointRow{}, false
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for i := range list {
			port, err := h.Healing().Port(list[i].Connection)
			if err != nil {
				return err
			}
			d, _, _ := h.Lab().Port(port)
			if d.Link != description.InfiniBand {
				continue
			}
			found = true
			for _, r := range endPointsOf(h, port) {
				if wants(r.Kind) {
					rows = append(rows, r)
				}
			}
		}
		return nil
	})
	if err == nil && !found && name != "" {
		return exec.Answer{}, fmt.Errorf("%s is an Ethernet connection; mlxtool dbg ipoib-ep supports IPoIB interfaces", name)
	}
	return exec.Answer{
		Result: struct {
			EndPoints []endPointRow `json:"end_points"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "INTERFACE", "KIND", "ADDRESS", "GID", "LID", "QPN", "PKEY")
			for _, r := range rows {
				t.Row(r.Connection, r.Kind, r.Address, r.GID, r.LID, r.QPN, r.PKey)
			}
			return t.Flush()
		},
	}, err
}

// firstQPN is the first queue pair number of IPoIB ports.
const firstQPN = 0x48

// others returns the active ports of the subnet that belong to other hosts: the lab gives the peers of workloads these ports in turn.
func others(h *driver.Host) (ports []*infiniband.Port) {
	subnet, own := h.Lab().Subnet()
	for n := range subnet.Fabric.Nodes {
		node := &subnet.Fabric.Nodes[n]
		mine := slices.ContainsFunc(own, func(p infiniband.Place) bool { return p.Node == n })
		for p := 1; p < len(node.Ports) && node.Kind == infiniband.Adapter && !mine; p++ {
			if node.Ports[p].State == infiniband.Active {
				ports = append(ports, &node.Ports[p])
			}
		}
	}
	return ports
}

// endPointsOf returns the end points of an InfiniBand port: its own, the groups that it has joined, and the peers of its workloads.
func endPointsOf(h *driver.Host, port int) (rows []endPointRow) {
	d, _, _ := h.Lab().Port(port)
	up := h.Lab().State(port).Up
	lid, _ := h.Lab().LIDs(port)
	hex := func(n int) string { return fmt.Sprintf("0x%04x", n) }
	gid := "fe80:0000:0000:0000:" + groupsOfFour(d.GUID.String())
	key := "0xffff"
	addresses := h.Stack().IP(d.Connection).Addresses
	for _, a := range addresses {
		rows = append(rows, endPointRow{d.Connection, "local", a.Addr().String(), gid, hex(int(lid)), fmt.Sprintf("0x%06x", firstQPN+port), key})
	}
	if !up {
		return rows
	}
	groups := []string{"255.255.255.255", "224.0.0.1"}
	for i, g := range groups {
		mgid := []string{"ff12:401b:ffff:0000:0000:0000:ffff:ffff", "ff12:401b:ffff:0000:0000:0000:0000:0001"}[i]
		rows = append(rows, endPointRow{d.Connection, "multicast", g, mgid, hex(0xc000 + i), "0xffffff", key})
	}
	flows, n, others := h.Lab().Description().Flows, 0, others(h)
	seen := map[string]bool{}
	for i, state := range h.Lab().Flows() {
		f := &flows[i]
		if state.Port != port || f.Virtual || f.Multicast || !f.Peer.IsValid() || state.ReceiveRate+state.SendRate == 0 {
			continue
		}
		peer := f.Peer
		for range max(f.Flows, 1) {
			if !peer.IsValid() || len(rows) >= exec.MaxRows || len(others) == 0 {
				break
			}
			if address := peer.String(); !seen[address] {
				seen[address] = true
				far := others[n%len(others)]
				rows = append(rows, endPointRow{d.Connection, "remote", address, "fe80:0000:0000:0000:" + groupsOfFour(far.GUID.String()), hex(int(far.LID)), fmt.Sprintf("0x%06x", firstQPN+0x400+n), key})
				n++
			}
			peer = peer.Next()
		}
	}
	return rows
}

// groupsOfFour writes the 16 digits of a GUID in groups of four.
func groupsOfFour(guid string) string {
	guid = strings.Map(func(r rune) rune {
		if r == ':' || r == '-' {
			return -1
		}
		return r
	}, strings.ToLower(guid))
	var parts []string
	for len(guid) > 4 {
		parts, guid = append(parts, guid[:4]), guid[4:]
	}
	return strings.Join(append(parts, guid), ":")
}

// linkRow is the physical state of a port as JSON.
type linkRow struct {
	Adapter     string  `json:"adapter"`
	Connection  string  `json:"connection"`
	Port        int     `json:"port"`
	State       string  `json:"phy_state"`
	Gbps        float64 `json:"rate_gbps"`
	Opcode      int     `json:"status_opcode"`
	Message     string  `json:"status_message"`
	Width       string  `json:"width"`
	SymbolError bool    `json:"symbol_errors"`
}

// pddrInfo implements mlxtool dbg pddrinfo: why a link is down. The manual shows its output only in a figure.
func pddrInfo(c *exec.Call, view *driver.View) (exec.Answer, error) {
	number := 0
	if len(c.Arguments) == 4 {
		n, err := exec.WholeNumber(c.Arguments[3], "port")
		if err != nil {
			return exec.Answer{}, err
		}
		if number = n; n < 1 {
			return exec.Answer{}, exec.Mistake("the port must be 1 or more, not %d", n)
		}
		c.Arguments = c.Arguments[:3]
	}
	cards, err := cardsAt(c, view, "mlxtool dbg pddrinfo")
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []linkRow{}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for _, a := range cards {
			for i := range a.Ports {
				if number == 0 || number == i+1 {
					rows = append(rows, physicalState(h, a, i))
				}
			}
		}
		return nil
	})
	if err == nil && len(rows) == 0 {
		return exec.Answer{}, fmt.Errorf("the device has no port %d", number)
	}
	return exec.Answer{
		Result: struct {
			Ports []linkRow `json:"ports"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "DEVICE", "PORT", "CONNECTION", "PHY STATE", "SPEED", "WIDTH", "STATUS", "MESSAGE")
			for _, r := range rows {
				t.Row(r.Adapter, strconv.Itoa(r.Port), r.Connection, r.State, fmt.Sprintf("%g Gb/s", r.Gbps), r.Width, strconv.Itoa(r.Opcode), r.Message)
			}
			return t.Flush()
		},
	}, err
}

// physicalState returns the physical state of a port of a card. Codes and messages are as the firmware tools print them.
func physicalState(h *driver.Host, a *driver.AdapterView, index int) linkRow {
	p := &a.Ports[index]
	r := linkRow{Adapter: a.Description.Name, Connection: p.Description.Connection, Port: index + 1, State: "Active", Gbps: p.Rate / 1e9, Width: "4x", Message: "No issue was observed"}
	switch {
	case !p.Cabled:
		r.State, r.Gbps, r.Opcode, r.Message = "Polling", 0, 1024, "Cable is unplugged/powered off"
	case p.State != driver.Running:
		r.State, r.Gbps, r.Opcode, r.Message = "Disabled", 0, 1, "The port is closed by command"
	case !p.Up && p.Description.Link == description.InfiniBand && p.SubnetManager != description.SubnetManager(0):
		r.Opcode, r.Message = 0, "No issue was observed; no subnet manager has activated the port"
	case !p.Up:
		r.State, r.Gbps, r.Opcode, r.Message = "Polling", 0, 2, "Auto-negotiation: no partner detected"
	}
	if h.Lab().Fault(p.Port, description.BadCable) > 0 && p.Up {
		r.Opcode, r.Message, r.SymbolError = 15, "Bad signal integrity", true
	}
	return r
}
