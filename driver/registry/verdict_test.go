package registry

import (
	"slices"
	"strings"
	"testing"

	"cxdeck/device/description"
)

// judged is one case of a value among others.
type judged struct {
	rule   string // the rule that is meant; empty for what a key says by itself
	family description.Family
	link   description.LinkType
	facts  func(f *Facts)
	stored map[string]Value
	key    string // the first is judged; with its scope where it has several
	grade  Grade
	why    string
	remedy InvalidHandling
}

// n are stored numbers: "key", number, and so on.
func n(pairs ...any) map[string]Value {
	stored := map[string]Value{}
	for i := 0; i < len(pairs); i += 2 {
		stored[pairs[i].(string)] = NumberValue(uint32(pairs[i+1].(int)))
	}
	return stored
}

func text(key, value string) map[string]Value { return map[string]Value{key: TextValue(value)} }

const (
	winof, winof2 = description.WinOF, description.WinOF2
	eth, ib       = description.Ethernet, description.InfiniBand
)

func verdicts() []judged {
	pro := func(f *Facts) { f.DeviceID, f.Firmware = connectX3Pro, "2.42.5000" }
	old := func(f *Facts) { f.DeviceID, f.Firmware = connectX3, "2.42.5000" }
	pfc := func(f *Facts) { f.Lossless = 1<<3 | 1<<5 }
	virtual := func(f *Facts) { f.Virtual, f.HostFrame = true, 4088 }
	firmwareVFs := func(f *Facts) { f.VFs = 16 }
	return []judged{
		{"", winof2, eth, nil, n("*JumboPacket", 9014), "*JumboPacket", Valid, "", ""},
		{"", winof2, eth, nil, n("*JumboPacket", 9999), "*JumboPacket", Invalid, "above the limit of 9614; 9614 is used", Clamp},
		{"", winof2, eth, nil, text("*JumboPacket", "9014"), "*JumboPacket", Valid, "", ""},
		{"", winof2, eth, nil, text("*JumboPacket", "jumbo"), "*JumboPacket", Invalid, `"jumbo" is not a number`, Clamp},
		{"", winof, ib, nil, n("*JumboPacket", 9014), "*JumboPacket", Invalid, "above the limit of 4092", Clamp},
		{"", winof, eth, virtual, n("*JumboPacket", 9014), "*JumboPacket", Invalid, "above the limit of 4088", Clamp},
		{"", winof2, eth, nil, n("*JumboPacket", 9014, "LSOSize", 9000), "LSOSize", Invalid, "below the limit of 10024; the feature is off", FeatureOff},
		{"", winof2, eth, nil, n("*ReceiveBuffers", 100), "*ReceiveBuffers", Invalid, "the default of 512 is used", UseDefault},
		{"", winof, ib, nil, n("GUIDMask", 0xFF), "GUIDMask", Invalid, "six bits", UseDefault},
		{"", winof, eth, nil, text("DumpMeNowDirectory", `\??\C:\Dumps`), "DumpMeNowDirectory", Valid, "", ""},
		{"", winof, eth, nil, text("DumpMeNowDirectory", `C:\Dumps`), "DumpMeNowDirectory", Invalid, "an NT path", UseDefault},
		{"", winof2, eth, nil, text("NetworkAddress", "02-15-5D-00-00-01"), "NetworkAddress", Valid, "", ""},
		{"", winof2, eth, nil, text("NetworkAddress", "02155D"), "NetworkAddress", Invalid, "twelve hexadecimal digits", UseDefault},
		{"", winof2, eth, nil, text("*SRIOV", "5"), "*SRIOV", Invalid, "not one of its values", UseDefault},
		{"", winof2, eth, nil, map[string]Value{"*RSS": {kind: "REG_BINARY", text: "\x01"}}, "*RSS", Invalid, "a value of the type REG_BINARY is not a number", UseDefault},
		{"", winof, eth, nil, n("pkt_rate_low", 170000), "pkt_rate_low", Invalid, "not below pkt_rate_high of 170000; the defaults of both", UseDefault},
		{"", winof, eth, nil, n("pkt_rate_high", 150000), "pkt_rate_high", Invalid, "not above pkt_rate_low of 150000", UseDefault},
		{"", winof, eth, nil, n("pkt_rate_low", 99, "pkt_rate_high", 160000), "pkt_rate_high", Valid, "", ""},
		{"", winof, eth, nil, n("RxPause", 1, "PerPriRxPause", 8), "RxPause", Invalid, "PerPriRxPause of 8 excludes it", UseDefault},
		{"", winof, eth, nil, n("TxPause", 1, "PerPriTxPause", 1), "TxPause", Invalid, "excludes it", UseDefault},
		{"pause-of-priorities", winof, eth, nil, n("RxPause", 1, "PerPriRxPause", 8), "PerPriRxPause", Doubtful, "it turns off RxPause of 1", ""},
		{"", winof, eth, nil, n("RxPause", 0, "PerPriRxPause", 8), "PerPriRxPause", Valid, "", ""},
		{"", winof, eth, nil, n("TxPause", 1, "PerPriRxPause", 8), "PerPriRxPause", Valid, "", ""},
		{"", winof, eth, old, n("roce_mode", 2), "roce_mode", Invalid, "the firmware has no mode 2; 5 is used", UseDefault},
		{"", winof, eth, pro, n("roce_mode", 2), "roce_mode", Valid, "", ""},
		{"", winof, eth, nil, n("bus-driver/PermitSriov", 1, "bus-device/PermitSriov", 0), "bus-device/PermitSriov", Doubtful, "of the bus driver is 1 and wins", ""},
		{"", winof, eth, nil, n("bus-device/PermitSriov", 0), "bus-device/PermitSriov", Valid, "", ""},

		{"other-link", winof, eth, nil, n("SaTimeout", 500), "SaTimeout", Doubtful, "it is for InfiniBand ports", ""},
		{"other-link", winof, ib, nil, n("IgnoreFCS", 1), "IgnoreFCS", Doubtful, "it is for Ethernet ports", ""},
		{"no-effect", winof, eth, nil, n("*LsoV1IPv4", 0), "*LsoV1IPv4", Doubtful, "the driver has not supported it", ""},
		{"virtual-function", winof, eth, virtual, n("VlanId", 5), "VlanId", Doubtful, "no effect on a virtual function", ""},
		{"rss-off", winof2, eth, nil, n("*RSS", 0, "*NumRSSQueues", 4), "*NumRSSQueues", Doubtful, "while *RSS is 0: RSS is off", ""},
		{"rss-off", winof2, eth, nil, n("*RSS", 0, "*NumRSSQueues", 8), "*NumRSSQueues", Valid, "", ""},
		{"moderation-off", winof, eth, nil, n("*InterruptModeration", 0, "RxIntModeration", 1), "RxIntModeration", Doubtful, "each packet", ""},
		{"static-moderation", winof, eth, nil, n("RxIntModeration", 1, "pkt_rate_low", 1000), "pkt_rate_low", Doubtful, "does not follow", ""},
		{"adaptive-moderation", winof2, eth, nil, n("RxIntModerationProfile", 0), "RxIntModerationProfile", Doubtful, "chooses the profile", ""},
		{"vmq-off", winof, eth, nil, n("*VMQ", 0, "MaxNumVmqs", 8), "MaxNumVmqs", Doubtful, "no queues", ""},
		{"vlan-filters-off", winof, eth, nil, n("*VMQVlanFiltering", 0, "MaxNumVlanFilters", 8), "MaxNumVlanFilters", Doubtful, "MAC address alone", ""},
		{"rss-counters-off", winof, eth, nil, n("RssCountersActivatedAtStartup", 1), "RssCountersActivatedAtStartup", Doubtful, "nothing is counted", ""},
		{"vxlan-off", winof2, eth, nil, n("*EncapsulatedPacketTaskOffloadVxlan", 0, "*VxlanUDPPortNumber", 8472), "*VxlanUDPPortNumber", Doubtful, "no VXLAN offload", ""},
		{"ethertypes-off", winof2, eth, nil, n("VFAllowedTxEtherTypeListEnable", 0, "VFAllowedTxEtherType0", 0x0800), "VFAllowedTxEtherType0", Doubtful, "the list of Ethertypes is off", ""},
		{"sriov-off", winof, eth, nil, n("bus-driver/PermitSriov", 0, "bus-driver/SriovPortMode", 0), "bus-driver/SriovPortMode", Doubtful, "no virtual functions", ""},
		{"sriov-automatic", winof, eth, nil, n("bus-driver/SriovPortMode", 0, "bus-driver/MaxVFPort1", 8), "bus-driver/MaxVFPort1", Doubtful, "one port gets all", ""},
		{"cnp-priority-taken", winof2, eth, nil, n("DcqcnCnp802pPrio", 6), "DcqcnCnp802pPrio", Doubtful, "of the marked packet", ""},
		{"vf-monitor-off", winof2, eth, nil, n("VfCpuMonEnable", 0, "VfCpuMonBatchPeriodSec", 10), "VfCpuMonBatchPeriodSec", Doubtful, "not monitored", ""},
		{"head-of-queue-off", winof2, eth, nil, n("TCHeadOfQueueLifeTimeLimitEnable", 0, "TCHeadOfQueueLifeTimeLimit", 3), "TCHeadOfQueueLifeTimeLimit", Doubtful, "packets wait without limit", ""},
		{"bursts-not-kept", winof2, eth, nil, n("RfdReservationFactor", 150), "RfdReservationFactor", Doubtful, "not buffered", ""},
		{"rdma-off", winof2, eth, nil, n("*NetworkDirect", 0, "RoceMaxFrameSize", 512), "RoceMaxFrameSize", Doubtful, "offers no RDMA", ""},
		{"roce-v2-only", winof, eth, nil, n("roce_mode", 0, "roce_udp_dport", 1021), "roce_udp_dport", Doubtful, "does not use UDP", ""},
		{"no-roce", winof, eth, nil, n("roce_mode", 4, "UpdateGIDTimerFrequency", 100), "UpdateGIDTimerFrequency", Doubtful, "there is no RoCE", ""},
		{"no-congestion-control", winof2, eth, nil, n("driver-roce/roce_mode", 0, "DcqcnRPEnablePrio3", 1), "DcqcnRPEnablePrio3", Doubtful, "for RoCE v2", ""},
		{"no-congestion-control", winof2, eth, nil, n("DcqcnRPEnablePrio3", 1), "DcqcnRPEnablePrio3", Valid, "", ""},

		{"frame-of-switch", winof2, eth, func(f *Facts) { f.SwitchFrame = 1514 }, n("*JumboPacket", 9014), "*JumboPacket", Doubtful, "at most 1514 bytes", ""},
		{"power-of-two", winof2, eth, nil, n("*NumRSSQueues", 6), "*NumRSSQueues", Doubtful, "6 acts as 4", ""},
		{"power-of-two", winof, ib, nil, n("*NumRSSQueues", 6), "*NumRSSQueues", Valid, "", ""},
		{"more-rings-than-processors", winof, eth, nil, n("*NumRSSQueues", 16), "*NumRSSQueues", Doubtful, "*MaxRSSProcessors of 8 leaves it 8 rings", ""},
		{"more-rings-than-processors", winof2, eth, nil, n("*NumRSSQueues", 4, "*RssBaseProcNumber", 30), "*NumRSSQueues", Doubtful, "only 2 processors", ""},
		{"processor-of-node", winof2, eth, nil, n("*RssBaseProcNumber", 20, "*NumaNodeID", 0), "*NumaNodeID", Doubtful, "no processor from", ""},
		{"rss-of-windows", winof2, eth, nil, n("*RSS", 1, "EnableRSS", 0), "EnableRSS", Invalid, "Code 10", NoStart},
		{"rss-of-windows", winof2, eth, nil, n("*RSS", 0, "EnableRSS", 0), "EnableRSS", Valid, "", ""},
		{"return-beyond-ring", winof2, eth, nil, n("ReturnPacketThreshold", 600), "ReturnPacketThreshold", Doubtful, "a ring has 512 buffers", ""},
		{"threads-beyond-rings", winof, eth, nil, n("MaximumWorkingThreads", 9), "MaximumWorkingThreads", Doubtful, "8 rings", ""},
		{"vmq-not-there", winof2, eth, nil, n("*VMQ", 0, "*RssOrVmqPreference", 1), "*RssOrVmqPreference", Doubtful, "reported but off", ""},
		{"multicast-address", winof2, eth, nil, text("NetworkAddress", "01:00:5E:00:00:01"), "NetworkAddress", Invalid, "multicast", NoStart},
		{"preserved-dumps", winof, eth, nil, text("DumpMeNowPreservedCountMin", "128"), "DumpMeNowPreservedCountMin", Doubtful, "none can be overwritten", ""},
		{"tcp-window", winof, eth, nil, n("TcpWindowSize", 8192), "TcpWindowSize", Doubtful, "delete it or set 65535", ""},
		{"large-sends-off", winof2, eth, nil, n("*LsoV2IPv4", 0, "*LsoV2IPv6", 0, "LSOMinSegment", 4), "LSOMinSegment", Doubtful, "large sends are off", ""},
		{"large-sends-ipv4-off", winof2, eth, nil, n("*LsoV2IPv4", 0, "LSOIpOptions", 0), "LSOIpOptions", Doubtful, "over IPv4", ""},
		{"large-sends-too-small", winof2, eth, nil, n("LSOSize", 1000, "*LsoV2IPv4", 1), "*LsoV2IPv4", Doubtful, "off anyway", ""},
		{"nvgre-card", winof, eth, old, n("*EncapsulatedPacketTaskOffload", 1), "*EncapsulatedPacketTaskOffload", Doubtful, "ConnectX-3 Pro has", ""},

		{"pause-or-pfc", winof2, eth, pfc, n("*FlowControl", 3), "*FlowControl", Doubtful, "PFC is on for priorities 3 and 5", ""},
		{"pfc-without-qos", winof, eth, pfc, n("*QOS", 0), "*QOS", Doubtful, "stops", ""},
		{"roce-without-flow-control", winof2, eth, nil, n("*FlowControl", 0), "*FlowControl", Doubtful, "get lost", ""},
		{"roce-without-flow-control", winof2, eth, pfc, n("*FlowControl", 0), "*FlowControl", Valid, "", ""},
		{"priority-read-back", winof2, eth, nil, n("RxTrustedState", 2, "PriorityToDscpMappingTable_3", 3), "PriorityToDscpMappingTable_3", Doubtful, "24 maps back to priority 3", ""},
		{"priority-read-back", winof2, eth, nil, n("RxTrustedState", 2, "PriorityToDscpMappingTable_3", 24), "PriorityToDscpMappingTable_3", Valid, "", ""},
		{"dscp-other-name", winof2, eth, nil, n("RroceDscpMarkPriorityFlowControl_3", 24), "RroceDscpMarkPriorityFlowControl_3", Doubtful, "and wins", ""},
		{"dscp-based-pfc", winof2, eth, pfc, n("RxTrustedState", 2), "RxTrustedState", Doubtful, "TxUntagPriorityTag", ""},
		{"", winof2, eth, nil, n("DcqcnEnablePrio3", 0, "DcqcnNPEnablePrio3", 1), "DcqcnNPEnablePrio3", Doubtful, "DcqcnEnablePrio3 of 0 sets both flags", ""},
		{"", winof2, eth, nil, n("DcqcnEnablePrio3", 1, "DcqcnNPEnablePrio3", 1), "DcqcnNPEnablePrio3", Valid, "", ""},
		{"no-room-to-cut", winof2, eth, nil, n("DcqcnRpgMinRate", 25000), "DcqcnRpgMinRate", Doubtful, "congestion control is off", ""},
		{"first-below-least", winof2, eth, nil, n("DcqcnRpgMinRate", 5000, "DcqcnRateToSetOnFirstCnp", 3000), "DcqcnRateToSetOnFirstCnp", Doubtful, "is used instead", ""},
		{"hyper-below-additive", winof2, eth, nil, n("DcqcnRpgHaiRate", 5), "DcqcnRpgHaiRate", Doubtful, "slower than the one before", ""},
		{"no-recovery", winof2, eth, nil, n("DcqcnRpgTimeReset", 0, "DcqcnRpgByteReset", 0), "DcqcnRpgTimeReset", Doubtful, "stays slow", ""},

		{"roce-of-both-ends", winof, eth, nil, n("roce_mode", 0), "roce_mode", Doubtful, "another RoCE mode", ""},
		{"roce-of-both-ends", winof, eth, nil, n("roce_udp_dport", 1021), "roce_udp_dport", Doubtful, "another port", ""},
		{"mode-of-adapter", winof2, eth, nil, n("miniport/roce_mode", 4, "driver-roce/roce_mode", 2), "driver-roce/roce_mode", Doubtful, "of its own, which wins", ""},
		{"roce-frame-in-mtu", winof2, eth, nil, n("RoceMaxFrameSize", 2048), "RoceMaxFrameSize", Doubtful, "the MTU of 1500", ""},
		{"dropless-beside-infiniband", winof, ib, nil, nil, "DelayDropTimeout", Valid, "", ""},

		{"one-port-gets-all", winof, eth, nil, n("bus-driver/SriovPortMode", 1), "bus-driver/SriovPortMode", Doubtful, "port 2 gets all", ""},
		{"more-than-burnt", winof, eth, firmwareVFs, n("bus-driver/MaxVFPort1", 16, "bus-driver/MaxVFPort2", 8), "bus-driver/MaxVFPort1", Doubtful, "become 10 and 5", ""},
		{"sriov-ethernet-only", winof, ib, nil, n("bus-driver/MaxVFPort1", 8), "bus-driver/MaxVFPort1", Doubtful, "InfiniBand port has no virtual functions", ""},
		{"ethertypes-missing", winof2, eth, nil, n("VFAllowedTxEtherType0", 0x0800), "VFAllowedTxEtherType0", Doubtful, "can't send ARP", ""},
		{"fcoe-pair", winof, eth, nil, n("VFAllowedTxEtherType3", 0x8914), "VFAllowedTxEtherType3", Doubtful, "0x8906 is allowed with it", ""},
		{"no-llc", winof2, eth, nil, n("VFAllowedTxEtherType3", 0), "VFAllowedTxEtherType3", Doubtful, "0 is not an Ethertype", ""},
		{"", winof2, eth, nil, n("VFAllowedTxEtherType3", 70000), "VFAllowedTxEtherType3", Invalid, "above the limit of 65535", UseDefault},
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	for _, c := range verdicts() {
		e, r := c.read(t)
		v := e.Verdict(r)
		if v.Grade != c.grade || !strings.Contains(v.String(), c.why) || v.Remedy != c.remedy {
			t.Errorf("%s of %v (%s) is %q, remedy %q; want %s, %q, %q", c.key, c.stored, c.rule, v, v.Remedy, c.grade, c.why, c.remedy)
		}
	}
}

func (c *judged) read(t *testing.T) (*Effective, *Row) {
	t.Helper()
	f := facts(c.link)
	if c.facts != nil {
		c.facts(&f)
	}
	r, ok := Keys(c.family).Find(c.key, Miniport, Congestion, BusDriver, BusDevice, RoCE, System)
	if !ok {
		t.Fatalf("no key %s", c.key)
	}
	return Read(Keys(c.family), f, func(r *Row) Value {
		if v := c.stored[string(r.Scope)+"/"+r.Name]; v.Exists() {
			return v
		}
		if v := c.stored[r.Name]; v.Exists() {
			return v
		}
		return Value{}
	}), r
}

// TestEachRuleFires has a case in which each rule is what is said.
func TestEachRuleFires(t *testing.T) {
	t.Parallel()
	besides := []string{"rss-of-both-ports", "vxlan-port-of-both", "no-roce-beside-infiniband", "dropless-beside-infiniband"}
	names := map[string]bool{}
	for _, rule := range Rules() {
		if rule.Name == "" || rule.Says == "" || !strings.HasSuffix(rule.Says, ".") || names[rule.Name] && !strings.HasPrefix(rule.Name, "caution-") {
			t.Errorf("the rule %q (%s) has no name or words of its own", rule.Name, rule.Says)
		}
		names[rule.Name] = true
		for _, key := range slices.Concat(rule.Keys, rule.With) {
			if !known(key) {
				t.Errorf("%s speaks of %s, which is no key", rule.Name, key)
			}
		}
		if strings.HasPrefix(rule.Name, "caution-") || slices.Contains(besides, rule.Name) {
			continue // in tests of their own
		}
		if !slices.ContainsFunc(verdicts(), func(c judged) bool { return c.rule == rule.Name && c.grade != Valid }) {
			t.Errorf("no case shows %s", rule.Name)
		}
	}
}

func known(key string) bool {
	for _, family := range []description.Family{winof, winof2} {
		if r, ok := Keys(family).Find(key, Miniport, Congestion, BusDriver, BusDevice, RoCE, System); ok && strings.HasSuffix(key, r.Name) {
			return true
		}
	}
	return false
}

func TestCautions(t *testing.T) {
	t.Parallel()
	for _, rule := range cautions {
		spoke := false
		for _, family := range []description.Family{winof, winof2} {
			for _, value := range []int{0, 1, 2, 100, 4095, 65535} {
				c := judged{family: family, stored: n(rule.Keys[0], value), key: rule.Keys[0]}
				if _, ok := Keys(family).Find(c.key, Miniport, Congestion, BusDriver); !ok {
					continue
				}
				e, r := c.read(t)
				if v := e.Verdict(r); v.Grade == Doubtful && strings.Contains(rule.Says, v.Reasons[0].Why) {
					spoke = true
				}
			}
		}
		if !spoke {
			t.Errorf("%s never speaks", rule.Says)
		}
	}
}

func TestRulesBesideTheOtherPort(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		judged
		other judged
		why   string
	}{
		{judged{family: winof, stored: n("*RSS", 1), key: "*RSS"}, judged{family: winof, stored: n("*RSS", 0), key: "*RSS"}, "another RSS mode"},
		{judged{family: winof, stored: n("*RSS", 1), key: "*RSS"}, judged{family: winof, stored: n("*RSS", 1), key: "*RSS"}, ""},
		{judged{family: winof2, stored: n("*VxlanUDPPortNumber", 4789), key: "*VxlanUDPPortNumber"},
			judged{family: winof2, stored: n("*VxlanUDPPortNumber", 8472), key: "*VxlanUDPPortNumber"}, "works on one of them"},
		{judged{family: winof, stored: n("roce_mode", 4), key: "roce_mode"}, judged{family: winof, link: ib, key: "*RSS"}, "not supported"},
		{judged{family: winof, stored: n("DelayDropTimeout", 10), key: "DelayDropTimeout"}, judged{family: winof, link: ib, key: "*RSS"}, "it has no effect"},
	} {
		e, r := c.read(t)
		other, _ := c.other.read(t)
		v := e.Beside(other).Verdict(r)
		if (v.Grade == Doubtful) != (c.why != "") || !strings.Contains(v.String(), c.why) {
			t.Errorf("%s of %v beside %v is %q, want %q", c.key, c.stored, c.other.stored, v, c.why)
		}
	}
}

