package checkup

import (
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/driver/health/findings"
)

// TestVLANFixKeepsTheTrunk holds that the fix for a VLAN that the switch does not forward adds this VLAN alone, and that the finding shows
// what the switch port forwards.
func TestVLANFixKeepsTheTrunk(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	trunk, only := true, "70"
	if _, err := h.Apply(driver.Plan{Title: "x", Operations: []driver.Operation{fabric.SetSwitchPort{Connection: "Ethernet 7", Trunk: &trunk, VLANs: &only}}}); err != nil {
		t.Fatal(err)
	}
	h.Advance(10 * time.Second)
	found := reportOf(h, "workload-vlan")
	if found == nil {
		t.Fatal("a VLAN that the switch does not forward is no finding")
	}
	if !strings.HasPrefix(found.Title, `the workload "`) || found.Item.Shown != "the switch port Eth1/7 forwards VLANs 70" {
		t.Errorf("the finding is %q, shown by %q", found.Title, found.Item.Shown)
	}
	plan, err := Plan(h, found, &found.Fixes[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Apply(plan); err != nil {
		t.Fatal(err)
	}
	if got := h.Lab().SwitchPort(found.Subject.Port).VLANs; got != "70,71" {
		t.Errorf("the trunk forwards %q", got)
	}
	h.Advance(10 * time.Second)
	if again := reportOf(h, "workload-vlan"); again != nil {
		t.Errorf("after the fix: %s", again.Title)
	}
}

// reportOf returns the finding of a rule at a host now; nil for none.
func reportOf(h *driver.Host, rule string) *findings.Finding {
	var watch findings.Watch
	var report *findings.Report
	for range 20 { // longer than a finding takes to begin
		h.Advance(time.Second)
		report = watch.Update(factsOf(h))
	}
	i := slices.IndexFunc(report.Findings, func(f *findings.Finding) bool { return f.Rule.ID == rule })
	if i < 0 {
		return nil
	}
	return report.Findings[i]
}

// TestOneChangeFixesSeveralFindings holds that the findings that a plan fixes, too, are named.
func TestOneChangeFixesSeveralFindings(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	trunk, only := true, "70"
	shared := []findings.Operation{fabric.SetSwitchPort{Connection: "Ethernet 7", Trunk: &trunk, VLANs: &only}}
	other := []findings.Operation{fabric.SetSwitchPort{Connection: "Ethernet 8", Trunk: &trunk, VLANs: &only}}
	rule, _ := findings.Lookup("workload-vlan")
	subject := findings.NewSubject(findings.Port, "Ethernet 7")
	finding := func(steps []findings.Operation) *findings.Finding {
		return &findings.Finding{Rule: rule, Subject: subject, Fixes: []findings.Fix{{Title: "x", Steps: steps}}}
	}
	all := []*findings.Finding{finding(shared), finding(shared), finding(other), finding(nil), finding(slices.Concat(shared, other))}
	plan, err := Plan(h, all[0], &all[0].Fixes[0])
	if err != nil {
		t.Fatal(err)
	}
	if also := AlsoFixed(h, all, all[0], plan); len(also) != 1 || also[0] != all[1] {
		t.Errorf("the plan fixes %d other findings", len(also))
	}
}
