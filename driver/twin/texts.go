package twin

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// maxCards is the maximum number of cards that the texts of programs describe, maxProcessors the maximum number of logical processors of a host.
const (
	maxCards      = 64
	maxProcessors = 4096
)

// addText takes the text of a program, which is recognised by its first lines.
func (f *Facts) addText(text string) (what string) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	switch {
	case strings.HasPrefix(strings.TrimSpace(text), "System snapshot of"):
		f.addSnapshot(text)
		return "the system snapshot"
	case strings.Contains(text, "Configurations:") && strings.Contains(text, "Device type:"):
		f.addSettings(text)
		return "the output of mlxconfig"
	case strings.Contains(text, "hca_idx="):
		f.addVstat(text)
		return "the output of vstat"
	case strings.Contains(text, "PCI Address:") && strings.Contains(text, "Driver Version:"):
		f.addStat(text)
		return "the output of mlx5cmd -stat"
	}
	return ""
}

// addSettings reads the firmware settings of mlxconfig -d DEVICE q, of one or several devices. With -e it prints the default, the current and the
// next value; the current one is taken.
func (f *Facts) addSettings(text string) {
	device, column := "", 0
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		label, value, found := strings.Cut(line, ":")
		switch {
		case found && (strings.EqualFold(label, "PCI device") || strings.EqualFold(label, "Device")):
			device, column = settingsDevice(value), 0
			continue
		case found && label == "Configurations":
			headings := strings.Fields(strings.ReplaceAll(value, "Next Boot", "NextBoot"))
			column = 1 + max(0, slices.Index(headings, "Current"))
			if len(f.queried) < maxCards && device != "" {
				f.queried = append(f.queried, device)
			}
			continue
		}
		fields := strings.Fields(strings.TrimPrefix(line, "* "))
		if column == 0 || device == "" || len(fields) <= column || !settingName().MatchString(fields[0]) {
			continue
		}
		number, ok := settingNumber(fields[column])
		if !ok || len(f.settings) > maxCards || len(f.settings[device]) > maxCells {
			continue
		}
		if f.settings == nil {
			f.settings = map[string]map[string]int{}
		}
		if f.settings[device] == nil {
			f.settings[device] = map[string]int{}
		}
		f.settings[device][fields[0]] = number
	}
}

// settingsDevice returns the name of a card as mst status prints it, or its PCI address without the domain and the function: both functions of a
// card have the same settings.
func settingsDevice(text string) string {
	device := strings.ToLower(clean(text))
	device = device[strings.LastIndexAny(device, `/\`)+1:]
	device = strings.TrimPrefix(device, "0000:")
	base, function, found := strings.Cut(device, ".")
	if found && len(function) == 1 && strings.Contains(base, ":") {
		return base + ".0"
	}
	if found && len(function) == 1 && function[0] >= '0' && function[0] <= '9' {
		return base
	}
	return device
}

var settingName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Z][A-Z0-9_]{2,60}$`) })

// settingNumber reads a value of mlxconfig: 16, True(1), ETH(2); false for N/A and arrays.
func settingNumber(text string) (int, bool) {
	if open := strings.LastIndex(text, "("); open >= 0 && strings.HasSuffix(text, ")") {
		text = text[open+1 : len(text)-1]
	}
	n, err := strconv.ParseInt(text, 0, 32)
	return int(n), err == nil && n >= 0
}

// addVstat reads the cards of vstat (WinOF).
func (f *Facts) addVstat(text string) {
	for _, line := range strings.Split(text, "\n") {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		value = clean(value)
		if name == "hca_idx" {
			if len(f.cards) == maxCards {
				return
			}
			f.cards = append(f.cards, cardText{})
		}
		if len(f.cards) == 0 {
			continue
		}
		card := &f.cards[len(f.cards)-1]
		if name == "port" && len(card.ports) < 2 {
			card.ports = append(card.ports, portText{})
		}
		switch name {
		case "vendor_part_id":
			card.deviceID, _ = strconv.Atoi(value)
		case "fw_ver":
			card.firmware = value
		case "PSID":
			card.psid = value
		case "node_guid":
			card.nodeGUID = readGUID(value)
		}
		if len(card.ports) == 0 {
			continue
		}
		port := &card.ports[len(card.ports)-1]
		switch name {
		case "interface":
			port.device = value
		case "port_guid":
			port.guid = readGUID(value)
		case "transport":
			port.link = map[bool]string{true: "infiniband", false: "ethernet"}[value == "IB"]
			port.roce = strings.TrimPrefix(value, "RoCE ")
		}
	}
}

