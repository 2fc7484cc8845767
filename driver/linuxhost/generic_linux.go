package linuxhost

import (
	"encoding/binary"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"
)

// generic asks families of generic netlink. Its requests only get.
type generic struct {
	handle           *netlink.Handle
	ethtool, devlink uint16 // identifiers of the families, 0 for none
}

func newGeneric(handle *netlink.Handle) *generic {
	g := &generic{handle: handle}
	if family, err := handle.GenlFamilyGet("ethtool"); err == nil {
		g.ethtool = family.ID
	}
	if family, err := handle.GenlFamilyGet(nl.GENL_DEVLINK_NAME); err == nil {
		g.devlink = family.ID
	}
	return g
}

// get sends a request of a family and returns the attributes of each answer, as bytes.
func (g *generic) get(family uint16, command uint8, flags int, attributes ...*nl.RtAttr) ([][]byte, error) {
	request := nl.NewNetlinkRequest(int(family), unix.NLM_F_REQUEST|flags)
	request.AddData(&nl.Genlmsg{Command: command, Version: 1})
	for _, attribute := range attributes {
		request.AddData(attribute)
	}
	answers, err := request.Execute(unix.NETLINK_GENERIC, 0)
	var all [][]byte
	for _, answer := range answers[:min(len(answers), listLimit)] {
		if len(answer) >= nl.SizeofGenlmsg {
			all = append(all, answer[nl.SizeofGenlmsg:])
		}
	}
	return all, err
}

// Messages and attributes of the ethtool family.
const (
	ethtoolFECGet     = 29
	ethtoolHeader     = 1
	ethtoolHeaderName = 2
	ethtoolFECAuto    = 3
	ethtoolFECActive  = 4
)

// fecModes are the link modes of forward error correction, by bit.
var fecModes = map[uint32]string{49: "off", 50: "RS", 51: "BaseR", 74: "LLRS"}

// ofInterface returns the answers of the family ethtool to a request about an interface; nil without an answer.
func (g *generic) ofInterface(request uint8, name string) [][]byte {
	if g.ethtool == 0 {
		return nil
	}
	header := nl.NewRtAttr(ethtoolHeader|unix.NLA_F_NESTED, nil)
	header.AddRtAttr(ethtoolHeaderName, nl.ZeroTerminated(name))
	answers, err := g.get(g.ethtool, request, 0, header)
	if err != nil {
		return nil
	}
	return answers
}

// fec returns the forward error correction in use; empty when it is off or unknown.
func (g *generic) fec(name string) string {
	answers := g.ofInterface(ethtoolFECGet, name)
	mode, automatic := "", ""
	for _, answer := range answers {
		eachAttribute(answer, func(kind uint16, value []byte) {
			switch {
			case kind == ethtoolFECActive && len(value) >= 4:
				mode = fecModes[binary.NativeEndian.Uint32(value)]
			case kind == ethtoolFECAuto && len(value) >= 1 && value[0] != 0:
				automatic = ", automatic"
			}
		})
	}
	if mode == "" {
		return ""
	}
	return mode + automatic
}

// Message and attributes of the state of a link.
const (
	ethtoolLinkGet   = 6
	ethtoolLinkCause = 5
)

// linkCauses are the reasons of the drivers for a link that is down, by the kernel's number.
var linkCauses = []string{"autonegotiation failed", "link training failed", "the ends do not agree on the link", "bad signal", "no cable", "the cable does not work",
	"the module can't be read", "calibration failed", "the module takes too much power", "too hot", "the module does not work"}

// linkCause returns why a link is down; empty when it is up or the driver gives no reason.
func (g *generic) linkCause(name string) string {
	return parseLinkCause(g.ofInterface(ethtoolLinkGet, name))
}

// parseLinkCause reads the reason from the answers about a link.
func parseLinkCause(answers [][]byte) (cause string) {
	for _, answer := range answers {
		eachAttribute(answer, func(kind uint16, value []byte) {
			if n := number(value); kind == ethtoolLinkCause && n < uint64(len(linkCauses)) {
				cause = linkCauses[n]
			}
		})
	}
	return cause
}

// Commands and attributes of devlink that package nl lacks.
const (
	devlinkHealthGet     = 52
	devlinkHealth        = 114
	devlinkHealthName    = 115
	devlinkHealthState   = 116
	devlinkHealthErrors  = 117
	devlinkHealthRecover = 118
	devlinkHealthGrace   = 120
	devlinkHealthAuto    = 121
)

