package linuxhost

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/safchain/ethtool"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

const openNoWait = unix.O_NONBLOCK | unix.O_CLOEXEC

// Reader reads a machine, or the files of a recorded one. It belongs to one goroutine.
type Reader struct {
	sys, proc string
	// tool and link are nil for a recorded machine and where sockets are denied.
	tool *ethtool.Ethtool
	link *netlink.Handle
	// firmware and fec ask the generic netlink families; nil when there are none.
	generic *generic
	unread  []string
}

// Open opens this machine. It needs no privileges, and reads less without them.
func Open() *Reader {
	r := &Reader{sys: "/sys", proc: "/proc"}
	if tool, err := ethtool.NewEthtool(); err == nil {
		r.tool = tool
	} else {
		r.miss("settings of ethtool", err)
	}
	if link, err := netlink.NewHandle(unix.NETLINK_ROUTE, unix.NETLINK_GENERIC); err == nil {
		r.link, r.generic = link, newGeneric(link)
	} else {
		r.miss("interfaces of the routing socket", err)
	}
	return r
}

// Recorded opens the recorded files of a machine: sys and proc below a folder.
func Recorded(folder string) *Reader {
	return &Reader{sys: filepath.Join(folder, "sys"), proc: filepath.Join(folder, "proc")}
}

// Close frees the sockets.
func (r *Reader) Close() {
	if r.tool != nil {
		r.tool.Close()
	}
	if r.link != nil {
		r.link.Close()
	}
}

// miss notes what could not be read. What a driver does not support is no news.
func (r *Reader) miss(what string, err error) {
	if err == nil || errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENODEV) || errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOENT) {
		return
	}
	text := fmt.Sprintf("%s: %s", what, reason(err))
	if !slices.Contains(r.unread, text) && len(r.unread) < listLimit {
		r.unread = append(r.unread, text)
	}
}

// reason says why an operation failed, with the privilege that is absent.
func reason(err error) string {
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) {
		return "it requires root, or the capability CAP_NET_ADMIN"
	}
	return clean(err.Error())
}

// Reason says why an operation on a machine failed, with the privilege that is absent.
func Reason(err error) string { return reason(err) }

// Machine reads the machine now.
func (r *Reader) Machine() *Machine {
	m := &Machine{Kernel: readFile(r.proc, "sys", "kernel", "osrelease"), Name: readFile(r.proc, "sys", "kernel", "hostname")}
	if name, err := os.Hostname(); m.Name == "" && err == nil && r.sys == "/sys" {
		m.Name = clean(name)
	}
	links := r.links()
	vlans := r.vlans()
	for _, link := range links[:min(len(links), interfaceLimit)] {
		i := link.Interface
		if vlan, ok := vlans[i.Name]; ok {
			i.Kind, i.VLAN, i.Below = "vlan", vlan.VLAN, vlan.Below
		}
		folder, address := r.pciFunction(filepath.Join(r.sys, "class", "net", i.Name, "device"))
		i.Adapter = address
		if link.mtu > 0 {
			i.set("mtu", strconv.Itoa(link.mtu), link.mtuLimit)
		}
		r.ethtool(&i)
		if i.Kind == "bond" || len(list(r.sys, "class", "net", i.Name, "bonding")) > 0 {
			i.Kind = "bond"
			if len(i.Group("bond")) == 0 { // the routing socket says it all
				r.bond(&i)
			}
		}
		if address != "" {
			r.functions(&i, folder)
			m.addAdapter(r, folder, address, i.Name)
		}
		i.addFunctionSettings()
		r.parametersOf(&i)
		if r.link != nil {
			r.dcb(&i)
		}
		m.Interfaces = append(m.Interfaces, i)
	}
	slices.SortStableFunc(m.Interfaces, func(a, b Interface) int { return a.Index - b.Index })
	m.addLinkSettings()
	m.RDMA = r.rdma()
	for _, port := range m.RDMA {
		if folder, address := r.pciFunction(filepath.Join(r.sys, "class", "infiniband", port.Device, "device")); address != "" {
			m.addAdapter(r, folder, address, "")
		}
	}
	m.completeAdapters()
	slices.SortFunc(m.Adapters, func(a, b Adapter) int { return compareText(a.Address, b.Address) })
	m.Unread, r.unread = r.unread, nil
	return m
}

// completeAdapters takes the firmware and the board that ethtool and devlink did not give from the RDMA devices.
func (m *Machine) completeAdapters() {
	for i := range m.Adapters {
		a := &m.Adapters[i]
		for _, port := range m.RDMA {
			if port.Adapter == a.Address {
				a.Firmware, a.Board = cmp.Or(a.Firmware, port.Firmware), cmp.Or(a.Board, port.Board)
			}
		}
	}
}

func compareText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// addAdapter adds a PCI function unless another interface on it has.
func (m *Machine) addAdapter(r *Reader, folder, address, name string) {
	if slices.ContainsFunc(m.Adapters, func(a Adapter) bool { return a.Address == address }) {
		return
	}
	a := r.adapter(folder, address)
	if r.tool != nil && name != "" {
		if info, err := r.tool.DriverInfo(name); err == nil {
			a.Firmware = clean(info.FwVersion)
			if a.Version == "" && clean(info.Version) != m.Kernel {
				a.Version = clean(info.Version)
			}
		}
	}
	if r.generic != nil {
		r.devlink(&a)
	}
	m.Adapters = append(m.Adapters, a)
}

