package evidence

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/checkup"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/health/findings"
	"cxdeck/driver/request"
	"cxdeck/driver/wording"
	"cxdeck/perf/diagnosis/observe"
	"cxdeck/ui/widget"
	"cxdeck/views/exec"
	"cxdeck/views/exec/syntax"
)

// findingRow is a finding as JSON.
type findingRow struct {
	Rule       string            `json:"rule"`
	Severity   string            `json:"severity"`
	Object     string            `json:"object"`
	Connection string            `json:"connection,omitempty"`
	Title      string            `json:"title"`
	Why        string            `json:"why"`
	Since      time.Time         `json:"since"`
	FromStart  bool              `json:"from_start,omitempty"`
	Until      *time.Time        `json:"until,omitempty"`
	Follows    string            `json:"follows,omitempty"`
	Causes     []string          `json:"causes"`
	Evidence   []findingFact     `json:"evidence"`
	Shown      string            `json:"shown_by,omitempty"`
	Events     []string          `json:"events,omitempty"`
	Fixes      []fixRow          `json:"fixes"`
	Source     string            `json:"source"`
	severity   eventlog.Severity `json:"-"`
	facts      []findings.Evidence
}

type findingFact struct {
	Name    string  `json:"name"`
	Meaning string  `json:"meaning"`
	Value   float64 `json:"value"`
	Unit    string  `json:"unit,omitempty"`
}

type fixRow struct {
	Title      string   `json:"title"`
	Applicable bool     `json:"applicable"`
	Steps      []string `json:"steps,omitempty"`
	// AlsoFixes are the titles of the other findings that the same change fixes.
	AlsoFixes []string `json:"also_fixes,omitempty"`
}

// diagnosisRow is the answer of diagnose as JSON.
type diagnosisRow struct {
	Checked     time.Time    `json:"checked"`
	Scope       string       `json:"scope"`
	Severity    string       `json:"severity"`
	Errors      int          `json:"errors"`
	Warnings    int          `json:"warnings"`
	Information int          `json:"information"`
	Findings    []findingRow `json:"findings"`
}

// observeHost diagnoses a copy of the host. It returns the report and the copy, on which time has passed.
func observeHost(c *exec.Call) (report *findings.Report, copied *driver.Host, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		copied = h.Clone()
		return nil
	})
	if err == nil {
		report, err = observe.OfHost(c.Ctx, copied)
	}
	return report, copied, err
}

func diagnose(c *exec.Call, in *struct{ Name string }) (exec.Answer, error) {
	report, copied, err := observeHost(c)
	if err != nil {
		return exec.Answer{}, err
	}
	return Diagnosis(report, copied, in.Name)
}

