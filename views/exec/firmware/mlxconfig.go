package firmware

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// mlxconfigQuery implements mlxconfig q. It prints the values in effect, and the column Next Boot if a setting waits for the
// next boot; -e adds the defaults.
func mlxconfigQuery(c *exec.Call) (exec.Answer, error) {
	if len(c.Arguments) == 0 {
		return mlxconfigQueryAll(c)
	}
	o, a, err := cardOptions(c, "mlxconfig q", true, "-y", "--yes")
	if err != nil {
		return exec.Answer{}, err
	}
	device, rows := exec.DeviceOf(a), listedSettings(a, false)
	if len(o.rest) > 0 {
		if rows, err = findSettings(a, o.rest); err != nil {
			return exec.Answer{}, err
		}
	}
	headings, cells := []string{"Current"}, func(r *virtualization.FirmwareView) []string { return []string{r.Current} }
	anyWaits := slices.ContainsFunc(rows, func(r virtualization.FirmwareView) bool { return r.Next != r.Current })
	switch {
	case o.extended:
		headings = []string{"Default", "Current", "Next Boot"}
		cells = func(r *virtualization.FirmwareView) []string { return []string{r.Default, r.Current, r.Next} }
	case anyWaits:
		headings, cells = append(headings, "Next Boot"), func(r *virtualization.FirmwareView) []string { return []string{r.Current, r.Next} }
	}
	return exec.PrintLines(append(deviceLines(&device), columns(headings, rows, cells)...), exec.SettingsResult{Device: device, Settings: rows}), nil
}

// mlxconfigQueryAll implements mlxconfig q without a device, which shows all of them.
func mlxconfigQueryAll(c *exec.Call) (exec.Answer, error) {
	view, err := c.View()
	if err != nil {
		return exec.Answer{}, err
	}
	var lines []string
	results := []exec.SettingsResult{}
	for i := range view.Adapters {
		device, rows := exec.DeviceOf(&view.Adapters[i]), listedSettings(&view.Adapters[i], false)
		current := func(r *virtualization.FirmwareView) []string { return []string{r.Current} }
		head := deviceLines(&device)
		head[0] = fmt.Sprintf("Device #%d:", i+1)
		lines = append(append(append(lines, head...), columns([]string{"Current"}, rows, current)...), "")
		results = append(results, exec.SettingsResult{Device: device, Settings: rows})
	}
	return exec.PrintLines(lines, struct {
		Devices []exec.SettingsResult `json:"devices"`
	}{results}), nil
}

// findSettings finds settings by their names.
func findSettings(a *driver.AdapterView, names []string) (rows []virtualization.FirmwareView, err error) {
	for _, name := range names {
		f, err := exec.FirmwareSetting(a, name)
		if err != nil {
			return nil, err
		}
		rows = append(rows, *f)
	}
	return rows, nil
}

// mlxconfigShow implements mlxconfig show_confs: it lists the settings that the tool supports, with range and meaning.
func mlxconfigShow(c *exec.Call) (exec.Answer, error) {
	_, a, err := cardOptions(c, "mlxconfig show_confs", false, "-y", "--yes")
	if err != nil {
		return exec.Answer{}, err
	}
	device, rows := exec.DeviceOf(a), listedSettings(a, true)
	lines := append(deviceLines(&device), "List of configurations:")
	for _, r := range rows {
		lines = append(lines, fmt.Sprintf("   %-26s %d to %d   %s", r.Name, r.Low, r.High, r.Meaning))
	}
	return exec.PrintLines(lines, exec.SettingsResult{Device: device, Settings: rows}), nil
}

// Lines that mlxconfig prints around a change.
const (
	applyQuestion = "Apply new Configuration? ? (y/n) [n] :"
	applied       = "Applying... Done!"
	rebootNotice  = "-I- Please reboot machine to load new configurations."
)

// mlxconfigSet implements mlxconfig set.
func mlxconfigSet(c *exec.Call) (exec.Answer, error) {
	return changeFirmware(c, "set", func(a *driver.AdapterView, words []string) ([]virtualization.FirmwareValue, error) {
		// One transcript of the manual repeats the verb before each setting.
		words = slices.DeleteFunc(words, func(word string) bool { return strings.EqualFold(word, "set") })
		return exec.Assignments(a, words, "mlxconfig")
	})
}

// mlxconfigReset implements mlxconfig reset: it removes the stored values of settings.
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

// changeFirmware shows the current and the new values, asks, and stores the new ones. read parses the words after the verb.
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
	plan.Title = wording.UpperFirst(plan.Operations[0].Describe())
	if err := c.Try(plan); err != nil { // report an impossible change before the question
		return exec.Answer{}, err
	}
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error { return exec.RefusedSettings(h, plan) }); err != nil {
		return exec.Answer{}, err
	}
	device, rows := exec.DeviceOf(a), listedSettings(a, false)
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

// answerOf returns the answer that the flag -y gives, or an empty one.
func answerOf(yes bool) string {
	if yes {
		return "y"
	}
	return ""
}