// TestVerdictAndDriverAgree: what is invalid is not used, what is used again is not invalid, whatever is stored.
func TestVerdictAndDriverAgree(t *testing.T) {
	t.Parallel()
	extremes := []uint32{0, 1, 2, 3, 7, 63, 64, 255, 256, 1514, 4096, 9614, 65535, 1 << 20, 1<<31 - 1, 1 << 31, Automatic}
	for _, family := range []description.Family{winof, winof2} {
		for _, link := range []description.LinkType{eth, ib} {
			defaults := Read(Keys(family), facts(link), func(r *Row) Value {
				if r.MustCreate {
					return Value{}
				}
				return r.Default(link)
			})
			for i := range Keys(family).Rows {
				r := &Keys(family).Rows[i]
				if !r.Scope.Stored() {
					continue
				}
				for _, number := range extremes {
					e := defaults.Propose(map[*Row]Value{r: NumberValue(number)})
					v := e.Verdict(r)
					if v.Used != e.Reading(r).Value {
						t.Fatalf("%s of %d: the verdict has %v, the driver %v", r.Name, number, v.Used, e.Reading(r).Value)
					}
					if (v.Grade == Invalid) != (v.Remedy != "") {
						t.Errorf("%s of %d is %q with the remedy %q", r.Name, number, v, v.Remedy)
					}
					taken := v.Used == NumberValue(number) || v.Used == TextValue(NumberValue(number).String())
					if r.Fits(link) && v.Grade == Valid && !taken {
						t.Errorf("%s of %d is valid, and the driver works with %v", r.Name, number, v.Used)
					}
				}
			}
		}
	}
}

