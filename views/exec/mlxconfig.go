package exec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
)

// settingsResult is what a query says to a program.
type settingsResult struct {
	Device   deviceRow    `json:"device"`
	Settings []settingRow `json:"settings"`
}

// mlxconfigQuery is mlxconfig q. Beside the settings that count it shows those that wait for the next boot, where there
// are any; -e shows the defaults, too.
func mlxconfigQuery(c *call) (answer, error) {
	o, err := c.options("mlxconfig q", true, "-y", "--yes")
	if err != nil {
		return answer{}, err
	}
	a, err := c.card(o.device)
	if err != nil {
		return answer{}, err
	}
	device, rows := deviceOf(a), queried(a, false)
	if len(o.rest) > 0 {
		if rows, err = named(a, o.rest); err != nil {
			return answer{}, err
		}
	}
	headings, cells := []string{"Current"}, func(r *settingRow) []string { return []string{r.Current} }
	waits := slices.ContainsFunc(rows, func(r settingRow) bool { return r.Next != r.Current })
	switch {
	case o.more:
		headings = []string{"Default", "Current", "Next Boot"}
		cells = func(r *settingRow) []string { return []string{r.Default, r.Current, r.Next} }
	case waits:
		headings, cells = append(headings, "Next Boot"), func(r *settingRow) []string { return []string{r.Current, r.Next} }
	}
	return toldLines{append(device.lines(), columns(headings, rows, cells)...), settingsResult{device, rows}}.answer(), nil
}

// named are the settings of mlxconfig with names.
func named(a *driver.AdapterView, names []string) (rows []settingRow, err error) {
	for _, name := range names {
		f, err := firmwareSetting(a, name)
		if err != nil {
			return nil, err
		}
		rows = append(rows, settingOf(f))
	}
	return rows, nil
}

// firmwareSetting is a setting by its name. Two differ only in their case; one that is typed in another case is found
// all the same.
func firmwareSetting(a *driver.AdapterView, name string) (*virtualization.FirmwareView, error) {
	var names []string
	for i := range a.Firmware {
		if a.Firmware[i].Name == name {
			return &a.Firmware[i], nil
		}
		names = append(names, a.Firmware[i].Name)
	}
	for i := range a.Firmware {
		if strings.EqualFold(a.Firmware[i].Name, name) {
			return &a.Firmware[i], nil
		}
	}
	return nil, fmt.Errorf("%s has no setting %q in its firmware%s", a.Description.Name, name, suggest(name, names,
		"firmware show prints the names"))
}

// mlxconfigShow is mlxconfig show_confs: the settings that the tool knows, with what they mean.
func mlxconfigShow(c *call) (answer, error) {
	o, err := c.options("mlxconfig show_confs", false, "-y", "--yes")
	if err != nil {
		return answer{}, err
	}
	a, err := c.card(o.device)
	if err != nil {
		return answer{}, err
	}
	device, rows := deviceOf(a), queried(a, true)
	lines := append(device.lines(), "List of configurations:")
	for _, r := range rows {
		lines = append(lines, fmt.Sprintf("   %-26s %d to %d   %s", r.Name, r.Least, r.Most, r.Meaning))
	}
	return toldLines{lines, settingsResult{device, rows}}.answer(), nil
}

// assignments reads NAME=VALUE for the settings of a card; only is the tool that may set them, empty for any.
func assignments(a *driver.AdapterView, words []string, only string) (values []driver.FirmwareValue, err error) {
	for _, word := range words {
		name, value, given := strings.Cut(word, "=")
		if !given || name == "" {
			return nil, mistake("%q is no setting: write NAME=VALUE, such as SRIOV_EN=1", word)
		}
		f, err := firmwareSetting(a, name)
		switch {
		case err != nil:
			return nil, err
		case only != "" && f.Tool != only:
			return nil, fmt.Errorf("%s is no setting of %s: it belongs to the image that %s burns; firmware set takes it",
				f.Name, only, f.Tool)
		}
		if strings.EqualFold(value, "N/A") {
			value = ""
		}
		values = append(values, driver.FirmwareValue{Name: f.Name, Value: value})
	}
	if len(values) == 0 {
		return nil, mistake("no setting is named: write NAME=VALUE, such as SRIOV_EN=1")
	}
	return values, nil
}

