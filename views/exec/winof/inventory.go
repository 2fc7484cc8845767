package winof

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
	"cxdeck/views/exec/registrykey"
)

// listedPort is a port of mlxtool show ports as JSON.
type listedPort struct {
	Connection string `json:"connection"`
	Device     string `json:"device"`
	Link       string `json:"link"`
	PCI        string `json:"pci_address"`
	Port       int    `json:"port"`
	State      string `json:"state"`
}

// eachPort calls a function for each WinOF port.
func eachPort(view *driver.View, do func(a *driver.AdapterView, index int)) {
	for i := range view.Adapters {
		a := &view.Adapters[i]
		if a.Description.Family != description.WinOF {
			continue
		}
		for index := range a.Ports {
			do(a, index)
		}
	}
}

func linkText(link description.LinkType) string {
	if link == description.InfiniBand {
		return "IPoIB"
	}
	return "Ethernet"
}

// showPorts implements mlxtool show ports. The manual shows its output only in a figure.
func showPorts(_ *exec.Call, view *driver.View) (exec.Answer, error) {
	rows := []listedPort{}
	eachPort(view, func(a *driver.AdapterView, index int) {
		p := &a.Ports[index]
		rows = append(rows, listedPort{p.Description.Connection, p.Description.Device, linkText(p.Description.Link), a.Description.PCI.String(), index + 1, p.State.String()})
	})
	for _, p := range view.Partitions {
		state := "disconnected"
		if p.Up {
			state = "running"
		}
		rows = append(rows, listedPort{Connection: p.Connection, Device: p.Device, Link: "IPoIB", State: state})
	}
	return exec.Answer{
		Result: struct {
			Ports []listedPort `json:"ports"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "INTERFACE", "TYPE", "DEVICE", "PCI", "PORT", "STATE")
			for _, r := range rows {
				t.Row(r.Connection, r.Link, r.Device, wording.OrDash(r.PCI), wording.OrDash(strings.TrimPrefix(strconv.Itoa(r.Port), "0")), r.State)
			}
			return t.Flush()
		},
	}, nil
}

// listedDevice is a device of mlxtool show devices as JSON.
type listedDevice struct {
	Adapter  string `json:"adapter"`
	Bus      int    `json:"bus"`
	Device   int    `json:"device"`
	Function int    `json:"function"`
	Firmware string `json:"firmware"`
}

// showDevices implements mlxtool show devices. The manual shows its output only in a figure, and says that virtual functions do not support it
// (002:425).
func showDevices(c *exec.Call, view *driver.View) (exec.Answer, error) {
	guest := false
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		guest = h.Lab().Description().Host.Guest
		return nil
	}); err != nil {
		return exec.Answer{}, err
	}
	if guest {
		return exec.Answer{}, errors.New("mlxtool show devices is not supported for virtual functions, which are the adapters of this guest")
	}
	cards, err := cardsAt(c, view, "mlxtool show devices")
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []listedDevice{}
	for _, a := range cards {
		pci := a.Description.PCI
		rows = append(rows, listedDevice{a.Description.Name, int(pci.Bus), int(pci.Device), int(pci.Function), a.Description.Firmware})
	}
	return exec.Answer{
		Result: struct {
			Devices []listedDevice `json:"devices"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "DEVICE", "BUS", "DEVICE #", "FUNCTION", "FIRMWARE")
			for _, r := range rows {
				t.Row(r.Adapter, strconv.Itoa(r.Bus), strconv.Itoa(r.Device), strconv.Itoa(r.Function), r.Firmware)
			}
			return t.Flush()
		},
	}, nil
}

// vxlanRow is the VXLAN offload of a connection as JSON.
type vxlanRow struct {
	Connection string `json:"connection"`
	Offload    bool   `json:"offload"`
	UDPPort    int    `json:"udp_port"`
}

// vxlanPort is the UDP port of VXLAN where none is set.
const vxlanPort = 4789

