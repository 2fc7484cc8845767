package twin

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"cxdeck/driver/registry/regfile"
)

// Facts are what the exports of a host say.
type Facts struct {
	sources []string
	// keys are the registry keys of all files in their order, and roots the keys that were exported completely.
	keys  []regfile.Key
	roots []string
	index map[string]map[string]*regfile.Value // by path and name, in lower case

	adapters, hardware, properties, sriov           []row
	teams, members, teamNICs                        []row
	switches, machines, machineAdapters             []row
	policies, flowControl, classes, dcbx, addresses []row
	host, system                                    string
	processors, nodes                               int
	cards                                           []cardText
	settings                                        map[string]map[string]int // firmware settings by device
	queried                                         []string                  // devices whose settings were printed, even if all are N/A
	unknown                                         []string
	// linux are the ports of a Linux machine by name, nil without its bundle; kernel is its kernel, and notes say how its settings were read.
	linux  map[string]linuxPort
	kernel string
	notes  []string
	// empty are the files of the collector, by name without its ending, that have nothing in them: the host has no teams, for instance.
	empty map[string]bool
	// samples are the counts in bundles.
	samples []*Samples
}

// Samples returns the counts that a bundle has, nil for none.
func (f *Facts) Samples() *Samples {
	if len(f.samples) == 0 {
		return nil
	}
	return f.samples[0]
}

// cardText is what the text of a program says of a card.
type cardText struct {
	connection, pci, psid, firmware, driver string
	deviceID                                int
	nodeGUID                                uint64
	link                                    string
	ports                                   []portText
}

// portText is what the text of a program says of a port.
type portText struct {
	device string
	guid   uint64
	link   string
	roce   string // "v1.0", "v2"
}

// UnknownFileError is a file that is no export.
type UnknownFileError struct{ Name string }

// Error lists what can be read.
func (e *UnknownFileError) Error() string {
	return fmt.Sprintf("%s is no export that a twin can be made from: registry files (.reg), JSON of Get-NetAdapter and other cmdlets of "+
		"cxdeck twin script, the bundle of cxdeck twin collect, and texts of mlxconfig, vstat, mlx5cmd -stat and the snapshot", clean(e.Name))
}

// IsLog reports whether a file begins as a Performance Monitor log does; its rows are read elsewhere.
func IsLog(data []byte) bool {
	if len(data) > 64 {
		data = data[:64]
	}
	if len(data)%2 != 0 {
		data = data[:len(data)-1]
	}
	text, err := decodeText(data)
	return err == nil && strings.HasPrefix(strings.TrimLeft(text, `"`), "(PDH-")
}

// Add reads a file, which is recognised by its content, and returns what it is. An error is one sentence and names the file.
func (f *Facts) Add(name string, data []byte) (what string, err error) {
	what, err = f.add(name, data)
	if err != nil {
		if _, ok := err.(*UnknownFileError); ok { //nolint:errorlint // add returns it as it is
			return "", err
		}
		return "", fmt.Errorf("%s can't be read: %w", clean(name), err)
	}
	f.sources = append(f.sources, clean(name)+": "+what)
	return what, nil
}

func (f *Facts) add(name string, data []byte) (what string, err error) {
	if isRegistry(data) {
		return f.addRegistry(data)
	}
	if len(data) > MaxBytes {
		return "", fmt.Errorf("it has more than %d MB", MaxBytes>>20)
	}
	text, err := decodeText(data)
	if err != nil {
		return "", err
	}
	trimmed := strings.TrimSpace(text)
	switch {
	case trimmed == "":
		return f.addEmpty(name), nil
	case trimmed[0] == '[' || trimmed[0] == '{':
		rows, err := parseRows(trimmed)
		if err != nil {
			return "", err
		}
		if len(rows) == 0 {
			return f.addEmpty(name), nil
		}
		if rows[0].has("cxdeck_bundle") {
			return f.addLinux(trimmed)
		}
		if what = f.addRows(rows); what == "" {
			return "", &UnknownFileError{name}
		}
		return what, nil
	}
	if what = f.addText(text); what == "" {
		return "", &UnknownFileError{name}
	}
	return what, nil
}