// The words of mlxconfig around a change.
const (
	applyQuestion = "Apply new Configuration? ? (y/n) [n] :"
	applied       = "Applying... Done!"
	rebootNotice  = "-I- Please reboot machine to load new configurations."
)

// mlxconfigSet is mlxconfig set: it shows what is and what would be, asks, and stores it.
func mlxconfigSet(c *call) (answer, error) {
	return c.changeFirmware("set", func(a *driver.AdapterView, words []string) ([]driver.FirmwareValue, error) {
		// The manual repeats the verb before each setting in one place.
		words = slices.DeleteFunc(words, func(word string) bool { return strings.EqualFold(word, "set") })
		return assignments(a, words, "mlxconfig")
	})
}

// mlxconfigReset is mlxconfig reset: settings are as if they had never been set.
func mlxconfigReset(c *call) (answer, error) {
	return c.changeFirmware("reset", func(a *driver.AdapterView, words []string) (values []driver.FirmwareValue, err error) {
		for _, word := range words {
			f, err := firmwareSetting(a, word)
			if err != nil {
				return nil, err
			}
			values = append(values, driver.FirmwareValue{Name: f.Name})
		}
		if len(values) == 0 {
			return nil, mistake("no setting is named: mlxconfig reset takes names, such as SRIOV_EN")
		}
		return values, nil
	})
}

// changeFirmware shows what is and what would be, asks, and stores it.
func (c *call) changeFirmware(
	verb string, read func(*driver.AdapterView, []string) ([]driver.FirmwareValue, error),
) (answer, error) {
	o, err := c.options("mlxconfig "+verb, false, "-y", "--yes")
	if err != nil {
		return answer{}, err
	}
	a, err := c.card(o.device)
	if err != nil {
		return answer{}, err
	}
	values, err := read(a, o.rest)
	if err != nil {
		return answer{}, err
	}
	plan := driver.Plan{Operations: []driver.Operation{driver.SetFirmware{Adapter: a.Description.Name, Values: values}}}
	plan.Title = upper(plan.Operations[0].Describe())
	if err := c.rehearse(plan); err != nil { // what can't be is not asked about
		return answer{}, err
	}
	if err := c.host.Look(c.ctx, func(h *driver.Host) error { return refusedSettings(h, plan) }); err != nil {
		return answer{}, err
	}
	device, rows := deviceOf(a), queried(a, false)
	for _, v := range values {
		at := slices.IndexFunc(rows, func(r settingRow) bool { return r.Name == v.Name })
		if at < 0 {
			f, err := firmwareSetting(a, v.Name)
			if err != nil {
				return answer{}, err
			}
			at, rows = len(rows), append(rows, settingOf(f))
		}
		rows[at].Next = cmp.Or(v.Value, "N/A")
	}
	lines := append(device.lines(), columns([]string{"Current", "New"}, rows, func(r *settingRow) []string {
		return []string{r.Current, r.Next}
	})...)
	q := question{before: cleanLines(lines) + "\n", text: applyQuestion, usual: "n"}
	yes, err := c.ask(q, answerOf(o.yes))
	if err == nil && !yes {
		err = answerNo("-y")
	}
	if err != nil {
		return answer{}, err
	}
	entry, err := c.do(plan)
	if err != nil {
		return answer{}, err
	}
	lines = []string{applied, rebootNotice}
	if nothing := entry.nothing(); nothing != nil {
		lines = nothing
	}
	return toldLines{lines, struct {
		Change entryRow `json:"change"`
	}{entry}}.answer(), nil
}

// answerOf is the answer that was given with the command.
func answerOf(yes bool) string {
	if yes {
		return "y"
	}
	return ""
}

// cleanLines makes text of lines.
func cleanLines(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(Clean(line) + "\n")
	}
	return b.String()
}

// rehearse says why a plan can't be applied.
func (c *call) rehearse(plan driver.Plan) error {
	return c.host.Look(c.ctx, func(h *driver.Host) error {
		_, err := h.Clone().Apply(plan)
		return err
	})
}
