package driver

import (
	"fmt"
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/virtualization"
)

// detachAll is a plan that takes the virtual functions of all machines away: as many Operations as there are.
func detachAll(h *Host) Plan {
	plan := Plan{Title: "Detach all"}
	for i := range h.virtual.VMs {
		for j := range h.virtual.VMs[i].Adapters {
			plan.Operations = append(plan.Operations, virtualization.SetVMAdapter{
				VM: h.virtual.VMs[i].Name, Adapter: h.virtual.VMs[i].Adapters[j].Name, IovWeight: new(0),
			})
		}
	}
	return plan
}

// BenchmarkBulk reviews and applies a plan for all 2,032 virtual functions of the large lab, and takes it back.
func BenchmarkBulk(b *testing.B) {
	lab, err := device.New(description.Large(), 1)
	if err != nil {
		b.Fatal(err)
	}
	fresh := NewHost(lab)
	plan := detachAll(fresh)
	b.Run(fmt.Sprintf("review/%d", len(plan.Operations)), func(b *testing.B) {
		for b.Loop() {
			if r := fresh.Review(plan); r.Refusal != nil {
				b.Fatal(r.Refusal)
			}
		}
	})
	b.Run(fmt.Sprintf("apply/%d", len(plan.Operations)), func(b *testing.B) {
		for b.Loop() {
			if _, err := fresh.Clone().Apply(plan); err != nil {
				b.Fatal(err)
			}
		}
	})
	done := fresh.Clone()
	if _, err := done.Apply(plan); err != nil {
		b.Fatal(err)
	}
	b.Run(fmt.Sprintf("undo/%d", len(plan.Operations)), func(b *testing.B) {
		for b.Loop() {
			if _, err := done.Clone().Undo(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