// addEmpty takes an empty file: only its name says what the host has none of.
func (f *Facts) addEmpty(name string) (what string) {
	if f.empty == nil {
		f.empty = map[string]bool{}
	}
	base, _, _ := strings.Cut(strings.ToLower(name), ".")
	f.empty[base] = true
	return "empty, as of a cmdlet that found nothing"
}

// isRegistry reports whether a file is a registry file, by its first line in any encoding.
func isRegistry(data []byte) bool {
	head := data[:min(len(data), 160)]
	plain := strings.TrimLeft(strings.Map(func(r rune) rune {
		if r == 0 {
			return -1
		}
		return r
	}, string(head)), "\uFFFD\uFEFF \r\n")
	return strings.HasPrefix(plain, "Windows Registry Editor") || strings.HasPrefix(plain, "REGEDIT4")
}

// maker matches the descriptions of the adapters of this program.
var maker = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)mellanox|nvidia connectx|nvidia bluefield|connectx|bluefield`)
})

// isOurs reports whether a description is of an adapter of the ConnectX family, not of a virtual function or a team.
func isOurs(description string) bool {
	folded := strings.ToLower(description)
	return maker().MatchString(description) && !strings.Contains(folded, "virtual") && !strings.Contains(folded, "multiplexer")
}

// addRows takes the objects of a cmdlet, which are recognised by their properties.
func (f *Facts) addRows(rows []row) (what string) {
	first := rows[0]
	add := func(to *[]row, cmdlet string) string {
		*to = append(*to, rows...)
		return "the output of " + cmdlet
	}
	switch {
	case first.has("registrykeyword", "registryvalue"):
		return add(&f.properties, "Get-NetAdapterAdvancedProperty")
	case first.has("numanode") && (first.has("bus") || first.has("busnumber")):
		return add(&f.hardware, "Get-NetAdapterHardwareInfo")
	case first.has("teamingmode"):
		return add(&f.teams, "Get-NetLbfoTeam")
	case first.has("team", "administrativemode"):
		return add(&f.members, "Get-NetLbfoTeamMember")
	case first.has("team", "vlanid"):
		return add(&f.teamNICs, "Get-NetLbfoTeamNic")
	case first.has("switchtype"):
		return add(&f.switches, "Get-VMSwitch")
	case first.has("switchname", "ismanagementos"):
		return add(&f.machineAdapters, "Get-VMNetworkAdapter")
	case first.has("name", "state") && (first.has("memorystartup") || first.has("memoryassigned") || first.has("vmid")):
		return add(&f.machines, "Get-VM")
	case first.has("sriovport1numvfs"):
		return add(&f.sriov, "Get-MlnxPCIDeviceSriovSetting")
	case first.has("algorithm", "priority"):
		return add(&f.classes, "Get-NetQosTrafficClass")
	case first.has("priority", "enabled"):
		return add(&f.flowControl, "Get-NetQosFlowControl")
	case first.has("precedence") || first.has("priorityvalue") || first.has("priorityvalue8021action"):
		return add(&f.policies, "Get-NetQosPolicy")
	case first.has("willing"):
		return add(&f.dcbx, "Get-NetQosDcbxSetting")
	case first.has("ipaddress", "prefixlength"):
		return add(&f.addresses, "Get-NetIPAddress")
	case first.has("interfacedescription", "name") && (first.has("macaddress") || first.has("interfaceguid")):
		return add(&f.adapters, "Get-NetAdapter")
	case first.has("numberoflogicalprocessors"):
		if n, ok := first.number("numberoflogicalprocessors"); ok && n > 0 && n <= maxProcessors {
			f.processors = int(n)
		}
		f.name(first.text("name", "dnshostname"))
		return "the processors of the host"
	case first.has("caption") && (first.has("csname") || first.has("buildnumber")):
		f.system = strings.TrimPrefix(first.text("caption"), "Microsoft ")
		f.name(first.text("csname"))
		return "the operating system of the host"
	}
	return ""
}

// name takes the name of the host, if none is known yet.
func (f *Facts) name(text string) {
	if f.host == "" {
		f.host = clean(text)
	}
}