// readGUID reads "248a:0703:00a4:e1d0" or 16 digits; 0 for anything else.
func readGUID(text string) uint64 {
	n, err := strconv.ParseUint(strings.TrimPrefix(strings.ReplaceAll(text, ":", ""), "0x"), 16, 64)
	if err != nil {
		return 0
	}
	return n
}

// addStat reads the connections of mlx5cmd -stat: a paragraph for each.
func (f *Facts) addStat(text string) {
	for _, line := range strings.Split(text, "\n") {
		name, value, found := strings.Cut(line, ":")
		value = clean(value)
		if found && !strings.HasPrefix(line, " ") && value != "" {
			if len(f.cards) == maxCards {
				return
			}
			f.cards = append(f.cards, cardText{connection: clean(name), ports: []portText{{device: value}}})
			continue
		}
		if !found || len(f.cards) == 0 {
			continue
		}
		card := &f.cards[len(f.cards)-1]
		switch strings.TrimSpace(name) {
		case "PCI Address":
			card.pci = value
		case "Device Id":
			card.deviceID, _ = strconv.Atoi(value)
		case "PSID":
			card.psid = value
		case "Firmware Version":
			card.firmware = value
		case "Driver Version":
			card.driver = value
		case "Node GUID":
			card.nodeGUID = readGUID(value)
		case "RoCE Mode":
			card.ports[0].roce = value
		case "Link Type":
			card.link = strings.ToLower(value)
		}
	}
}

// addSnapshot reads the host and the cards of the system snapshot.
func (f *Facts) addSnapshot(text string) {
	lines := strings.Split(text, "\n")
	f.name(strings.TrimPrefix(strings.TrimSpace(lines[0]), "System snapshot of"))
	for i, line := range lines {
		label, value, _ := strings.Cut(line, ": ")
		value = clean(value)
		switch label {
		case "Name":
			f.name(value)
		case "System":
			if f.system == "" {
				f.system = value
			}
		case "Processors":
			fields := strings.Fields(value) // "16 in 2 NUMA nodes"
			if len(fields) >= 3 {
				f.processors, f.nodes = snapshotCount(fields[0]), snapshotCount(fields[2])
			}
		}
		if strings.HasPrefix(line, "Adapter ") && strings.Contains(line, "Node GUID") {
			f.addSnapshotCards(lines[i:])
		}
	}
}

// snapshotCount reads the number of processors or nodes; 0 for anything that no host has.
func snapshotCount(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxProcessors {
		return 0
	}
	return n
}

// addSnapshotCards reads the table of adapters; its columns begin where their headings do.
func (f *Facts) addSnapshotCards(lines []string) {
	headings := []string{"PCI", "Firmware", "PSID", "Driver", "Version", "State", "Node GUID"}
	at := make([]int, len(headings))
	for i, heading := range headings {
		if at[i] = strings.Index(lines[0], heading); at[i] < 0 {
			return
		}
	}
	for _, line := range lines[1:] {
		if strings.TrimSpace(line) == "" || len(f.cards) == maxCards {
			return
		}
		runes, cells := []rune(line), make([]string, len(headings))
		for i := range headings {
			if end := len(runes); at[i] < end {
				if i+1 < len(at) {
					end = min(end, at[i+1])
				}
				if at[i] <= end {
					cells[i] = clean(string(runes[at[i]:end]))
				}
			}
		}
		f.cards = append(f.cards, cardText{pci: cells[0], firmware: cells[1], psid: cells[2], driver: cells[4], nodeGUID: readGUID(cells[6])})
	}
}