// Diagnosis returns the answer to diagnose: the findings of a report, or the ones at an object with a name. Without a host the
// findings that have ended are listed, too, because a recording is read as a whole, and no fix can be applied.
func Diagnosis(report *findings.Report, h *driver.Host, name string) (exec.Answer, error) {
	if name != "" && !report.Knows(name) {
		return exec.Answer{}, request.Errorf("there is no connection, adapter, team or virtual machine %q", name)
	}
	list := report.Findings
	if h == nil {
		list = slices.Concat(report.Findings, report.Ended)
		slices.SortStableFunc(list[len(report.Findings):], func(a, b *findings.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	}
	row := diagnosisRow{Checked: report.Checked, Scope: report.Scope(), Severity: "ok", Findings: []findingRow{}}
	worst := eventlog.Information
	for _, f := range list {
		if name != "" && !f.At(name) {
			continue
		}
		row.Findings = append(row.Findings, rowOfFinding(h, f, report.Findings))
		worst = max(worst, f.Severity)
		row.Severity = worst.String()
		if f.Follows == "" || name != "" && len(row.Findings) == 1 {
			*[...]*int{&row.Information, &row.Warnings, &row.Errors}[f.Severity]++
		}
	}
	return exec.Answer{
		Failed: worst > eventlog.Information, Exit: exec.Status(worst), Result: row,
		Text: func(w io.Writer) error { return writeDiagnosis(w, &row) },
	}, nil
}

func rowOfFinding(h *driver.Host, f *findings.Finding, all []*findings.Finding) findingRow {
	r := findingRow{
		Rule: f.Rule.ID, Severity: f.Severity.String(), Object: f.Subject.Name, Connection: f.Subject.Connection, Title: f.Title,
		Why: f.Why(), Since: f.Since, FromStart: f.Started, Follows: f.Follows, Causes: append([]string{}, f.Rule.Causes...),
		Evidence: []findingFact{}, Fixes: []fixRow{}, Source: f.Rule.Source, severity: f.Severity, facts: f.Evidence,
	}
	if !f.Until.IsZero() {
		r.Until = &f.Until
	}
	if f.Item != nil {
		r.Shown = f.Item.Shown
	}
	for _, e := range f.Evidence {
		if !math.IsInf(e.Value, 0) {
			r.Evidence = append(r.Evidence, findingFact{e.Fact.Name, e.Fact.Meaning, e.Value, e.Fact.Unit})
		}
	}
	for _, e := range f.Events {
		r.Events = append(r.Events, e.Time.Format(time.TimeOnly)+" "+e.Message)
	}
	for i := range f.Fixes {
		fix := &f.Fixes[i]
		row := fixRow{Title: fix.Title}
		if h != nil && fix.Applies() {
			if plan, err := checkup.Plan(h, f, fix); err == nil {
				row.Applicable = true
				for _, o := range plan.Operations {
					row.Steps = append(row.Steps, o.Describe())
				}
				for _, other := range checkup.AlsoFixed(h, all, f, plan) {
					row.AlsoFixes = append(row.AlsoFixes, other.Title)
				}
			}
		}
		r.Fixes = append(r.Fixes, row)
	}
	return r
}

// maxTextWidth is the width at which explanations are wrapped.
const maxTextWidth = 110

func writeDiagnosis(w io.Writer, d *diagnosisRow) error {
	var b strings.Builder
	state := map[bool]string{true: "OK"}[d.Errors+d.Warnings == 0]
	switch {
	case d.Errors > 0:
		state = "ERROR"
	case d.Warnings > 0:
		state = "WARNING"
	}
	fmt.Fprintf(&b, "%s - ", state)
	if state == "OK" {
		fmt.Fprintf(&b, "nothing is wrong, checked %s at %s", d.Scope, d.Checked.Format(time.TimeOnly))
	} else {
		worst := slices.MaxFunc(d.Findings, func(a, b findingRow) int { return cmp.Compare(a.severity, b.severity) }) // the first of them
		fmt.Fprintf(&b, "%s, %s: %s", wording.Count(d.Errors, "error"), wording.Count(d.Warnings, "warning"), exec.Clean(worst.Title))
	}
	fmt.Fprintf(&b, " | errors=%d warnings=%d information=%d\n", d.Errors, d.Warnings, d.Information)
	follow := map[string][]string{}
	for i := range d.Findings {
		if f := &d.Findings[i]; f.Follows != "" && !slices.Contains(follow[f.Follows], f.Rule) {
			follow[f.Follows] = append(follow[f.Follows], f.Rule)
		}
	}
	for i := range d.Findings {
		if f := &d.Findings[i]; i == 0 || f.Follows == "" {
			writeFinding(&b, f, follow[f.Rule], i > 0 && d.Findings[i-1].severity == eventlog.Information)
		}
	}
	if state != "OK" {
		fmt.Fprintf(&b, "\nChecked %s at %s.\n", d.Scope, d.Checked.Format(time.TimeOnly))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeFinding writes a finding; leads are the rules of the findings that follow from it, closely that the blank line before it is left out.
func writeFinding(b *strings.Builder, f *findingRow, leads []string, closely bool) {
	since := "since " + f.Since.Format(time.TimeOnly)
	if f.FromStart {
		since = "for at least 15 s"
	}
	if f.Until != nil {
		since = fmt.Sprintf("%s to %s", f.Since.Format(time.TimeOnly), f.Until.Format(time.TimeOnly))
	}
	if !closely {
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "%s  %s  (%s, %s)\n", strings.ToUpper(f.Severity), exec.Clean(f.Title), f.Rule, since)
	field := func(label, text string) {
		for i, line := range widget.Wrap(exec.Clean(text), maxTextWidth) {
			if i > 0 {
				label = ""
			}
			fmt.Fprintf(b, "  %-9s %s\n", label, line)
		}
	}
	if f.Follows != "" {
		field("Follows", "from "+f.Follows)
	}
	if f.severity == eventlog.Information {
		return
	}
	field("Why", f.Why)
	if len(f.Causes) > 0 {
		field("Cause", strings.Join(f.Causes, " "))
	}
	if len(f.facts) > 0 || f.Shown != "" {
		var list []string
		if f.Shown != "" {
			list = append(list, f.Shown)
		}
		for _, e := range f.facts {
			list = append(list, e.Fact.Meaning+": "+e.Text())
		}
		field("Evidence", strings.Join(list, "; "))
	}
	for _, e := range f.Events[max(len(f.Events)-3, 0):] {
		field("Event", e)
	}
	if len(leads) > 0 {
		field("Leads to", strings.Join(leads, ", "))
	}
	for i, fix := range f.Fixes {
		text := fix.Title
		if fix.Applicable {
			text += fmt.Sprintf(": diagnose fix %s %s", f.Rule, syntax.Quote(f.Object))
			if i > 0 {
				text += fmt.Sprintf(" %d", i+1)
			}
		}
		if n := len(fix.AlsoFixes); n > 0 {
			text += fmt.Sprintf(" (it fixes %s, too)", wording.Count(n, "other finding"))
		}
		field(fmt.Sprintf("Fix %d", i+1), text)
	}
}

func diagnoseFix(c *exec.Call, in *struct {
	Rule   string
	Name   string
	Number int
	Yes    bool `flag:"yes"`
}) (exec.Answer, error) {
	if _, known := findings.Lookup(in.Rule); !known {
		return exec.Answer{}, exec.Mistake("there is no rule %q; diagnose lists the rules of its findings", in.Rule)
	}
	report, copied, err := observeHost(c)
	if err != nil {
		return exec.Answer{}, err
	}
	at := slices.IndexFunc(report.Findings, func(f *findings.Finding) bool {
		return f.Rule.ID == in.Rule && strings.EqualFold(f.Subject.Name, in.Name)
	})
	if at < 0 {
		return exec.Answer{}, fmt.Errorf("there is no finding %s at %s now", in.Rule, exec.Clean(in.Name))
	}
	f, number := report.Findings[at], max(in.Number, 1)
	if number > len(f.Fixes) {
		return exec.Answer{}, fmt.Errorf("the finding has %s", wording.Count(len(f.Fixes), "fix"))
	}
	plan, err := checkup.Plan(copied, f, &f.Fixes[number-1])
	switch {
	case err != nil:
		return exec.Answer{}, err
	case in.Yes:
		return c.Apply(plan)
	}
	var short struct {
		Title string   `json:"title"`
		Steps []string `json:"steps"`
	}
	short.Title = plan.Title
	lines := []string{plan.Title}
	for _, o := range plan.Operations {
		short.Steps = append(short.Steps, o.Describe())
		lines = append(lines, "  "+o.Describe())
	}
	lines = append(lines, "Nothing was changed; --yes applies the plan.")
	return exec.PrintLines(lines, struct {
		Plan any `json:"plan"`
	}{short}), nil
}