// devlink reads the versions, parameters, switch mode and health of a PCI function.
func (r *Reader) devlink(a *Adapter) {
	if r.generic.devlink == 0 {
		return
	}
	answers, err := r.generic.get(r.generic.devlink, nl.DEVLINK_CMD_INFO_GET, 0,
		nl.NewRtAttr(nl.DEVLINK_ATTR_BUS_NAME, nl.ZeroTerminated("pci")), nl.NewRtAttr(nl.DEVLINK_ATTR_DEV_NAME, nl.ZeroTerminated(a.Address)))
	// Some functions of a ConnectX-7 refuse the versions and answer the rest, and so do older kernels when a pending image is bad.
	r.miss("devlink info of "+a.Address, err)
	a.readInfo(answers)
	if device, err := r.link.DevLinkGetDeviceByName("pci", a.Address); err == nil {
		a.Switch = clean(device.Attrs.Eswitch.Mode)
	}
	for _, p := range r.parameters("pci", a.Address) {
		a.Parameters = append(a.Parameters, Fact{p.name, strings.TrimSuffix(p.text+" ("+p.mode+")", " ()")})
	}
	a.Reporters = r.reporters("pci", a.Address)
	// In newer kernels the port, with the reporters of the queues, is of an auxiliary device below the function.
	for _, name := range list(r.sys, "bus", "pci", "devices", a.Address) {
		if strings.HasPrefix(name, "mlx5_core.eth.") {
			a.Reporters = append(a.Reporters, r.reporters("auxiliary", name)...)
		}
	}
}

// reporters reads the health reporters of a devlink device and of its ports.
func (r *Reader) reporters(bus, device string) []Reporter {
	answers, err := r.generic.get(r.generic.devlink, devlinkHealthGet, unix.NLM_F_DUMP,
		nl.NewRtAttr(nl.DEVLINK_ATTR_BUS_NAME, nl.ZeroTerminated(bus)), nl.NewRtAttr(nl.DEVLINK_ATTR_DEV_NAME, nl.ZeroTerminated(device)))
	r.miss("devlink health of "+device, err)
	return parseReporters(answers, bus, device)
}

// unknownFirmware are the versions that the driver gives when it could not read one.
var unknownFirmware = []string{"", "0.0.0000", "255.255.65535"}

// readInfo reads the board, the serial number and the firmware versions. Stored stays empty when it is the running firmware.
func (a *Adapter) readInfo(answers [][]byte) {
	versions := map[uint16]map[string]string{}
	for _, answer := range answers {
		eachAttribute(answer, func(kind uint16, value []byte) {
			switch kind {
			case nl.DEVLINK_ATTR_INFO_SERIAL_NUMBER:
				a.Serial = clean(nl.BytesToString(value))
			case nl.DEVLINK_ATTR_INFO_VERSION_FIXED, nl.DEVLINK_ATTR_INFO_VERSION_RUNNING, nl.DEVLINK_ATTR_INFO_VERSION_STORED:
				var name, version string
				eachAttribute(value, func(kind uint16, value []byte) {
					switch kind {
					case nl.DEVLINK_ATTR_INFO_VERSION_NAME:
						name = nl.BytesToString(value)
					case nl.DEVLINK_ATTR_INFO_VERSION_VALUE:
						version = clean(nl.BytesToString(value))
					}
				})
				if versions[kind] == nil {
					versions[kind] = map[string]string{}
				}
				versions[kind][name] = version
			}
		})
	}
	a.Board = versions[nl.DEVLINK_ATTR_INFO_VERSION_FIXED]["fw.psid"]
	running, stored := versions[nl.DEVLINK_ATTR_INFO_VERSION_RUNNING]["fw.version"], versions[nl.DEVLINK_ATTR_INFO_VERSION_STORED]["fw.version"]
	if a.Firmware == "" && !slices.Contains(unknownFirmware, running) {
		a.Firmware = running
	}
	if stored != running && !slices.Contains(unknownFirmware, stored) {
		a.Stored = stored
	}
}

// modes are the words of devlink for the time at which a parameter takes effect.
var modes = map[uint64]string{0: "runtime", 1: "driverinit", 2: "permanent"}

// parameter is a value of a devlink parameter for one mode.
type parameter struct {
	name, text, mode string
	// limit is the largest number of its type; empty for other types.
	limit string
}

// parameters reads the parameters of a devlink device.
func (r *Reader) parameters(bus, device string) []parameter {
	answers, err := r.generic.get(r.generic.devlink, nl.DEVLINK_CMD_PARAM_GET, unix.NLM_F_DUMP,
		nl.NewRtAttr(nl.DEVLINK_ATTR_BUS_NAME, nl.ZeroTerminated(bus)), nl.NewRtAttr(nl.DEVLINK_ATTR_DEV_NAME, nl.ZeroTerminated(device)))
	r.miss("devlink parameters of "+device, err)
	return parseParameters(answers, bus, device)
}

// parametersOf adds the parameters that take effect at once, and those that the driver reads when it is reloaded.
func (r *Reader) parametersOf(i *Interface) {
	if r.generic == nil || r.generic.devlink == 0 {
		return
	}
	folder := filepath.Join(r.sys, "class", "net", i.Name, "device")
	bus, device := readLink(folder, "subsystem"), readLink(folder)
	if device == "" || !slices.Contains([]string{"pci", "auxiliary", "netdevsim"}, bus) {
		return
	}
	i.Devlink = bus + "/" + device
	for _, p := range r.parameters(bus, device) {
		switch p.mode {
		case modes[0]:
			i.set("devlink."+p.name, p.text, p.limit)
		case modes[1]:
			i.set("devlink-init."+p.name, p.text, p.limit)
		}
	}
}

