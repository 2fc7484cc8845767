package virtualization

import (
	"cxdeck/device/setup"
	"cxdeck/driver/limits"
	"cxdeck/driver/registry"
	"cxdeck/driver/virtualization/hyperv"
)

// maxQueues bounds the receive queues of a port's virtual machines where MaxNumVmqs does not.
const maxQueues = 127

// assignQueues assigns receive queues to the adapters on the synthetic path (VIRT-1 to VIRT-3).
func (v Hypervisor) assignQueues(adapters []scopedAdapter) {
	ports := make([][]scopedAdapter, len(v.Ports))
	for _, scoped := range adapters {
		a, m := scoped.adapter, scoped.machine
		a.Rings, a.Default = nil, false
		if m != nil && a.Port >= 0 && a.Slot >= 0 && a.Function == setup.NoFunction && m.State == VMRunning {
			ports[a.Port] = append(ports[a.Port], scoped)
		}
	}
	for port, list := range ports {
		if len(list) == 0 {
			continue
		}
		p := hyperv.Port{Rings: v.Lab().Rings(port), PerAdapter: 1, MaxAdapters: maxQueues}
		multiple := v.Lacks(port, limits.VMMQ) == ""
		if n, ok := v.number(port, "*RssOnHostVPorts", registry.Miniport); multiple && (!ok || n != 0) {
			p.PerAdapter = p.Rings
		}
		if n, ok := v.number(port, "MaxNumVmqs", registry.Miniport); ok {
			p.MaxAdapters = int(n)
		}
		if n, ok := v.number(port, "MaxNumMacAddrFilters", registry.Miniport); ok { // each queue takes a filter
			p.MaxAdapters = min(p.MaxAdapters, int(n))
		}
		requests := make([]hyperv.Request, len(list))
		offersVMQ := v.Lab().Settings(port).MachineQueues // instead of RSS (VIRT-1)
		vlans, maxVLANs := map[int]bool{}, maxQueues
		if n, ok := v.number(port, "MaxNumVlanFilters", registry.Miniport); ok && v.Lab().Settings(port).FiltersVLANs {
			maxVLANs = int(n)
		}
		for i, scoped := range list {
			a := scoped.adapter
			requests[i] = hyperv.Request{Queue: a.VmqWeight > 0 && (v.Switches[scoped.at].IOV || offersVMQ), Pairs: 1}
			if a.VmmqEnabled && multiple {
				requests[i].Pairs = max(1, a.VmmqQueuePairs)
			}
			if a.VLAN > 0 && requests[i].Queue && !vlans[a.VLAN] { // each VLAN takes a filter
				if requests[i].Queue = len(vlans) < maxVLANs; requests[i].Queue {
					vlans[a.VLAN] = true
				}
			}
		}
		for i, q := range p.Queues(requests) {
			list[i].adapter.Rings, list[i].adapter.Default = q.Rings, q.Default
		}
	}
}
