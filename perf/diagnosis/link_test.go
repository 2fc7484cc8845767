package diagnosis_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/diagnosis"
)

// TestLinksOfASourceWithoutHost: a lost link stays wrong although no more packets arrive, and a port that never had a link is no error.
func TestLinksOfASourceWithoutHost(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 8, 14, 13, 5, 0, 0, time.UTC)
	for states, want := range map[string]string{
		"up up":             "",
		"up down":           "error link-gone",
		"up down down down": "error link-gone",
		"up down up":        "",
		"down down":         "information link-absent",
		"down up down":      "error link-gone",
	} {
		var observer diagnosis.Observer
		schema := &perf.Schema{}
		var got []string
		for i, state := range strings.Fields(states) {
			port := perf.Node{Kind: perf.PortNode, Name: "eth0", Parent: -1, State: perf.StateUp}
			if state == "down" {
				port.State = perf.StateDown
			}
			report := observer.Evaluate(diagnosis.Input{
				Schema: schema, Inventory: &perf.Inventory{Host: "LAB", Nodes: []perf.Node{port}},
				Column: &perf.Column{Time: at.Add(time.Duration(i) * time.Minute)},
			})
			got = nil
			for _, f := range report.Findings {
				got = append(got, fmt.Sprint(f.Severity, " ", f.Rule.ID))
			}
		}
		if all := strings.Join(got, ", "); all != want {
			t.Errorf("%s: found %q, want %q", states, all, want)
		}
	}
}
