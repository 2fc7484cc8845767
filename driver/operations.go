package driver

import (
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/virtualization"
)

func (h partHost) Edits() edit.Registry                      { return h.edits() }
func (h partHost) Virtualization() virtualization.Hypervisor { return h.hypervisor() }
func (h partHost) Stopped(port int) bool                     { return h.miniports[port].state == Stopped }
func (h partHost) Disable(port int)                          { h.stop(port, Stopped, 0) }

func (h partHost) Enable(port int) {
	m := &h.miniports[port]
	m.state, m.due, m.code = Restarting, h.lab.Elapsed()+startTime, 0
	h.reallocateVirtual() // adapters that wait for the port get it
}
