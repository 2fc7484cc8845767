package windows

import (
	"cxdeck/driver/linuxhost"
	"cxdeck/perf"
)

// Sheets returns the tables of a machine: its adapters, and the registry of adapters and services.
func Sheets(m *linuxhost.Machine) []perf.Sheet {
	adapters := perf.Sheet{Topic: perf.HostTopic, Title: "Adapters", Columns: []string{"KEY", "CONNECTION", "DEVICE", "DRIVER"}}
	sheets := []perf.Sheet{adapters}
	for i := range m.Interfaces {
		one := &m.Interfaces[i]
		if one.Kind == "" {
			row := []string{one.Adapter, one.Name}
			for _, fact := range one.Facts {
				row = append(row, fact.Value)
			}
			sheets[0].Rows = append(sheets[0].Rows, row)
		}
		keys := perf.Sheet{Topic: perf.RegistryTopic, Title: "Registry of " + one.Name, Columns: []string{"KEY", "VALUE", "TYPE", "RANGE", "MEANING"}}
		for _, s := range one.Settings {
			if s.Value != linuxhost.NoValue {
				keys.Rows = append(keys.Rows, []string{s.Name, s.Value, s.Type, s.Limit, s.Meaning})
			}
		}
		if len(keys.Rows) > 0 {
			sheets = append(sheets, keys)
		}
	}
	if len(m.Unread) > 0 {
		unread := perf.Sheet{Topic: perf.HostTopic, Title: "Not read", Columns: []string{"WHAT AND WHY"}}
		for _, text := range m.Unread {
			unread.Rows = append(unread.Rows, []string{text})
		}
		sheets = append(sheets, unread)
	}
	return sheets
}