// parseParameters reads the parameters of one device: older kernels answer with those of all devices.
func parseParameters(answers [][]byte, bus, device string) (all []parameter) {
	for _, answer := range answers {
		var at [2]string
		var nested []byte
		eachAttribute(answer, func(kind uint16, value []byte) {
			switch kind {
			case nl.DEVLINK_ATTR_BUS_NAME:
				at[0] = nl.BytesToString(value)
			case nl.DEVLINK_ATTR_DEV_NAME:
				at[1] = nl.BytesToString(value)
			case nl.DEVLINK_ATTR_PARAM:
				nested = value
			}
		})
		if at != [2]string{bus, device} {
			continue
		}
		var name string
		var kind uint64
		var list []byte
		eachAttribute(nested, func(attribute uint16, value []byte) {
			switch attribute {
			case nl.DEVLINK_ATTR_PARAM_NAME:
				name = clean(nl.BytesToString(value))
			case nl.DEVLINK_ATTR_PARAM_TYPE:
				kind = number(value)
			case nl.DEVLINK_ATTR_PARAM_VALUES_LIST:
				list = value
			}
		})
		eachAttribute(list, func(_ uint16, value []byte) {
			if p := parseValue(value, kind); name != "" && len(all) < listLimit {
				p.name = name
				all = append(all, p)
			}
		})
	}
	return all
}

// parseValue reads the value of a parameter for one mode.
func parseValue(nested []byte, kind uint64) (p parameter) {
	var data []byte
	present := false
	eachAttribute(nested, func(attribute uint16, value []byte) {
		switch attribute {
		case nl.DEVLINK_ATTR_PARAM_VALUE_DATA:
			data, present = value, true
		case nl.DEVLINK_ATTR_PARAM_VALUE_CMODE:
			p.mode = modes[number(value)]
		}
	})
	switch kind {
	case nl.DEVLINK_PARAM_TYPE_U8, nl.DEVLINK_PARAM_TYPE_U16, nl.DEVLINK_PARAM_TYPE_U32:
		bits := map[uint64]uint{nl.DEVLINK_PARAM_TYPE_U8: 8, nl.DEVLINK_PARAM_TYPE_U16: 16, nl.DEVLINK_PARAM_TYPE_U32: 32}[kind]
		p.text, p.limit = strconv.FormatUint(number(data), 10), strconv.FormatUint(1<<bits-1, 10)
	case nl.DEVLINK_PARAM_TYPE_STRING:
		p.text = clean(nl.BytesToString(data))
	case nl.DEVLINK_PARAM_TYPE_BOOL: // the attribute is there for true
		p.text = strconv.FormatBool(present)
	}
	return p
}

// number reads an attribute of 1, 2, 4 or 8 bytes; 0 for another length.
func number(value []byte) uint64 {
	switch len(value) {
	case 1:
		return uint64(value[0])
	case 2:
		return uint64(binary.NativeEndian.Uint16(value))
	case 4:
		return uint64(binary.NativeEndian.Uint32(value))
	case 8:
		return binary.NativeEndian.Uint64(value)
	}
	return 0
}

// parseReporters reads the health reporters of one device and of its ports: older kernels answer with the reporters of all devices.
func parseReporters(answers [][]byte, bus, device string) (all []Reporter) {
	for _, answer := range answers {
		var at [2]string
		var nested []byte
		port := ""
		eachAttribute(answer, func(kind uint16, value []byte) {
			switch kind {
			case nl.DEVLINK_ATTR_BUS_NAME:
				at[0] = nl.BytesToString(value)
			case nl.DEVLINK_ATTR_DEV_NAME:
				at[1] = nl.BytesToString(value)
			case nl.DEVLINK_ATTR_PORT_INDEX:
				port = "/" + strconv.FormatUint(number(value), 10)
			case devlinkHealth:
				nested = value
			}
		})
		if at != [2]string{bus, device} || len(nested) == 0 || len(all) == listLimit {
			continue
		}
		reporter := Reporter{Handle: clean(bus + "/" + device + port)}
		eachAttribute(nested, reporter.read)
		all = append(all, reporter)
	}
	return all
}

// read reads one attribute of a reporter.
func (r *Reporter) read(kind uint16, value []byte) {
	number := number(value)
	switch kind {
	case devlinkHealthName:
		r.Name = clean(nl.BytesToString(value))
	case devlinkHealthState:
		r.Healthy = number == 0
	case devlinkHealthErrors:
		r.Errors = number
	case devlinkHealthRecover:
		r.Recoveries = number
	case devlinkHealthGrace:
		r.Grace = time.Duration(min(number, 1<<40)) * time.Millisecond
	case devlinkHealthAuto:
		r.AutoRecover = number != 0
	}
}
