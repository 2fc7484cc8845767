package host

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
	"cxdeck/views/exec/drafts"
	"cxdeck/views/exec/registrykey"
)

// reviewRow is the review of a plan as JSON.
type reviewRow struct {
	Title      string              `json:"title"`
	Operations []exec.OperationRow `json:"operations"`
	Refusal    string              `json:"refusal,omitempty"`
	Changes    []changeRow         `json:"changes"`
	Steps      []string            `json:"steps"`
	Restarts   []restartRow        `json:"restarts"`
	Unreceived []exec.MissedRow    `json:"unreceived"`
	Warnings   []warningRow        `json:"warnings"`
	Management riskRow             `json:"management"`
}

type changeRow struct {
	Target    string              `json:"target"`
	Key       string              `json:"key"`
	Scope     registry.Scope      `json:"scope"`
	Stored    any                 `json:"stored"`
	Planned   any                 `json:"planned"`
	Effective any                 `json:"effective"`
	Next      any                 `json:"next"`
	Applies   registry.EffectTime `json:"applies"`
	Counts    bool                `json:"counts"`
	Verdict   string              `json:"verdict"`
	Reasons   []string            `json:"reasons"`
}

type restartRow struct {
	Does        string                   `json:"does"`
	Needed      bool                     `json:"needed"`
	Connections []string                 `json:"connections"`
	Down        float64                  `json:"down_seconds"`
	Back        bool                     `json:"back"`
	Rate        float64                  `json:"interrupted_bits_per_second"`
	Workloads   []driver.InterruptedFlow `json:"workloads"`
	Functions   int                      `json:"virtual_functions"`
	Management  bool                     `json:"management"`
}

type warningRow struct {
	Severity string `json:"severity"`
	Target   string `json:"target"`
	Key      string `json:"key"`
	Text     string `json:"text"`
}

type riskRow struct {
	Connection string  `json:"connection"`
	Touched    bool    `json:"touched"`
	Lost       bool    `json:"lost"`
	Down       float64 `json:"down_seconds"`
	Why        string  `json:"why"`
}

// reviewOf returns the review of a plan as JSON.
func reviewOf(c *exec.Call, plan driver.Plan, r *driver.Review) reviewRow {
	draft := drafts.RowOf(plan)
	row := reviewRow{
		Title: draft.Title, Operations: draft.Operations, Changes: []changeRow{}, Steps: append([]string{}, r.Steps...),
		Restarts: []restartRow{}, Unreceived: []exec.MissedRow{}, Warnings: []warningRow{},
		Management: riskRow{r.Management.Connection, r.Management.Touched, r.Management.Lost, r.Management.Down.Seconds(),
			r.Management.Why},
	}
	if r.Refusal != nil {
		row.Refusal = r.Refusal.Error()
	}
	for i := range r.Changes {
		change := &r.Changes[i]
		row.Changes = append(row.Changes, changeRow{
			change.Target, change.Row.Name, change.Row.Scope, registrykey.JSONValue(change.From), registrykey.JSONValue(change.To), registrykey.JSONValue(change.Effective), registrykey.JSONValue(change.Next),
			change.Applies, change.InEffect, change.Verdict.Grade.String(), reasons(change.Verdict),
		})
	}
	for i := range r.Restarts {
		restart := &r.Restarts[i]
		row.Restarts = append(row.Restarts, restartRow{
			restart.Operation.Describe(), restart.Needed, restart.Connections, restart.Down.Seconds(), restart.Back, restart.Rate, append([]driver.InterruptedFlow{}, restart.Flows...),
			restart.VirtualFunctions, restart.Management,
		})
	}
	row.Unreceived = append(row.Unreceived, c.MissedRows(r.Unreceived)...)
	for _, warning := range r.Warnings {
		row.Warnings = append(row.Warnings, warningRow{warning.Severity.String(), warning.Target, warning.Key, warning.Text})
	}
	return row
}

// reasons returns the reasons of a verdict, each a sentence without its full stop.
func reasons(v registry.Verdict) []string {
	list := []string{}
	for _, r := range v.Reasons {
		list = append(list, r.Why)
	}
	return list
}

