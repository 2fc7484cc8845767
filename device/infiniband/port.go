package infiniband

import (
	"cxdeck/device/description"
	"cxdeck/device/infiniband/qos"
)

// State is the logical state of a port.
type State uint8

// The logical states, with the numbers of PortInfo. Without a subnet manager a port stays in Initialize.
const (
	Down State = iota + 1
	Initialize
	Armed
	Active
)

// String returns the name as the tools write it.
func (s State) String() string {
	return [...]string{"NoChange", "Down", "Initialize", "Armed", "Active"}[min(s, Active)]
}

// Physical is the state of a port's link training.
type Physical uint8

// The physical states, with the numbers of PortInfo.
const (
	Sleep Physical = iota + 1
	Polling
	Disabled
	Training
	LinkUp
	Recovery
)

// String returns the name as the tools write it.
func (p Physical) String() string {
	return [...]string{"NoChange", "Sleep", "Polling", "Disabled", "PortConfigurationTraining", "LinkUp", "LinkErrorRecovery"}[min(p, Recovery)]
}

// Port is a port of a node. LID, LMC and the tables that a subnet manager writes belong to end ports: ports of adapters and routers,
// and port 0 of a switch.
type Port struct {
	GUID description.GUID
	// LID is 0 before a subnet manager assigned one. ManagerLID is the LID of the manager that configured the port.
	LID, ManagerLID uint16
	LMC             uint8
	State           State
	Physical        Physical
	// Widths and Speeds: what the device supports, what is enabled, and what the link runs with.
	Supported, Enabled Mode
	Width              Width
	Speed              Speed
	// MTU is the code of the largest packet: 1 for 256 bytes to 5 for 4096. VLs is the code of the number of data lanes.
	MTU, VLs uint8
	// Far is the other end of the cable, Nowhere without one. Unplugged takes the cable out, which keeps its far end.
	Far       Place
	Unplugged bool
	// PKeys is the table of partitions; index 0 is the default partition.
	PKeys []description.PKey
	// Tables are the tables that a manager outside of the lab wrote, nil for the ones of the fabric. They are replaced, never changed.
	Tables *qos.Tables
	// IsManager marks the port of a running subnet manager (a capability bit).
	IsManager bool
	Counters  Counters
	// SymbolErrors is the number of symbol errors in a second on a bad cable, which the port counts.
	SymbolErrors float64
}

// Mode is a set of widths and of speeds.
type Mode struct {
	Widths Widths
	Speeds Speeds
}

// Counters are a port's performance counters, which count without limit; the tools show them as wide as the attribute is. Data is in
// units of four bytes, as the architecture counts it.
type Counters struct {
	SymbolErrors, LinkRecoveries, LinkDowned          uint64
	ReceiveErrors, RemotePhysicalErrors, RelayErrors  uint64
	SendDiscards, SendConstraints, ReceiveConstraints uint64
	IntegrityErrors, BufferOverruns, VL15Dropped      uint64
	SentData, ReceivedData, SentPackets, ReceivedPackets,
	SendWait uint64
	SentUnicast, ReceivedUnicast, SentMulticast, ReceivedMulticast uint64
	// SentLevels and ReceivedLevels are the parts of the data that belong to the service levels from 1 on; level 0 has the rest.
	SentLevels     [qos.Levels - 1]uint64 `json:",omitzero"`
	ReceivedLevels [qos.Levels - 1]uint64 `json:",omitzero"`
	// LaneWaits are the ticks that packets of each lane waited to be sent.
	LaneWaits [qos.Lanes]uint64 `json:",omitzero"`
}

// LevelData returns the sent and the received data of a service level.
func (c *Counters) LevelData(level int) (sent, received uint64) {
	if level > 0 {
		return c.SentLevels[level-1], c.ReceivedLevels[level-1]
	}
	sent, received = c.SentData, c.ReceivedData
	for i := range c.SentLevels {
		sent -= min(sent, c.SentLevels[i])
		received -= min(received, c.ReceivedLevels[i])
	}
	return sent, received
}

// Send counts sent packets of a service level and their data, in units of four bytes.
func (c *Counters) Send(level uint8, packets, data uint64) {
	c.SentPackets += packets
	c.SentUnicast += packets
	c.SentData += data
	if level > 0 {
		c.SentLevels[level-1] += data
	}
}

// Receive counts received packets as Send counts sent ones.
func (c *Counters) Receive(level uint8, packets, data uint64) {
	c.ReceivedPackets += packets
	c.ReceivedUnicast += packets
	c.ReceivedData += data
	if level > 0 {
		c.ReceivedLevels[level-1] += data
	}
}

