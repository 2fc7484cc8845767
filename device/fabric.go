package device

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
)

// SwitchSettings are the settings of the switch port at the far end of a cable.
type SwitchSettings struct {
	// SpeedGbps is its line rate in Gb/s.
	SpeedGbps int
	// MaxFrame is the largest frame that it forwards, in bytes with header, without FCS.
	MaxFrame    int
	FlowControl description.FlowControl
	// Lossless has a bit for each priority with PFC.
	Lossless uint8
	// Marking is how its queue towards the host marks RDMA frames (DCQ-22).
	Marking dcqcn.Marking
	// PauseShare is the part of the time for which the switch tells the host to stop sending, in addition to faults;
	// PausePriority is the priority that it names with PFC.
	PauseShare    float64
	PausePriority int
	// SubnetManager is the state of the subnet manager of an InfiniBand port's subnet.
	SubnetManager description.SubnetManager
	// PKeys are the port's partitions other than the default one.
	PKeys []description.PKey `json:",omitempty"`
	// Aggregation is the number of its aggregation group, 0 for none.
	Aggregation int
	// Trunk forwards frames of the VLANs in VLANs (see ParseVLANs); an access port forwards only untagged frames.
	Trunk bool
	VLANs string
}

// maxAggregation is the highest number of an aggregation group.
const maxAggregation = 4096

// errCredits reports pause on an InfiniBand link, which uses credits instead.
var errCredits = errors.New("an InfiniBand link has no pause frames: its ends grant each other credits; leave flow control off")

// SwitchPort returns the settings of a port's switch port.
func (l *Lab) SwitchPort(port int) SwitchSettings { return l.switches[port] }

// SetSwitchPort sets up the switch port of a port. It takes effect at once.
func (l *Lab) SetSwitchPort(port int, s SwitchSettings) error {
	if _, err := l.link(port); err != nil {
		return err
	}
	if err := s.check(); err != nil {
		return err
	}
	link := l.plant.ports[port].description.Link
	if err := s.checkSubnet(link); err != nil {
		return err
	}
	if link == description.InfiniBand && s.FlowControl != description.NoFlowControl && s.FlowControl != l.switches[port].FlowControl {
		return errCredits
	}
	if len(s.PKeys) == 0 {
		s.PKeys = nil
	}
	l.switches = slices.Clone(l.switches)
	l.switches[port] = s
	l.replanRDMA()
	return nil
}

// check finds values that no switch port could be set up with.
func (s *SwitchSettings) check() error {
	switch {
	case s.SpeedGbps < 1 || s.SpeedGbps > 400:
		return fmt.Errorf("the speed of a switch port must be 1 to 400 Gb/s, not %d", s.SpeedGbps)
	case s.MaxFrame < 614 || s.MaxFrame > 65535:
		return fmt.Errorf("the largest frame of a switch port must be 614 to 65535 bytes, not %d", s.MaxFrame)
	case !s.FlowControl.Known():
		return fmt.Errorf("the flow control of a switch port must be off, global or pfc")
	case !(s.PauseShare >= 0 && s.PauseShare <= 1):
		return fmt.Errorf("the part of the time in which a switch pauses must be 0 to 1, not %v", s.PauseShare)
	case s.Aggregation < 0 || s.Aggregation > maxAggregation:
		return fmt.Errorf("the aggregation group of a switch port must be 1 to %d, or 0 for none, not %d", maxAggregation, s.Aggregation)
	case s.PausePriority < 0 || s.PausePriority > 7:
		return fmt.Errorf("the priority that a switch pauses must be 0 to 7, not %d", s.PausePriority)
	}
	if _, err := ParseVLANs(s.VLANs); err != nil {
		return err
	}
	m := s.Marking
	if !(m.Least >= 0 && m.Most >= m.Least && m.Most <= math.MaxUint32 && m.Probability >= 0 && m.Probability <= 1) {
		return fmt.Errorf("a switch must mark from 0 bytes up to a higher number, with a probability of 0 to 1")
	}
	return nil
}

func defaultSwitch(d *description.SwitchPort) SwitchSettings {
	s := SwitchSettings{
		SpeedGbps: d.SpeedGbps, MaxFrame: d.MaxFrame, FlowControl: d.FlowControl, Marking: dcqcn.DefaultMarking(),
		SubnetManager: d.SubnetManager, PKeys: d.PKeys, Trunk: true,
	}
	if d.FlowControl == description.PriorityPause {
		s.Lossless = uint8(bits(d.Lossless))
	}
	return s
}

// Slot is the PCI Express slot of a card: its generation, 1 to 4, and its lanes.
type Slot struct{ Generation, Lanes int }

// Slot is the slot of a card.
func (l *Lab) Slot(adapter int) Slot { return l.slots[adapter] }

// SetSlot moves a card to a slot of another kind. It takes effect at once.
func (l *Lab) SetSlot(adapter, generation, lanes int) error {
	if adapter < 0 || adapter >= len(l.slots) {
		return fmt.Errorf("the lab has no adapter %d", adapter)
	}
	s := Slot{generation, lanes}
	if err := s.check(); err != nil {
		return err
	}
	l.slots = slices.Clone(l.slots)
	l.slots[adapter] = s
	l.replan()
	return nil
}

func (s Slot) check() error {
	if s.Generation < 1 || s.Generation > 4 {
		return fmt.Errorf("the PCI Express generation of a slot must be 1 to 4, not %d", s.Generation)
	}
	if !slices.Contains([]int{1, 2, 4, 8, 16}, s.Lanes) {
		return fmt.Errorf("a slot must have 1, 2, 4, 8 or 16 lanes, not %d", s.Lanes)
	}
	return nil
}

// ProcessorSpeed is the speed of the processors for a port, as a part of their full speed.
func (l *Lab) ProcessorSpeed(port int) float64 { return l.speeds[port] }

// SetProcessorSpeed slows the processors down to a part of their speed, 0.01 to 1, in what they do for a port: the
// receiver is too slow. It takes effect at once.
func (l *Lab) SetProcessorSpeed(port int, part float64) error {
	if _, err := l.link(port); err != nil {
		return err
	}
	if err := checkSpeed(part); err != nil {
		return err
	}
	l.speeds = slices.Clone(l.speeds)
	l.speeds[port] = part
	l.replan()
	return nil
}

func checkSpeed(part float64) error {
	if !(part >= 0.01 && part <= 1) {
		return fmt.Errorf("the speed of processors must be 0.01 to 1 of the original speed, not %v", part)
	}
	return nil
}
