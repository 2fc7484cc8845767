package apply

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/vishvananda/netlink"

	"cxdeck/driver/linuxhost"
)

// setState takes an interface up or down.
func setState(name, state string) error {
	link, err := netlink.LinkByName(name)
	if err != nil {
		return err
	}
	if state == "up" {
		return netlink.LinkSetUp(link)
	}
	return netlink.LinkSetDown(link)
}

// setMaster makes an interface a member of a bond, or takes it out.
func setMaster(name, master string) error {
	link, err := netlink.LinkByName(name)
	if err != nil {
		return err
	}
	if master == linuxhost.Absent {
		return netlink.LinkSetNoMaster(link)
	}
	bond, err := netlink.LinkByName(master)
	if err != nil {
		return err
	}
	return netlink.LinkSetMaster(link, bond)
}

// setBond changes an option of a bond.
func setBond(name, option, value string) error {
	bond := newBond(name)
	if err := setOption(bond, option, value); err != nil {
		return err
	}
	return netlink.LinkModify(bond)
}

// newBond returns a bond without options.
func newBond(name string) *netlink.Bond {
	attributes := netlink.NewLinkAttrs()
	attributes.Name = name
	return netlink.NewLinkBond(attributes)
}

// setOption sets an option of a bond that is sent to the kernel.
func setOption(bond *netlink.Bond, option, value string) error {
	number, err := strconv.Atoi(value)
	switch option {
	case "mode":
		bond.Mode, err = netlink.StringToBondMode(value), nil
	case "miimon":
		bond.Miimon = number
	case "xmit_hash_policy":
		bond.XmitHashPolicy, err = netlink.StringToBondXmitHashPolicy(value), nil
	case "lacp_rate":
		bond.LacpRate, err = netlink.StringToBondLacpRate(value), nil
	case "active_slave":
		var member netlink.Link
		if member, err = netlink.LinkByName(value); err == nil {
			bond.ActiveSlave = member.Attrs().Index
		}
	default:
		err = fmt.Errorf("a bond has no option %q", option)
	}
	return err
}

// setLink makes a bond or a VLAN, or removes it.
func setLink(name, text string) error {
	if text == linuxhost.Absent {
		link, err := netlink.LinkByName(name)
		if err != nil {
			return err
		}
		return netlink.LinkDel(link)
	}
	words := strings.Fields(text)
	switch {
	case len(words) == 3 && words[0] == "vlan":
		id, err := strconv.Atoi(words[1])
		if err != nil {
			return err
		}
		below, err := netlink.LinkByName(words[2])
		if err != nil {
			return err
		}
		attributes := netlink.NewLinkAttrs()
		attributes.Name, attributes.ParentIndex = name, below.Attrs().Index
		return netlink.LinkAdd(&netlink.Vlan{LinkAttrs: attributes, VlanId: id, VlanProtocol: netlink.VLAN_PROTOCOL_8021Q})
	case len(words) > 0 && words[0] == "bond":
		bond := newBond(name)
		for n := 1; n+1 < len(words); n += 2 {
			if err := setOption(bond, words[n], words[n+1]); err != nil {
				return err
			}
		}
		return netlink.LinkAdd(bond)
	}
	return fmt.Errorf("%q is neither a bond nor a VLAN", text)
}
