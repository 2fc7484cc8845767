package driver

import (
	"slices"

	"cxdeck/driver/adapters"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/virtualization"
)

// lostRecords warns of records that a reboot deletes.
func (h *Host) lostRecords(done *Host, plan Plan) []Caution {
	boots := slices.ContainsFunc(plan.Operations, func(o Operation) bool { _, boots := o.(adapters.Reboot); return boots })
	if !boots || h.virtual.Net.Empty() || !done.virtual.Net.Empty() {
		return nil
	}
	const text = "NVGRE records are kept only in memory: add them again after the reboot"
	return []Caution{{eventlog.Warning, virtualization.NetTarget, "", text}}
}
