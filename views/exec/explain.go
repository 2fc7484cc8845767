package exec

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
)

// detailRow is what is known of a key beyond its row, as JSON.
type detailRow struct {
	Effect     string   `json:"effect"`
	Constraint string   `json:"constraint"`
	Related    []string `json:"related"`
	Counters   []string `json:"counters"`
	Notes      string   `json:"notes"`
	Decision   string   `json:"decision"`
	Manual     string   `json:"manual"`
}

// verdictRow is what is to be said of a value, as JSON.
type verdictRow struct {
	Value   any             `json:"value"`
	Verdict string          `json:"verdict"`
	Reasons []string        `json:"reasons"`
	Used    any             `json:"used"`
	Remedy  registry.Remedy `json:"remedy"`
}

func regExplain(c *call) (answer, error) {
	t, k, err := c.keyNamed((*call).key)
	if err != nil {
		return answer{}, err
	}
	value, verdict, err := c.verdict(t, &k)
	if err != nil {
		return answer{}, err
	}
	d := k.Row.Detail()
	return answer{
		result: struct {
			Key     keyRow     `json:"key"`
			Detail  detailRow  `json:"detail"`
			Verdict verdictRow `json:"verdict"`
		}{
			keyOf(k),
			detailRow{d.Effect, d.Constraint, append([]string{}, d.Related...), append([]string{}, d.Moves...), d.Notes,
				d.Decision, d.Manual},
			verdictRow{plain(value), verdict.Grade.String(), reasons(verdict), plain(verdict.Used), verdict.Remedy},
		},
		text: func(w io.Writer) error { return writeExplanation(w, &k, value, verdict) },
	}, nil
}

// verdict is what is to be said of the value that was typed, or of the one that is stored.
func (c *call) verdict(t keyTarget, k *driver.Key) (value registry.Value, verdict registry.Verdict, err error) {
	if elsewhere(k.Row) != "" {
		if len(c.arguments) > 2 {
			_, err = c.storedKey(t, c.arguments[1])
		}
		return value, verdict, err
	}
	var outlook *registry.Effective
	err = c.host.Look(c.ctx, func(h *driver.Host) (err error) {
		if t.adapter != "" {
			outlook, err = h.AdapterRegistry(t.adapter)
		} else {
			outlook, err = h.Registry(t.connection)
		}
		return err
	})
	if err != nil {
		return value, verdict, err
	}
	if len(c.arguments) < 3 {
		return k.Stored, outlook.Verdict(k.Row), nil
	}
	value, verdict, err = outlook.Check(k.Row, c.arguments[2])
	if err != nil {
		err = notItsValue(k, t.name(), c.arguments[2], err)
	}
	return value, verdict, err
}

// writeExplanation writes all that is known of a key, a paragraph for each thing.
func writeExplanation(w io.Writer, k *driver.Key, value registry.Value, verdict registry.Verdict) error {
	const lead = 14
	var b strings.Builder
	part := func(title, text string) {
		if text == "" {
			return
		}
		for _, line := range widget.Wrap(Clean(text), helpWidth-lead) {
			fmt.Fprintf(&b, "%-*s%s\n", lead, title, line)
			title = ""
		}
	}
	d := k.Row.Detail()
	part("Key", k.Row.Name+", "+string(k.Row.Scope))
	part("What it is", k.Row.Summary)
	part("Effect", d.Effect)
	part("Stored", shown(k.Row, k.Stored))
	part("In effect", shown(k.Row, k.Effective))
	part("Default", shown(k.Row, k.Default))
	part("Range", rangeWords(k))
	part("Limits", d.Constraint)
	title := "Values"
	for _, choice := range slices.Concat(k.Row.Choices, k.Row.Bits) {
		part(title, fmt.Sprintf("%d %s", choice.Value, choice.Label))
		title = ""
	}
	part("Counts", moment(k.Row.Applies))
	part("Inert", k.Row.Inert)
	part("Lab", k.Row.Detail().Lab)
	part("See also", strings.Join(d.Related, ", "))
	title = "Moves"
	for _, counter := range d.Moves {
		part(title, counter)
		title = ""
	}
	part("Notes", d.Notes)
	part("Decided", d.Decision)
	part("Manual", d.Manual)
	part("Where", cmp.Or(k.Path, elsewhere(k.Row)))
	if elsewhere(k.Row) == "" {
		said := verdict.String()
		if verdict.Grade == registry.Invalid {
			said += "; the driver works with " + shown(k.Row, verdict.Used)
		}
		part("Verdict", shown(k.Row, value)+" is "+said)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// hitRow is a key that was found, as JSON.
type hitRow struct {
	Key     string         `json:"key"`
	Scope   registry.Scope `json:"scope"`
	Driver  string         `json:"driver"`
	Summary string         `json:"summary"`
	Score   int            `json:"score"`
}

func regSearch(c *call) (answer, error) {
	scope, err := c.scope()
	if err != nil {
		return answer{}, err
	}
	last, err := c.number("most", 20)
	if err != nil {
		return answer{}, err
	}
	var scopes []registry.Scope
	if scope != "" {
		scopes = append(scopes, scope)
	}
	rows := []hitRow{}
	for _, one := range []struct {
		family description.Family
		driver string
	}{{description.WinOF, "mlx4"}, {description.WinOF2, "mlx5"}} {
		for _, hit := range registry.Keys(one.family).Search(strings.Join(c.arguments, " "), scopes...) {
			rows = append(rows, hitRow{hit.Row.Name, hit.Row.Scope, one.driver, hit.Row.Summary, hit.Score})
		}
	}
	slices.SortStableFunc(rows, func(a, b hitRow) int { return cmp.Compare(b.Score, a.Score) })
	found := len(rows)
	rows = rows[:min(found, last)]
	return answer{
		result: struct {
			Keys  []hitRow `json:"keys"`
			Found int      `json:"found"`
		}{rows, found},
		text: func(w io.Writer) error {
			if found == 0 {
				_, err := fmt.Fprintln(w, "No key has all of these words in its name, summary or details.")
				return err
			}
			t := newTable(w, "KEY", "SCOPE", "DRIVER", "WHAT IT IS")
			for _, r := range rows {
				t.row(r.Key, string(r.Scope), r.Driver, widget.Cut(Clean(r.Summary), 90))
			}
			if err := t.Flush(); err != nil || found == len(rows) {
				return err
			}
			_, err := fmt.Fprintf(w, "%d more were found; --most lists more of them.\n", found-len(rows))
			return err
		},
	}, nil
}
