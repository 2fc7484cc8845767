package twin

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cxdeck/driver/registry"
	"cxdeck/driver/registry/regfile"
)

// The registry keys of an export.
const (
	control        = `HKLM\SYSTEM\CurrentControlSet\Control`
	networkGUID    = "{4d36e972-e325-11ce-bfc1-08002be10318}"
	systemGUID     = "{4d36e97d-e325-11ce-bfc1-08002be10318}"
	networkClass   = control + `\Class\` + networkGUID
	systemClass    = control + `\Class\` + systemGUID
	networkControl = control + `\Network\` + networkGUID
	services       = `HKLM\SYSTEM\CurrentControlSet\Services`
	tcpip          = services + `\Tcpip\Parameters` // of whose values only the setting of RSS is kept
	devices        = `HKLM\SYSTEM\CurrentControlSet\Enum`
)

// maxLines is the maximum number of lines of the registry in a twin.
const maxLines = 60_000

// addRegistry takes the keys of a registry file.
func (f *Facts) addRegistry(data []byte) (what string, err error) {
	file, err := regfile.Parse(data)
	if err != nil {
		return "", err
	}
	if f.index == nil {
		f.index = map[string]map[string]*regfile.Value{}
	}
	for i := range file.Keys {
		k := &file.Keys[i]
		path, err := registry.NormalPath(k.Path)
		if err != nil {
			return "", fmt.Errorf("line %d: %w", k.Line, err)
		}
		if k.Delete {
			return "", fmt.Errorf("line %d: the file deletes a key, which no export does", k.Line)
		}
		k.Path = path
		if i == 0 || isOwnKey(path) {
			f.roots = append(f.roots, path)
		}
		names := f.index[strings.ToLower(path)]
		if names == nil {
			names = map[string]*regfile.Value{}
			f.index[strings.ToLower(path)] = names
		}
		for j := range k.Values {
			names[strings.ToLower(k.Values[j].Name)] = &k.Values[j]
		}
	}
	f.keys = append(f.keys, file.Keys...)
	if len(file.Keys) == 0 {
		return "a registry file without keys", nil
	}
	return "the registry below " + cleanTo(file.Keys[0].Path, 200), nil
}

// isOwnKey reports whether a key is one whose values an export has completely: the class key of an adapter, or the key of a driver.
func isOwnKey(path string) bool {
	if below, ok := registry.BelowPath(path, networkClass); ok {
		return strings.Count(below, `\`) == 1
	}
	below, ok := registry.BelowPath(path, services)
	return ok && strings.Count(below, `\`) == 1 && strings.HasPrefix(strings.ToLower(below), `\mlx`)
}

// text returns the text of a value of the registry, and number its number.
func (f *Facts) text(path, name string) string {
	v := f.index[strings.ToLower(path)][strings.ToLower(name)]
	if v == nil || v.Delete {
		return ""
	}
	if text, ok := v.Text(); ok {
		return clean(text)
	}
	if n, ok := v.Number(); ok {
		return strconv.FormatUint(n, 10)
	}
	return ""
}

func (f *Facts) number(path, name string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(f.text(path, name)))
	return n, err == nil
}

// pciFact is what the registry says of a PCI function.
type pciFact struct {
	vendor, device, subvendor, subsystem uint16
	revision                             uint8
	bus, slot, function                  int
	located                              bool
	nodeGUID                             uint64
	service                              string
}

var (
	pciIDs = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)VEN_([0-9A-F]{4})&DEV_([0-9A-F]{4})(?:&SUBSYS_([0-9A-F]{4})([0-9A-F]{4}))?(?:&REV_([0-9A-F]{2}))?`)
	})
	pciPlace    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\((\d{1,3}),(\d{1,2}),(\d)\)\s*$`) })
	guidAndPort = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^([0-9A-F]{16})(\d\d)$`) })
	fourDigits  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d{4}$`) })
)

// instanceFact reads the ids of a device instance: PCI\VEN_15B3&DEV_1017&SUBSYS_006915B3&REV_00\248A070300A4E1D000.
func instanceFact(instance string) (p pciFact, ok bool) {
	match := pciIDs().FindStringSubmatch(instance)
	if match == nil {
		return p, false
	}
	hex := func(text string) uint16 {
		n, _ := strconv.ParseUint(text, 16, 16) // the expression has hexadecimal digits or nothing
		return uint16(n)
	}
	p.vendor, p.device, p.subsystem, p.subvendor, p.revision = hex(match[1]), hex(match[2]), hex(match[3]), hex(match[4]), uint8(hex(match[5]))
	tail := instance[strings.LastIndex(instance, `\`)+1:]
	if match := guidAndPort().FindStringSubmatch(tail); match != nil {
		p.nodeGUID, _ = strconv.ParseUint(match[1], 16, 64)
		function, _ := strconv.Atoi(match[2])
		p.function = function % 8
	}
	return p, true
}

// pciFacts returns the PCI functions of the registry by the class key of their driver: "{4d36e972-...}\0007", in lower case.
func (f *Facts) pciFacts() map[string]pciFact {
	all := map[string]pciFact{}
	for i := range f.keys {
		path := f.keys[i].Path
		below, ok := registry.BelowPath(path, devices+`\PCI`)
		if !ok || strings.Count(below, `\`) != 2 {
			continue
		}
		p, ok := instanceFact(below)
		key := strings.ToLower(f.text(path, "Driver"))
		if !ok || key == "" {
			continue
		}
		p.service = strings.ToLower(f.text(path, "Service"))
		if match := pciPlace().FindStringSubmatch(f.text(path, "LocationInformation")); match != nil {
			p.bus, _ = strconv.Atoi(match[1])
			p.slot, _ = strconv.Atoi(match[2])
			p.function, _ = strconv.Atoi(match[3])
			p.located = p.bus < 256 && p.slot < 32 && p.function < 8
		}
		all[key] = p
	}
	return all
}

// classKeys returns the indexes of the class keys of our adapters, in order.
func (f *Facts) classKeys() (list []string) {
	for i := range f.keys {
		path := f.keys[i].Path
		below, ok := registry.BelowPath(path, networkClass)
		index := strings.TrimPrefix(below, `\`)
		if !ok || !fourDigits().MatchString(index) || slices.Contains(list, index) {
			continue
		}
		ids := strings.ToLower(f.text(path, "MatchingDeviceId") + f.text(path, "ComponentId"))
		description := f.text(path, "DriverDesc")
		known := isOurs(description) || description == "" && (strings.Contains(ids, "ven_15b3") || strings.HasPrefix(ids, `mlx4\`) || f.text(path, "ParentBusRegPath") != "")
		if known {
			list = append(list, index)
		}
	}
	slices.Sort(list)
	return list
}

// connectionOf returns the name of the connection with an interface GUID, from the keys of network connections.
func (f *Facts) connectionOf(guid string) string {
	if guid == "" {
		return ""
	}
	return f.text(networkControl+`\`+guid+`\Connection`, "Name")
}

// busClass returns the index of the class key of the bus device in ParentBusRegPath; empty for none.
func busClass(path string) string {
	path = strings.TrimSuffix(path, `\`)
	index := path[strings.LastIndex(path, `\`)+1:]
	if !fourDigits().MatchString(index) || !strings.Contains(strings.ToLower(path), systemGUID) {
		return ""
	}
	return index
}

// lines returns the lines of the registry file of a twin with some class keys of ports and bus devices.
func (f *Facts) lines(ports, buses []string) (lines []string, err error) {
	file := &regfile.File{Encoding: regfile.UTF8}
	at := map[string]int{}
	for i := range f.keys {
		k := f.keys[i]
		if !f.belongs(k.Path, ports, buses) {
			continue
		}
		full := registry.FullPath(k.Path)
		n, again := at[strings.ToLower(full)]
		if !again {
			n = len(file.Keys)
			at[strings.ToLower(full)] = n
			file.Keys = append(file.Keys, regfile.Key{Path: full})
		}
		for _, v := range k.Values {
			if v.Delete || strings.EqualFold(k.Path, tcpip) && !strings.EqualFold(v.Name, "EnableRSS") {
				continue
			}
			same := func(other regfile.Value) bool { return strings.EqualFold(other.Name, v.Name) }
			if j := slices.IndexFunc(file.Keys[n].Values, same); j >= 0 {
				file.Keys[n].Values[j] = v
				continue
			}
			file.Keys[n].Values = append(file.Keys[n].Values, v)
		}
	}
	data, err := regfile.Encode(file)
	if err != nil {
		return nil, err
	}
	text, err := decodeText(data)
	if err != nil {
		return nil, err
	}
	lines = strings.Split(strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
	if len(lines) > maxLines {
		return nil, errors.New("the registry files have more than 60000 lines that a twin keeps; export only the keys that cxdeck twin script exports")
	}
	if len(lines) > 1 {
		lines = lines[2:] // the heading and an empty line
	} else {
		lines = nil
	}
	return lines, nil
}

// belongs reports whether a twin keeps a key.
func (f *Facts) belongs(path string, ports, buses []string) bool {
	if below, ok := registry.BelowPath(path, networkClass); ok {
		return slices.Contains(ports, strings.TrimPrefix(below, `\`))
	}
	if below, ok := registry.BelowPath(path, systemClass); ok {
		index, _, _ := strings.Cut(strings.TrimPrefix(below, `\`), `\`)
		return slices.Contains(buses, index)
	}
	if below, ok := registry.BelowPath(path, services+`\Tcpip`); ok {
		return strings.EqualFold(below, `\Parameters`)
	}
	if below, ok := registry.BelowPath(path, services); ok {
		return !strings.HasSuffix(strings.ToLower(below), `\enum`)
	}
	_, isDevice := registry.BelowPath(path, devices)
	_, isConnection := registry.BelowPath(path, networkControl)
	_, isClass := registry.BelowPath(path, control+`\Class`)
	return !isDevice && !isConnection && !isClass
}
