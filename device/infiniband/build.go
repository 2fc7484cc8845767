package infiniband

import "cxdeck/device/description"

// Model describes a new node: its kind, name and GUID, the number of ports, their width and fastest speed.
type Model struct {
	Kind  Kind
	Name  string
	GUID  description.GUID
	Ports int
	Width Width
	Speed Speed
	// Vendor and Device are the ids in NodeInfo; System is 0 for the node's GUID.
	Vendor   uint32
	Device   uint16
	Revision uint32
	System   description.GUID
	// PortGUIDs are the GUIDs of an adapter's ports; without them they follow the node's GUID.
	PortGUIDs []description.GUID
}

// MaxPorts is the highest number of ports of a node.
const MaxPorts = 254

// Add adds a node and returns its number.
func (f *Fabric) Add(m Model) int {
	n := Node{
		Kind: m.Kind, Name: m.Name, GUID: m.GUID, System: m.System, Vendor: m.Vendor, Device: m.Device, Revision: m.Revision,
		Ports: make([]Port, m.Ports+1),
	}
	if n.System == 0 {
		n.System = n.GUID
	}
	mode := Mode{WidthsUpTo(m.Width), UpTo(m.Speed)}
	for i := range n.Ports {
		p := &n.Ports[i]
		p.Far, p.GUID = Nowhere, n.GUID
		if m.Kind != Switch {
			p.GUID = n.GUID + description.GUID(i)
			if i > 0 && i <= len(m.PortGUIDs) {
				p.GUID = m.PortGUIDs[i-1]
			}
			if i == 0 {
				continue
			}
		}
		p.Supported, p.Enabled, p.State, p.Physical = mode, mode, Down, Polling
		p.MTU, p.VLs, p.PKeys = 5, 4, []description.PKey{description.DefaultPKey}
		if i == 0 { // the management port of a switch needs no link
			p.State, p.Physical, p.Width, p.Speed = Active, LinkUp, m.Width, m.Speed
		}
	}
	f.Nodes = append(f.Nodes, n)
	return len(f.Nodes) - 1
}