// linkOf is an interface as the kernel or sysfs lists it.
type linkOf struct {
	Interface
	mtu      int
	mtuLimit string
}

// links lists the interfaces, from the routing socket or from sysfs.
func (r *Reader) links() (all []linkOf) {
	if r.link != nil {
		found, err := r.link.LinkList()
		if err == nil || errors.Is(err, netlink.ErrDumpInterrupted) {
			names := map[int]string{}
			for _, link := range found {
				names[link.Attrs().Index] = clean(link.Attrs().Name)
			}
			for _, link := range found {
				all = append(all, ofLink(link, names))
			}
			addMembers(all, found)
			return all
		}
		r.miss("interfaces of the routing socket", err)
	}
	for _, name := range list(r.sys, "class", "net") {
		folder := filepath.Join(r.sys, "class", "net", name)
		index, ok := readNumber(folder, "ifindex")
		if !ok {
			continue // bonding_masters is no interface
		}
		mtu, _ := readNumber(folder, "mtu")
		all = append(all, linkOf{Interface: Interface{
			Name: clean(name), Index: int(index), Address: readFile(folder, "address"), Up: readFile(folder, "operstate") == "up",
			Master: readLink(folder, "master"),
		}, mtu: int(mtu)})
	}
	return all
}

func ofLink(link netlink.Link, names map[int]string) linkOf {
	a := link.Attrs()
	l := linkOf{Interface: Interface{
		Name: clean(a.Name), Index: a.Index, Address: a.HardwareAddr.String(), Master: names[a.MasterIndex],
		Up: a.Flags&net.FlagUp != 0,
	}, mtu: a.MTU}
	if kind := clean(link.Type()); kind != "device" {
		l.Kind = kind
	}
	if vlan, ok := link.(*netlink.Vlan); ok {
		l.VLAN, l.Below = vlan.VlanId, names[a.ParentIndex]
	}
	if bond, ok := link.(*netlink.Bond); ok {
		l.ofBond(bond, names)
	}
	for _, vf := range a.Vfs[:min(len(a.Vfs), listLimit)] {
		l.Functions = append(l.Functions, Function{
			Number: vf.ID, Address: vf.Mac.String(), VLAN: vf.Vlan, Priority: vf.Qos, Spoof: vf.Spoofchk, Trust: vf.Trust == 1,
			Link: linkState(vf.LinkState), MinRate: vf.MinTxRate, MaxRate: max(vf.MaxTxRate, uint32(max(vf.TxRate, 0))),
			ReceivedPackets: vf.RxPackets, SentPackets: vf.TxPackets, ReceivedBytes: vf.RxBytes, SentBytes: vf.TxBytes,
			Multicast: vf.Multicast, Broadcast: vf.Broadcast, ReceivedDropped: vf.RxDropped, SentDropped: vf.TxDropped,
		})
	}
	return l
}

// ofBond adds the options of a bond.
func (i *Interface) ofBond(bond *netlink.Bond, names map[int]string) {
	i.set("bond.mode", bond.Mode.String(), "")
	i.set("bond.miimon", strconv.Itoa(max(bond.Miimon, 0)), "")
	if bond.ActiveSlave > 0 {
		i.set("bond.active_slave", names[bond.ActiveSlave], "")
	}
	if bond.XmitHashPolicy >= 0 {
		i.set("bond.xmit_hash_policy", bond.XmitHashPolicy.String(), "")
	}
	if bond.LacpRate >= 0 && bond.Mode == netlink.BOND_MODE_802_3AD {
		i.set("bond.lacp_rate", bond.LacpRate.String(), "")
	}
}

// addMembers adds the members of the bonds.
func addMembers(all []linkOf, found []netlink.Link) {
	for _, link := range found {
		slave, ok := link.Attrs().Slave.(*netlink.BondSlave)
		if !ok {
			continue
		}
		for n := range all {
			if all[n].Index == link.Attrs().MasterIndex && len(all[n].Members) < listLimit {
				all[n].Members = append(all[n].Members, Member{
					Name: clean(link.Attrs().Name), State: strings.ToLower(slave.State.String()),
					Link: strings.ReplaceAll(strings.ToLower(slave.MiiStatus.String()), "_", " "), Failures: strconv.FormatUint(uint64(slave.LinkFailureCount), 10),
				})
			}
		}
	}
}

func linkState(state uint32) string {
	if int(state) < len(linkWords) {
		return linkWords[state]
	}
	return strconv.FormatUint(uint64(state), 10)
}

// addFunctionSettings adds the attributes of the virtual functions that can be changed.
func (i *Interface) addFunctionSettings() {
	for n := range i.Functions {
		f := &i.Functions[n]
		if f.Address == "" { // recorded files have no attributes
			continue
		}
		prefix := "vf." + strconv.Itoa(f.Number) + "."
		i.set(prefix+"mac", f.Address, "")
		i.set(prefix+"vlan", strconv.Itoa(f.VLAN), "4094")
		i.set(prefix+"qos", strconv.Itoa(f.Priority), "7")
		i.set(prefix+"state", f.Link, "")
		i.set(prefix+"spoofchk", onOff(f.Spoof), "")
		i.set(prefix+"trust", onOff(f.Trust), "")
		i.set(prefix+"min-rate", strconv.FormatUint(uint64(f.MinRate), 10), "")
		i.set(prefix+"max-rate", strconv.FormatUint(uint64(f.MaxRate), 10), "")
	}
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
