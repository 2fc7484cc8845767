package driver

import (
	"slices"

	"cxdeck/driver/adapters"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/limits"
	"cxdeck/driver/qos"
)

// qosSet returns quality of service with its rules, to look at and to change.
func (h *Host) qosSet() qos.Set { return qos.Set{Ports: partHost{h}, State: &h.qos} }

// QoS returns the quality of service of the host as it is now: policies, traffic classes, flow control by port and how flows
// are classified.
func (h *Host) QoS() qos.View { return h.qosSet().View() }

// Classify returns the priority, -1 for none, and the DSCP of the packets that a program sends through a port.
func (h *Host) Classify(port int, p qos.Program) (priority, dscp int) {
	return h.qosSet().Classify(port, p)
}

func (h partHost) KeyIs(port int, key string, n uint32) bool { return h.is(port, key, n) }
func (h partHost) Flash(port int, name string) uint32        { return h.hypervisor().PortFlash(port, name) }
func (h partHost) LacksDCBX(port int) string                 { return h.missingFeature(port, limits.DCBX) }

// Reclassify sets the priorities of the flows, and PFC and traffic classes of the ports. Ports that are stopped get
// them, too: they start with them.
func (h partHost) Reclassify() error {
	for port := range h.miniports { // before the marks: they follow from what a port accepts by DCBX
		if err := h.tryConfigure(port); err != nil {
			return err
		}
	}
	return h.setMarks()
}

// restoreQoS takes over a saved state. A host that was saved before there was any has what its lab is described with.
func (h *Host) restoreQoS(saved *qos.State) error {
	if saved == nil {
		h.qos = *qos.Describe(h.lab.Description())
		return nil
	}
	h.qos = *saved
	return h.qos.Check(h.lab.Ports())
}

// qosCautions lists warnings about the quality of service after a plan, which was run on a copy.
func (h *Host) qosCautions(moved []string, done *Host, plan Plan) (list []Caution) {
	for _, text := range moved {
		list = append(list, Caution{Severity: eventlog.Warning, Text: text})
	}
	boots := slices.ContainsFunc(plan.Operations, func(o Operation) bool { _, boots := o.(adapters.Reboot); return boots })
	active := func(p qos.Policy) bool { return p.Store == qos.ActiveStore }
	if boots && slices.ContainsFunc(h.qos.Policies, active) && !slices.ContainsFunc(done.qos.Policies, active) {
		const text = "QoS policies of the active store are kept only in memory: add them again after the reboot"
		list = append(list, Caution{Severity: eventlog.Warning, Text: text})
	}
	return list
}
