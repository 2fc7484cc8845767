package driver

import (
	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/hostfiles"
	"cxdeck/driver/linux"
	"cxdeck/driver/opensm"
	"cxdeck/driver/programs"
	"cxdeck/driver/services"
)

// programHost implements the interface through which programs see a host.
type programHost struct{ partHost }

func (h programHost) Lab() *device.Lab        { return h.lab }
func (h programHost) Files() *hostfiles.Store { return &h.dumps.Files }
func (h programHost) HasHyperV() bool         { return h.hypervisor().View().Machine.HyperV }

func (h programHost) HasDriver(family description.Family) bool {
	ports, err := h.driverPorts(family.Driver())
	return err == nil && len(ports) > 0
}

// programSet returns the services of Windows and the instances of OpenSM, to look at and to change.
func (h *Host) programSet() programs.Set {
	return programs.Set{Host: programHost{partHost{h}}, State: &h.programs}
}

// programCopy returns them as they are now, to look at.
func (h *Host) programCopy() programs.Set {
	state := h.programs
	return programs.Set{Host: programHost{partHost{h}}, State: &state}
}

// Services returns the services of Windows as they are now, to look at.
func (h *Host) Services() services.Set { return h.programCopy().Services() }

// OpenSM returns the instances of OpenSM as they are now, to look at.
func (h *Host) OpenSM() opensm.Set { return h.programCopy().Managers() }

// Linux returns the files of the Linux host beside this one, to look at.
func (h *Host) Linux() linux.State { return h.programs.Linux }

// restorePrograms takes over the saved state of the services and of OpenSM.
func (h *Host) restorePrograms(saved programs.State) error {
	h.programs = saved
	return h.programSet().Check()
}
