package device

import (
	"errors"
	"fmt"
	"slices"

	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// SwitchPort returns the settings of a port's switch port.
func (l *Lab) SwitchPort(port int) setup.SwitchPort { return l.setup.Switches[port] }

// Manager returns the state of the subnet manager of an InfiniBand port: the one of the switch, or one of the host that serves it.
func (l *Lab) Manager(port int) description.SubnetManager { return l.setup.Manager(port) }

// ManagesVirtual reports whether the subnet manager of an InfiniBand port manages the ports of virtual functions, too.
func (l *Lab) ManagesVirtual(port int) bool { return l.setup.ManagesVirtual(port) }

// Serve has a subnet manager of a host serve an InfiniBand port from now on, or not any more.
func (l *Lab) Serve(port int, to setup.Service) { l.setup.Serve(port, to) }

// SetSwitchPort applies the settings of a port's switch port. It takes effect at once.
func (l *Lab) SetSwitchPort(port int, s setup.SwitchPort) error {
	if _, err := l.link(port); err != nil {
		return err
	}
	link := l.plant.ports[port].description.Link
	if err := s.Check(link); err != nil {
		return err
	}
	if link == description.InfiniBand && s.FlowControl != description.NoFlowControl && s.FlowControl != l.setup.Switches[port].FlowControl {
		return errors.New("an InfiniBand link has no pause frames: its ends grant each other credits; leave flow control off")
	}
	if l.site != nil && link == description.InfiniBand && s.SubnetManager != l.setup.Switches[port].SubnetManager {
		l.site.SetManager(port, s.SubnetManager)
	}
	l.setup.SetSwitch(port, s)
	l.replanRDMA()
	return nil
}

// Slot returns the slot of a card.
func (l *Lab) Slot(adapter int) setup.Slot { return l.setup.Slots[adapter] }

// SetSlot moves a card to a slot of another kind. It takes effect at once.
func (l *Lab) SetSlot(adapter, generation, lanes int) error {
	if adapter < 0 || adapter >= len(l.setup.Slots) {
		return fmt.Errorf("the lab has no adapter %d", adapter)
	}
	s := setup.Slot{Generation: generation, Lanes: lanes}
	if err := s.Check(); err != nil {
		return err
	}
	l.setup.Slots = slices.Clone(l.setup.Slots)
	l.setup.Slots[adapter] = s
	l.replan()
	return nil
}

// ProcessorSpeed returns the speed of the processors for a port, as a fraction of their full speed.
func (l *Lab) ProcessorSpeed(port int) float64 { return l.setup.Speeds[port] }

// SetProcessorSpeed slows the processors' work for a port to a fraction of their speed, 0.01 to 1. It takes effect at once.
func (l *Lab) SetProcessorSpeed(port int, part float64) error {
	if _, err := l.link(port); err != nil {
		return err
	}
	if err := setup.CheckSpeed(part); err != nil {
		return err
	}
	l.setup.Speeds = slices.Clone(l.setup.Speeds)
	l.setup.Speeds[port] = part
	l.replan()
	return nil
}
