package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/virtualization/hyperv"
)

// virtualVectors are the topics of model rules IOV-1 to IOV-16.
var virtualVectors = map[string]vectorRunner{
	"vf-allocation": vectorOps(map[string]vectorRunner{
		"connectx3":     vector(cardFunctionsInput{}, runCardFunctions),
		"winof2_port":   vector(portFunctionsInput{}, runPortFunctions),
		"config_level":  vector(configLevelInput{}, runConfigLevel),
		"queue_pairs":   vector(queuePairsInput{}, runQueuePairs),
		"event_request": vector(functionRequestInput{}, runFunctionRequest),
	}),
	"ib-sriov-gids":    vector(gidsInput{}, runGIDs),
	"ethertype-filter": vector(filterInput{}, runFilter),
	"vf-dhcp-redirect": vector(redirectInput{}, runRedirect),
	"vf-monitor":       runWatch,
}

type cardFunctionsInput struct {
	Op          string    `json:"op"`
	Permit      int       `json:"PermitSriov"`
	Mode        int       `json:"SriovPortMode"`
	Port1       int       `json:"SriovPort1NumVFs"`
	Port2       int       `json:"SriovPort2NumVFs"`
	FirmwareVFs int       `json:"burnt_vfs"`
	Interface   [2]int    `json:"interface_NumVFs"`
	Types       [2]string `json:"port_types"`
}

type cardFunctionsOutput struct {
	Bus       [2]int `json:"bus_vfs"`
	Available [2]int `json:"available"`
}

func runCardFunctions(in cardFunctionsInput) (out cardFunctionsOutput, _ error) {
	out.Bus, out.Available = hyperv.Card{
		Permit: in.Permit != 0, Mode: in.Mode, Ports: [2]int{in.Port1, in.Port2}, FirmwareVFs: in.FirmwareVFs, Interface: in.Interface,
		InfiniBand: slices.Contains(in.Types[:], "ib"),
	}.Allocate()
	return out, nil
}

type portFunctionsInput struct {
	Op        string `json:"op"`
	Driver    string `json:"driver"`
	Enabled   int    `json:"SRIOV_EN"`
	Functions int    `json:"NUM_OF_VFS"`
	Interface int    `json:"interface_NumVFs"`
}

type portFunctionsOutput struct {
	Available int `json:"available"`
}

func runPortFunctions(in portFunctionsInput) (portFunctionsOutput, error) {
	const connectX4 = 0x1013
	limit := hyperv.PortLimit(connectX4, strings.TrimPrefix(in.Driver, "winof2-"))
	return portFunctionsOutput{hyperv.PerPort(in.Enabled != 0, in.Functions, in.Interface, limit)}, nil
}

type configLevelInput struct {
	Op      string                     `json:"op"`
	Machine map[string]json.RawMessage `json:"machine"`
	Device  map[string]json.RawMessage `json:"device"`
}

type configLevelOutput struct {
	Effective map[string]json.RawMessage `json:"effective"`
}

func runConfigLevel(in configLevelInput) (configLevelOutput, error) {
	out := configLevelOutput{Effective: map[string]json.RawMessage{}}
	at := func(list map[string]json.RawMessage, name string) *json.RawMessage {
		if v, ok := list[name]; ok {
			return &v
		}
		return nil
	}
	for _, list := range []map[string]json.RawMessage{in.Machine, in.Device} {
		for name := range maps.Keys(list) {
			out.Effective[name] = *hyperv.Effective(at(in.Machine, name), at(in.Device, name))
		}
	}
	return out, nil
}

type queuePairsInput struct {
	Op    string `json:"op"`
	Speed int    `json:"link_gbps"`
}

type queuePairsOutput struct {
	Pairs int `json:"IovQueuePairsRequested"`
}

func runQueuePairs(in queuePairsInput) (queuePairsOutput, error) {
	return queuePairsOutput{hyperv.QueuePairs(in.Speed)}, nil
}

type functionRequestInput struct {
	Op        string `json:"op"`
	Requested int    `json:"requested"`
	Supported int    `json:"supported"`
}

type functionRequestOutput struct {
	Allowed int  `json:"allowed"`
	Event   bool `json:"event"`
}

func runFunctionRequest(in functionRequestInput) (out functionRequestOutput, _ error) {
	out.Allowed, out.Event = hyperv.Grant(in.Requested, in.Supported)
	return out, nil
}

type gidsInput struct {
	Table     int `json:"table_size"`
	Functions int `json:"vfs"`
}

type gidsOutput struct {
	Physical int   `json:"pf"`
	Virtual  []int `json:"vf"`
	Accepted bool  `json:"accepted"`
}

func runGIDs(in gidsInput) (out gidsOutput, _ error) {
	var err error
	out.Physical, out.Virtual, err = hyperv.GIDs(in.Table, in.Functions)
	out.Accepted = err == nil
	return out, nil
}