// writeReview writes a review as text: changes, restarts and warnings.
func writeReview(c *exec.Call, w io.Writer, row *reviewRow, r *driver.Review) error {
	var b strings.Builder
	fmt.Fprintln(&b, exec.Clean(row.Title))
	if row.Refusal != "" {
		fmt.Fprintf(&b, "It can't be applied: %s.\n", exec.Clean(row.Refusal))
		for _, o := range row.Operations {
			fmt.Fprintln(&b, "  "+exec.Clean(o.Does))
		}
	}
	if len(r.Changes) > 0 {
		t := exec.NewTextTable(&b, "", "ADAPTER", "KEY", "NOW", "PLANNED", "TAKES EFFECT", "VERDICT")
		for i := range r.Changes {
			change := &r.Changes[i]
			moment := "with the plan"
			if !change.InEffect {
				moment = exec.WhenEffective(change.Applies)
			}
			t.Row("", change.Target, change.Row.Name, displayValue(change.Row, change.From), displayValue(change.Row, change.To), moment,
				change.Verdict.Grade.String())
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	part := func(title string, lines []string) {
		if len(lines) > 0 {
			fmt.Fprintln(&b, title)
		}
		for _, l := range lines {
			fmt.Fprintln(&b, "  "+exec.Clean(l))
		}
	}
	part("Other steps", r.Steps)
	var restarts []string
	for i := range r.Restarts {
		restarts = append(restarts, restartText(c, &r.Restarts[i]))
	}
	part("Restarts", restarts)
	var warnings []string
	for _, warning := range row.Warnings {
		about := strings.TrimSpace(warning.Target + " " + warning.Key)
		if about != "" {
			about += ": "
		}
		warnings = append(warnings, warning.Severity+": "+about+warning.Text)
	}
	part("Warnings", warnings)
	_, err := io.WriteString(w, b.String())
	return err
}

// restartText returns a restart with its interruptions.
func restartText(c *exec.Call, r *driver.Restart) string {
	text := wording.UpperFirst(r.Operation.Describe())
	if r.Needed {
		text += ", which the values need"
	}
	text += ": " + strings.Join(r.Connections, ", ")
	switch {
	case !r.Back:
		text += " down"
	case r.Down == 0:
		text += ", whose link is down already"
	default:
		text += fmt.Sprintf(" down for %s", r.Down.Round(100*time.Millisecond))
	}
	if len(r.Flows) > 0 {
		text += fmt.Sprintf("; %s of %d workloads interrupted, most of it from %s", c.BitRate(r.Rate), len(r.Flows),
			r.Flows[0].Name)
	}
	if r.VirtualFunctions > 0 {
		text += fmt.Sprintf("; %d virtual functions are recreated", r.VirtualFunctions)
	}
	return text
}

// readBackRow is a planned value and the value read back after storing it, as JSON.
type readBackRow struct {
	Target string `json:"target"`
	Key    string `json:"key"`
	Wanted any    `json:"wanted"`
	Actual any    `json:"actual"`
}

func readBackRows(values []edit.WrittenValue) []readBackRow {
	rows := []readBackRow{}
	for _, v := range values {
		rows = append(rows, readBackRow{v.Connection + v.Adapter + v.Path, v.Key, registrykey.JSONValue(v.Wanted), registrykey.JSONValue(v.Actual)})
	}
	return rows
}

// writeReadBack lists planned values with the values read back; differing ones first.
func writeReadBack(w io.Writer, rows []readBackRow) error {
	if len(rows) == 0 {
		return nil
	}
	word := func(v any) string {
		if v == nil {
			return "-"
		}
		return fmt.Sprint(v)
	}
	// The limit of lines leaves out no value that differs.
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b readBackRow) int { return cmp.Compare(a.rank(), b.rank()) })
	t := exec.NewTextTable(w, "", "ADAPTER", "KEY", "WANTED", "READ BACK")
	for i, r := range rows {
		if i >= exec.MaxLines && r.rank() > 0 {
			if err := t.Flush(); err != nil {
				return err
			}
			_, err := fmt.Fprintf(w, "  and %d more values, all as planned; --json has them\n", len(rows)-i)
			return err
		}
		t.Row("", r.Target, cmp.Or(r.Key, "(default)"), word(r.Wanted), word(r.Actual))
	}
	return t.Flush()
}

// rank sorts values that differ from the planned ones, 0, before the others, 1.
func (r *readBackRow) rank() int {
	if r.Wanted != r.Actual {
		return 0
	}
	return 1
}
