package main

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/dscp"
	"cxdeck/device/ets"
	"cxdeck/device/pause"
	"cxdeck/device/setup"
)

// qosVectors are the topics of model rules QOS-1 to QOS-14.
var qosVectors = map[string]vectorRunner{
	"pfc-pause": vectorOps(map[string]vectorRunner{
		"duration":   vector(durationInput{}, runDuration),
		"xoff_frame": vector(xoffInput{}, runXoff),
		"keys":       vector(pauseKeysInput{}, runPauseKeys),
		"rx_stall":   vector(stallInput{}, runStall),
	}),
	"ets": vectorOps(map[string]vectorRunner{
		"share":          vector(shareInput{}, runShare),
		"default_weight": vector(weightInput{}, runDefaultWeight),
	}),
	"tc-bw-rounding": vector(limitInput{}, runLimit),
	"dcbx":           vector(dcbxInput{}, runDCBX),
	"dscp": vectorOps(map[string]vectorRunner{
		"rx_priority":     vector(trustInput{Trust: dscp.TrustPCP}, runTrust),
		"tx_rdma":         vector(markRDMAInput{Global: dscp.DefaultGlobal}, runMarkRDMA),
		"rx_buffer":       vector(bufferInput{}, runBuffer),
		"round_trip":      vector(roundTripInput{Trust: dscp.TrustDSCP}, runRoundTrip),
		"set_dynamic_key": vector(dynamicKeyInput{}, runDynamicKey),
		"router_pcp": vector(routerInput{}, func(in routerInput) (routerOutput, error) {
			return routerOutput{dscp.FromDSCP(in.DSCP)}, nil
		}),
	}),
}

type dcbxInput struct {
	Enabled      bool            `json:"dcbx_enabled"`
	LocalWilling int             `json:"local_willing"`
	PeerWilling  int             `json:"peer_willing"`
	LocalMAC     description.MAC `json:"local_mac"`
	PeerMAC      description.MAC `json:"peer_mac"`
}

type dcbxOutput struct {
	Adopts string `json:"adopts"`
}

func runDCBX(in dcbxInput) (dcbxOutput, error) {
	port := setup.Port{QoS: true, LLDP: setup.LLDP{Receives: true, Sends: true, Exchanges: in.Enabled, Willing: in.LocalWilling != 0}}
	far := setup.SwitchPort{DCBX: description.IEEE, Willing: in.PeerWilling != 0}
	if setup.NewExchange(&port, &far, in.LocalMAC, in.PeerMAC).HostAccepts {
		return dcbxOutput{"peer"}, nil
	}
	return dcbxOutput{"local"}, nil
}

type durationInput struct {
	Quanta int     `json:"quanta"`
	Link   float64 `json:"link_gbps"`
}

type durationOutput struct {
	Duration float64 `json:"duration_us"`
}

func runDuration(in durationInput) (durationOutput, error) {
	return durationOutput{pause.Duration(in.Quanta, in.Link*1e9)}, nil
}

// prioritySet returns a bit mask with one bit per listed priority.
func prioritySet(list []int) (set uint8) {
	for _, priority := range list {
		set |= 1 << priority
	}
	return set
}

func priorityList(set uint8) []int {
	list := []int{}
	for priority := range 8 {
		if set>>priority&1 == 1 {
			list = append(list, priority)
		}
	}
	return list
}

// flowControlMode returns the mode with this name in the vector files.
func flowControlMode(name string) (pause.Mode, error) {
	modes := map[string]pause.Mode{"off": pause.Off, "none": pause.Off, "global": pause.Global, "pfc": pause.PerPriority}
	mode, ok := modes[name]
	if !ok {
		return pause.Off, fmt.Errorf("%q is no mode of flow control", name)
	}
	return mode, nil
}

type xoffInput struct {
	Mode     string `json:"mode"`
	Lossless []int  `json:"lossless_priorities"`
	Full     []int  `json:"full_priorities"`
}

type xoffOutput struct {
	Frame      *string `json:"frame"`
	Priorities []int   `json:"priorities"`
}

func runXoff(in xoffInput) (xoffOutput, error) {
	mode, err := flowControlMode(in.Mode)
	if err != nil {
		return xoffOutput{}, err
	}
	var out xoffOutput
	frame := pause.Xoff(mode, prioritySet(in.Lossless), prioritySet(in.Full))
	if standard := frame.Standard(); standard != "" {
		out.Frame = &standard
	}
	if frame.Mode == pause.PerPriority {
		out.Priorities = priorityList(frame.Priorities)
	}
	return out, nil
}

type pauseKeysInput struct {
	Keys struct{ RxPause, TxPause, PerPriRxPause, PerPriTxPause int } `json:"keys"`
}

