package firmware

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cxdeck/device/firmware"
	"cxdeck/device/firmware/image"
	"cxdeck/driver/request"
)

// maxINI is the maximum size of an ini file in bytes.
const maxINI = 1 << 20

// iniLines returns the ini file of an image, and the lines of its section about virtual functions alone. A field without a value is not
// in the file, as on a card that came without virtual functions.
func iniLines(i *image.Image) (all, functions []string) {
	functions = []string{"[HCA]"}
	for _, name := range []string{"num_pfs", firmware.TotalVFs, firmware.ImageIOV} {
		value, set := i.Settings[name]
		s, ok := firmware.Find(true, name)
		switch {
		case !ok:
			continue
		case !set:
			value = s.Usual
		}
		text := fmt.Sprint(value)
		if name == firmware.ImageIOV {
			text = fmt.Sprint(value == 1)
		}
		functions = append(functions, name+" = "+text)
	}
	all = []string{";; FW Version: " + i.Version, "[PS_INFO]", "PSID = " + i.PSID, fmt.Sprintf("device_id = 0x%04x", i.Devices[0])}
	return append(all, functions...), functions
}

// iniFile is what mlxburn takes from an ini file.
type iniFile struct {
	psid     string
	device   uint16
	settings map[string]uint32
}

// readINI reads an ini file: flint dc writes one, and the operator edits it. Of a field that stands there twice the last value counts, and
// fields that the lab does not know are ignored.
func readINI(data []byte) (ini iniFile, err error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return ini, errors.New("it is not a text file in ANSI or UTF-8")
	}
	ini.settings = map[string]uint32{}
	section := ""
	for n, line := range strings.Split(string(data), "\n") {
		line, _, _ = strings.Cut(line, ";")
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if name, ok := strings.CutPrefix(line, "["); ok {
			name, closed := strings.CutSuffix(name, "]")
			if !closed || strings.TrimSpace(name) == "" {
				return ini, request.Errorf("line %d: %q is no section: a section stands in brackets", n+1, line)
			}
			section = strings.ToUpper(strings.TrimSpace(name))
			continue
		}
		name, value, given := strings.Cut(line, "=")
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
		if !given || name == "" {
			return ini, request.Errorf("line %d: %q is no field: a field is NAME = VALUE", n+1, line)
		}
		switch {
		case section == "PS_INFO" && name == "psid":
			ini.psid = value
		case section == "PS_INFO" && name == "device_id":
			id, err := strconv.ParseUint(value, 0, 16)
			if err != nil {
				return ini, request.Errorf("line %d: %q is no device id", n+1, value)
			}
			ini.device = uint16(id)
		}
		s, known := firmware.Find(true, name)
		if section != "HCA" || !known || s.Tool != firmware.Image {
			continue
		}
		number, err := s.Parse(value)
		if err != nil {
			return ini, fmt.Errorf("line %d: %w", n+1, err)
		}
		ini.settings[name] = number
	}
	if ini.psid == "" || ini.device == 0 {
		return ini, errors.New("it has no PSID or no device_id in the section [PS_INFO]; flint dc writes them")
	}
	return ini, nil
}

// settingNames returns the names of settings in order.
func settingNames(settings map[string]uint32) []string { return slices.Sorted(maps.Keys(settings)) }
