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
	"cxdeck/views/exec"
)

// reviewRow is the JSON form of the review of a plan.
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
	Target    string          `json:"target"`
	Key       string          `json:"key"`
	Scope     registry.Scope  `json:"scope"`
	Stored    any             `json:"stored"`
	Planned   any             `json:"planned"`
	Effective any             `json:"effective"`
	Next      any             `json:"next"`
	Applies   registry.Moment `json:"applies"`
	Counts    bool            `json:"counts"`
	Verdict   string          `json:"verdict"`
	Reasons   []string        `json:"reasons"`
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
	draft := exec.DraftOf(plan)
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
		one := &r.Changes[i]
		row.Changes = append(row.Changes, changeRow{
			one.Target, one.Row.Name, one.Row.Scope, exec.JSONValue(one.From), exec.JSONValue(one.To), exec.JSONValue(one.Effective), exec.JSONValue(one.Next),
			one.Applies, one.InEffect, one.Verdict.Grade.String(), reasons(one.Verdict),
		})
	}
	for i := range r.Restarts {
		one := &r.Restarts[i]
		row.Restarts = append(row.Restarts, restartRow{
			one.Operation.Describe(), one.Needed, one.Connections, one.Down.Seconds(), one.Back, one.Rate, append([]driver.InterruptedFlow{}, one.Flows...),
			one.VirtualFunctions, one.Management,
		})
	}
	row.Unreceived = append(row.Unreceived, c.MissedRows(r.Unreceived)...)
	for _, one := range r.Warnings {
		row.Warnings = append(row.Warnings, warningRow{one.Severity.String(), one.Target, one.Key, one.Text})
	}
	return row
}

// reasons returns the reasons of a verdict as sentences without their ends.
func reasons(v registry.Verdict) []string {
	list := []string{}
	for _, r := range v.Reasons {
		list = append(list, r.Why)
	}
	return list
}

// writeReview writes a review for people: what changes, what stops for it, and what speaks against it.
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
		t := exec.NewTextTable(&b, "", "ADAPTER", "KEY", "NOW", "PLANNED", "COUNTS", "VERDICT")
		for i := range r.Changes {
			one := &r.Changes[i]
			counts := "after the plan"
			if !one.InEffect {
				counts = exec.WhenEffective(one.Applies)
			}
			t.Row("", one.Target, one.Row.Name, displayValue(one.Row, one.From), displayValue(one.Row, one.To), counts,
				one.Verdict.Grade.String())
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
	var stops []string
	for i := range r.Restarts {
		stops = append(stops, restartText(c, &r.Restarts[i]))
	}
	part("Restarts", stops)
	var warnings []string
	for _, one := range row.Warnings {
		about := strings.TrimSpace(one.Target + " " + one.Key)
		if about != "" {
			about += ": "
		}
		warnings = append(warnings, one.Severity+": "+about+one.Text)
	}
	part("Warnings", warnings)
	_, err := io.WriteString(w, b.String())
	return err
}

// restartText returns a restart with its interruptions.
func restartText(c *exec.Call, r *driver.Restart) string {
	text := exec.Capital(r.Operation.Describe())
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
		text += fmt.Sprintf("; %s of %d workloads interrupted, most of it %s", c.BitRate(r.Rate), len(r.Flows),
			r.Flows[0].Name)
	}
	if r.VirtualFunctions > 0 {
		text += fmt.Sprintf("; %d virtual functions are recreated", r.VirtualFunctions)
	}
	return text
}

// writtenRow is a value as it was wanted and as it was read back, as JSON.
type writtenRow struct {
	Target string `json:"target"`
	Key    string `json:"key"`
	Wanted any    `json:"wanted"`
	Actual any    `json:"actual"`
}

func writtenRows(values []edit.WrittenValue) []writtenRow {
	rows := []writtenRow{}
	for _, v := range values {
		rows = append(rows, writtenRow{v.Connection + v.Adapter + v.Path, v.Key, exec.JSONValue(v.Wanted), exec.JSONValue(v.Actual)})
	}
	return rows
}

// writeWritten writes values as they were read back.
func writeWritten(w io.Writer, rows []writtenRow) error {
	if len(rows) == 0 {
		return nil
	}
	word := func(v any) string {
		if v == nil {
			return "-"
		}
		return fmt.Sprint(v)
	}
	// Values that differ from the wanted ones come first, so that none of them is left out.
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b writtenRow) int { return cmp.Compare(a.rank(), b.rank()) })
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

// rank is 0 for a value that was not read back as it was wanted, 1 for the others.
func (r *writtenRow) rank() int {
	if r.Wanted != r.Actual {
		return 0
	}
	return 1
}
