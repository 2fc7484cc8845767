package apply

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/safchain/ethtool"
	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"

	"cxdeck/driver/linuxhost"
)

// Machine is this machine.
type Machine struct {
	*linuxhost.Reader
	tool *ethtool.Ethtool
}

// Open opens this machine for changes.
func Open() (*Machine, error) {
	tool, err := ethtool.NewEthtool()
	if err != nil {
		return nil, fmt.Errorf("open a socket for settings: %w", err)
	}
	return &Machine{linuxhost.Open(), tool}, nil
}

// Close frees the sockets.
func (m *Machine) Close() {
	m.tool.Close()
	m.Reader.Close()
}

// Set gives a setting its new value.
func (m *Machine) Set(c linuxhost.Change) error {
	group, rest, _ := strings.Cut(c.Name, ".")
	number, _ := strconv.Atoi(c.New)
	switch group {
	case "mtu":
		link, err := netlink.LinkByName(c.Interface)
		if err != nil {
			return err
		}
		return netlink.LinkSetMTU(link, number)
	case "ring":
		return m.setRing(c.Interface, rest, uint32(number))
	case "channels":
		return m.setChannels(c.Interface, rest, uint32(number))
	case "coalesce":
		return m.setCoalesce(c.Interface, rest, c.New)
	case "pause":
		return m.setPause(c.Interface, rest, flag(c.New))
	case "offload":
		return m.tool.Change(c.Interface, map[string]bool{rest: c.New == "on"})
	case "pfc":
		return setPFC(c.Interface, c.New)
	case "vfs":
		return write(filepath.Join("/sys", "class", "net", c.Interface, "device", "sriov_numvfs"), c.New)
	case "vf":
		return m.setFunction(c, rest, number)
	case "devlink":
		return m.setParameter(c, rest, nl.DEVLINK_PARAM_CMODE_RUNTIME)
	case "devlink-init":
		return m.setParameter(c, rest, nl.DEVLINK_PARAM_CMODE_DRIVERINIT)
	case "bond":
		return setBond(c.Interface, rest, c.New)
	case "state":
		return setState(c.Interface, c.New)
	case "master":
		return setMaster(c.Interface, c.New)
	case "link":
		return setLink(c.Interface, c.New)
	}
	return errors.New("the setting is unknown")
}

// flag returns 1 for on.
func flag(word string) uint32 {
	if word == "on" {
		return 1
	}
	return 0
}

// write writes a file of the kernel; it never creates one.
func write(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}

func (m *Machine) setRing(name, which string, n uint32) error {
	ring, err := m.tool.GetRing(name)
	if err != nil {
		return err
	}
	if which == "rx" {
		ring.RxPending = n
	} else {
		ring.TxPending = n
	}
	_, err = m.tool.SetRing(name, ring)
	return err
}

func (m *Machine) setChannels(name, which string, n uint32) error {
	channels, err := m.tool.GetChannels(name)
	if err != nil {
		return err
	}
	switch which {
	case "combined":
		channels.CombinedCount = n
	case "rx":
		channels.RxCount = n
	default:
		channels.TxCount = n
	}
	_, err = m.tool.SetChannels(name, channels)
	return err
}

func (m *Machine) setCoalesce(name, which, value string) error {
	c, err := m.tool.GetCoalesce(name)
	if err != nil {
		return err
	}
	number, _ := strconv.ParseUint(value, 10, 32)
	switch which {
	case "adaptive-rx":
		c.UseAdaptiveRxCoalesce = flag(value)
	case "adaptive-tx":
		c.UseAdaptiveTxCoalesce = flag(value)
	case "rx-usecs":
		c.RxCoalesceUsecs = uint32(number)
	case "rx-frames":
		c.RxMaxCoalescedFrames = uint32(number)
	case "tx-usecs":
		c.TxCoalesceUsecs = uint32(number)
	case "tx-frames":
		c.TxMaxCoalescedFrames = uint32(number)
	}
	_, err = m.tool.SetCoalesce(name, c)
	return err
}

