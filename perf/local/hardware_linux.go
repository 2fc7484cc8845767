package local

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"cxdeck/perf"
)

// hardware describes the device behind an interface. It is empty for a virtual interface.
type hardware struct {
	// device names the adapter: the PCI address without the function, so that the ports of one card are adjacent,
	// or the path of a device on another bus.
	device string
	// function is the PCI address of the port: "0000:04:00.0".
	function string
	// parent is the PCI address of the physical function of a virtual one.
	parent string
	// port is the port's number on a function that has several, from 0.
	port           int64
	vendor, model  string // "15b3", "1019"
	driver         string
	firmware       string
	node           string // NUMA node
	link, linkBest pciLink
}

// pciLink is the speed of a PCI Express link.
type pciLink struct {
	transfers float64 // GT/s per lane
	lanes     int64
}

var pciAddress = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$`) })

// readHardware finds the device of an interface below the root of sysfs.
func readHardware(root, name string) hardware {
	return readDevice(root, filepath.Join(root, "class", "net", name))
}

// readDevice finds the device of an interface or an RDMA device, whose folder it gets.
func readDevice(root, folder string) hardware {
	device, err := filepath.EvalSymlinks(filepath.Join(folder, "device"))
	if err != nil {
		return hardware{}
	}
	h := hardware{device: perf.CleanText(filepath.Base(device), perf.NameLimit), driver: linkName(device, "driver")}
	h.port, _ = numberAttribute(folder, "dev_port")
	top, err := filepath.EvalSymlinks(root)
	if err != nil {
		return h
	}
	// The interface of a virtio device is one level below its PCI function.
	for strings.HasPrefix(device, top) && len(device) > len(top) {
		if address := filepath.Base(device); pciAddress().MatchString(address) {
			h.readPCI(device, address)
			break
		}
		device = filepath.Dir(device)
	}
	return h
}

func (h *hardware) readPCI(folder, address string) {
	h.function = address
	h.device = strings.TrimSuffix(address, filepath.Ext(address))
	h.vendor = strings.TrimPrefix(attribute(folder, "vendor"), "0x")
	h.model = strings.TrimPrefix(attribute(folder, "device"), "0x")
	if parent := linkName(folder, "physfn"); pciAddress().MatchString(parent) {
		h.parent = parent
	}
	if node, ok := numberAttribute(folder, "numa_node"); ok && node >= 0 {
		h.node = "node " + strconv.FormatInt(node, 10)
	}
	h.link = readPCILink(folder, "current")
	h.linkBest = readPCILink(folder, "max")
}

func readPCILink(folder, which string) pciLink {
	var l pciLink
	speed, _, _ := strings.Cut(attribute(folder, which+"_link_speed"), " ") // "8.0 GT/s PCIe"
	l.transfers, _ = strconv.ParseFloat(speed, 64)
	l.lanes, _ = numberAttribute(folder, which+"_link_width")
	return l
}

// linkName returns the last part of a symbolic link's target; empty when there is no link.
func linkName(folder, name string) string {
	target, err := os.Readlink(filepath.Join(folder, name))
	if err != nil {
		return ""
	}
	return perf.CleanText(filepath.Base(target), perf.NameLimit)
}

// name returns the operator's name of the adapter.
func (h *hardware) name() string {
	if name, ok := adapterNames[h.model]; ok && h.vendor == "15b3" {
		return name
	}
	if h.driver != "" {
		return h.driver + " adapter"
	}
	return "adapter"
}

// short returns the PCI address without the domain that nearly every machine has.
func (h *hardware) short() string { return strings.TrimPrefix(h.device, "0000:") }

// String writes the link as "Gen3 x16, 126 Gb/s"; empty when the device reports none. The rate is the one after line coding,
// available to packets of the PCI Express protocol.
func (l pciLink) String() string {
	generations := []struct {
		transfers, code float64
	}{{2.5, 0.8}, {5, 0.8}, {8, 128.0 / 130}, {16, 128.0 / 130}, {32, 128.0 / 130}, {64, 1}}
	for i, generation := range generations {
		if l.lanes > 0 && l.transfers == generation.transfers {
			return fmt.Sprintf("Gen%d x%d, %.0f Gb/s", i+1, l.lanes, l.transfers*generation.code*float64(l.lanes))
		}
	}
	return ""
}

// slower reports whether a link runs below the device's maximum.
func (l pciLink) slower(best pciLink) bool {
	return l.lanes > 0 && (l.lanes < best.lanes || l.transfers < best.transfers)
}
