package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/health/findings"
	"cxdeck/perf/diagnosis/observe"
	"cxdeck/perf/lab"
	"cxdeck/views/exec"
	"cxdeck/views/exec/catalog"
	"cxdeck/views/exec/hosts"
)

// plantedFault is a fault or a misconfiguration: lines of exec that make it, and the rules that find it.
type plantedFault struct {
	name  string
	lines string
	// rules are the rules one of which must be among the first two findings.
	rules string
	// lab is the lab file; empty for the default lab.
	lab string
}

// findingsSeeds returns the number of seeds of the tables: one, or as many as CXDECK_FINDINGS says (task findings).
func findingsSeeds(t *testing.T) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(os.Getenv("CXDECK_FINDINGS"), 10, 16)
	if err != nil {
		return 1
	}
	return n
}

// diagnoseAfter runs lines of exec on a new host and returns what is wrong then. Each seed has its own moment of the lab's schedules.
func diagnoseAfter(t *testing.T, labName, lines string, seed uint64) *findings.Report {
	t.Helper()
	d := description.Default()
	if labName != "" {
		named := description.NamedLabs()
		at := slices.IndexFunc(named, func(l description.NamedLab) bool { return l.Name == labName })
		var err error
		if d, err = description.ParseText(named[at].Text()); err != nil {
			t.Fatal(err)
		}
	}
	made, err := device.New(d, seed)
	if err != nil {
		t.Fatal(err)
	}
	h := driver.NewHost(made)
	h.Advance(3*time.Second + time.Duration(seed)*11*time.Second)
	source, err := lab.New(h)
	if err != nil {
		t.Fatal(err)
	}
	host := hosts.OnLab(source, nil, nil)
	var out bytes.Buffer
	runner := exec.Runner{
		Table: catalog.Commands(), Open: func(context.Context) (exec.Host, error) { return host, nil }, Out: &out, Err: &out, Files: noFiles{},
	}
	for line := range strings.SplitSeq(lines, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if status := runner.Script(t.Context(), strings.NewReader(line)); status != exec.Done {
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			t.Errorf("%s ends with status %d: %s", line, status, lines[len(lines)-1])
			return &findings.Report{}
		}
	}
	var copied *driver.Host
	if err := host.ReadHost(t.Context(), func(h *driver.Host) error { copied = h.Clone(); return nil }); err != nil {
		t.Fatal(err)
	}
	report, err := observe.OfHost(t.Context(), copied)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// firstTwo returns the rules of the first two findings.
func firstTwo(r *findings.Report) (list []string) {
	for _, f := range r.Findings[:min(2, len(r.Findings))] {
		list = append(list, f.Rule.ID)
	}
	return list
}

// TestFindingsOfFaults plants faults, and holds that the right finding is among the first two in at least 95%.
func TestFindingsOfFaults(t *testing.T) {
	t.Parallel()
	seeds := findingsSeeds(t)
	planted := slices.Concat(plantedFaults, plantedDriverFaults())
	rows, tried, found := make([]string, len(planted)), 0, 0
	var mutex sync.Mutex
	t.Run("table", func(t *testing.T) {
		for i, p := range planted {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				hits, missed := 0, ""
				for seed := uint64(1); seed <= seeds; seed++ {
					got := firstTwo(diagnoseAfter(t, p.lab, p.lines, seed))
					if slices.ContainsFunc(strings.Fields(p.rules), func(rule string) bool { return slices.Contains(got, rule) }) {
						hits++
					} else {
						missed = fmt.Sprintf("  seed %d: %s", seed, strings.Join(got, " "))
					}
				}
				mutex.Lock()
				defer mutex.Unlock()
				tried, found = tried+int(seeds), found+hits
				rows[i] = fmt.Sprintf("%-44s %3d of %d  %s%s", p.name, hits, seeds, p.rules, missed)
			})
		}
	})
	t.Logf("%d planted faults, %d seeds:\n%s", len(rows), seeds, strings.Join(rows, "\n"))
	share := float64(found) / float64(tried)
	t.Logf("the right finding is among the first two in %d of %d, %.1f%%", found, tried, share*100)
	if share < 0.95 {
		t.Errorf("only %.1f%%", share*100)
	}
}

// TestFindingsOfHealthyHosts holds that variations without a fault have no finding that is an error, in at least 99%.
func TestFindingsOfHealthyHosts(t *testing.T) {
	t.Parallel()
	seeds := findingsSeeds(t)
	rows, tried, clean := make([]string, len(healthyHosts)), 0, 0
	var mutex sync.Mutex
	t.Run("table", func(t *testing.T) {
		for i, p := range healthyHosts {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				fine, wrong := 0, ""
				for seed := uint64(1); seed <= seeds; seed++ {
					r := diagnoseAfter(t, p.lab, p.lines, seed)
					if r.Count(eventlog.Error) == 0 && !r.Checked.IsZero() {
						fine++
					} else if len(r.Findings) > 0 {
						wrong = fmt.Sprintf("  seed %d: %s: %s", seed, r.Findings[0].Rule.ID, r.Findings[0].Title)
					}
				}
				mutex.Lock()
				defer mutex.Unlock()
				tried, clean = tried+int(seeds), clean+fine
				rows[i] = fmt.Sprintf("%-44s %3d of %d%s", p.name, fine, seeds, wrong)
			})
		}
	})
	t.Logf("%d healthy hosts, %d seeds:\n%s", len(rows), seeds, strings.Join(rows, "\n"))
	share := float64(clean) / float64(tried)
	t.Logf("no error in %d of %d, %.1f%%", clean, tried, share*100)
	if share < 0.99 {
		t.Errorf("only %.1f%%", share*100)
	}
}

// TestNoApplicationsAreSaidToHaveEnded holds that workloads that use TCP in place of RDMA, or find no address, are not taken for
// applications that have ended.
func TestNoApplicationsAreSaidToHaveEnded(t *testing.T) {
	t.Parallel()
	for _, lines := range []string{
		"reg set \"Ethernet 8\" roce_mode 0\nadapter restart \"Ethernet 8\"\nadvance 20s", "Remove-NetIPAddress 10.7.0.10 -Confirm:$false\nadvance 20s",
	} {
		for _, f := range diagnoseAfter(t, "", lines, 1).Findings {
			if f.Rule.ID == "applications-ended" {
				t.Errorf("%s: %s", lines, f.Title)
			}
		}
	}
}
