package registry

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"cxdeck/device/description"
)

// qosRules are the rules of flow control, priorities and congestion control.
var qosRules = []Rule{
	{
		Name: "pause-or-pfc", Says: "A port uses global pause or PFC, never both; PFC wins.", grade: Doubtful,
		Keys: []string{"*FlowControl"}, With: []string{"*QOS"},
		against: func(c *check) string {
			if c.facts.Lossless == 0 || c.equals("*QOS", 0) || c.n == 0 || !c.changed() {
				return ""
			}
			return fmt.Sprintf("PFC is on for %s, so global pause has no effect", priorities(c.facts.Lossless))
		},
	},
	{
		Name: "pfc-without-qos", Says: "PFC requires adapter QoS.", Keys: []string{"*QOS"}, grade: Doubtful,
		against: func(c *check) string {
			if c.n != 0 || c.facts.Lossless == 0 {
				return ""
			}
			return fmt.Sprintf("PFC for %s stops, and *FlowControl acts instead", priorities(c.facts.Lossless))
		},
	},
	{
		Name: "roce-without-flow-control", Says: "RoCE needs flow control.", Keys: []string{"*FlowControl"},
		With: []string{"roce_mode", "*QOS"}, grade: Doubtful,
		against: func(c *check) string {
			mode, known := c.findNumber("roce_mode", Miniport, RoCE)
			off := c.n == 0 && (c.facts.Lossless == 0 || c.equals("*QOS", 0))
			if !off || !known || mode == NoRoCE || c.facts.Link != description.Ethernet {
				return ""
			}
			return "RoCE is on, and without pause or PFC its packets can get lost"
		},
	},
	{
		Name: "priority-read-back", Says: "A DSCP should map back to its priority: 8 times the priority does.",
		Keys: append(keysByNumber("PriorityToDscpMappingTable_"), keysByNumber("RroceDscpMarkPriorityFlowControl_")...),
		With: []string{"RxTrustedState"}, grade: Doubtful,
		against: func(c *check) string {
			priority := uint32(c.row.Name[len(c.row.Name)-1] - '0')
			if c.n/8 == priority || !c.changed() && !c.equals("RxTrustedState", 2) {
				return ""
			}
			return fmt.Sprintf("a receiver that trusts DSCP maps %d to priority %d; %d maps back to priority %d",
				c.n, c.n/8, 8*priority, priority)
		},
	},
	{
		Name: "dscp-other-name", Says: "PriorityToDscpMappingTable wins over RroceDscpMarkPriorityFlowControl, its other name.",
		Keys: keysByNumber("RroceDscpMarkPriorityFlowControl_"), With: keysByNumber("PriorityToDscpMappingTable_"), grade: Doubtful,
		against: func(c *check) string {
			table := "PriorityToDscpMappingTable_" + c.row.Name[len(c.row.Name)-1:]
			if n, ok := c.effectiveNumber(table); ok && n != c.n {
				return fmt.Sprintf("%s of %d is another name of the same setting, and wins", table, n)
			}
			return ""
		},
	},
	{
		Name: "dscp-based-pfc", Says: "PFC by DSCP needs frames without a priority tag, and untagged frames in the lossless buffer.",
		Keys: []string{"RxTrustedState"}, With: []string{"TxUntagPriorityTag", "RxUntaggedMapToLossless"}, grade: Doubtful,
		against: func(c *check) string {
			if c.n != 2 || c.facts.Lossless == 0 || c.equals("TxUntagPriorityTag", 1) && c.equals("RxUntaggedMapToLossless", 1) {
				return ""
			}
			return "PFC by DSCP also needs TxUntagPriorityTag and RxUntaggedMapToLossless of 1"
		},
	},
	{
		Name: "no-room-to-cut", Says: "With the line rate as the minimum rate, congestion control is off.", Keys: []string{"DcqcnRpgMinRate"},
		grade: Doubtful,
		against: func(c *check) string {
			if c.facts.LineRate == 0 || c.n < c.facts.LineRate {
				return ""
			}
			return "the minimum rate is the line rate: congestion control is off"
		},
	},
	{
		Name: "first-below-least", Says: "A flow starts its recovery at the minimum rate or above.", Keys: []string{"DcqcnRateToSetOnFirstCnp"},
		With: []string{"DcqcnRpgMinRate"}, grade: Doubtful,
		against: func(c *check) string {
			if minimum, ok := c.number(Congestion, "DcqcnRpgMinRate"); ok && c.n != 0 && c.n < minimum {
				return fmt.Sprintf("DcqcnRpgMinRate of %d is used instead", minimum)
			}
			return ""
		},
	},
	{
		Name: "hyper-below-additive", Says: "Hyper increase is meant to be faster than additive increase.", Keys: []string{"DcqcnRpgHaiRate"},
		With: []string{"DcqcnRpgAiRate"}, grade: Doubtful,
		against: func(c *check) string {
			if additive, ok := c.number(Congestion, "DcqcnRpgAiRate"); ok && c.n < additive {
				return fmt.Sprintf("the last phase of a recovery is slower than the one before, with %d", additive)
			}
			return ""
		},
	},
	{
		Name: "no-recovery", Says: "A flow recovers by time or by bytes.", Keys: []string{"DcqcnRpgTimeReset", "DcqcnRpgByteReset"},
		With: []string{"DcqcnRpgTimeReset", "DcqcnRpgByteReset"}, grade: Doubtful,
		against: func(c *check) string {
			if c.equals("DcqcnRpgTimeReset", 0) && c.equals("DcqcnRpgByteReset", 0) {
				return "neither time nor bytes raise a rate again: a flow stays slow once it is cut"
			}
			return ""
		},
	},
}

