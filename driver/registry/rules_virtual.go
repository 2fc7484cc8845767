package registry

import (
	"fmt"
	"slices"

	"cxdeck/device/description"
)

// etherTypes are the keys that list the frames that virtual functions may send.
var etherTypes = keysByNumber("VFAllowedTxEtherType")

// virtualRules are the rules of virtual functions (IOV-1 to IOV-12).
var virtualRules = []Rule{
	{
		Name: "sriov-ethernet-only", Says: "SR-IOV needs a card with only Ethernet ports.", grade: Doubtful,
		Keys: []string{"bus-driver/MaxVFPort1", "bus-driver/MaxVFPort2", "bus-device/MaxVFPort1", "bus-device/MaxVFPort2", "bus-driver/SriovPortMode", "bus-device/SriovPortMode"},
		against: func(c *check) string {
			if !c.changed() || c.facts.Link != description.InfiniBand && !c.besideInfiniBand() {
				return ""
			}
			return "a card with an InfiniBand port has no virtual functions"
		},
	},
	{
		Name: "one-port-gets-all", Says: "In the automatic modes of SR-IOV one port gets all virtual functions, and the other has no RoCE.",
		Keys: []string{"bus-driver/SriovPortMode", "bus-device/SriovPortMode"}, grade: Doubtful,
		against: func(c *check) string {
			if c.n > 1 {
				return ""
			}
			return fmt.Sprintf("port %d gets all virtual functions; the other has none, and no RoCE", c.n+1)
		},
	},
	{
		Name: "more-than-burnt", Says: "The ports share the virtual functions that the firmware has.",
		Keys: []string{"bus-driver/MaxVFPort1", "bus-driver/MaxVFPort2", "bus-device/MaxVFPort1", "bus-device/MaxVFPort2"},
		With: []string{"MaxVFPort1", "MaxVFPort2"}, grade: Doubtful,
		against: func(c *check) string {
			one, ok1 := c.effectiveNumber("MaxVFPort1")
			two, ok2 := c.effectiveNumber("MaxVFPort2")
			sum, firmwareVFs := uint64(one)+uint64(two), uint64(c.facts.VFs)
			if !ok1 || !ok2 || firmwareVFs == 0 || sum <= firmwareVFs {
				return ""
			}
			return fmt.Sprintf("the firmware has %d virtual functions: %d and %d of them become %d and %d",
				firmwareVFs, one, two, uint64(one)*firmwareVFs/sum, uint64(two)*firmwareVFs/sum)
		},
	},
	{
		Name: "ethertypes-missing", Says: "One entry in the list of Ethertypes replaces the driver's whole list.",
		Keys: etherTypes, grade: Doubtful,
		against: func(c *check) string {
			allowed := c.allowed()
			for _, needed := range []struct {
				ethertype uint32
				name      string
			}{{0x0800, "IPv4"}, {0x0806, "ARP"}, {0x86DD, "IPv6"}} {
				if !slices.Contains(allowed, needed.ethertype) {
					return fmt.Sprintf("the list has no 0x%04X: virtual functions can't send %s", needed.ethertype, needed.name)
				}
			}
			return ""
		},
	},
	{
		Name: "fcoe-pair", Says: "0x8906 and 0x8914 are allowed or blocked together on ConnectX-3.", Keys: etherTypes, grade: Doubtful,
		against: func(c *check) string {
			const fcoe, fip = 0x8906, 0x8914
			if c.row.Family != description.WinOF || c.n != fcoe && c.n != fip {
				return ""
			}
			other := fcoe + fip - c.n
			if slices.Contains(c.allowed(), other) {
				return ""
			}
			return fmt.Sprintf("0x%04X is allowed with it", other)
		},
	},
	{
		Name: "no-llc", Says: "0 allows LLC packets only on ConnectX-3.", Keys: etherTypes, grade: Doubtful,
		against: func(c *check) string {
			if c.row.Family != description.WinOF2 || c.n != 0 {
				return ""
			}
			return "0 is not an Ethertype, and has no meaning on this card"
		},
	},
}

// allowed returns the Ethertypes in the list.
func (c *check) allowed() (list []uint32) {
	for _, name := range etherTypes {
		if n, ok := c.number(c.row.Scope, name); ok {
			list = append(list, n)
		}
	}
	return list
}
