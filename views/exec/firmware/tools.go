package firmware

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/script"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
)

// The firmware tools of the vendor: mst, mlxconfig, mlxfwreset and flint. What they print is pinned by the transcripts
// of the manuals.

// firmwareTools returns the tools that take a device before or behind their verb, with their verbs and what these are
// shortened to.
func firmwareTools() map[string]map[string]string {
	return map[string]map[string]string{
		"mlxconfig":  {"q": "q", "query": "q", "s": "set", "set": "set", "reset": "reset", "show_confs": "show_confs"},
		"mlxfwreset": {"r": "r", "reset": "r"},
		"flint":      {"dc": "dc"},
	}
}

// firmwareVerbFirst puts the verb of a firmware tool before its options, and gives it one spelling.
func firmwareVerbFirst(words []string) []string {
	if len(words) < 2 {
		return words
	}
	verbs := firmwareTools()[strings.TrimSuffix(strings.ToLower(words[0]), ".exe")]
	if verbs == nil {
		return words
	}
	unknown := 0 // where a word stands that is no verb, but has the place of one
	for i := 1; i < len(words); i++ {
		if verb, ok := verbs[strings.ToLower(words[i])]; ok {
			return slices.Concat([]string{words[0], verb}, words[1:i], words[i+1:])
		}
		switch word := strings.ToLower(words[i]); {
		case word == "-d" || word == "-dev" || word == "--device":
			i++ // its value is no verb
		case unknown == 0 && !strings.HasPrefix(word, "-"):
			unknown = i
		}
	}
	if unknown > 0 {
		return []string{words[0], words[unknown]}
	}
	return words[:1] // options are no verb
}

// toolOptions are the options of a firmware tool.
type toolOptions struct {
	device string
	yes    bool
	// more reports that all columns are wanted.
	more bool
	rest []string
}

// cardOptions returns the options of a tool with the card that they name.
func cardOptions(c *exec.Call, tool string, more bool, yes ...string) (toolOptions, *driver.AdapterView, error) {
	o, err := readOptions(c, tool, more, yes...)
	if err != nil {
		return o, nil, err
	}
	a, err := cardNamed(c, o.device)
	return o, a, err
}

// readOptions reads them; yes lists the words that answer the tool's question.
func readOptions(c *exec.Call, tool string, more bool, yes ...string) (o toolOptions, err error) {
	for i := 0; i < len(c.Arguments); i++ {
		switch word := strings.ToLower(c.Arguments[i]); {
		case word == "-d" || word == "-dev" || word == "--device":
			if i++; i == len(c.Arguments) {
				return o, exec.Mistake("%s requires a device after %s; mst status lists them", tool, c.Arguments[i-1])
			}
			o.device = c.Arguments[i]
		case slices.Contains(yes, word):
			o.yes = true
		case more && word == "-e":
			o.more = true
		case strings.HasPrefix(word, "-"):
			return o, exec.Mistake("%s does not support %q%s", tool, c.Arguments[i], exec.Suggest(word, append([]string{"-d"}, yes...),
				"help "+tool+
					" explains it"))
		default:
			o.rest = append(o.rest, c.Arguments[i])
		}
	}
	if o.device == "" {
		return o, exec.Mistake("%s requires -d with a device; mst status lists them", tool)
	}
	return o, nil
}

// cardNamed returns the card that the firmware tools call so; on Linux its name has a path before it.
func cardNamed(c *exec.Call, name string) (*driver.AdapterView, error) {
	view, err := c.View()
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range view.Adapters {
		a := &view.Adapters[i]
		if strings.EqualFold(strings.TrimPrefix(name, "/dev/mst/"), a.DeviceName) {
			return a, nil
		}
		names = append(names, a.DeviceName)
	}
	return nil, fmt.Errorf("there is no device %q%s", name, exec.Suggest(name, names, "mst status lists the devices"))
}

// mstStatus is mst status: the devices; -v says where they are, too.
func mstStatus(c *exec.Call) (exec.Answer, error) {
	verbose := len(c.Arguments) == 1 && strings.EqualFold(c.Arguments[0], "-v")
	if len(c.Arguments) > 0 && !verbose {
		return exec.Answer{}, exec.Mistake("mst status takes only -v, not %q", c.Arguments[0])
	}
	view, err := c.View()
	if err != nil {
		return exec.Answer{}, err
	}
	lines, rows := []string{"MST devices:", "------------"}, []exec.DeviceRow{}
	for i := range view.Adapters {
		d := exec.DeviceOf(&view.Adapters[i])
		rows = append(rows, d)
		line := d.Device
		if verbose {
			line = fmt.Sprintf("%-20s bus:dev.fn=%s  %s", d.Device, d.PCI, d.Adapter)
		}
		lines = append(lines, line)
	}
	return exec.PrintLines(lines, struct {
		Devices []exec.DeviceRow `json:"devices"`
	}{rows}), nil
}