// roceRules are the rules of RDMA over Ethernet.
var roceRules = []Rule{
	{
		Name: "roce-of-both-ends", Says: "Both ends of an RDMA connection need the same RoCE mode and port.",
		Keys: []string{"roce_mode", "roce_udp_dport"}, grade: Doubtful,
		against: func(c *check) string {
			switch {
			case !c.changed() || !c.row.Default(c.facts.Link).Exists() && c.n == RoCEv2 || c.n == NoRoCE:
				return ""
			case c.row.Name == "roce_mode":
				return "hosts with another RoCE mode can't be reached by RDMA any more"
			}
			return "hosts with another port can't be reached by RDMA any more"
		},
	},
	{
		Name: "mode-of-adapter", Says: "The RoCE mode of an adapter overrides the mode of the driver.", Keys: []string{"driver-roce/roce_mode"},
		With: []string{"roce_mode"}, grade: Doubtful,
		against: func(c *check) string {
			if own, ok := c.number(Miniport, "roce_mode"); ok && own != c.n {
				return fmt.Sprintf("this adapter has a roce_mode of %d of its own, which wins", own)
			}
			return ""
		},
	},
	{
		Name: "no-roce-beside-infiniband", Says: "An Ethernet port without RoCE beside an InfiniBand port is not supported.",
		Keys: []string{"driver-roce/roce_mode"}, grade: Doubtful,
		against: func(c *check) string {
			if c.row.Family == description.WinOF && c.n == NoRoCE && c.facts.Link == description.Ethernet && c.besideInfiniBand() {
				return "the other port of the card is InfiniBand: an Ethernet port without RoCE beside it is not supported"
			}
			return ""
		},
	},
	{
		Name: "roce-frame-in-mtu", Says: "RDMA payloads and their headers fit into the MTU.", Keys: []string{"RoceMaxFrameSize"},
		With: []string{"*JumboPacket"}, grade: Doubtful,
		against: func(c *check) string {
			if mtu := c.mtu(); c.n+roceHeaders > mtu && c.facts.Link == description.Ethernet {
				return fmt.Sprintf("with its headers it does not fit into the MTU of %d", mtu)
			}
			return ""
		},
	},
	{
		Name: "pause-of-priorities", Says: "Pauses by priority and pauses of the whole port exclude each other.",
		Keys: []string{"PerPriRxPause", "PerPriTxPause"}, With: []string{"RxPause", "TxPause"}, grade: Doubtful,
		against: func(c *check) string {
			whole := strings.TrimPrefix(c.row.Name, "PerPri")
			if n, ok := c.Effective.stored(Miniport, whole); ok && n != 0 && c.n != 0 {
				return fmt.Sprintf("it turns off %s of %d: the two exclude each other", whole, n)
			}
			return ""
		},
	},
	{
		Name: "dropless-beside-infiniband", Says: "Dropless mode needs a card without InfiniBand ports.", Keys: []string{"DelayDropTimeout"},
		grade: Doubtful,
		against: func(c *check) string {
			if c.row.Family == description.WinOF && c.n != 0 && (c.facts.Link == description.InfiniBand || c.besideInfiniBand()) {
				return "it has no effect on a card with an InfiniBand port"
			}
			return ""
		},
	},
}

// roceHeaders are the bytes that RoCE v2 adds to its payload within the MTU: IP 20, UDP 8, transport 12, ICRC 4.
const roceHeaders = 44

func (e *Effective) besideInfiniBand() bool {
	return slices.ContainsFunc(e.beside, func(other *Effective) bool { return other.facts.Link == description.InfiniBand })
}

// keysByNumber returns the names of a key that exists eight times, for priorities or entries.
func keysByNumber(name string) []string {
	names := make([]string, 8)
	for i := range names {
		names[i] = fmt.Sprintf("%s%d", name, i)
	}
	return names
}

// priorities returns the bits of a mask in words: "priorities 3 and 5".
func priorities(mask uint8) string {
	var words []string
	for mask != 0 {
		words = append(words, fmt.Sprint(bits.TrailingZeros8(mask)))
		mask &= mask - 1
	}
	if len(words) == 1 {
		return "priority " + words[0]
	}
	return "priorities " + strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
