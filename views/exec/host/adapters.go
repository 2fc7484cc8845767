package host

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/driver/script"
	"cxdeck/driver/stack"
	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/views/exec"
	"cxdeck/views/exec/syntax"
)

// adapterRow and portRow are a card and a port as JSON; names carry their units.
type adapterRow struct {
	Name           string             `json:"name"`
	Family         description.Family `json:"family"`
	Driver         string             `json:"driver"`
	Package        string             `json:"package"`
	DriverVersion  string             `json:"driver_version"`
	Firmware       string             `json:"firmware"`
	PSID           string             `json:"psid"`
	VendorID       string             `json:"vendor_id"`
	DeviceID       string             `json:"device_id"`
	SubvendorID    string             `json:"subvendor_id"`
	SubsystemID    string             `json:"subsystem_id"`
	Revision       string             `json:"revision"`
	NodeGUID       string             `json:"node_guid"`
	PCI            string             `json:"pci"`
	NUMANode       int                `json:"numa_node"`
	PCIeGeneration int                `json:"pcie_generation"`
	PCIeLanes      int                `json:"pcie_lanes"`
	FirmwareVFs    int                `json:"burnt_virtual_functions,omitempty"`
	State          string             `json:"state"`
	Ports          []portRow          `json:"ports"`
	// Limits is the number of features that the versions do not support.
	Limits int `json:"limits,omitempty"`
}

type portRow struct {
	Connection string               `json:"connection"`
	Device     string               `json:"device"`
	Link       description.LinkType `json:"link"`
	MAC        string               `json:"mac"`
	GUID       string               `json:"guid"`
	Function   string               `json:"pci_function"`
	Instance   string               `json:"instance_id"`
	Interface  string               `json:"interface_guid"`
	ClassIndex string               `json:"class_index"`
	ClassKey   string               `json:"class_key"`
	State      string               `json:"state"`
	Code       int                  `json:"code,omitempty"`
	Cabled     bool                 `json:"cabled"`
	Up         bool                 `json:"up"`
	Rate       float64              `json:"rate_bits_per_second"`
	Pending    string               `json:"pending,omitempty"`
	Subnet     string               `json:"subnet,omitempty"`
	Management bool                 `json:"management,omitempty"`
	Team       string               `json:"team,omitempty"`
	Switch     string               `json:"switch_port"`
	GIDs       []stack.GID          `json:"gids,omitempty"`
}

func adapterOf(view *driver.AdapterView) adapterRow {
	d := view.Description
	row := adapterRow{
		Name: d.Name, Family: d.Family, Driver: view.Driver, Package: d.Package, DriverVersion: d.DriverVersion,
		Firmware: d.Firmware, PSID: d.PSID, VendorID: digits(d.VendorID), DeviceID: digits(d.DeviceID),
		SubvendorID: digits(d.SubvendorID), SubsystemID: digits(d.SubsystemID), Revision: fmt.Sprintf("%02X", d.Revision),
		NodeGUID: d.NodeGUID.String(), PCI: d.PCI.String(), NUMANode: d.NUMANode, PCIeGeneration: d.PCIeGeneration,
		PCIeLanes: d.PCIeLanes, FirmwareVFs: d.FirmwareVFs, State: view.State.String(),
	}
	class := registry.Row{Family: d.Family, Scope: registry.Miniport}
	for _, p := range view.Ports {
		row.Ports = append(row.Ports, portRow{
			Connection: p.Description.Connection, Device: p.Description.Device, Link: p.Description.Link,
			MAC: p.Description.MAC.String(), GUID: p.Description.GUID.String(), Interface: p.Description.Interface,
			ClassIndex: p.Description.Class, ClassKey: class.Path(p.Description.Class),
			State: p.State.String(), Code: p.Code, Cabled: p.Cabled, Up: p.Up, Rate: p.Rate,
			Pending: p.Pending, Switch: p.Description.Switch.Name, Subnet: p.Subnet.String(), Management: p.Management, Team: p.Team,
		})
	}
	for _, f := range view.Functions {
		for _, port := range f.Ports {
			row.Ports[port].Function, row.Ports[port].Instance = f.PCI.String(), f.InstanceID
		}
	}
	return row
}

// digits returns an id of the PCI configuration space as Windows writes it.
func digits(id uint16) string { return fmt.Sprintf("%04X", id) }

func adapterList(c *exec.Call, view *driver.View) (exec.Answer, error) {
	rows := make([]adapterRow, len(view.Adapters))
	for i := range view.Adapters {
		rows[i] = adapterOf(&view.Adapters[i])
	}
	virtual := exec.VirtualAdapters(view)
	return exec.Answer{
		Result: struct {
			Adapters []adapterRow      `json:"adapters"`
			Virtual  []exec.VirtualRow `json:"virtual,omitempty"`
		}{rows, virtual},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "CONNECTION", "STATE", "LINK", "RATE", "ADAPTER", "DRIVER", "WAITS")
			for _, a := range rows {
				for _, p := range a.Ports {
					t.Row(p.Connection, p.State, p.linkText(), p.rateText(), a.Name, a.Driver, p.Pending)
				}
			}
			for _, v := range virtual {
				t.Row(v.Name, "virtual", virtualLink(&v), "-", wording.OrDash(strings.Join(v.On, ", ")), v.Kind)
			}
			return t.Flush()
		},
	}, nil
}

