package firmware

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
)

// mlxconfigQuery is mlxconfig q. Beside the settings that count it shows settings that wait for the next boot, where there
// are any; -e shows the defaults, too.
func mlxconfigQuery(c *exec.Call) (exec.Answer, error) {
	o, a, err := cardOptions(c, "mlxconfig q", true, "-y", "--yes")
	if err != nil {
		return exec.Answer{}, err
	}
	device, rows := exec.DeviceOf(a), queried(a, false)
	if len(o.rest) > 0 {
		if rows, err = settingsNamed(a, o.rest); err != nil {
			return exec.Answer{}, err
		}
	}
	headings, cells := []string{"Current"}, func(r *virtualization.FirmwareView) []string { return []string{r.Current} }
	waits := slices.ContainsFunc(rows, func(r virtualization.FirmwareView) bool { return r.Next != r.Current })
	switch {
	case o.more:
		headings = []string{"Default", "Current", "Next Boot"}
		cells = func(r *virtualization.FirmwareView) []string { return []string{r.Default, r.Current, r.Next} }
	case waits:
		headings, cells = append(headings, "Next Boot"), func(r *virtualization.FirmwareView) []string { return []string{r.Current, r.Next} }
	}
	return exec.PrintLines(append(deviceLines(&device), columns(headings, rows, cells)...), exec.SettingsResult{Device: device, Settings: rows}), nil
}

// settingsNamed returns the settings of mlxconfig with names.
func settingsNamed(a *driver.AdapterView, names []string) (rows []virtualization.FirmwareView, err error) {
	for _, name := range names {
		f, err := exec.FirmwareSetting(a, name)
		if err != nil {
			return nil, err
		}
		rows = append(rows, *f)
	}
	return rows, nil
}

// mlxconfigShow is mlxconfig show_confs: the settings that the tool supports, with their meaning.
func mlxconfigShow(c *exec.Call) (exec.Answer, error) {
	_, a, err := cardOptions(c, "mlxconfig show_confs", false, "-y", "--yes")
	if err != nil {
		return exec.Answer{}, err
	}
	device, rows := exec.DeviceOf(a), queried(a, true)
	lines := append(deviceLines(&device), "List of configurations:")
	for _, r := range rows {
		lines = append(lines, fmt.Sprintf("   %-26s %d to %d   %s", r.Name, r.Low, r.High, r.Meaning))
	}
	return exec.PrintLines(lines, exec.SettingsResult{Device: device, Settings: rows}), nil
}

// The words of mlxconfig around a change.
const (
	applyQuestion = "Apply new Configuration? ? (y/n) [n] :"
	applied       = "Applying... Done!"
	rebootNotice  = "-I- Please reboot machine to load new configurations."
)

// mlxconfigSet is mlxconfig set: it shows what is and what would be, asks, and stores it.
func mlxconfigSet(c *exec.Call) (exec.Answer, error) {
	return changeFirmware(c, "set", func(a *driver.AdapterView, words []string) ([]virtualization.FirmwareValue, error) {
		// The manual repeats the verb before each setting in one place.
		words = slices.DeleteFunc(words, func(word string) bool { return strings.EqualFold(word, "set") })
		return exec.Assignments(a, words, "mlxconfig")
	})
}

// mlxconfigReset is mlxconfig reset: settings are as if they had never been set.
func mlxconfigReset(c *exec.Call) (exec.Answer, error) {
	return changeFirmware(c, "reset", func(a *driver.AdapterView, words []string) (values []virtualization.FirmwareValue, err error) {
		for _, word := range words {
			f, err := exec.FirmwareSetting(a, word)
			if err != nil {
				return nil, err
			}
			values = append(values, virtualization.FirmwareValue{Name: f.Name})
		}
		if len(values) == 0 {
			return nil, exec.Mistake("a setting is required: mlxconfig reset takes names, such as SRIOV_EN")
		}
		return values, nil
	})
}

// changeFirmware shows what is and what would be, asks, and stores it.
func changeFirmware(c *exec.Call,
	verb string, read func(*driver.AdapterView, []string) ([]virtualization.FirmwareValue, error),
) (exec.Answer, error) {
	o, a, err := cardOptions(c, "mlxconfig "+verb, false, "-y", "--yes")
	if err != nil {
		return exec.Answer{}, err
	}
	values, err := read(a, o.rest)
	if err != nil {
		return exec.Answer{}, err
	}
	plan := driver.Plan{Operations: []driver.Operation{virtualization.SetFirmware{Adapter: a.Description.Name, Values: values}}}
	plan.Title = exec.Capital(plan.Operations[0].Describe())
	if err := c.Rehearse(plan); err != nil { // an impossible change is not confirmed first
		return exec.Answer{}, err
	}
	if err := c.Host.Look(c.Ctx, func(h *driver.Host) error { return exec.RefusedSettings(h, plan) }); err != nil {
		return exec.Answer{}, err
	}
	device, rows := exec.DeviceOf(a), queried(a, false)
	for _, v := range values {
		at := slices.IndexFunc(rows, func(r virtualization.FirmwareView) bool { return r.Name == v.Name })
		if at < 0 {
			f, err := exec.FirmwareSetting(a, v.Name)
			if err != nil {
				return exec.Answer{}, err
			}
			at, rows = len(rows), append(rows, *f)
		}
		rows[at].Next = cmp.Or(v.Value, "N/A")
	}
	lines := append(deviceLines(&device), columns([]string{"Current", "New"}, rows, func(r *virtualization.FirmwareView) []string {
		return []string{r.Current, r.Next}
	})...)
	q := exec.Question{Before: exec.CleanLines(lines) + "\n", Text: applyQuestion, Usual: "n"}
	yes, err := c.Ask(q, answerOf(o.yes))
	if err == nil && !yes {
		err = exec.AnswerNo("-y")
	}
	if err != nil {
		return exec.Answer{}, err
	}
	entry, err := c.Do(plan)
	if err != nil {
		return exec.Answer{}, err
	}
	lines = []string{applied, rebootNotice}
	if nothing := entry.ChangesNothing(); nothing != nil {
		lines = nothing
	}
	return exec.PrintLines(lines, struct {
		Change exec.EntryRow `json:"change"`
	}{entry}), nil
}

// answerOf returns the answer that was given with the command.
func answerOf(yes bool) string {
	if yes {
		return "y"
	}
	return ""
}
