package exec

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/perf"
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
	BurntFunctions int                `json:"burnt_virtual_functions,omitempty"`
	State          string             `json:"state"`
	Ports          []portRow          `json:"ports"`
	// Limits is how many features of the manuals the versions do not allow.
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
	Switch     string               `json:"switch_port"`
}

func adapterOf(view *driver.AdapterView) adapterRow {
	d := view.Description
	row := adapterRow{
		Name: d.Name, Family: d.Family, Driver: view.Driver, Package: d.Package, DriverVersion: d.DriverVersion,
		Firmware: d.Firmware, PSID: d.PSID, VendorID: digits(d.VendorID), DeviceID: digits(d.DeviceID),
		SubvendorID: digits(d.SubvendorID), SubsystemID: digits(d.SubsystemID), Revision: fmt.Sprintf("%02X", d.Revision),
		NodeGUID: d.NodeGUID.String(), PCI: d.PCI.String(), NUMANode: d.NUMANode, PCIeGeneration: d.PCIeGeneration,
		PCIeLanes: d.PCIeLanes, BurntFunctions: d.BurntFunctions, State: view.State.String(),
	}
	class := registry.Row{Family: d.Family, Scope: registry.Miniport}
	for _, p := range view.Ports {
		row.Ports = append(row.Ports, portRow{
			Connection: p.Description.Connection, Device: p.Description.Device, Link: p.Description.Link,
			MAC: p.Description.MAC.String(), GUID: p.Description.GUID.String(), Interface: p.Description.Interface,
			ClassIndex: p.Description.Class, ClassKey: class.Path(p.Description.Class),
			State: p.State.String(), Code: p.Code, Cabled: p.Cabled, Up: p.Up, Rate: p.Rate,
			Pending: p.Pending, Switch: p.Description.Switch.Name, Subnet: p.Subnet.String(), Management: p.Management,
		})
	}
	for _, f := range view.Functions {
		for _, port := range f.Ports {
			row.Ports[port].Function, row.Ports[port].Instance = f.PCI.String(), f.InstanceID
		}
	}
	return row
}

// digits is an id of the PCI configuration space as Windows writes it.
func digits(id uint16) string { return fmt.Sprintf("%04X", id) }

// view is the host now.
func (c *call) view() (view *driver.View, err error) {
	err = c.host.Look(c.ctx, func(h *driver.Host) error {
		view = h.View()
		return nil
	})
	return view, err
}

func adapterList(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	rows := make([]adapterRow, len(view.Adapters))
	for i := range view.Adapters {
		rows[i] = adapterOf(&view.Adapters[i])
	}
	virtual := virtualAdapters(view)
	return answer{
		result: struct {
			Adapters []adapterRow `json:"adapters"`
			Virtual  []virtualRow `json:"virtual,omitempty"`
		}{rows, virtual},
		text: func(w io.Writer) error {
			t := newTable(w, "CONNECTION", "STATE", "LINK", "RATE", "ADAPTER", "DRIVER", "WAITS")
			for _, a := range rows {
				for _, p := range a.Ports {
					t.row(p.Connection, p.State, p.linkWord(), p.rateText(), a.Name, a.Driver, p.Pending)
				}
			}
			for _, v := range virtual {
				t.row(v.Name, "virtual", v.linkWord(), "-", orDash(strings.Join(v.On, ", ")), v.Kind)
			}
			return t.Flush()
		},
	}, nil
}

// firmwareText is the firmware with what it was burnt with.
func (a *adapterRow) firmwareText() string {
	text := a.Firmware + ", PSID " + a.PSID
	if a.BurntFunctions > 0 {
		text += fmt.Sprintf(", burnt with %d virtual functions", a.BurntFunctions)
	}
	return text
}

// stateText is the state of the driver, with the device manager's code when it failed.
func (p *portRow) stateText() string {
	if p.Code == 0 {
		return p.State
	}
	return fmt.Sprintf("%s (code %d)", p.State, p.Code)
}