func TestFreshInstallationIsSound(t *testing.T) {
	t.Parallel()
	for _, family := range []description.Family{winof, winof2} {
		for _, link := range []description.LinkType{eth, ib} {
			f := facts(link)
			f.Lossless = 1 << 3
			e := Read(Keys(family), f, func(r *Row) Value {
				if r.MustCreate {
					return Value{}
				}
				return r.Default(link)
			})
			for _, finding := range e.Findings() {
				t.Errorf("%s of family %d, link %d: %s", finding.Row.Name, family, link, finding.Verdict)
			}
		}
	}
}

func TestCheckIsOfTheProposal(t *testing.T) {
	t.Parallel()
	c := judged{family: winof2, stored: n("*JumboPacket", 9014), key: "LSOSize"}
	e, r := c.read(t)
	if _, v, err := e.Check(r, "0x2710"); err != nil || v.Grade != Invalid {
		t.Errorf("10000 is %q, %v", v, err)
	}
	if got, v, err := e.Check(r, "20000"); err != nil || v.Grade != Valid || got != NumberValue(20000) {
		t.Errorf("20000 is %q, %v, %v", v, got, err)
	}
	if _, _, err := e.Check(r, "much"); err == nil {
		t.Error("a word was taken for a number")
	}
	if e.Reading(r).Stored.Exists() {
		t.Error("a check has changed what it was asked of")
	}
}
