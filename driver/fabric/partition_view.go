package fabric

import (
	"fmt"

	"cxdeck/device/description"
)

// PartitionView is the current state of a virtual IPoIB port.
type PartitionView struct {
	// Connection is its name in Windows, Name the name in part_man.
	Connection string `json:"connection"`
	Name       string `json:"name"`
	// PKey is the key that was requested.
	PKey description.PKey `json:"pkey"`
	// On is the connection of the InfiniBand port, Port the number of that port in device.Lab.
	On   string `json:"on"`
	Port int    `json:"-"`
	// Device is its name in Device Manager, GUID the GUID of the network interface, in braces.
	Device string `json:"device"`
	GUID   string `json:"guid"`
	Up     bool   `json:"up"`
	// Rate is the rate of its link in bits per second, 0 without a link.
	Rate float64 `json:"rate_bits_per_second"`
	// Uses is the key in use, 0 when the subnet manager does not assign it.
	Uses description.PKey `json:"used_pkey,omitempty"`
	// Why is the reason why it is not up; empty when it is.
	Why string `json:"why,omitempty"`
}

// Views returns the current state of the virtual ports.
func (s Set) Views() []PartitionView {
	list := make([]PartitionView, len(s.Partitions))
	for i := range s.Partitions {
		list[i] = s.viewPartition(&s.Partitions[i])
	}
	return list
}

// BrokenViews returns the broken entries of the registry.
func (s Set) BrokenViews() (list []PartitionView) {
	for i := range s.Broken {
		v := s.viewPartition(&s.Broken[i])
		v.Up, v.Rate, v.Uses = false, 0, 0
		v.Why = fmt.Sprintf("not fully removed: the driver of %s did not run", v.On)
		list = append(list, v)
	}
	return list
}

// viewPartition returns the current state of a virtual port (PKEY-4).
func (s Set) viewPartition(p *partition) PartitionView {
	d, _, _ := s.Lab().Port(p.port)
	v := PartitionView{
		Connection: p.connection, On: d.Connection, Port: p.port, Name: p.name, Device: d.Device + " - " + p.name,
		GUID: p.guid,
		PKey: p.key,
	}
	var known bool
	v.Uses, known = s.usedKey(p)
	switch link := s.Lab().State(p.port); {
	case !s.Running(p.port):
		v.Why = fmt.Sprintf("the driver of %s, which it is on, does not run", d.Connection)
	case !link.Up:
		v.Why = fmt.Sprintf("%s, which it is on, has no link", d.Connection)
	case !known:
		v.Why = fmt.Sprintf("the subnet manager does not give %s the PKey %s", d.Connection, p.key)
	default:
		v.Up, v.Rate = true, link.Rate
	}
	return v
}

// PKeys returns the partition table of an InfiniBand port: the default partition, and the partitions that the subnet manager
// assigns.
func (s Set) PKeys(port int) []description.PKey {
	table := append([]description.PKey{description.DefaultPKey}, s.Lab().SwitchPort(port).PKeys...)
	indices := s.VirtualPKeys()
	if indices == nil {
		return table
	}
	keys := []description.PKey{}
	for _, i := range indices { // the Linux host of a guest maps each index
		if i >= 0 && i < len(table) {
			keys = append(keys, table[i])
		}
	}
	return keys
}
