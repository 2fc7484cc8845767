package exec

import (
	"io"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
)

// firmwareShow shows the settings in the flash of a card.
func firmwareShow(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	cards := view.Adapters
	if len(c.arguments) > 0 {
		at, _, err := findAdapter(view, c.arguments[0])
		if err != nil {
			return answer{}, err
		}
		cards = cards[at : at+1]
	}
	results := []settingsResult{}
	for i := range cards {
		one := settingsResult{deviceOf(&cards[i]), []settingRow{}}
		for j := range cards[i].Firmware {
			one.Settings = append(one.Settings, settingOf(&cards[i].Firmware[j]))
		}
		results = append(results, one)
	}
	return answer{
		result: struct {
			Cards []settingsResult `json:"cards"`
		}{results},
		text: func(w io.Writer) error {
			t := newTable(w, "CARD", "DEVICE", "SETTING", "NOW", "NEXT BOOT", "DEFAULT", "RANGE", "TOOL")
			for _, one := range results {
				for _, s := range one.Settings {
					t.row(one.Device.Adapter, one.Device.Device, s.Name, s.Current, s.Next, s.Default,
						strconv.Itoa(int(s.Least))+" to "+strconv.Itoa(int(s.Most)), s.Tool)
				}
			}
			return t.Flush()
		},
	}, nil
}

// firmwareSet sets settings of either tool.
func firmwareSet(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	at, _, err := findAdapter(view, c.arguments[0])
	if err != nil {
		return answer{}, err
	}
	values, err := assignments(&view.Adapters[at], c.arguments[1:], "")
	if err != nil {
		return answer{}, err
	}
	return c.one(driver.SetFirmware{Adapter: view.Adapters[at].Description.Name, Values: values})
}

// biosRow is a switch of the computer's firmware as JSON.
type biosRow struct {
	Name    string `json:"name"`
	On      bool   `json:"on"`
	Next    bool   `json:"next"`
	Meaning string `json:"meaning"`
}

func biosRows(m *virtualization.MachineView) []biosRow {
	return []biosRow{
		{"sriov", m.SRIOV, m.Next.SRIOV, "cards may have virtual functions"},
		{"virtualization", m.Virtualization, m.Next.Virtualization, "the processor and its input and output are virtualized"},
		{"above-4g", m.Above4G, m.Next.Above4G, "cards have addresses beyond the first 4 GB"},
	}
}

// biosShow shows the switches of the computer's firmware, and the address space for cards.
func biosShow(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	m := &view.Machine
	rows := biosRows(m)
	return answer{
		result: struct {
			Switches []biosRow `json:"switches"`
			Space    int       `json:"space_mb"`
			Used     int       `json:"used_mb"`
			Support  bool      `json:"iov_support"`
			Reasons  []string  `json:"iov_support_reasons"`
		}{rows, m.Space, m.Used, m.IovSupport, m.IovSupportReasons},
		text: func(w io.Writer) error {
			t := newTable(w, "SWITCH", "NOW", "NEXT BOOT", "MEANING")
			for _, r := range rows {
				t.row(r.Name, onOff(r.On), onOff(r.Next), r.Meaning)
			}
			t.row()
			t.row("Address space", strconv.Itoa(m.Used)+" of "+strconv.Itoa(m.Space)+" MB used by virtual functions")
			t.row("SR-IOV", strings.Join(m.IovSupportReasons, " "))
			return t.Flush()
		},
	}, nil
}

// biosSet sets switches of the computer's firmware from the next boot on.
func biosSet(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	o := driver.SetBIOS{Host: view.Name}
	into := map[string]**bool{"sriov": &o.SRIOV, "virtualization": &o.Virtualization, "above-4g": &o.Above4G}
	for _, word := range c.arguments {
		name, value, _ := strings.Cut(word, "=")
		on, ok := truths()[strings.ToLower(value)]
		set := into[strings.ToLower(name)]
		switch {
		case set == nil:
			names := []string{"sriov", "virtualization", "above-4g"}
			return answer{}, mistake("the BIOS has no switch %q%s", name, suggest(name, names, "it has "+strings.Join(names,
				", ")))
		case !ok:
			return answer{}, mistake("%s is on or off: write %s=on", name, name)
		}
		*set = &on
	}
	return c.one(o)
}
