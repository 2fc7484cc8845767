package checkup

import (
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/health/findings"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/survey"
)

func newHost(t *testing.T) *driver.Host {
	t.Helper()
	lab, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return driver.NewHost(lab)
}

func factsOf(h *driver.Host) *findings.Facts {
	windows := h.QoS()
	return Facts(&survey.HostViews{Host: h, View: h.View(), QoS: &windows, Paths: h.Paths(&windows)}, nil)
}

// TestFixesAreOperations holds that each fix of the table becomes a plan of Operations that exist.
func TestFixesAreOperations(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	facts := factsOf(h)
	for _, r := range findings.Rules() {
		var subject *findings.Subject
		for _, s := range facts.Subjects {
			if s.Kind == r.Of {
				subject = s
				break
			}
		}
		for i := range r.Fixes {
			fix := &r.Fixes[i]
			if len(fix.Operations) == 0 {
				continue
			}
			if subject == nil {
				t.Errorf("rule %s: no %s to try its fix on", r.ID, r.Of)
				continue
			}
			if _, err := Plan(h, &findings.Finding{Rule: r, Subject: subject}, fix); err != nil {
				t.Errorf("rule %s: %v", r.ID, err)
			}
		}
	}
	hostile := findings.NewSubject(findings.Port, `a"}, "x": "{name}`)
	rule, _ := findings.Lookup("cable-out")
	plan, err := Plan(h, &findings.Finding{Rule: rule, Subject: hostile}, &rule.Fixes[0])
	if err == nil && plan.Operations[0].Target() != hostile.Name {
		t.Errorf("a hostile name becomes %+v", plan)
	}
	if _, err := Plan(h, &findings.Finding{Rule: rule, Subject: facts.Subjects[0]}, &findings.Fix{Title: "pray"}); err == nil || !strings.Contains(err.Error(), "pray") {
		t.Errorf("a fix outside the console: %v", err)
	}
}

// TestNamedPlans holds that the console makes each plan that a fix names, and that the plan of RoCE modes ends its finding.
func TestNamedPlans(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.Advance(10 * time.Second)
	connection := "Ethernet 8"
	apply := func(plan driver.Plan) {
		t.Helper()
		if _, err := h.Apply(plan); err != nil {
			t.Fatal(err)
		}
		h.Advance(20 * time.Second)
	}
	apply(driver.Plan{Title: "break", Operations: []driver.Operation{
		edit.SetValue{Connection: connection, Key: "roce_mode", Value: "0"}, adapters.RestartAdapter{Connection: connection},
		qos.AddClass{Class: qos.Class{Name: "Storage", Algorithm: qos.Strict, Priorities: 8}},
	}})
	port := func() *findings.Subject {
		for _, s := range factsOf(h).Subjects {
			if s.Name == connection {
				return s
			}
		}
		t.Fatal("no port")
		return nil
	}
	if modes := factsOf(h).Subjects[0].Number("roce_modes"); modes != 2 {
		t.Fatalf("the host has %g RoCE modes", modes)
	}
	for _, name := range []string{"roce-modes", "ets-starvation"} {
		rule, _ := findings.Lookup(name)
		subject := port()
		if rule.Of == findings.Host {
			subject = factsOf(h).Subjects[0]
		}
		plan, err := Plan(h, &findings.Finding{Rule: rule, Subject: subject}, &rule.Fixes[0])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		apply(plan)
	}
	if modes, strict := factsOf(h).Subjects[0].Number("roce_modes"), port().Number("strict"); modes != 1 || strict != 0 {
		t.Errorf("after the plans the host has %g RoCE modes and %g strict priorities", modes, strict)
	}
	for _, r := range findings.Rules() {
		for _, fix := range r.Fixes {
			if _, err := Plan(h, &findings.Finding{Rule: r, Subject: port()}, &findings.Fix{Title: fix.Title, Plan: fix.Plan}); err != nil && strings.Contains(err.Error(), "there is no plan") {
				t.Errorf("rule %s: %v", r.ID, err)
			}
		}
	}
}

// TestFactsNameObjects holds that the facts of the default lab have its ports, cards, functions and machines.
func TestFactsNameObjects(t *testing.T) {
	t.Parallel()
	count := map[findings.Kind]int{}
	for _, s := range factsOf(newHost(t)).Subjects {
		count[s.Kind]++
		if s.Kind == findings.Port && s.Number("known") != 1 {
			t.Errorf("%s is not known", s.Name)
		}
	}
	for kind, want := range map[findings.Kind]int{findings.Host: 1, findings.Card: 4, findings.Port: 8, findings.Function: 4, findings.Machine: 4} {
		if count[kind] != want {
			t.Errorf("%d subjects of the kind %s, want %d", count[kind], kind, want)
		}
	}
}