// linkWord is how the link is.
func (p *portRow) linkWord() string {
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

// rateText is the line rate; it is in bits a second however bytes are shown.
func (p *portRow) rateText() string { return perf.Number(p.Rate/8, perf.Bytes, true, false) }

func adapterShow(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	adapter, port, err := findAdapter(view, c.arguments[0])
	if err != nil {
		if virtual, ok := virtualAdapter(view, c.arguments[0]); ok {
			return virtualShow(virtual), nil // it is no port, and something that can be shown all the same
		}
		return answer{}, err
	}
	row := adapterOf(&view.Adapters[adapter])
	if port >= 0 {
		row.Ports = row.Ports[port : port+1]
	}
	if err := c.countLimits(&row); err != nil {
		return answer{}, err
	}
	return answer{
		result: struct {
			Adapter adapterRow `json:"adapter"`
		}{row},
		text: func(w io.Writer) error {
			t := newTable(w)
			t.row("Adapter", row.Name)
			t.row("Driver", row.Driver+" "+row.DriverVersion+" ("+row.Package+")")
			t.row("Firmware", row.firmwareText())
			if row.Limits > 0 {
				t.row("Limits", fmt.Sprintf("%d features of the manuals are not for these versions; limits %s lists them",
					row.Limits, Quote(c.arguments[0])))
			}
			t.row("PCI ids", fmt.Sprintf("vendor %s, device %s, subsystem %s of vendor %s, revision %s",
				row.VendorID, row.DeviceID, row.SubsystemID, row.SubvendorID, row.Revision))
			t.row("Node GUID", row.NodeGUID)
			t.row("Slot", fmt.Sprintf("%s, PCI Express %d.0 x%d, NUMA node %d", row.PCI, row.PCIeGeneration, row.PCIeLanes,
				row.NUMANode))
			for _, p := range row.Ports {
				t.row()
				t.row("Connection", p.Connection)
				t.row("Device", p.Device)
				t.row("State", p.stateText())
				t.row("Link", strings.Join([]string{p.linkWord(), linkType(p.Link), p.rateText()}, ", "))
				t.row("Address", p.MAC)
				t.row("Port GUID", p.GUID)
				t.row("PCI function", p.Function)
				t.row("Instance", p.Instance)
				t.row("Interface", p.Interface)
				t.row("Class key", p.ClassKey)
				t.row("Cabled to", p.Switch)
				if p.Subnet != "" {
					t.row("Subnet", p.Subnet)
				}
				if p.Management {
					t.row("Carries", "the operator's own session")
				}
				if p.Pending != "" {
					t.row("Waits", p.Pending)
				}
			}
			return t.Flush()
		},
	}, nil
}

// findAdapter is the card of a name, and the port when it names a connection; port is -1 when it names the card.
func findAdapter(view *driver.View, name string) (adapter, port int, err error) {
	var names []string
	for i := range view.Adapters {
		for j, p := range view.Adapters[i].Ports {
			if strings.EqualFold(p.Description.Connection, name) {
				return i, j, nil
			}
			names = append(names, p.Description.Connection)
		}
	}
	for i, a := range view.Adapters {
		if strings.EqualFold(a.Description.Name, name) {
			return i, -1, nil
		}
		names = append(names, a.Description.Name)
	}
	if virtual, ok := virtualAdapter(view, name); ok {
		return 0, 0, fmt.Errorf("%s; name a port", virtual.known())
	}
	return 0, 0, fmt.Errorf("no adapter is called %q%s", name, suggest(name, names, "adapter list prints the names"))
}

// named is the connection that an argument names, as the host has its name.
func (c *call) named(argument int) (string, error) {
	view, err := c.view()
	if err != nil {
		return "", err
	}
	return connection(view, c.arguments[argument])
}

// connection is a connection's name as the host has it.
func connection(view *driver.View, name string) (string, error) {
	adapter, port, err := findAdapter(view, name)
	if err != nil {
		return "", err
	}
	a := &view.Adapters[adapter]
	if port < 0 {
		var names []string
		for _, p := range a.Ports {
			names = append(names, Quote(p.Description.Connection))
		}
		return "", fmt.Errorf("%s is a card; name one of its connections: %s", a.Description.Name, strings.Join(names, ", "))
	}
	return a.Ports[port].Description.Connection, nil
}

// table writes columns.
type table struct{ *tabwriter.Writer }

func newTable(w io.Writer, headings ...string) table {
	t := table{tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.StripEscape)}
	if len(headings) > 0 {
		t.row(headings...)
	}
	return t
}

// row writes one; the end of it is cut where its last cells are empty. Flush tells what went wrong.
func (t table) row(cells ...string) {
	for len(cells) > 0 && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1]
	}
	for i, cell := range cells {
		cells[i] = Clean(cell)
	}
	fmt.Fprintln(t, strings.Join(cells, "\t")) //nolint:errcheck // Flush tells
}
