package driver

import (
	"reflect"
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/virtualization"
)

// TestPlanDistributesTrafficLikeSingleOperations: what the lab is told at the end of a plan is what it would have been told after each of
// its Operations, and undo brings back what it was told before.
func TestPlanDistributesTrafficLikeSingleOperations(t *testing.T) {
	t.Parallel()
	fresh := func() *Host {
		lab, err := device.New(description.Default(), 1)
		if err != nil {
			t.Fatal(err)
		}
		return NewHost(lab)
	}
	told := func(h *Host) (all [][]setup.Guest) {
		for port := range h.lab.Ports() {
			all = append(all, h.lab.Guests(port))
		}
		return all
	}
	atOnce, oneByOne := fresh(), fresh()
	before, none := told(atOnce), 0
	plan := Plan{Title: "Detach all"}
	for _, m := range atOnce.View().VMs {
		for _, a := range m.Adapters {
			plan.Operations = append(plan.Operations, virtualization.SetVMAdapter{VM: m.Name, Adapter: a.Name, IovWeight: &none})
		}
	}
	_, err := atOnce.Apply(plan)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range plan.Operations {
		if _, err := oneByOne.Apply(Plan{Operations: []Operation{o}}); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := told(atOnce), told(oneByOne); !reflect.DeepEqual(got, want) || reflect.DeepEqual(got, before) {
		t.Errorf("the lab was told %v, and Operation by Operation %v", got, want)
	}
	if _, err := atOnce.Undo(); err != nil || !reflect.DeepEqual(told(atOnce), before) {
		t.Errorf("undo (%v) tells it %v, and it was %v", err, told(atOnce), before)
	}
}