// showVXLAN implements mlxtool show vxlan. The manual does not show its output.
func showVXLAN(c *exec.Call) (exec.Answer, error) {
	list, err := registrykey.ToolTargets(c, description.WinOF, "mlxtool show vxlan", strings.Join(c.Arguments, " "), true)
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []vxlanRow{}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for i := range list {
			port, err := h.Healing().Port(list[i].Connection)
			if err != nil {
				return err
			}
			s := h.Lab().Settings(port)
			r := vxlanRow{Connection: list[i].Connection, Offload: s.InnerOffload, UDPPort: vxlanPort}
			if s.TunnelPort > 0 {
				r.UDPPort = s.TunnelPort
			}
			rows = append(rows, r)
		}
		return nil
	})
	return exec.Answer{
		Result: struct {
			VXLAN []vxlanRow `json:"vxlan"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "INTERFACE", "VXLAN OFFLOAD", "UDP PORT")
			for _, r := range rows {
				t.Row(r.Connection, map[bool]string{true: "Enabled", false: "Disabled"}[r.Offload], strconv.Itoa(r.UDPPort))
			}
			return t.Flush()
		},
	}, err
}

// hcaRow is a card with its ports as JSON, for vstat and ibstat.
type hcaRow struct {
	Index    int          `json:"index"`
	Adapter  string       `json:"adapter"`
	Type     uint16       `json:"vendor_part_id"`
	Vendor   uint16       `json:"vendor_id"`
	Revision uint8        `json:"hardware_version"`
	Firmware string       `json:"firmware"`
	PSID     string       `json:"psid,omitempty"`
	NodeGUID string       `json:"node_guid"`
	PCI      string       `json:"pci_address"`
	Link     string       `json:"uplink"`
	Ports    []hcaPortRow `json:"ports"`
}

type hcaPortRow struct {
	Port      int     `json:"port"`
	Interface string  `json:"interface"`
	GUID      string  `json:"port_guid"`
	Link      string  `json:"link_layer"`
	State     string  `json:"state"`
	Physical  string  `json:"physical_state"`
	Gbps      float64 `json:"rate_gbps"`
	LID       int     `json:"lid"`
	ManagerID int     `json:"sm_lid"`
	MTU       int     `json:"active_mtu"`
	Transport string  `json:"transport"`
}

// hcas returns the WinOF cards with their ports.
func hcas(c *exec.Call, view *driver.View) (rows []hcaRow, err error) {
	rows = []hcaRow{}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for i := range view.Adapters {
			a := &view.Adapters[i]
			d := a.Description
			if d.Family != description.WinOF {
				continue
			}
			_, card, _ := h.Lab().Port(a.Ports[0].Port)
			slot := h.Lab().Slot(card)
			row := hcaRow{
				Index: len(rows), Adapter: d.Name, Type: d.DeviceID, Vendor: d.VendorID, Revision: d.Revision, Firmware: d.Firmware, PSID: d.PSID, NodeGUID: d.NodeGUID.String(),
				PCI: d.PCI.String(), Link: fmt.Sprintf("PCI_E Gen%d x%d", slot.Generation, slot.Lanes),
			}
			for index := range a.Ports {
				row.Ports = append(row.Ports, hcaPort(h, &a.Ports[index], index))
			}
			rows = append(rows, row)
		}
		return nil
	})
	if err == nil && len(rows) == 0 {
		err = fmt.Errorf("the host has no WinOF card; MlxStat shows the WinOF-2 cards")
	}
	return rows, err
}

// hcaPort returns a port of vstat and ibstat.
func hcaPort(h *driver.Host, p *driver.PortView, index int) hcaPortRow {
	d, settings := p.Description, h.Lab().Settings(p.Port)
	r := hcaPortRow{Port: index + 1, Interface: d.Device, GUID: d.GUID.String(), Link: "Ethernet", State: "PORT_DOWN", Physical: "POLLING", Gbps: p.Rate / 1e9}
	switch {
	case p.Up:
		r.State, r.Physical = "PORT_ACTIVE", "LINK_UP"
	case p.Subnet.String() == "INIT":
		r.State, r.Physical = "PORT_INITIALIZE", "LINK_UP"
	case p.State != driver.Running:
		r.Physical = "DISABLED"
	}
	limit := settings.MaxFrame
	if d.Link == description.InfiniBand {
		lid, manager := h.Lab().LIDs(p.Port)
		r.Link, r.Transport, r.LID, r.ManagerID = "InfiniBand", "IB", int(lid), int(manager)
	} else {
		mode := settings.RoCE
		word, _ := mode.MarshalText() // no error for the mode of a lab
		r.Transport = map[string]string{"off": "No RoCE", "v1": "RoCE v1.0", "v2": "RoCE v2.0"}[string(word)]
	}
	for r.MTU = 256; r.MTU*2 <= min(limit, 4096+64) && r.MTU < 4096; {
		r.MTU *= 2
	}
	return r
}

// vstat implements vstat. The manual names its fields and does not show its output.
func vstat(c *exec.Call, view *driver.View) (exec.Answer, error) {
	rows, err := hcas(c, view)
	if err != nil {
		return exec.Answer{}, err
	}
	var lines []string
	for i := range rows {
		r := &rows[i]
		lines = append(lines, fmt.Sprintf("hca_idx=%d", r.Index), "uplink={BUS="+r.Link+"}", fmt.Sprintf("vendor_id=0x%04x", r.Vendor), fmt.Sprintf("vendor_part_id=%d", r.Type),
			fmt.Sprintf("hw_ver=0x%x", r.Revision), "fw_ver="+r.Firmware, "PSID="+r.PSID, "node_guid="+r.NodeGUID, fmt.Sprintf("num_phys_ports=%d", len(r.Ports)))
		for _, p := range r.Ports {
			lines = append(lines, fmt.Sprintf("    port=%d", p.Port), "    interface="+exec.Clean(p.Interface), "    port_guid="+p.GUID, "    port_state="+p.State, "    port_phys_state="+p.Physical,
				fmt.Sprintf("    rate=%.2f Gbps", p.Gbps), fmt.Sprintf("    port_lid=0x%04x", p.LID), fmt.Sprintf("    sm_lid=0x%04x", p.ManagerID),
				fmt.Sprintf("    active_mtu=%d", p.MTU), "    transport="+p.Transport)
		}
	}
	return exec.PrintLines(lines, struct {
		HCAs []hcaRow `json:"hcas"`
	}{rows}), nil
}

// ibstat implements ibstat. The manual names LID, SMLID, port state, active link width and physical state.
func ibstat(c *exec.Call, view *driver.View) (exec.Answer, error) {
	rows, err := hcas(c, view)
	if err != nil {
		return exec.Answer{}, err
	}
	states := map[string]string{"PORT_ACTIVE": "Active", "PORT_DOWN": "Down", "PORT_INITIALIZE": "Initializing"}
	physical := map[string]string{"LINK_UP": "LinkUp", "POLLING": "Polling", "DISABLED": "Disabled"}
	var lines []string
	for i := range rows {
		r := &rows[i]
		lines = append(lines, fmt.Sprintf("CA 'ibv_device%d'", r.Index), fmt.Sprintf("    CA type: MT%d", r.Type), fmt.Sprintf("    Number of ports: %d", len(r.Ports)),
			"    Firmware version: "+r.Firmware, fmt.Sprintf("    Hardware version: 0x%x", r.Revision), "    Node GUID: 0x"+strings.ReplaceAll(r.NodeGUID, ":", ""))
		for _, p := range r.Ports {
			lines = append(lines, fmt.Sprintf("    Port %d:", p.Port), "        State: "+states[p.State], "        Physical state: "+physical[p.Physical],
				fmt.Sprintf("        Rate: %g", p.Gbps), "        Link width active: 4x", fmt.Sprintf("        Base lid: %d", p.LID), fmt.Sprintf("        SM lid: %d", p.ManagerID),
				"        Port GUID: 0x"+strings.ReplaceAll(p.GUID, ":", ""), "        Link layer: "+p.Link)
		}
	}
	return exec.PrintLines(lines, struct {
		HCAs []hcaRow `json:"hcas"`
	}{rows}), nil
}
