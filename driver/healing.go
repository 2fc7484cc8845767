package driver

import (
	"cxdeck/driver/dump"
	"cxdeck/driver/health/healing"
	"cxdeck/driver/registry"
	"cxdeck/driver/virtualization"
)

// healingSet returns self-healing of the host, to look at and to change.
func (h *Host) healingSet() healing.Set { return healing.Set{Host: partHost{h}, State: &h.healing} }

// Healing returns self-healing as it is now, to look at.
func (h *Host) Healing() healing.Set {
	state := h.healing.Clone()
	return healing.Set{Host: partHost{h}, State: &state}
}

// HasFault reports whether a port itself has a fault of its driver or firmware.
func (h *Host) HasFault(port int, name string) bool { return h.healing.Ports[port].Has(name) }

// stoppedForProblems is Device Manager's code of a device that Windows has stopped.
const stoppedForProblems = 43

func (h partHost) Configure(port int) { h.configure(port) }

func (h partHost) FunctionsChanged() { h.updateGuests() }

func (h partHost) FunctionHangs(port, function int) bool {
	return h.healing.FunctionHangs(port, function)
}

func (h partHost) Halt(port int) {
	h.stop(port, Failed, 0)
	h.miniports[port].code = stoppedForProblems
}

func (h partHost) DriverPorts(driver string) ([]int, error) { return h.driverPorts(driver) }

func (h partHost) ReloadDriver(ports []int) {
	h.stopAll(ports, registry.AtReload, stopTime+loadTime+startTime)
}

func (h partHost) DumpByHealing(port int) {
	_, _ = h.dumpSet().DumpNow(port, dump.SelfHealing) // an event of the log has the reason when there is none
}

func (h partHost) RestartFunction(port, function int, why string) {
	h.changeVirtual(func(v virtualization.Hypervisor) { v.FunctionRestarted(port, function, why) })
}

// dumpEvents are the state dumps by the words of healing.Fault.Dump.
var dumpEvents = map[string]dump.Event{
	"command": dump.CommandError, "event-queue": dump.EventQueueStuck, "send-queue": dump.SendQueueStuck, "receive-queue": dump.ReceiveQueueStuck,
}

func (h partHost) DumpFault(port int, what string) {
	if event, ok := dumpEvents[what]; ok {
		h.dumpSet().DumpState(port, event)
	}
}

// restoreHealing restores self-healing. Versions without it saved when the hang of a port is found.
func (h *Host) restoreHealing(saved *healing.State, ports []savedMiniport) error {
	if saved != nil {
		h.healing = *saved
		return h.healing.Validate(h.lab.Ports(), h.lab.Elapsed())
	}
	h.healing = healing.New(h.lab.Ports())
	for port, s := range ports {
		if s.Hang > 0 {
			h.healing.KeepHang(port, s.Hang)
		}
	}
	return nil
}
