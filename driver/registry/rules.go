package registry

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"cxdeck/device/description"
)

// Rule is a constraint on the value of a key by its port or by other keys.
type Rule struct {
	// Name identifies the rule: "rss-off".
	Name string
	// Says states the rule as a sentence.
	Says string
	// Keys are the keys that the rule judges, all when empty; With are the keys that they depend on. A name that several scopes
	// have includes the scope: "bus-device/PermitSriov".
	Keys, With []string

	// against returns the objection to the value of a key; empty for none.
	against func(c *check) string
	// grade is the grade of a value that breaks the rule, and remedy the reaction of the driver.
	grade  Grade
	remedy InvalidHandling
}

// Rules returns all rules other than the type, range and list of a single key.
func Rules() []Rule { return slices.Clone(rules) }

var rules = slices.Concat(portRules, idleRules, receiveRules, sendRules, qosRules, roceRules, virtualRules, cautions)

// check is one value that is checked against the rules.
type check struct {
	*Effective
	row *Row
	// stored is the value in the registry, n the number in use, 0 for none.
	stored Value
	n      uint32
}

// evaluate checks the value of a key against a rule.
func (rule *Rule) evaluate(e *Effective, r *Row) (Reason, bool) {
	reading := e.readings[r.Index]
	if !reading.Stored.Exists() {
		return Reason{}, false
	}
	why := rule.against(&check{e, r, reading.Stored, reading.Value.Number()})
	return Reason{Grade: rule.grade, Why: why, With: rule.With}, why != ""
}

// rulesOf returns the rules for a key: for its name, for its name in its scope, and for all keys. They are indexed
// once.
func rulesOf(r *Row) []*Rule { return rulesByKey()[string(r.Scope)+"/"+r.Name] }

// rulesByKey are the rules of each key, by scope and name.
var rulesByKey = sync.OnceValue(func() map[string][]*Rule {
	byKey := map[string][]*Rule{}
	for _, family := range []description.Family{description.WinOF, description.WinOF2} {
		for i := range Keys(family).Rows {
			r := &Keys(family).Rows[i]
			key := string(r.Scope) + "/" + r.Name
			byKey[key] = nil
			for k := range rules {
				if rules[k].names(key, r.Name) {
					byKey[key] = append(byKey[key], &rules[k])
				}
			}
		}
	}
	return byKey
})

func (rule *Rule) names(key, name string) bool {
	return len(rule.Keys) == 0 || slices.Contains(rule.Keys, name) || slices.Contains(rule.Keys, key)
}

// changed reports whether the value in use differs from the default.
func (c *check) changed() bool { return c.readings[c.row.Index].Value != c.row.Default(c.facts.Link) }

// effectiveNumber returns the effective number of another key: of the same scope, else of the port, else a shared one.
func (c *check) effectiveNumber(name string) (uint32, bool) {
	return c.findNumber(name, c.row.Scope, Miniport, Congestion, BusDriver, BusDevice, RoCE, System)
}

// findNumber returns the effective number of a key in the first of some scopes that has one.
func (e *Effective) findNumber(name string, scopes ...Scope) (uint32, bool) {
	for _, scope := range scopes {
		if n, ok := e.number(scope, name); ok {
			return n, true
		}
	}
	return 0, false
}

func (c *check) equals(name string, n uint32) bool {
	got, ok := c.effectiveNumber(name)
	return ok && got == n
}

// mtu returns the size of the largest IP packet in bytes.
func (e *Effective) mtu() uint32 {
	frame, _ := e.number(Miniport, "*JumboPacket")
	if e.facts.Link == description.Ethernet {
		frame -= ethernetHeader
	}
	return frame
}

// portRules check the value of any key against its port.
var portRules = []Rule{
	{
		Name: "other-link", Says: "A key of InfiniBand ports has no effect on an Ethernet port, and vice versa.", grade: Doubtful,
		against: func(c *check) string {
			if c.row.Fits(c.facts.Link) {
				return ""
			}
			if c.facts.Link == description.Ethernet {
				return "it is for InfiniBand ports, and this is an Ethernet port"
			}
			return "it is for Ethernet ports, and this is an InfiniBand port"
		},
	},
	{
		Name: "no-effect", Says: "Some keys are stored without effect.", grade: Doubtful,
		against: func(c *check) string {
			if c.row.Inert == "" || !c.changed() {
				return ""
			}
			return "it has no effect: " + c.row.Inert
		},
	},
	{
		Name: "virtual-function", Says: "Some keys have no effect on a virtual function.", grade: Doubtful,
		against: func(c *check) string {
			if !c.facts.Virtual || c.row.VF != NotConfigurable && c.row.VF != PhysicalOnly {
				return ""
			}
			return "it has no effect on a virtual function; set it on the physical function"
		},
	},
}