type pauseKeysOutput struct {
	Valid bool `json:"valid"`
}

func runPauseKeys(in pauseKeysInput) (pauseKeysOutput, error) {
	k := in.Keys
	keys := pause.Keys{
		RxPause: k.RxPause != 0, TxPause: k.TxPause != 0,
		PerPriRxPause: k.PerPriRxPause != 0, PerPriTxPause: k.PerPriTxPause != 0,
	}
	return pauseKeysOutput{keys.Check() == nil}, nil
}

type stallInput struct {
	Mode    string `json:"mode"`
	PFC     []int  `json:"pfc_priorities"`
	Stalled []int  `json:"stalled_priorities"`
	Beyond  bool   `json:"stall_longer_than_timeout"`
}

type stallOutput struct {
	// Disabled is a list of priorities, or "port" for global pause.
	Disabled any `json:"pause_disabled_on"`
}

func runStall(in stallInput) (stallOutput, error) {
	mode, err := flowControlMode(in.Mode)
	if err != nil {
		return stallOutput{}, err
	}
	off := pause.Stall(mode, prioritySet(in.PFC), prioritySet(in.Stalled), in.Beyond)
	if mode == pause.Global && off == prioritySet([]int{0, 1, 2, 3, 4, 5, 6, 7}) {
		return stallOutput{"port"}, nil
	}
	return stallOutput{priorityList(off)}, nil
}

type shareInput struct {
	Link    float64 `json:"link_mbps"`
	Classes []struct {
		Name      string  `json:"name"`
		Priority  uint8   `json:"priority"`
		Algorithm string  `json:"algorithm"`
		Demand    float64 `json:"demand_mbps"`
		Weight    float64 `json:"weight_percent"`
		Limit     float64 `json:"limit_mbps"`
	} `json:"classes"`
}

type shareOutput struct {
	Rates map[string]float64 `json:"rate_mbps"`
}

func runShare(in shareInput) (shareOutput, error) {
	classes := make([]ets.Class, len(in.Classes))
	for i, c := range in.Classes {
		if c.Algorithm != "ets" && c.Algorithm != "strict" {
			return shareOutput{}, fmt.Errorf("%q is no algorithm", c.Algorithm)
		}
		classes[i] = ets.Class{
			Priority: c.Priority, Strict: c.Algorithm == "strict", Weight: c.Weight, Demand: c.Demand, Limit: c.Limit,
		}
	}
	rates := make([]float64, len(classes))
	ets.Share(in.Link, classes, rates)
	out := shareOutput{map[string]float64{}}
	for i, c := range in.Classes {
		out.Rates[c.Name] = rates[i]
	}
	return out, nil
}

type weightInput struct {
	Explicit []float64 `json:"explicit_percent"`
}

type weightOutput struct {
	Default  float64 `json:"default_percent"`
	Accepted bool    `json:"accepted"`
}

func runDefaultWeight(in weightInput) (weightOutput, error) {
	percent, accepted := ets.DefaultWeight(in.Explicit...)
	return weightOutput{percent, accepted}, nil
}

type limitInput struct {
	Requested int    `json:"requested_mbps"`
	Command   string `json:"command"`
}

type limitOutput struct {
	Stored int            `json:"stored_mbps"`
	Unit   int            `json:"unit_mbps"`
	Limits map[string]int `json:"limits"`
}

func runLimit(in limitInput) (limitOutput, error) {
	if in.Command == "" {
		stored, unit := ets.RoundLimit(in.Requested)
		return limitOutput{Stored: stored, Unit: unit}, nil
	}
	_, arguments, found := strings.Cut(in.Command, " tc-bw ")
	if !found {
		return limitOutput{}, errors.New("the command is not tc-bw")
	}
	separator := " "
	if strings.HasPrefix(arguments, `"`) { // the name of the adapter
		arguments, separator = arguments[1:], `"`
	}
	_, pairs, _ := strings.Cut(arguments, separator)
	limits, err := ets.ParseLimits(strings.Fields(pairs))
	out := limitOutput{Limits: map[string]int{}}
	for class, limit := range limits {
		if limit > 0 {
			out.Limits[strconv.Itoa(class)] = limit
		}
	}
	return out, err
}

type trustInput struct {
	Trust    dscp.Trust `json:"RxTrustedState"`
	Untagged int64      `json:"DefaultUntaggedPriority"`
	Tagged   bool       `json:"tagged"`
	PCP      *uint8     `json:"pcp"` // null: untagged
	IP       bool       `json:"ip"`
	DSCP     *uint8     `json:"dscp"` // null: not an IP packet
}

type priorityOutput struct {
	Priority uint8 `json:"priority"`
}

