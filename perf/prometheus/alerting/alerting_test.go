package alerting

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v2"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/health/findings"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/perf/prometheus"
)

// served returns the names that cxdeck serve gives to the series of the default lab and to the counters of the catalogue.
func served(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	plant, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	source, err := lab.New(driver.NewHost(plant))
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range prometheus.NewFamilies(source.Schema().Series, nil, false).List {
		names[family.Sample()] = true
	}
	for _, set := range perf.Catalogue().Sets() {
		for _, counter := range set.Counters {
			if name, _, ok := Metric(set.Name, counter.Name); ok {
				names[name] = true
			}
		}
	}
	for _, fact := range findings.Catalogue().Facts { // a Linux host has these, and this machine may not
		for _, text := range fact.Counters {
			set, counter, _ := strings.Cut(text, "|")
			if set != perf.DriverSet {
				continue
			}
			for part := range strings.SplitSeq(counter, "+") {
				if name, _, ok := Metric(set, part); ok {
					names[name] = true
				}
			}
		}
	}
	text, err := os.ReadFile("../../../views/serve/exposition.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range regexp.MustCompile(`= "(cxdeck_\w+)"`).FindAllStringSubmatch(string(text), -1) {
		names[match[1]] = true
	}
	return names
}

var metricWords = regexp.MustCompile(`\b[a-z][a-z0-9]*_[a-z0-9_]+\b`)

// metricsIn returns the names of metrics in a query.
func metricsIn(query string) (names []string) {
	query = regexp.MustCompile(`cxdeck:(\w+):2m`).ReplaceAllString(query, " ")
	query = regexp.MustCompile(`"[^"]*"|\b(without|by|on) \([^)]*\)|\$\w+`).ReplaceAllString(query, "")
	for _, name := range metricWords.FindAllString(query, -1) {
		if !slices.Contains([]string{"max_over_time", "sort_desc", "label_values"}, name) {
			names = append(names, name)
		}
	}
	return names
}

func TestQueriesUseServedMetrics(t *testing.T) {
	t.Parallel()
	names := served(t)
	text, err := Dashboard()
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
		Templating struct {
			List []struct{ Name, Query string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	check := func(where, query string, required bool) {
		found := metricsIn(query)
		if required && len(found) == 0 {
			t.Errorf("%s has no metric: %s", where, query)
		}
		for _, name := range found {
			if !names[name] {
				t.Errorf("%s: %s is not served", where, name)
			}
		}
	}
	for i, p := range board.Panels {
		if len(p.Targets) < max(1, len(panels[i].facts)) {
			t.Errorf("%s has %d queries", p.Title, len(p.Targets))
		}
		for _, target := range p.Targets {
			check(p.Title, target.Expr, true)
		}
	}
	for _, v := range board.Templating.List {
		check(v.Name, v.Query, v.Name != "datasource")
	}
	for _, a := range append(own(), general(own())...) {
		check(a.name, a.query, len(a.facts) == 0)
		for _, fact := range a.facts {
			check(fact.Name, expression(fact, "", window), true)
		}
		if strings.Contains(strings.NewReplacer("{{", "", "}}", "").Replace(a.summary), "{") {
			t.Errorf("the summary of %s is %q", a.name, a.summary)
		}
	}
}

// TestEveryCounterRuleHasAnAlert: a rule that reads counters alone has an alert; all others are covered by cxdeck_finding.
func TestEveryCounterRuleHasAnAlert(t *testing.T) {
	t.Parallel()
	var rules struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr, For    string
				Labels, Annotations map[string]string
			}
		}
	}
	if err := yaml.Unmarshal(Rules(), &rules); err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, group := range rules.Groups {
		for _, r := range group.Rules {
			have[r.Labels["rule"]] = true
			if r.Alert != "" && (r.Annotations["summary"] == "" || r.Annotations["description"] == "") {
				t.Errorf("%s has no annotations", r.Alert)
			}
		}
	}
	count := 0
	for _, r := range findings.Rules() {
		if r.NeedsHost() {
			continue
		}
		count++
		if !have[r.ID] && !strings.Contains(r.When, "not ") {
			t.Errorf("%s has no alert: %s", r.ID, r.When)
		}
	}
	if count < 50 {
		t.Errorf("%d rules read counters alone", count)
	}
}

// TestPromtoolAcceptsTheRules has the real program check the rules, and run them over series with faults.
func TestPromtoolAcceptsTheRules(t *testing.T) {
	t.Parallel()
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is missing; install the package prometheus")
	}
	directory := t.TempDir()
	if err := os.WriteFile(filepath.Join(directory, "rules.yml"), Rules(), 0o600); err != nil {
		t.Fatal(err)
	}
	cases, err := os.ReadFile("testdata/cases.yml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(directory, "cases.yml"), cases, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, arguments := range [][]string{{"check", "rules", "rules.yml"}, {"test", "rules", "cases.yml"}} {
		run := exec.Command(promtool, arguments...) // it ends soon
		run.Dir = directory
		if out, err := run.CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(arguments, " "), err, out)
		}
	}
}