// idle returns a rule for keys that have no effect while another key has one of some values.
func idle(name, by, state string, values []uint32, keys ...string) Rule {
	return Rule{
		Name: name, Says: fmt.Sprintf("No effect while %s: %s.", state, strings.Join(keys, ", ")),
		Keys: keys, With: []string{by}, grade: Doubtful,
		against: func(c *check) string {
			n, ok := c.effectiveNumber(by)
			if !c.changed() || !ok || !slices.Contains(values, n) {
				return ""
			}
			return fmt.Sprintf("it has no effect while %s is %d: %s", by, n, state)
		},
	}
}

// idleRules are the rules of keys that other keys disable.
var idleRules = []Rule{
	idle("rss-off", "*RSS", "RSS is off", []uint32{0},
		"*NumRSSQueues", "*MaxRSSProcessors", "*RssBaseProcNumber", "*RssBaseProcGroup", "*NumaNodeID", "MaxNumRssCpus",
		"RssProfile", "RssMaxProcNumber", "UseRSSForUDP", "UseRSSForRawIP", "*RssOnHostVPorts"),
	idle("moderation-off", "*InterruptModeration", "each packet raises an interrupt", []uint32{0},
		"RxIntModeration", "RxIntModerationProfile", "TxIntModerationProfile", "pkt_rate_low", "pkt_rate_high"),
	idle("static-moderation", "RxIntModeration", "moderation does not follow the packet rate", []uint32{1},
		"pkt_rate_low", "pkt_rate_high"),
	idle("adaptive-moderation", "RxIntModeration", "the packet rate chooses the profile", []uint32{2}, "RxIntModerationProfile"),
	idle("vmq-off", "*VMQ", "virtual machines have no queues", []uint32{0},
		"MaxNumVmqs", "MaxNumMacAddrFilters", "MaxNumVlanFilters", "*VMQVlanFiltering", "*VMQLookaheadSplit"),
	idle("vlan-filters-off", "*VMQVlanFiltering", "queues are chosen by MAC address alone", []uint32{0}, "MaxNumVlanFilters"),
	idle("rss-counters-off", "RssMonitoringEnabled", "nothing is counted by processor", []uint32{0}, "RssCountersActivatedAtStartup"),
	idle("vxlan-off", "*EncapsulatedPacketTaskOffloadVxlan", "the adapter has no VXLAN offload", []uint32{0}, "*VxlanUDPPortNumber"),
	idle("ethertypes-off", "VFAllowedTxEtherTypeListEnable", "the list of Ethertypes is off", []uint32{0}, etherTypes...),
	idle("sriov-off", "PermitSriov", "there are no virtual functions", []uint32{0},
		"bus-driver/SriovPortMode", "bus-driver/MaxVFPort1", "bus-driver/MaxVFPort2",
		"bus-device/SriovPortMode", "bus-device/MaxVFPort1", "bus-device/MaxVFPort2"),
	idle("sriov-automatic", "SriovPortMode", "one port gets all virtual functions", []uint32{0, 1},
		"bus-driver/MaxVFPort1", "bus-driver/MaxVFPort2", "bus-device/MaxVFPort1", "bus-device/MaxVFPort2"),
	idle("cnp-priority-taken", "DcqcnCnpPrioMode", "CNPs have the priority of the marked packet", []uint32{1}, "DcqcnCnp802pPrio"),
	idle("vf-monitor-off", "VfCpuMonEnable", "virtual functions are not monitored", []uint32{0},
		"VfCpuMonBatchPeriodSec", "VfCpuMonFwCpuUsageMax", "VfCpuMonErrors2FwMax"),
	idle("head-of-queue-off", "TCHeadOfQueueLifeTimeLimitEnable", "packets wait without limit", []uint32{0},
		"TCHeadOfQueueLifeTimeLimit"),
	idle("bursts-not-kept", "AsyncReceiveIndicate", "bursts are not buffered", []uint32{0}, "RfdReservationFactor"),
	idle("rdma-off", "*NetworkDirect", "the adapter offers no RDMA", []uint32{0},
		"miniport/roce_mode", "RoceMaxFrameSize"),
	idle("roce-v2-only", "roce_mode", "RDMA does not use UDP", []uint32{RoCEv1, RoCEIP, NoRoCE}, "roce_udp_dport"),
	idle("no-roce", "roce_mode", "there is no RoCE", []uint32{NoRoCE}, "RoceMaxFrameSize", "UpdateGIDTimerFrequency"),
	idle("no-congestion-control", "roce_mode", "congestion control is for RoCE v2", []uint32{RoCEv1, NoRoCE}, congestionFlags()...),
}

