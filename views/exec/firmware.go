package exec

import (
	"cmp"
	"fmt"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/driver/virtualization"
)

// deviceType returns mlxconfig's name for a PCI device id.
func deviceType(id uint16) string {
	return cmp.Or(map[uint16]string{
		0x1003: "ConnectX3", 0x1007: "ConnectX3Pro", 0x1013: "ConnectX4", 0x1015: "ConnectX4LX", 0x1017: "ConnectX5",
		0x1019: "ConnectX5",
		0x101b: "ConnectX6", 0x101d: "ConnectX6DX", 0x101f: "ConnectX6LX", 0x1021: "ConnectX7",
	}[id], fmt.Sprintf("MT%d", id))
}

// DeviceRow is a device of the firmware tools as JSON.
type DeviceRow struct {
	Device  string `json:"device"`
	Type    string `json:"device_type"`
	Adapter string `json:"adapter"`
	PCI     string `json:"pci"`
}

// DeviceOf returns the device row of a card.
func DeviceOf(a *driver.AdapterView) DeviceRow {
	return DeviceRow{a.DeviceName, deviceType(a.Description.DeviceID), a.Description.Name, a.Description.PCI.String()}
}

// SettingsResult is the JSON result of a query.
type SettingsResult struct {
	Device   DeviceRow                     `json:"device"`
	Settings []virtualization.FirmwareView `json:"settings"`
}

// FirmwareSetting finds a setting by its name. Two settings differ only in case, so an exact match wins over a match in
// another case.
func FirmwareSetting(a *driver.AdapterView, name string) (*virtualization.FirmwareView, error) {
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
	return nil, request.Errorf("the firmware of %s has no setting %q%s", a.Description.Name, name, Suggest(name, names,
		"firmware show prints the names"))
}

// Assignments reads NAME=VALUE for the settings of a card; only is the tool that may set them, empty for any.
func Assignments(a *driver.AdapterView, words []string, only string) (values []virtualization.FirmwareValue, err error) {
	for _, word := range words {
		name, value, given := strings.Cut(word, "=")
		if !given || name == "" {
			return nil, Mistake("invalid setting %q: write NAME=VALUE, such as SRIOV_EN=1", word)
		}
		f, err := FirmwareSetting(a, name)
		switch {
		case err != nil:
			return nil, err
		case only != "" && f.Tool != only:
			return nil, fmt.Errorf("%s is not a setting of %s: it is part of the image that %s burns; firmware set changes it",
				f.Name, only, f.Tool)
		}
		if strings.EqualFold(value, "N/A") {
			value = ""
		}
		values = append(values, virtualization.FirmwareValue{Name: f.Name, Value: value})
	}
	if len(values) == 0 {
		return nil, Mistake("a setting is required: write NAME=VALUE, such as SRIOV_EN=1")
	}
	return values, nil
}

// CleanLines joins lines, without control characters.
func CleanLines(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(Clean(line) + "\n")
	}
	return b.String()
}

// Try applies a plan to a copy of the host, and returns the error.
func (c *Call) Try(plan driver.Plan) error {
	return c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		_, err := h.Clone().Apply(plan)
		return err
	})
}
