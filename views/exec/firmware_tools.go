package exec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
)

// The firmware tools of the vendor: mst, mlxconfig, mlxfwreset and flint. What they print is pinned by the transcripts
// of the manuals.

// firmwareTools are those that take a device before or behind their verb, with their verbs and what these are shortened
// to.
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
	// more says that all columns are wanted.
	more bool
	rest []string
}

// options reads them; yes lists the words that answer the tool's question.
func (c *call) options(tool string, more bool, yes ...string) (o toolOptions, err error) {
	for i := 0; i < len(c.arguments); i++ {
		switch word := strings.ToLower(c.arguments[i]); {
		case word == "-d" || word == "-dev" || word == "--device":
			if i++; i == len(c.arguments) {
				return o, mistake("%s needs the name of a device behind %s; mst status lists them", tool, c.arguments[i-1])
			}
			o.device = c.arguments[i]
		case slices.Contains(yes, word):
			o.yes = true
		case more && word == "-e":
			o.more = true
		case strings.HasPrefix(word, "-"):
			return o, mistake("%s does not know %q%s", tool, c.arguments[i], suggest(word, append([]string{"-d"}, yes...),
				"help "+tool+
					" explains it"))
		default:
			o.rest = append(o.rest, c.arguments[i])
		}
	}
	if o.device == "" {
		return o, mistake("%s needs -d with the name of a device; mst status lists them", tool)
	}
	return o, nil
}

// card is the card that the firmware tools call so; on Linux its name has a path before it.
func (c *call) card(name string) (*driver.AdapterView, error) {
	view, err := c.view()
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
	return nil, fmt.Errorf("no device is called %q%s", name, suggest(name, names, "mst status lists the devices"))
}

// deviceTypes is what mlxconfig calls the cards of a device id.
func deviceType(id uint16) string {
	return cmp.Or(map[uint16]string{
		0x1003: "ConnectX3", 0x1007: "ConnectX3Pro", 0x1013: "ConnectX4", 0x1015: "ConnectX4LX", 0x1017: "ConnectX5",
		0x1019: "ConnectX5",
		0x101b: "ConnectX6", 0x101d: "ConnectX6DX", 0x101f: "ConnectX6LX", 0x1021: "ConnectX7",
	}[id], fmt.Sprintf("MT%d", id))
}

// deviceRow is a device of the firmware tools as JSON.
type deviceRow struct {
	Device  string `json:"device"`
	Type    string `json:"device_type"`
	Adapter string `json:"adapter"`
	PCI     string `json:"pci"`
}

func deviceOf(a *driver.AdapterView) deviceRow {
	return deviceRow{a.DeviceName, deviceType(a.Description.DeviceID), a.Description.Name, a.Description.PCI.String()}
}

// mstStatus is mst status: the devices; -v says where they are, too.
func mstStatus(c *call) (answer, error) {
	verbose := len(c.arguments) == 1 && strings.EqualFold(c.arguments[0], "-v")
	if len(c.arguments) > 0 && !verbose {
		return answer{}, mistake("mst status takes -v, or nothing, and not %q", c.arguments[0])
	}
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	lines, rows := []string{"MST devices:", "------------"}, []deviceRow{}
	for i := range view.Adapters {
		d := deviceOf(&view.Adapters[i])
		rows = append(rows, d)
		line := d.Device
		if verbose {
			line = fmt.Sprintf("%-20s bus:dev.fn=%s  %s", d.Device, d.PCI, d.Adapter)
		}
		lines = append(lines, line)
	}
	return toldLines{lines, struct {
		Devices []deviceRow `json:"devices"`
	}{rows}}.answer(), nil
}

// settingRow is a setting of a card's firmware as JSON.
type settingRow struct {
	Name    string `json:"name"`
	Current string `json:"current"`
	Next    string `json:"next"`
	Default string `json:"default"`
	Least   uint32 `json:"least"`
	Most    uint32 `json:"most"`
	Tool    string `json:"tool"`
	Meaning string `json:"meaning,omitempty"`
}

func settingOf(f *virtualization.FirmwareView) settingRow {
	return settingRow{f.Name, f.Current, f.Next, f.Default, f.Low, f.High, f.Tool, f.Meaning}
}

// device are the lines that mlxconfig says of a device before its settings.
func (d *deviceRow) lines() []string {
	return []string{"Device #1:", "----------", "Device type: " + d.Type, "PCI device: " + d.Device, ""}
}

// columns writes settings with some of their columns below headings.
func columns(headings []string, rows []settingRow, cells func(*settingRow) []string) (lines []string) {
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

// queried are the settings that a plain query of mlxconfig lists.
func queried(a *driver.AdapterView, all bool) []settingRow {
	rows := []settingRow{}
	for i := range a.Firmware {
		if f := &a.Firmware[i]; f.Shown || all && f.Tool == "mlxconfig" {
			rows = append(rows, settingOf(f))
		}
	}
	return rows
}

// mlxfwreset is mlxfwreset r: the settings that wait count from now on, and the card starts anew.
func mlxfwreset(c *call) (answer, error) {
	o, err := c.options("mlxfwreset r", false, "-y", "--yes")
	if err != nil {
		return answer{}, err
	}
	a, err := c.card(o.device)
	switch {
	case err != nil:
		return answer{}, err
	case len(o.rest) > 0:
		return answer{}, mistake("unexpected argument %q: mlxfwreset -d DEVICE r --yes", o.rest[0])
	}
	q := question{
		before: fmt.Sprintf("%s (%s): the firmware starts anew, and the drivers of its ports with it.\n", a.DeviceName,
			Clean(a.Description.Name)),
		text: "Continue with reset? (y/n) [n] :", usual: "n",
	}
	yes, err := c.ask(q, answerOf(o.yes))
	if err == nil && !yes {
		err = answerNo("--yes")
	}
	if err != nil {
		return answer{}, err
	}
	return c.one(driver.ResetCard{Adapter: a.Description.Name})
}

// flintDump is flint dc: what of the image's ini file is about virtual functions. Into a file it goes with > FILE.
func flintDump(c *call) (answer, error) {
	file := ""
	if at := slices.Index(c.arguments, ">"); at >= 0 {
		if at != len(c.arguments)-2 {
			return answer{}, mistake("> needs the name of one file behind it, at the end")
		}
		file = c.arguments[at+1]
		c.arguments = c.arguments[:at]
	}
	o, err := c.options("flint dc", false)
	if err != nil {
		return answer{}, err
	}
	a, err := c.card(o.device)
	if err != nil {
		return answer{}, err
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
		return answer{}, fmt.Errorf("the image of %s has no ini file with virtual functions; mlxconfig sets them",
			a.Description.Name)
	}
	if file != "" {
		if err := c.write([]driver.File{{Path: file, Data: []byte(strings.Join(lines, "\n") + "\n")}}); err != nil {
			return answer{}, err
		}
	}
	return toldLines{lines, struct {
		Lines []string `json:"lines"`
		File  string   `json:"file,omitempty"`
	}{lines, file}}.answer(), nil
}
