package linuxhost

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// fileLimit limits the bytes read of a file: files of sysfs have at most a page, and lists of proc are cut.
const fileLimit = 1 << 16

// readFile returns the beginning of a small file, cleaned; empty without the file.
func readFile(parts ...string) string { return clean(readText(parts...)) }

// readText returns the beginning of a file as it is. A recorded tree may have a FIFO of that name, so the file is opened without
// waiting.
func readText(parts ...string) string {
	file, err := os.OpenFile(filepath.Join(parts...), os.O_RDONLY|openNoWait, 0)
	if err != nil {
		return ""
	}
	defer file.Close() //nolint:errcheck // nothing was written
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	text, err := io.ReadAll(io.LimitReader(file, fileLimit))
	if err != nil {
		return ""
	}
	return string(text)
}

// readNumber returns the number in a small file.
func readNumber(parts ...string) (int64, bool) {
	n, err := strconv.ParseInt(readFile(parts...), 0, 64)
	return n, err == nil
}

// readLink returns the last part of a symbolic link's target; empty without the link.
func readLink(parts ...string) string {
	target, err := os.Readlink(filepath.Join(parts...))
	if err != nil {
		return ""
	}
	return clean(filepath.Base(target))
}

// list returns the names in a folder, sorted and cut at listLimit.
func list(parts ...string) []string {
	entries, err := os.ReadDir(filepath.Join(parts...))
	if err != nil {
		return nil
	}
	var names []string
	for _, entry := range entries[:min(len(entries), listLimit)] {
		names = append(names, entry.Name())
	}
	return names
}