// Train brings the link at a port into the state that both ends allow: up with the best common width and speed, or down. It reports
// whether the state changed; a link that comes up waits in Initialize for a subnet manager.
func (f *Fabric) Train(p Place) bool {
	near := f.At(p)
	if near.Far == Nowhere {
		return f.drop(p)
	}
	far := f.At(near.Far)
	width := (near.Enabled.Widths & near.Supported.Widths & far.Enabled.Widths & far.Supported.Widths).Widest()
	speed := (near.Enabled.Speeds & near.Supported.Speeds & far.Enabled.Speeds & far.Supported.Speeds).Fastest()
	if near.Unplugged || far.Unplugged || near.Physical == Disabled || far.Physical == Disabled || width == 0 || speed == NoSpeed {
		changed := f.drop(p)
		return f.drop(near.Far) || changed
	}
	if near.Physical == LinkUp && far.Physical == LinkUp && near.Width == width && near.Speed == speed {
		return false
	}
	for _, end := range []*Port{near, far} {
		end.Physical, end.State, end.Width, end.Speed = LinkUp, Initialize, width, speed
	}
	f.Changes++
	f.Moved = append(f.Moved, p, near.Far)
	return true
}

// drop takes a port's link down; a disabled port stays disabled.
func (f *Fabric) drop(at Place) bool {
	p := f.At(at)
	changed := p.State != Down
	if changed {
		f.Changes++
		f.Moved = append(f.Moved, at)
	}
	if p.Physical == LinkUp {
		p.Counters.LinkDowned++
	}
	if p.Physical != Disabled {
		p.Physical = Polling
	}
	p.State, p.Width, p.Speed = Down, 0, NoSpeed
	return changed
}

// SetUnplugged takes the cable at a port out, or puts it back.
func (f *Fabric) SetUnplugged(p Place, out bool) {
	near := f.At(p)
	near.Unplugged = out
	if near.Far != Nowhere {
		f.At(near.Far).Unplugged = out
	}
	f.Train(p)
}

// SetDisabled disables a port, or enables it: its link trains again.
func (f *Fabric) SetDisabled(p Place, disabled bool) {
	port := f.At(p)
	if disabled {
		if port.Physical == LinkUp {
			port.Counters.LinkDowned++
		}
		port.Physical = Disabled
	} else if port.Physical == Disabled {
		port.Physical = Polling
	}
	f.Train(p)
	port.State = max(port.State, Down)
}

// SetEnabled sets the widths and speeds that a port may use. They take effect when the link trains again (Reset), as in hardware.
func (f *Fabric) SetEnabled(p Place, m Mode) { f.At(p).Enabled = m }

// Reset takes the link at a port down and trains it again.
func (f *Fabric) Reset(p Place) {
	port := f.At(p)
	if port.Physical == Disabled || port.Far == Nowhere {
		return
	}
	f.drop(p)
	f.drop(port.Far)
	f.Train(p)
}

// traffic and faults return the counters of both kinds.
func (c *Counters) traffic() []*uint64 {
	list := []*uint64{
		&c.SentData, &c.ReceivedData, &c.SentPackets, &c.ReceivedPackets, &c.SendWait,
		&c.SentUnicast, &c.ReceivedUnicast, &c.SentMulticast, &c.ReceivedMulticast,
	}
	for i := range c.SentLevels {
		list = append(list, &c.SentLevels[i], &c.ReceivedLevels[i])
	}
	for lane := range c.LaneWaits {
		list = append(list, &c.LaneWaits[lane])
	}
	return list
}

func (c *Counters) faults() []*uint64 {
	return []*uint64{
		&c.SymbolErrors, &c.LinkRecoveries, &c.LinkDowned, &c.ReceiveErrors, &c.RemotePhysicalErrors, &c.RelayErrors,
		&c.SendDiscards, &c.SendConstraints, &c.ReceiveConstraints, &c.IntegrityErrors, &c.BufferOverruns, &c.VL15Dropped,
	}
}

// Copy takes the error counters, the traffic counters or both from others.
func (c *Counters) Copy(from Counters, errors, traffic bool) {
	if errors {
		to := c.faults()
		for i, counter := range from.faults() {
			*to[i] = *counter
		}
	}
	if traffic {
		to := c.traffic()
		for i, counter := range from.traffic() {
			*to[i] = *counter
		}
	}
}

// Since returns what was counted since earlier values.
func (c Counters) Since(base Counters) Counters {
	to := append(c.faults(), c.traffic()...)
	for i, counter := range append(base.faults(), base.traffic()...) {
		*to[i] -= *counter
	}
	return c
}