type filterInput struct {
	Driver     string   `json:"driver"`
	Enabled    int      `json:"VFAllowedTxEtherTypeListEnable"`
	Types      []string `json:"VFAllowedTxEtherTypes"`
	Ethertype  string   `json:"ethertype"`
	OwnAddress bool     `json:"source_mac_matches"`
}

type filterOutput struct {
	Verdict hyperv.Verdict `json:"verdict"`
}

func runFilter(in filterInput) (filterOutput, error) {
	families := map[string]description.Family{"winof": description.WinOF, "winof2": description.WinOF2}
	family, ok := families[in.Driver]
	if !ok {
		return filterOutput{}, fmt.Errorf("%q is no driver", in.Driver)
	}
	f := hyperv.Filter{Family: family, Enabled: in.Enabled != 0}
	for _, text := range in.Types {
		n, err := strconv.ParseUint(text, 0, 16)
		if err != nil {
			return filterOutput{}, err
		}
		f.Types = append(f.Types, uint16(n))
	}
	n, err := strconv.ParseUint(in.Ethertype, 0, 16)
	return filterOutput{f.Judge(uint16(n), in.OwnAddress)}, err
}

type redirectInput struct {
	On          int     `json:"RedirectVfDHCPToPF"`
	Promiscuous bool    `json:"pf_promiscuous"`
	Card        string  `json:"card"`
	Driver      *string `json:"vf_driver"`
	Protocol    string  `json:"protocol"`
	Source      uint16  `json:"src_port"`
	Destination uint16  `json:"dst_port"`
}

type redirectOutput struct {
	To string `json:"delivered_to"`
}

func runRedirect(in redirectInput) (redirectOutput, error) {
	r := hyperv.Redirect{
		On: in.On != 0, Promiscuous: in.Promiscuous, OldCard: in.Card == "connectx-4" || in.Card == "connectx-4-lx",
	}
	if in.Driver != nil {
		r.GuestDriver = *in.Driver
	}
	if r.ToPhysical(in.Protocol == "udp", in.Source, in.Destination) {
		return redirectOutput{"pf"}, nil
	}
	return redirectOutput{"vf"}, nil
}

// runWatch runs a case of vf-monitor, whose readings do not name their type.
func runWatch(input, expected json.RawMessage) error {
	var kind struct {
		Op string `json:"op"`
	}
	if err := json.Unmarshal(input, &kind); err != nil {
		return err
	}
	if kind.Op == "resource_dump" {
		return vector(dumpInput{}, runDump)(input, expected)
	}
	return vector(watchInput{}, runReadings)(input, expected)
}

type dumpInput struct {
	Op      string `json:"op"`
	First   int    `json:"first_vf"`
	Last    int    `json:"last_vf"`
	Counter string `json:"counter"`
}

type dumpOutput struct {
	Command string `json:"command"`
}

func runDump(in dumpInput) (out dumpOutput, err error) {
	counters := map[string]hyperv.CostCounter{"FwCpuUsage": hyperv.FwCPUUsage, "Errors2FW": hyperv.Errors2FW}
	out.Command, err = hyperv.ResourceDump(in.First, in.Last, counters[in.Counter])
	return out, err
}

type watchInput struct {
	Enable   int                    `json:"VfCpuMonEnable"`
	Period   int                    `json:"VfCpuMonBatchPeriodSec"`
	Use      uint64                 `json:"VfCpuMonFwCpuUsageMax"`
	Errors   uint64                 `json:"VfCpuMonErrors2FwMax"`
	Readings []map[string][2]uint64 `json:"readings"`
}

type watchWarning struct {
	Reading int    `json:"reading"`
	At      int    `json:"at_s"`
	VF      int    `json:"vf"`
	Use     uint64 `json:"FwCpuUsage"`
	Errors  uint64 `json:"Errors2Fw"`
}

type watchOutput struct {
	Warnings []watchWarning `json:"warnings"`
}

func runReadings(in watchInput) (watchOutput, error) {
	out := watchOutput{Warnings: []watchWarning{}}
	if in.Enable != 1 { // the monitor is off, and reads nothing
		return out, nil
	}
	limits := hyperv.Thresholds{Use: &in.Use, Errors: &in.Errors}
	last := map[string]hyperv.Cost{}
	for i, reading := range in.Readings {
		for _, name := range slices.Sorted(maps.Keys(reading)) {
			now := hyperv.Cost{Use: reading[name][0], Errors: reading[name][1]}
			before, read := last[name]
			last[name] = now
			if rise, exceeded := limits.Rise(before, now); read && exceeded {
				vf, err := strconv.Atoi(name)
				if err != nil {
					return out, err
				}
				out.Warnings = append(out.Warnings, watchWarning{i, i * in.Period, vf, rise.Use, rise.Errors})
			}
		}
	}
	return out, nil
}