var pciAddress = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$`) })

// pciFunction returns the folder of the PCI function below which a device is, and its address.
func (r *Reader) pciFunction(device string) (folder, address string) {
	folder, err := filepath.EvalSymlinks(device)
	if err != nil {
		return "", ""
	}
	top, err := filepath.EvalSymlinks(r.sys)
	if err != nil {
		return "", ""
	}
	// The interface of a virtio device is one level below its PCI function.
	for strings.HasPrefix(folder, top) && len(folder) > len(top) {
		if address := filepath.Base(folder); pciAddress().MatchString(address) {
			return folder, address
		}
		folder = filepath.Dir(folder)
	}
	return "", ""
}

// adapter reads a PCI function.
func (r *Reader) adapter(folder, address string) Adapter {
	a := Adapter{
		Address: address, Vendor: strings.TrimPrefix(readFile(folder, "vendor"), "0x"), Device: strings.TrimPrefix(readFile(folder, "device"), "0x"),
		Driver: readLink(folder, "driver"), Version: readFile(folder, "driver", "module", "version"),
		Speed: readFile(folder, "current_link_speed"), Width: readFile(folder, "current_link_width"),
		BestSpeed: readFile(folder, "max_link_speed"), BestWidth: readFile(folder, "max_link_width"),
	}
	if node, ok := readNumber(folder, "numa_node"); ok && node >= 0 {
		a.Node = strconv.FormatInt(node, 10)
	}
	if parent := readLink(folder, "physfn"); pciAddress().MatchString(parent) {
		a.Parent = parent
	}
	a.Errors = readErrors(folder)
	a.Temperatures = readTemperatures(folder)
	return a
}

// readErrors reads the counts of Advanced Error Reporting: each file ends in a total.
func readErrors(folder string) *PCIErrors {
	total := func(file, word string) (uint64, bool) {
		for line := range strings.Lines(readText(folder, file)) {
			if fields := strings.Fields(line); len(fields) == 2 && fields[0] == word {
				n, err := strconv.ParseUint(fields[1], 10, 64)
				return n, err == nil
			}
		}
		return 0, false
	}
	var e PCIErrors
	var ok [3]bool
	e.Correctable, ok[0] = total("aer_dev_correctable", "TOTAL_ERR_COR")
	e.NonFatal, ok[1] = total("aer_dev_nonfatal", "TOTAL_ERR_NONFATAL")
	e.Fatal, ok[2] = total("aer_dev_fatal", "TOTAL_ERR_FATAL")
	if !ok[0] && !ok[1] && !ok[2] {
		return nil
	}
	return &e
}

// readTemperatures reads the sensors of a device.
func readTemperatures(folder string) (all []Temperature) {
	for _, monitor := range list(folder, "hwmon") {
		for _, file := range list(folder, "hwmon", monitor) {
			number, found := strings.CutSuffix(file, "_input")
			if !found || !strings.HasPrefix(number, "temp") {
				continue
			}
			value, ok := readNumber(folder, "hwmon", monitor, file)
			if !ok {
				continue
			}
			t := Temperature{Sensor: readFile(folder, "hwmon", monitor, number+"_label"), Celsius: float64(value) / 1000}
			if t.Sensor == "" {
				t.Sensor = number
			}
			if limit, ok := readNumber(folder, "hwmon", monitor, number+"_crit"); ok {
				t.Limit = float64(limit) / 1000
			}
			all = append(all, t)
		}
	}
	return all
}

// rdma reads the ports of the RDMA devices.
func (r *Reader) rdma() (ports []RDMAPort) {
	root := filepath.Join(r.sys, "class", "infiniband")
	for _, device := range list(root) {
		_, address := r.pciFunction(filepath.Join(root, device, "device"))
		for _, number := range list(root, device, "ports") {
			n, err := strconv.Atoi(number)
			if err != nil || len(ports) == listLimit {
				continue
			}
			folder := filepath.Join(root, device, "ports", number)
			ports = append(ports, RDMAPort{
				Device: clean(device), Port: n, Adapter: address, Interface: r.rdmaInterface(folder, address, n),
				Board: readFile(root, device, "board_id"), Firmware: readFile(root, device, "fw_ver"), GUID: readFile(root, device, "node_guid"),
				State: state(readFile(folder, "state")), Physical: state(readFile(folder, "phys_state")),
				Rate: readFile(folder, "rate"), Layer: readFile(folder, "link_layer"),
			})
		}
	}
	return ports
}

// rdmaInterface returns the network interface of an RDMA port.
func (r *Reader) rdmaInterface(folder, address string, port int) string {
	if name := readFile(folder, "gid_attrs", "ndevs", "0"); name != "" {
		return name
	}
	if address == "" {
		return ""
	}
	var same []string
	for _, name := range list(r.sys, "class", "net") {
		if _, other := r.pciFunction(filepath.Join(r.sys, "class", "net", name, "device")); other == address {
			same = append(same, name)
		}
	}
	for _, name := range same { // ConnectX-3 has both ports on one function
		if at, _ := readNumber(r.sys, "class", "net", name, "dev_port"); len(same) == 1 || int(at) == port-1 {
			return clean(name)
		}
	}
	return ""
}

// state returns the word of "4: ACTIVE".
func state(text string) string {
	if _, word, found := strings.Cut(text, ": "); found {
		return word
	}
	return text
}

// bond reads a bond from sysfs.
func (r *Reader) bond(i *Interface) {
	folder := filepath.Join(r.sys, "class", "net", i.Name, "bonding")
	for _, option := range bondOptions {
		text := readFile(folder, option)
		if option == "active_slave" || option == "miimon" { // "balance-rr 0" has the number behind the word
			i.set("bond."+option, text, "")
		} else if word, _, _ := strings.Cut(text, " "); word != "" {
			i.set("bond."+option, word, "")
		}
	}
	for _, name := range strings.Fields(readFile(folder, "slaves")) {
		lower := filepath.Join(r.sys, "class", "net", name, "bonding_slave")
		i.Members = append(i.Members, Member{
			Name: name, State: readFile(lower, "state"), Link: readFile(lower, "mii_status"), Failures: readFile(lower, "link_failure_count"),
		})
	}
}

// bondOptions are the options of a bond that are read; all but mode can be changed while it is up.
var bondOptions = []string{"mode", "miimon", "active_slave", "xmit_hash_policy", "lacp_rate"}

// set adds a setting.
func (i *Interface) set(name, value, limit string) {
	if value != "" && len(i.Settings) < listLimit {
		i.Settings = append(i.Settings, Setting{Name: name, Value: value, Limit: limit})
	}
}

// vlans reads the VLANs of proc: name, id and lower interface.
func (r *Reader) vlans() map[string]Interface {
	all := map[string]Interface{}
	for line := range strings.Lines(readText(r.proc, "net", "vlan", "config")) {
		fields := strings.Split(line, "|")
		if len(fields) != 3 || len(all) == listLimit {
			continue
		}
		id, err := strconv.Atoi(strings.TrimSpace(fields[1]))
		if err == nil {
			all[strings.TrimSpace(fields[0])] = Interface{VLAN: id, Below: clean(fields[2])}
		}
	}
	return all
}

// functions reads how many virtual functions an interface has and may have, and their addresses.
func (r *Reader) functions(i *Interface, folder string) {
	limit, ok := readNumber(folder, "sriov_totalvfs")
	if !ok || limit <= 0 {
		return
	}
	count, _ := readNumber(folder, "sriov_numvfs")
	i.set("vfs", strconv.FormatInt(count, 10), strconv.FormatInt(limit, 10))
	for n := range min(int(max(count, 0)), listLimit) {
		address := readLink(folder, "virtfn"+strconv.Itoa(n))
		at := slices.IndexFunc(i.Functions, func(f Function) bool { return f.Number == n })
		if at < 0 {
			i.Functions = append(i.Functions, Function{Number: n, Link: "auto"})
			at = len(i.Functions) - 1
		}
		f := &i.Functions[at]
		f.Adapter = address
		if names := list(folder, "virtfn"+strconv.Itoa(n), "net"); len(names) > 0 {
			f.Interface = clean(names[0])
		}
	}
}
