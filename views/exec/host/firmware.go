package host

import (
	"io"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// firmwareShow prints the firmware settings of a card, or of all cards.
func firmwareShow(_ *exec.Call, in *struct {
	View *driver.View
	Card *driver.AdapterView
}) (exec.Answer, error) {
	cards := in.View.Adapters
	if in.Card != nil {
		cards = []driver.AdapterView{*in.Card}
	}
	results := []exec.SettingsResult{}
	for i := range cards {
		result := exec.SettingsResult{Device: exec.DeviceOf(&cards[i]), Settings: []virtualization.FirmwareView{}}
		result.Settings = append(result.Settings, cards[i].Firmware...)
		results = append(results, result)
	}
	return exec.Answer{
		Result: struct {
			Cards []exec.SettingsResult `json:"cards"`
		}{results},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "CARD", "DEVICE", "SETTING", "NOW", "NEXT BOOT", "DEFAULT", "RANGE", "TOOL")
			for _, result := range results {
				for _, s := range result.Settings {
					t.Row(result.Device.Adapter, result.Device.Device, s.Name, s.Current, s.Next, s.Default,
						strconv.Itoa(int(s.Low))+" to "+strconv.Itoa(int(s.High)), s.Tool)
				}
			}
			return t.Flush()
		},
	}, nil
}

// firmwareSet changes firmware settings, of mlxconfig and of flint.
func firmwareSet(c *exec.Call, in *struct {
	Card     *driver.AdapterView
	Settings []string
}) (exec.Answer, error) {
	values, err := exec.Assignments(in.Card, in.Settings, "")
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(virtualization.SetFirmware{Adapter: in.Card.Description.Name, Values: values})
}

// biosRow is a BIOS setting as JSON.
type biosRow struct {
	Name    string `json:"name"`
	On      bool   `json:"on"`
	Next    bool   `json:"next"`
	Meaning string `json:"meaning"`
}

func biosRows(m *virtualization.MachineView) []biosRow {
	return []biosRow{
		{"sriov", m.SRIOV, m.Next.SRIOV, "virtual functions of cards are enabled"},
		{"virtualization", m.Virtualization, m.Next.Virtualization, "processor and I/O virtualization are enabled"},
		{"above-4g", m.Above4G, m.Next.Above4G, "cards can have addresses above 4 GB"},
	}
}

// biosShow prints the BIOS settinges, the address space for cards, and whether the host supports SR-IOV.
func biosShow(c *exec.Call, view *driver.View) (exec.Answer, error) {
	m := &view.Machine
	rows := biosRows(m)
	return exec.Answer{
		Result: struct {
			Switches []biosRow `json:"switches"`
			Space    int       `json:"space_mb"`
			Used     int       `json:"used_mb"`
			Support  bool      `json:"iov_support"`
			Reasons  []string  `json:"iov_support_reasons"`
		}{rows, m.Space, m.Used, m.IovSupport, m.IovSupportReasons},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "SWITCH", "NOW", "NEXT BOOT", "MEANING")
			for _, r := range rows {
				t.Row(r.Name, wording.OnOff(r.On), wording.OnOff(r.Next), r.Meaning)
			}
			t.Row()
			t.Row("Address space", strconv.Itoa(m.Used)+" of "+strconv.Itoa(m.Space)+" MB used by virtual functions")
			t.Row("SR-IOV", strings.Join(m.IovSupportReasons, " "))
			return t.Flush()
		},
	}, nil
}

// biosSet changes BIOS settinges from the next boot on.
func biosSet(c *exec.Call, view *driver.View) (exec.Answer, error) {
	o := virtualization.SetBIOS{Host: view.Name}
	into := map[string]**bool{"sriov": &o.SRIOV, "virtualization": &o.Virtualization, "above-4g": &o.Above4G}
	for _, word := range c.Arguments {
		name, value, _ := strings.Cut(word, "=")
		on, ok := exec.BooleanWords()[strings.ToLower(value)]
		set := into[strings.ToLower(name)]
		switch {
		case set == nil:
			names := []string{"sriov", "virtualization", "above-4g"}
			return exec.Answer{}, exec.Mistake("the BIOS has no setting %q%s", name, exec.Suggest(name, names, "it has "+strings.Join(names,
				", ")))
		case !ok:
			return exec.Answer{}, exec.Mistake("%s must be on or off: write %s=on", name, name)
		}
		*set = &on
	}
	return c.ApplyOne(o)
}