// congestionFlags returns the switches of congestion control by priority.
func congestionFlags() (keys []string) {
	for priority := range 8 {
		keys = append(keys, fmt.Sprintf("DcqcnRPEnablePrio%d", priority), fmt.Sprintf("DcqcnNPEnablePrio%d", priority),
			fmt.Sprintf("DcqcnEnablePrio%d", priority))
	}
	return keys
}

// caution returns a rule for values of a key that are valid but risky.
func caution(key string, family description.Family, why string, values ...uint32) Rule {
	return Rule{
		Name: "caution-" + strings.ToLower(strings.Trim(key, "*")), Keys: []string{key}, grade: Doubtful,
		Says: fmt.Sprintf("%s of %s: %s.", key, numbers(values), why),
		against: func(c *check) string {
			if c.row.Family != family || !slices.Contains(values, c.n) || !c.changed() {
				return ""
			}
			return why
		},
	}
}

func numbers(list []uint32) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = fmt.Sprint(n)
	}
	return strings.Join(words, " or ")
}

// dcbxByFirmware is the reason against DcbxMode 2 while the firmware of the card has DCBX off.
const dcbxByFirmware = "it needs LLDP_NB_RX_MODE and LLDP_NB_TX_MODE of 2 and LLDP_NB_DCBX of 1 in the firmware"

// dcbxByOther is the reason against other values of DcbxMode than 2.
const dcbxByOther = "only 2 is documented, and with other values the driver does not use DCBX"

// cautions are the rules of risky values.
var cautions = []Rule{
	caution("CheckFwVersion", description.WinOF, "firmware that is too old is accepted; use it only in tests", 0),
	caution("IgnoreFCS", description.WinOF, "damaged frames are received as if they were undamaged", 1),
	caution("PromiscuousVlan", description.WinOF, "frames of all VLANs are received", 1),
	caution("PromiscuousVlan", description.WinOF2, "frames of all VLANs are received", 1),
	caution("UpdateGIDTimerFrequency", description.WinOF, "a changed IP address is not noticed, and RDMA continues with the old one", 0),
	caution("SHMPResetActiveSensorsMask", description.WinOF, "no sensor restarts an adapter that hangs", 0),
	caution("AverageFactor", description.WinOF, "the average never changes, and polling depends only on the newest pass", 0),
	caution("AverageFactor", description.WinOF2, "the average never changes, and polling depends only on the newest pass", 0),
	caution("VlanId", description.WinOF, "4095 is reserved: switches drop such frames", 4095),
	caution("VlanId", description.WinOF2, "4095 is reserved: switches drop such frames", 4095),
	caution("DelayDropTimeout", description.WinOF, "a packet waits for a descriptor without limit, which may block the whole network", 65535),
	caution("RedirectVfDHCPToPF", description.WinOF2, "it needs the physical function in promiscuous mode, and on cards before ConnectX-5 a driver later than 2.50 in the virtual machine", 1),
	{
		Name: "caution-dcbxmode", Keys: []string{"DcbxMode"}, grade: Doubtful,
		Says: "DcbxMode of 2: " + dcbxByFirmware + ".",
		against: func(c *check) string {
			if c.row.Family != description.WinOF2 || c.n != 2 || !c.changed() || c.facts.FirmwareDCBX {
				return ""
			}
			return dcbxByFirmware
		},
	},
	{
		Name: "caution-dcbxmode-other", Keys: []string{"DcbxMode"}, grade: Doubtful,
		Says: "DcbxMode other than 2: " + dcbxByOther + ".",
		against: func(c *check) string {
			if c.row.Family != description.WinOF2 || c.n == 2 || !c.changed() {
				return ""
			}
			return dcbxByOther
		},
	},
	caution("DcqcnRpgMinDecFac", description.WinOF2, "a rate cut leaves the full rate: CNPs do not slow senders", 100),
	caution("DcqcnDceTcpG", description.WinOF2, "alpha stays at its first value", 0),
}
