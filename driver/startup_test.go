package driver

import (
	"slices"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/qos"
)

// TestStartupScript boots a host with a startup script: the policies of the active store come back, a line that fails is reported,
// the script is saved with the host, and undo takes it away.
func TestStartupScript(t *testing.T) {
	t.Parallel()
	lab, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	h := NewHost(lab)
	lines := []string{
		"Remove-NetQosTrafficClass", "Remove-NetQosPolicy -Confirm:$False",
		`New-NetQosPolicy "SMB" -Policystore Activestore -NetDirectPortMatchCondition 445 -PriorityValue8021Action 3`,
		`New-NetQosPolicy "TCP" -Policystore Activestore -IPProtocolMatchCondition TCP -PriorityValue8021Action 1`,
		`Enable-NetAdapterQos -InterfaceAlias "port1"`, "Enable-NetQosFlowControl -Priority 3,5",
		`New-NetQosTrafficClass -name "SMB class" -priority 3 -bandwidthPercentage 50 -Algorithm ETS`,
	}
	apply := func(o Operation) error {
		_, err := h.Apply(Plan{Title: o.Describe(), Operations: []Operation{o}})
		return err
	}
	if err := apply(qos.SetStartup{Lines: lines}); err != nil {
		t.Fatal(err)
	}
	if err := apply(qos.SetStartup{Lines: []string{"shutdown /r"}}); err == nil {
		t.Error("a line that is no cmdlet of QoS is accepted")
	}
	if names := policyNames(h); slices.Contains(names, "SMB") {
		t.Errorf("the script ran before the boot: %v", names)
	}
	for range 2 {
		if err := apply(adapters.Reboot{Host: h.View().Name}); err != nil {
			t.Fatal(err)
		}
		h.Advance(3 * time.Minute)
		v := h.QoS()
		if names := policyNames(h); !slices.Equal(names, []string{"SMB", "TCP"}) || v.FlowControl&(1<<3|1<<5) != 1<<3|1<<5 || len(v.Classes) != 2 {
			t.Errorf("after boot: policies %v, PFC %v, classes %v", names, v.FlowControl.List(), v.Classes)
		}
		if len(v.Startup.Failed) != 1 || v.Startup.Failed[0][:7] != "line 5:" {
			t.Errorf("failed lines: %v", v.Startup.Failed)
		}
	}
	back, err := RestoreHost(description.Default(), mustSave(t, h))
	if err != nil {
		t.Fatal(err)
	}
	if s := back.QoS().Startup; s == nil || !slices.Equal(s.Lines, lines) {
		t.Errorf("restored: %v", s)
	}
	if err := apply(qos.SetStartup{}); err != nil || h.QoS().Startup != nil {
		t.Errorf("removal: %v", err)
	}
	if _, err := h.Undo(); err != nil || h.QoS().Startup == nil {
		t.Errorf("undo of the removal: %v", err)
	}
}

func policyNames(h *Host) (names []string) {
	for _, p := range h.QoS().Policies {
		names = append(names, p.Name)
	}
	return names
}