// device are the lines that mlxconfig says of a device before its settings.
func deviceLines(d *exec.DeviceRow) []string {
	return []string{"Device #1:", "----------", "Device type: " + d.Type, "PCI device: " + d.Device, ""}
}

// columns writes settings with some of their columns below headings.
func columns(headings []string, rows []virtualization.FirmwareView, cells func(*virtualization.FirmwareView) []string) (lines []string) {
	width := len("Configurations:")
	for i := range rows {
		width = max(width, len(rows[i].Name)+3)
	}
	line := func(first string, rest []string) {
		text := fmt.Sprintf("%-*s", width, first)
		for _, cell := range rest {
			text += fmt.Sprintf(" %-9s", cell)
		}
		lines = append(lines, strings.TrimRight(text, " "))
	}
	line("Configurations:", headings)
	for i := range rows {
		line("   "+rows[i].Name, cells(&rows[i]))
	}
	return lines
}

// queried returns the settings that a plain query of mlxconfig lists.
func queried(a *driver.AdapterView, all bool) []virtualization.FirmwareView {
	rows := []virtualization.FirmwareView{}
	for i := range a.Firmware {
		if f := &a.Firmware[i]; f.Shown || all && f.Tool == "mlxconfig" {
			rows = append(rows, *f)
		}
	}
	return rows
}

// mlxfwreset is mlxfwreset r: the settings that wait count from now on, and the card restarts.
func mlxfwreset(c *exec.Call) (exec.Answer, error) {
	o, a, err := cardOptions(c, "mlxfwreset r", false, "-y", "--yes")
	switch {
	case err != nil:
		return exec.Answer{}, err
	case len(o.rest) > 0:
		return exec.Answer{}, exec.Mistake("unexpected argument %q: mlxfwreset -d DEVICE r --yes", o.rest[0])
	}
	q := exec.Question{
		Before: fmt.Sprintf("%s (%s): the firmware restarts, and the drivers of its ports with it.\n", a.DeviceName,
			exec.Clean(a.Description.Name)),
		Text: "Continue with reset? (y/n) [n] :", Usual: "n",
	}
	yes, err := c.Ask(q, answerOf(o.yes))
	if err == nil && !yes {
		err = exec.AnswerNo("--yes")
	}
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(driver.ResetCard{Adapter: a.Description.Name})
}

// flintDump is flint dc: the part of the image's ini file about virtual functions. > FILE writes it to a file.
func flintDump(c *exec.Call) (exec.Answer, error) {
	file := ""
	if at := slices.Index(c.Arguments, ">"); at >= 0 {
		if at != len(c.Arguments)-2 {
			return exec.Answer{}, exec.Mistake("> must be followed by the name of one file, at the end")
		}
		file = c.Arguments[at+1]
		c.Arguments = c.Arguments[:at]
	}
	_, a, err := cardOptions(c, "flint dc", false)
	if err != nil {
		return exec.Answer{}, err
	}
	lines := []string{"[HCA]"}
	for i := range a.Firmware {
		f := &a.Firmware[i]
		if f.Tool != "flint" {
			continue
		}
		value := f.Next
		if value == "N/A" {
			value = f.Default
		}
		if f.Name == "sriov_en" {
			value = map[string]string{"1": "true"}[value]
			value = cmp.Or(value, "false")
		}
		lines = append(lines, f.Name+" = "+value)
	}
	if len(lines) == 1 {
		return exec.Answer{}, fmt.Errorf("the image of %s has no ini file with virtual functions; mlxconfig sets them",
			a.Description.Name)
	}
	if file != "" {
		if err := c.Write([]script.File{{Path: file, Data: []byte(strings.Join(lines, "\n") + "\n")}}); err != nil {
			return exec.Answer{}, err
		}
	}
	return exec.PrintLines(lines, struct {
		Lines []string `json:"lines"`
		File  string   `json:"file,omitempty"`
	}{lines, file}), nil
}
