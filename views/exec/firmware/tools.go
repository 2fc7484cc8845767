package firmware

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/request"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
)

// The transcripts of the manuals pin the output of mst, mlxconfig, mlxfwreset and flint.

// firmwareTools returns the tools that take -d DEVICE before or after their verb. Each maps the spellings of its verbs to the
// one in the command table.
func firmwareTools() map[string]map[string]string {
	return map[string]map[string]string{
		"mlxconfig":  {"q": "q", "query": "q", "s": "set", "set": "set", "reset": "reset", "show_confs": "show_confs"},
		"mlxfwreset": {"r": "r", "reset": "r"},
		"flint":      {"dc": "dc", "q": "q", "query": "q", "v": "v", "verify": "v", "b": "b", "burn": "b", "ri": "ri"},
	}
}

// firmwareVerbFirst moves the verb of a firmware tool before its options, and replaces it by the spelling in the table.
func firmwareVerbFirst(words []string) []string {
	if len(words) < 2 {
		return words
	}
	verbs := firmwareTools()[strings.TrimSuffix(strings.ToLower(words[0]), ".exe")]
	if verbs == nil {
		return words
	}
	unknown := 0 // index of an unknown word at the place of the verb
	for i := 1; i < len(words); i++ {
		if verb, ok := verbs[strings.ToLower(words[i])]; ok {
			return slices.Concat([]string{words[0], verb}, words[1:i], words[i+1:])
		}
		switch word := strings.ToLower(words[i]); {
		case isDeviceFlag(word) || isImageFlag(word):
			i++ // skip the device or the file
		case unknown == 0 && !strings.HasPrefix(word, "-"):
			unknown = i
		}
	}
	if unknown > 0 {
		return []string{words[0], words[unknown]}
	}
	return words[:1] // there is no verb
}

// isDeviceFlag reports whether a word in lower case is the flag before a device, isImageFlag before the file of an image.
func isDeviceFlag(word string) bool { return word == "-d" || word == "-dev" || word == "--device" }
func isImageFlag(word string) bool  { return word == "-i" || word == "-image" || word == "--image" }

// toolOptions has the parsed options of a firmware tool.
type toolOptions struct {
	device string
	yes    bool
	// extended reports -e: print the defaults, too.
	extended bool
	rest     []string
}

// cardOptions parses the options of a tool and finds the card of -d. See readOptions.
func cardOptions(c *exec.Call, tool string, extended bool, yes ...string) (toolOptions, *driver.AdapterView, error) {
	o, err := readOptions(c, tool, extended, yes...)
	if err != nil {
		return o, nil, err
	}
	a, err := findCard(c, o.device)
	return o, a, err
}

// readOptions parses the options of a tool. extended accepts -e; yes lists the options that answer the tool's question.
func readOptions(c *exec.Call, tool string, extended bool, yes ...string) (o toolOptions, err error) {
	for i := 0; i < len(c.Arguments); i++ {
		switch word := strings.ToLower(c.Arguments[i]); {
		case isDeviceFlag(word):
			if i++; i == len(c.Arguments) {
				return o, exec.Mistake("%s requires a device after %s; mst status lists them", tool, c.Arguments[i-1])
			}
			o.device = c.Arguments[i]
		case slices.Contains(yes, word):
			o.yes = true
		case extended && word == "-e":
			o.extended = true
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

// findCard finds a card by its name in mst status; the path before it, as on Linux, is optional.
func findCard(c *exec.Call, name string) (*driver.AdapterView, error) {
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
	return nil, request.Errorf("there is no device %q%s", name, exec.Suggest(name, names, "mst status lists the devices"))
}

// mstStatus implements mst status: it lists the devices, with -v also their PCI addresses.
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

// deviceLines returns the lines that mlxconfig prints before the settings of a device.
func deviceLines(d *exec.DeviceRow) []string {
	return []string{"Device #1:", "----------", "Device type: " + d.Type, "PCI device: " + d.Device, ""}
}

// columns formats settings as a table. cells returns the cells of a row for the headings.
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

// listedSettings returns the settings that mlxconfig q lists, or with all the settings that show_confs lists. Settings that few
// cards need are listed once they are set.
func listedSettings(a *driver.AdapterView, all bool) []virtualization.FirmwareView {
	rows := []virtualization.FirmwareView{}
	for i := range a.Firmware {
		if f := &a.Firmware[i]; f.Shown || f.Tool == "mlxconfig" && (all || f.Next != virtualization.NotSet) {
			rows = append(rows, *f)
		}
	}
	return rows
}

// mlxfwreset implements mlxfwreset r: it restarts the card, so that pending settings take effect.
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
	return c.ApplyOne(adapters.ResetCard{Adapter: a.Description.Name})
}
