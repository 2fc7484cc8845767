package alerting

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/driver/health/findings"
)

// window is the range of the rates in alert rules: at least four scrapes of 30 seconds.
const window = "2m"

// alert is an alert rule.
type alert struct {
	name, query string
	holds       time.Duration
	severity    string
	rule        string
	summary     string
	why         string
	// facts are the recorded facts of the query.
	facts []*findings.Fact
}

// Alerts returns the number of findings that have an alert of their own.
func Alerts() int { return len(own()) }

// own returns the alerts of the findings whose conditions read counters alone; a finding with two severities has two.
func own() (list []alert) {
	for _, r := range findings.Rules() {
		if r.NeedsHost() {
			continue
		}
		query, facts, ok := translate(r.When)
		if !ok {
			continue
		}
		a := alert{name: alertName(r.ID), query: query, holds: time.Duration(r.Begin), severity: r.Word, rule: r.ID, summary: summary(r, facts[0]), why: r.Why, facts: facts}
		if a.severity == "warning" && r.Worse != "" {
			if worse, more, ok := translate(r.Worse); ok {
				severe := a
				severe.severity, severe.query = "error", "("+query+") and ("+worse+")"
				severe.facts = append(slices.Clip(facts), more...)
				list = append(list, severe)
			}
		}
		list = append(list, a)
	}
	return list
}

// alertName returns the id of a rule as the name of an alert: "PauseStorm".
func alertName(id string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(id, "-") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// summary returns the title of a finding as a template of Prometheus. The first fact gives the value of the alert.
func summary(r *findings.Rule, first *findings.Fact) string {
	text := strings.NewReplacer("{name}", "{{ $labels.device }}", "{who}", "VF {{ $labels.vf }} of {{ $labels.device }}", "{"+first.Name+"}", value(first)).Replace(r.Title)
	for { // other facts have no value in the alert
		from := strings.Index(strings.ReplaceAll(text, "{{", "[["), "{")
		to := from + 1 + strings.IndexByte(text[from+1:], '}')
		if from < 0 || to <= from {
			return text + " ({{ $labels.instance }})"
		}
		text = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(text[:from]), ":,")) + text[to+1:]
	}
}

// value returns the template of a fact's value with its unit.
func value(f *findings.Fact) string {
	switch f.Unit {
	case "share":
		return "{{ $value | humanizePercentage }}"
	case "per second":
		return "{{ $value | humanize }}/s"
	}
	return strings.TrimSpace("{{ $value | humanize }} " + f.Unit)
}

// general are the alerts about the source and about findings without an alert of their own, in the metrics of cxdeck serve.
func general(covered []alert) []alert {
	seen := map[string]bool{}
	var rules []string
	for _, a := range covered {
		if !seen[a.rule] {
			seen[a.rule] = true
			rules = append(rules, a.rule)
		}
	}
	others := strings.Join(rules, "|")
	return []alert{
		{name: "CxdeckSourceDown", query: "cxdeck_source_up == 0", holds: time.Minute, severity: "error",
			summary: "{{ $labels.instance }} reads no counters", why: "The source of cxdeck serve failed or ended."},
		{name: "CxdeckPortDown", query: "cxdeck_port_up == 0 and max_over_time(cxdeck_port_up[1d]) == 1", holds: 30 * time.Second, severity: "error",
			summary: "{{ $labels.device }} of {{ $labels.instance }} has lost its link", why: "The port had a link within the last day."},
		{name: "CxdeckSeriesDropped", query: "cxdeck_dropped_series > 0", severity: "warning",
			summary: "{{ $labels.instance }} leaves out {{ $value }} series", why: "There are more series than --max-series of cxdeck serve allows."},
		{name: "CxdeckFindingError", query: `cxdeck_finding{severity="error", rule!~"` + others + `"} == 1`, severity: "error",
			summary: "{{ $labels.instance }}: {{ $labels.rule }} at {{ $labels.device }}", why: "A rule that also reads settings and states of the host has found an error; cxdeck diagnose explains it."},
		{name: "CxdeckFindingWarning", query: `cxdeck_finding{severity="warning", rule!~"` + others + `"} == 1`, severity: "warning", holds: time.Minute,
			summary: "{{ $labels.instance }}: {{ $labels.rule }} at {{ $labels.device }}", why: "A rule that also reads settings and states of the host has found a warning; cxdeck diagnose explains it."},
	}
}

// Rules returns the alert rules as a rule file of Prometheus.
func Rules() []byte {
	var b bytes.Buffer
	b.WriteString("# Alert rules for the metrics of cxdeck serve, made by cxdeck serve rules.\ngroups:\n")
	covered := own()
	for _, group := range []struct {
		name string
		list []alert
	}{{"cxdeck", general(covered)}, {"cxdeck-findings", covered}} {
		fmt.Fprintf(&b, "  - name: %s\n    rules:\n", group.name)
		writeRecords(&b, group.list)
		for _, a := range group.list {
			a.write(&b)
		}
	}
	return b.Bytes()
}

// writeRecords writes the recording rules of the facts of alerts, each once, before the alerts.
func writeRecords(b *bytes.Buffer, list []alert) {
	var done []*findings.Fact
	for _, a := range list {
		for _, fact := range a.facts {
			if !slices.Contains(done, fact) {
				done = append(done, fact)
				fmt.Fprintf(b, "      # %s\n      - record: %s\n        expr: %s\n", fact.Meaning, record(fact), quote(expression(fact, "", window)))
			}
		}
	}
}

// write writes an alert as YAML. JSON strings are strings of YAML.
func (a *alert) write(b *bytes.Buffer) {
	fmt.Fprintf(b, "      - alert: %s\n        expr: %s\n", a.name, quote(a.query))
	if a.holds > 0 {
		fmt.Fprintf(b, "        for: %ds\n", int(a.holds.Seconds()))
	}
	fmt.Fprintf(b, "        labels:\n          severity: %s\n", a.severity)
	if a.rule != "" {
		fmt.Fprintf(b, "          rule: %s\n", a.rule)
	}
	fmt.Fprintf(b, "        annotations:\n          summary: %s\n          description: %s\n", quote(a.summary), quote(a.why))
}

func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
