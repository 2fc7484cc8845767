package checkup

import (
	"fmt"

	"cxdeck/driver/health/findings"
	"cxdeck/driver/virtualization"
)

// function adds a virtual function.
func (g *gatherer) function(p *findings.Subject, v *virtualization.VFView) {
	s := findings.NewSubject(findings.Function, fmt.Sprintf("%s VF %d", p.Name, v.ID))
	s.Instances = []string{s.Name}
	s.Port, s.Connection = p.Port, p.Connection
	s.Texts["adapter"], s.Texts["number"], s.Texts["port"] = p.Texts["adapter"], fmt.Sprint(v.ID), p.Name
	s.Texts["vm"], s.Texts["guest"] = v.VM, v.Adapter
	s.Texts["who"] = s.Name
	if v.VM != "" {
		s.Texts["who"] = fmt.Sprintf("%s (VF %d of %s)", v.VM, v.ID, p.Name)
	}
	s.Set("pages", float64(v.Pages))
	s.Set("page_limit", float64(v.PageLimit))
	g.add(s)
}

// machines adds the network adapters of virtual machines.
func (g *gatherer) machines() {
	used := 0
	for _, vm := range g.View.VMs {
		for i := range vm.Adapters {
			a := &vm.Adapters[i]
			s := findings.NewSubject(findings.Machine, vm.Name)
			if len(vm.Adapters) > 1 {
				s.Name = vm.Name + "/" + a.Name
			}
			s.Texts["vm"], s.Texts["guest"], s.Texts["why"], s.Texts["quarantine"] = vm.Name, a.Name, a.Why, a.Quarantine
			s.Texts["guest_driver"] = vm.GuestDriver
			s.Port = a.Port
			if a.Port >= 0 {
				s.Connection = g.lab.Connection(a.Port)
			}
			s.Flag("wants_function", a.IovWeight > 0)
			s.Flag("has_function", a.Function >= 0 && a.Path == virtualization.PathVF)
			s.Flag("vm_running", vm.State == virtualization.VMRunning)
			s.Flag("quarantined", a.Quarantine != "")
			s.Flag("guest_driver", vm.GuestDriver != "")
			s.Flag("blocked", a.Blocked)
			s.Flag("has_why", a.Why != "")
			if a.Function >= 0 {
				used++
			}
			if a.OverlayWhy != "" {
				s.Add("overlay", findings.Item{Key: "overlay", Text: a.OverlayWhy})
			}
			if a.Why != "" && vm.State == virtualization.VMRunning {
				s.Add("why", findings.Item{Key: "why", Text: a.Why})
			}
			for _, l := range a.Limits {
				s.Add("limit", findings.Item{Key: l, Text: l})
			}
			g.add(s)
		}
	}
	g.host.Set("functions_used", float64(used))
}