func (m *Machine) setPause(name, which string, on uint32) error {
	pause, err := m.tool.GetPause(name)
	if err != nil {
		return err
	}
	switch which {
	case "autoneg":
		pause.Autoneg = on
	case "rx":
		pause.RxPause = on
	default:
		pause.TxPause = on
	}
	_, err = m.tool.SetPause(name, pause)
	return err
}

// setPFC sends struct ieee_pfc with the bits of the priorities.
func setPFC(name, list string) error {
	const size = 8 + 2*8*8
	pfc := make([]byte, size)
	if list != "none" {
		for word := range strings.SplitSeq(list, ",") {
			priority, err := strconv.Atoi(word)
			if err != nil || priority < 0 || priority > 7 {
				return fmt.Errorf("invalid priority %q", word)
			}
			pfc[1] |= 1 << priority
		}
	}
	request := nl.NewNetlinkRequest(unix.RTM_SETDCB, unix.NLM_F_REQUEST|unix.NLM_F_ACK)
	request.AddData(&linuxhost.DCBHeader{Command: linuxhost.DCBSet})
	request.AddData(nl.NewRtAttr(linuxhost.DCBInterface, nl.ZeroTerminated(name)))
	nested := nl.NewRtAttr(linuxhost.DCBIEEE, nil)
	nested.AddRtAttr(linuxhost.DCBPFC, pfc)
	request.AddData(nested)
	_, err := request.Execute(unix.NETLINK_ROUTE, 0)
	return err
}

// setFunction sets an attribute of a virtual function.
func (m *Machine) setFunction(c linuxhost.Change, rest string, number int) error {
	text, attribute, _ := strings.Cut(rest, ".")
	vf, err := strconv.Atoi(text)
	if err != nil {
		return err
	}
	link, err := netlink.LinkByName(c.Interface)
	if err != nil {
		return err
	}
	i, ok := m.Machine().Interface(c.Interface)
	if !ok {
		return fmt.Errorf("the interface %s is gone", c.Interface)
	}
	var now linuxhost.Function
	for _, f := range i.Functions {
		if f.Number == vf {
			now = f
		}
	}
	switch attribute {
	case "mac":
		address, err := net.ParseMAC(c.New)
		if err != nil {
			return err
		}
		return netlink.LinkSetVfHardwareAddr(link, vf, address)
	case "vlan":
		return netlink.LinkSetVfVlanQos(link, vf, number, now.Priority)
	case "qos":
		return netlink.LinkSetVfVlanQos(link, vf, now.VLAN, number)
	case "state":
		return netlink.LinkSetVfState(link, vf, map[string]uint32{"auto": 0, "enable": 1, "disable": 2}[c.New])
	case "spoofchk":
		return netlink.LinkSetVfSpoofchk(link, vf, c.New == "on")
	case "trust":
		return netlink.LinkSetVfTrust(link, vf, c.New == "on")
	case "min-rate":
		return netlink.LinkSetVfRate(link, vf, number, int(now.MaxRate))
	case "max-rate":
		return netlink.LinkSetVfRate(link, vf, int(now.MinRate), number)
	}
	return errors.New("the attribute is unknown")
}

// setParameter sets a devlink parameter that takes effect at once, or when the driver is reloaded.
func (m *Machine) setParameter(c linuxhost.Change, name string, mode uint8) error {
	i, ok := m.Machine().Interface(c.Interface)
	if !ok {
		return fmt.Errorf("the interface %s is gone", c.Interface)
	}
	bus, device, _ := strings.Cut(i.Devlink, "/")
	now, err := netlink.DevlinkGetDeviceParamByName(bus, device, name)
	if err != nil {
		return err
	}
	number, err := strconv.ParseUint(c.New, 10, 32)
	var value any
	switch now.Type {
	case nl.DEVLINK_PARAM_TYPE_U8:
		value = uint8(number)
	case nl.DEVLINK_PARAM_TYPE_U16:
		value = uint16(number)
	case nl.DEVLINK_PARAM_TYPE_U32:
		value = uint32(number)
	case nl.DEVLINK_PARAM_TYPE_BOOL:
		value, err = c.New == "true", nil
	default:
		value, err = c.New, nil
	}
	if err != nil {
		return err
	}
	return netlink.DevlinkSetDeviceParam(bus, device, name, mode, value)
}