func runTrust(in trustInput) (priorityOutput, error) {
	zero := uint8(0)
	packet := dscp.Packet{Tagged: in.Tagged, PCP: *cmp.Or(in.PCP, &zero), IP: in.IP, DSCP: *cmp.Or(in.DSCP, &zero)}
	receiver := dscp.Receiver{Trust: in.Trust, Untagged: dscp.DefaultUntagged(in.Untagged)}
	return priorityOutput{receiver.Priority(packet)}, nil
}

// markTable returns the default map, overridden by the given keys.
func markTable(keys map[string]uint8) (dscp.Map, error) {
	table := dscp.DefaultMap()
	for key, value := range keys {
		priority, err := strconv.Atoi(key)
		if err != nil || priority < 0 || priority >= len(table) {
			return table, fmt.Errorf("%q is no priority", key)
		}
		table[priority] = value
	}
	return table, nil
}

type markRDMAInput struct {
	Priority uint8            `json:"priority"`
	Table    map[string]uint8 `json:"PriorityToDscpMappingTable"`
	Mode     string           `json:"flow_control"`
	Global   uint8            `json:"DscpForGlobalFlowControl"`
	VLAN     uint16           `json:"vlan_id"`
	Untag    int              `json:"TxUntagPriorityTag"`
}

type markRDMAOutput struct {
	DSCP   uint8 `json:"dscp"`
	Tagged bool  `json:"tagged"`
	Counts uint8 `json:"counted_on_priority"`
}

func runMarkRDMA(in markRDMAInput) (markRDMAOutput, error) {
	table, err := markTable(in.Table)
	if err != nil {
		return markRDMAOutput{}, err
	}
	mode, err := flowControlMode(in.Mode)
	if err != nil {
		return markRDMAOutput{}, err
	}
	sender := dscp.Sender{Map: table, GlobalPause: mode == pause.Global, Global: in.Global, Untag: in.Untag == 1}
	mark, tagged := sender.RDMA(in.Priority, in.VLAN)
	return markRDMAOutput{mark, tagged, in.Priority}, nil
}

type bufferInput struct {
	Untagged int64 `json:"RxUntaggedMapToLossless"`
	Tagged   bool  `json:"tagged"`
	Priority uint8 `json:"priority"`
	Lossless []int `json:"lossless_priorities"`
	ByDSCP   bool  `json:"dscp_based_pfc"`
}

type bufferOutput struct {
	Buffer string `json:"buffer"`
}

func runBuffer(in bufferInput) (bufferOutput, error) {
	buffers := dscp.Buffers{
		Lossless: prioritySet(in.Lossless), UntaggedLossless: dscp.Flag(in.Untagged) == 1, ByDSCP: in.ByDSCP,
	}
	if buffers.TakesLossless(in.Tagged, in.Priority) {
		return bufferOutput{"lossless"}, nil
	}
	return bufferOutput{"lossy"}, nil
}

type roundTripInput struct {
	Priority uint8            `json:"priority"`
	Table    map[string]uint8 `json:"PriorityToDscpMappingTable"`
	Trust    dscp.Trust       `json:"peer_RxTrustedState"`
}

type roundTripOutput struct {
	DSCP       uint8 `json:"wire_dscp"`
	Received   uint8 `json:"received_priority"`
	Consistent bool  `json:"consistent"`
}

func runRoundTrip(in roundTripInput) (roundTripOutput, error) {
	table, err := markTable(in.Table)
	if err != nil {
		return roundTripOutput{}, err
	}
	sender := dscp.Sender{Map: table}
	mark, tagged := sender.RDMA(in.Priority, 0)
	packet := dscp.Packet{Tagged: tagged, PCP: in.Priority, IP: true, DSCP: mark}
	received := dscp.Receiver{Trust: in.Trust}.Priority(packet)
	return roundTripOutput{mark, received, received == in.Priority}, nil
}

type dynamicKeyInput struct {
	Key   string `json:"key"`
	Value int64  `json:"value"`
	Old   int64  `json:"old_value"` // ignored
}

func runDynamicKey(in dynamicKeyInput) (storedOutput, error) {
	switch in.Key {
	case "RxUntaggedMapToLossless":
		return storedOutput{Stored: int64(dscp.Flag(in.Value))}, nil
	case "DefaultUntaggedPriority":
		return storedOutput{Stored: int64(dscp.DefaultUntagged(in.Value))}, nil
	}
	return storedOutput{}, fmt.Errorf("%q changes only with a restart", in.Key)
}

type routerInput struct {
	DSCP uint8 `json:"dscp"`
}

type routerOutput struct {
	PCP uint8 `json:"pcp"`
}
