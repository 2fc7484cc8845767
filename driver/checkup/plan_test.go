package checkup

import (
	"strings"
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/health/findings"
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
	return Facts(&survey.Seen{Host: h, View: h.View(), QoS: &windows, Paths: h.Paths(&windows)}, nil)
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