// firmwareText returns firmware version, PSID, and the number of virtual functions burned in the firmware.
func (a *adapterRow) firmwareText() string {
	text := a.Firmware + ", PSID " + a.PSID
	if a.FirmwareVFs > 0 {
		text += fmt.Sprintf(", %d virtual functions burned", a.FirmwareVFs)
	}
	return text
}

// stateText returns the state of the driver, with the device manager's code when it failed.
func (p *portRow) stateText() string {
	if p.Code == 0 {
		return p.State
	}
	return fmt.Sprintf("%s (code %d)", p.State, p.Code)
}

// linkText returns the state of the link: up, down or no cable.
func (p *portRow) linkText() string {
	switch {
	case p.Up:
		return "up"
	case !p.Cabled:
		return "no cable"
	default:
		return "down"
	}
}

func linkType(link description.LinkType) string {
	if link == description.InfiniBand {
		return "InfiniBand"
	}
	return "Ethernet"
}

// rateText returns the line rate, always in bits per second.
func (p *portRow) rateText() string { return perf.Number(p.Rate/8, perf.Bytes, true, false) }

func adapterShow(c *exec.Call, view *driver.View) (exec.Answer, error) {
	answer, err := adapterAnswer(c, view)
	file, saves := c.Flags["save"]
	if err != nil || !saves {
		return answer, err
	}
	var text bytes.Buffer
	if err := answer.Text(&text); err != nil {
		return exec.Answer{}, err
	}
	if err := c.Write([]script.File{{Path: file, Data: text.Bytes()}}); err != nil {
		return exec.Answer{}, err
	}
	return exec.PrintLines([]string{fmt.Sprintf("The information on %s is in %s.", c.Arguments[0], file)}, answer.Result), nil
}

// adapterAnswer describes a card, a port or a virtual adapter.
func adapterAnswer(c *exec.Call, view *driver.View) (exec.Answer, error) {
	adapter, port, err := exec.FindAdapter(view, c.Arguments[0])
	if err != nil {
		if virtual, ok := exec.VirtualAdapter(view, c.Arguments[0]); ok {
			return virtualAnswer(virtual), nil // the adapter of a team, a VLAN or a virtual IPoIB port
		}
		return exec.Answer{}, err
	}
	row := adapterOf(&view.Adapters[adapter])
	if port >= 0 {
		row.Ports = row.Ports[port : port+1]
	}
	if err := countLimits(c, &row); err != nil {
		return exec.Answer{}, err
	}
	if err := readGIDs(c, &row); err != nil {
		return exec.Answer{}, err
	}
	return exec.Answer{
		Result: struct {
			Adapter adapterRow `json:"adapter"`
		}{row},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w)
			t.Row("Adapter", row.Name)
			t.Row("Driver", row.Driver+" "+row.DriverVersion+" ("+row.Package+")")
			t.Row("Firmware", row.firmwareText())
			if row.Limits > 0 {
				t.Row("Limits", fmt.Sprintf("these versions do not support %d features of the manuals; limits %s lists them",
					row.Limits, syntax.Quote(c.Arguments[0])))
			}
			t.Row("PCI ids", fmt.Sprintf("vendor %s, device %s, subsystem %s of vendor %s, revision %s",
				row.VendorID, row.DeviceID, row.SubsystemID, row.SubvendorID, row.Revision))
			t.Row("Node GUID", row.NodeGUID)
			t.Row("Slot", fmt.Sprintf("%s, PCI Express %d.0 x%d, NUMA node %d", row.PCI, row.PCIeGeneration, row.PCIeLanes,
				row.NUMANode))
			for _, p := range row.Ports {
				t.Row()
				t.Row("Connection", p.Connection)
				t.Row("Device", p.Device)
				t.Row("State", p.stateText())
				t.Row("Link", strings.Join([]string{p.linkText(), linkType(p.Link), p.rateText()}, ", "))
				t.Row("Address", p.MAC)
				t.Row("Port GUID", p.GUID)
				for _, g := range p.GIDs {
					t.Row(fmt.Sprintf("GID %d", g.Index), gidText(&g))
				}
				t.Row("PCI function", p.Function)
				t.Row("Instance", p.Instance)
				t.Row("Interface", p.Interface)
				t.Row("Class key", p.ClassKey)
				t.Row("Cabled to", p.Switch)
				if p.Subnet != "" {
					t.Row("Subnet", p.Subnet)
				}
				if p.Team != "" {
					t.Row("Team", p.Team)
				}
				if p.Management {
					t.Row("Carries", "your own session")
				}
				if p.Pending != "" {
					t.Row("Waits", p.Pending)
				}
			}
			return t.Flush()
		},
	}, nil
}

// readGIDs sets the GID tables of the ports of a card.
func readGIDs(c *exec.Call, row *adapterRow) error {
	return c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for port := range h.Lab().Ports() {
			for i := range row.Ports {
				if p := &row.Ports[i]; p.Connection == h.Lab().Connection(port) {
					p.GIDs = h.GIDs(port)
				}
			}
		}
		return nil
	})
}

// gidText returns a GID with its RoCE mode, its IP address and its VLAN.
func gidText(g *stack.GID) string {
	text := g.Text + ", RoCE " + g.Mode
	if g.Address.IsValid() {
		text += ", " + g.Address.String()
	}
	if g.VLAN > 0 {
		text += fmt.Sprintf(", VLAN %d", g.VLAN)
	}
	return text
}
