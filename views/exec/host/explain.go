package host

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/ui/widget"
	"cxdeck/views/exec"
	"cxdeck/views/exec/registrykey"
)

// detailRow is the JSON form of a key's details beyond its row.
type detailRow struct {
	Effect     string   `json:"effect"`
	Constraint string   `json:"constraint"`
	Related    []string `json:"related"`
	Counters   []string `json:"counters"`
	Notes      string   `json:"notes"`
	Decision   string   `json:"decision"`
	Manual     string   `json:"manual"`
}

// verdictRow is the JSON form of a verdict on a value.
type verdictRow struct {
	Value   any                      `json:"value"`
	Verdict string                   `json:"verdict"`
	Reasons []string                 `json:"reasons"`
	Used    any                      `json:"used"`
	Remedy  registry.InvalidHandling `json:"remedy"`
}

func regExplain(c *exec.Call) (exec.Answer, error) {
	t, k, err := findKey(c, registrykey.Find)
	if err != nil {
		return exec.Answer{}, err
	}
	value, verdict, err := verdict(c, t, &k)
	if err != nil {
		return exec.Answer{}, err
	}
	d := k.Row.Detail()
	return exec.Answer{
		Result: struct {
			Key     registrykey.Row `json:"key"`
			Detail  detailRow       `json:"detail"`
			Verdict verdictRow      `json:"verdict"`
		}{
			registrykey.RowOf(k),
			detailRow{d.Effect, d.Constraint, append([]string{}, d.Related...), append([]string{}, d.Moves...), d.Notes,
				d.Decision, d.Manual},
			verdictRow{registrykey.JSONValue(value), verdict.Grade.String(), reasons(verdict), registrykey.JSONValue(verdict.Used), verdict.Remedy},
		},
		Text: func(w io.Writer) error { return writeExplanation(w, &k, value, verdict) },
	}, nil
}

// verdict returns the verdict on the typed value, or on the stored one if none was typed.
func verdict(c *exec.Call, t registrykey.Target, k *registry.Key) (value registry.Value, verdict registry.Verdict, err error) {
	if registrykey.ScopeElsewhere(k.Row) != "" {
		if len(c.Arguments) > 2 {
			_, err = storedKey(c, t, c.Arguments[1])
		}
		return value, verdict, err
	}
	var outlook *registry.Effective
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) (err error) {
		if t.Adapter != "" {
			outlook, err = h.AdapterRegistry(t.Adapter)
		} else {
			outlook, err = h.Registry(t.Connection)
		}
		return err
	})
	if err != nil {
		return value, verdict, err
	}
	if len(c.Arguments) < 3 {
		return k.Stored, outlook.Verdict(k.Row), nil
	}
	value, verdict, err = outlook.Check(k.Row, c.Arguments[2])
	if err != nil {
		err = invalidValueError(k, targetName(&t), c.Arguments[2], err)
	}
	return value, verdict, err
}

// writeExplanation writes the details of a key and the verdict on a value, each under a title.
func writeExplanation(w io.Writer, k *registry.Key, value registry.Value, verdict registry.Verdict) error {
	const lead = 14
	var b strings.Builder
	part := func(title, text string) {
		if text == "" {
			return
		}
		for _, line := range widget.Wrap(exec.Clean(text), exec.HelpWidth-lead) {
			fmt.Fprintf(&b, "%-*s%s\n", lead, title, line)
			title = ""
		}
	}
	d := k.Row.Detail()
	part("Key", k.Row.Name+", "+string(k.Row.Scope))
	part("Summary", k.Row.Summary)
	part("Effect", d.Effect)
	part("Stored", displayValue(k.Row, k.Stored))
	part("In effect", displayValue(k.Row, k.Effective))
	part("Default", displayValue(k.Row, k.Default))
	part("Range", rangeText(k))
	part("Limits", d.Constraint)
	title := "Values"
	for _, choice := range slices.Concat(k.Row.Choices, k.Row.Bits) {
		part(title, fmt.Sprintf("%d %s", choice.Value, choice.Label))
		title = ""
	}
	part("Takes effect", exec.WhenEffective(k.Row.Applies))
	part("No effect", k.Row.Inert)
	part("In the lab", k.Row.Detail().Lab)
	part("See also", strings.Join(d.Related, ", "))
	title = "Affects"
	for _, counter := range d.Moves {
		part(title, counter)
		title = ""
	}
	part("Notes", d.Notes)
	part("Decision", d.Decision)
	part("Manual", d.Manual)
	part("Path", cmp.Or(k.Path, registrykey.ScopeElsewhere(k.Row)))
	if registrykey.ScopeElsewhere(k.Row) == "" {
		judgement := verdict.String()
		if verdict.Grade == registry.Invalid {
			judgement += "; the driver uses " + displayValue(k.Row, verdict.Used)
		}
		part("Verdict", displayValue(k.Row, value)+" is "+judgement)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// hitRow is a key that reg search found, as JSON.
type hitRow struct {
	Key     string         `json:"key"`
	Scope   registry.Scope `json:"scope"`
	Driver  string         `json:"driver"`
	Summary string         `json:"summary"`
	Score   int            `json:"score"`
}

func regSearch(c *exec.Call, in *struct {
	Scope scopeName  `flag:"scope"`
	Limit exec.Count `flag:"limit" is:"--limit" default:"20"`
}) (exec.Answer, error) {
	var scopes []registry.Scope
	if in.Scope != "" {
		scopes = append(scopes, registry.Scope(in.Scope))
	}
	rows := []hitRow{}
	for _, keys := range []struct {
		family description.Family
		driver string
	}{{description.WinOF, "mlx4"}, {description.WinOF2, "mlx5"}} {
		for _, hit := range registry.Keys(keys.family).Search(strings.Join(c.Arguments, " "), scopes...) {
			rows = append(rows, hitRow{hit.Row.Name, hit.Row.Scope, keys.driver, hit.Row.Summary, hit.Score})
		}
	}
	slices.SortStableFunc(rows, func(a, b hitRow) int { return cmp.Compare(b.Score, a.Score) })
	found := len(rows)
	rows = rows[:min(found, int(in.Limit))]
	return exec.Answer{
		Result: struct {
			Keys  []hitRow `json:"keys"`
			Found int      `json:"found"`
		}{rows, found},
		Text: func(w io.Writer) error {
			if found == 0 {
				_, err := fmt.Fprintln(w, "No key contains all of these words in its name, summary or details.")
				return err
			}
			t := exec.NewTextTable(w, "KEY", "SCOPE", "DRIVER", "SUMMARY")
			for _, r := range rows {
				t.Row(r.Key, string(r.Scope), r.Driver, widget.Cut(exec.Clean(r.Summary), 90))
			}
			if err := t.Flush(); err != nil || found == len(rows) {
				return err
			}
			_, err := fmt.Fprintf(w, "%d more keys match; --limit lists more of them.\n", found-len(rows))
			return err
		},
	}, nil
}
