package linuxhost

import (
	"encoding/binary"
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

// fec returns the forward error correction in use; empty when it is off or unknown.
func (g *generic) fec(name string) string {
	if g.ethtool == 0 {
		return ""
	}
	header := nl.NewRtAttr(ethtoolHeader|unix.NLA_F_NESTED, nil)
	header.AddRtAttr(ethtoolHeaderName, nl.ZeroTerminated(name))
	answers, err := g.get(g.ethtool, ethtoolFECGet, 0, header)
	if err != nil {
		return ""
	}
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
	if info, err := netlink.DevlinkGetDeviceInfoByNameAsMap("pci", a.Address); err == nil {
		a.Board, a.Serial = clean(info["fw.psid"]), clean(info["serialNumber"])
	} else {
		r.miss("devlink info of "+a.Address, err)
		return
	}
	if device, err := r.link.DevLinkGetDeviceByName("pci", a.Address); err == nil {
		a.Switch = clean(device.Attrs.Eswitch.Mode)
	}
	if parameters, err := r.link.DevlinkGetDeviceParams("pci", a.Address); err == nil {
		for _, p := range parameters[:min(len(parameters), listLimit)] {
			for _, value := range p.Values {
				a.Parameters = append(a.Parameters, Fact{clean(p.Name), parameterText(value)})
			}
		}
	} else {
		r.miss("devlink parameters of "+a.Address, err)
	}
	answers, err := r.generic.get(r.generic.devlink, devlinkHealthGet, unix.NLM_F_DUMP,
		nl.NewRtAttr(nl.DEVLINK_ATTR_BUS_NAME, nl.ZeroTerminated("pci")), nl.NewRtAttr(nl.DEVLINK_ATTR_DEV_NAME, nl.ZeroTerminated(a.Address)))
	r.miss("devlink health of "+a.Address, err)
	a.Reporters = parseReporters(answers, a.Address)
}

func parameterText(value netlink.DevlinkParamValue) string {
	mode := map[uint8]string{0: "runtime", 1: "driver init", 2: "permanent"}[value.CMODE]
	text := ""
	switch data := value.Data.(type) {
	case bool:
		text = strconv.FormatBool(data)
	case string:
		text = clean(data)
	case uint8:
		text = strconv.Itoa(int(data))
	case uint16:
		text = strconv.Itoa(int(data))
	case uint32:
		text = strconv.FormatUint(uint64(data), 10)
	}
	return strings.TrimSuffix(text+" ("+mode+")", " ()")
}

// parseReporters reads the health reporters of one device: older kernels answer with the reporters of all devices.
func parseReporters(answers [][]byte, address string) (all []Reporter) {
	for _, answer := range answers {
		device := ""
		var nested []byte
		eachAttribute(answer, func(kind uint16, value []byte) {
			switch kind {
			case nl.DEVLINK_ATTR_DEV_NAME:
				device = nl.BytesToString(value)
			case devlinkHealth:
				nested = value
			}
		})
		if device != address || len(nested) == 0 || len(all) == listLimit {
			continue
		}
		var reporter Reporter
		eachAttribute(nested, reporter.read)
		all = append(all, reporter)
	}
	return all
}

// read reads one attribute of a reporter.
func (r *Reporter) read(kind uint16, value []byte) {
	number := uint64(0)
	switch len(value) {
	case 1:
		number = uint64(value[0])
	case 8:
		number = binary.NativeEndian.Uint64(value)
	}
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
