package driver

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/roce"
	"cxdeck/driver/adapters"
	"cxdeck/driver/lossless"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/stack"
	"cxdeck/driver/teams"
)

// WorkloadNeed is what an RDMA workload lacks.
type WorkloadNeed struct {
	// Flow is the workload's place in the description, Port its port.
	Flow, Port int
	// Why is the reason, a clause; Effect is what the workload does without it.
	Why    string
	Effect NeedEffect
	// Title and Fix are the plan that provides it; nil if none does.
	Title string
	Fix   []Operation
}

// NeedEffect is what a workload does while a need is not met.
type NeedEffect uint8

// SMB Direct uses TCP, and programs without a fallback stop. Storage Spaces Direct also uses RDMA without what the manual sets up
// for it, but frames can be lost.
const (
	UsesTCP NeedEffect = iota
	Stops
	Unprepared
)

// Sentence says what happens to the workload of a name, without a full stop.
func (n *WorkloadNeed) Sentence(name string) string {
	return fmt.Sprintf([...]string{
		UsesTCP:    "the workload %q uses TCP in place of RDMA: %s",
		Stops:      "the workload %q stops, because it supports only RDMA: %s",
		Unprepared: "the workload %q lacks a requirement of Storage Spaces Direct: %s",
	}[n.Effect], name, n.Why)
}

// WorkloadNeeds returns what the running RDMA workloads of the host lack, in their order.
func (h *Host) WorkloadNeeds() (list []WorkloadNeed) {
	set := h.stackSet()
	var view *qos.View // only Storage Spaces Direct needs it
	for i, state := range h.lab.Flows() {
		f := &h.lab.Description().Flows[i]
		d, _, _ := h.lab.Port(state.Port)
		if f.Protocol != description.RDMA || f.Virtual || d.Link != description.Ethernet || state.Scale == 0 {
			continue
		}
		effect := Stops
		if f.Application.SMB() {
			effect = UsesTCP
		}
		add := func(effect NeedEffect, why, title string, fix ...Operation) {
			list = append(list, WorkloadNeed{Flow: i, Port: state.Port, Effect: effect, Why: why, Title: title, Fix: fix})
		}
		if why, title, fix := h.adapterLacksRDMA(state.Port, d.Connection); why != "" {
			add(effect, why, title, fix...)
		}
		for _, missing := range set.Missing(f, state.Port) {
			if missing.Fix == nil {
				add(effect, missing.Why, missing.Title)
			} else {
				add(effect, missing.Why, missing.Title, missing.Fix)
			}
		}
		if f.Application.SMB() && (partHost{h}).NeedsFlowControl(state.Port) {
			v := h.QoS()
			add(effect, stack.NoFlowControl, "Turn on PFC of "+d.Connection, operationsOf(v.FlowControlFix(state.Port))...)
		}
		if f.Application.SMB() && !h.hypervisor().TakesRDMA(state.Port) {
			title, fix := h.hypervisor().HostRDMAFix(state.Port)
			add(effect, "a virtual switch is bound to the port, and no host adapter on the switch has RDMA", title, operationsOf(fix)...)
		}
		if f.Application != description.StorageSpaces {
			continue
		}
		if view == nil {
			v := h.QoS()
			view = &v
		}
		for _, missing := range view.StorageSpacesMissing(i) {
			add(Unprepared, missing.Why, missing.Title, missing.Fix)
		}
	}
	return list
}

// destinationPortKey is the key for the UDP port of RoCE v2 (ROCE-7).
const destinationPortKey = "roce_udp_dport"

// RDMAPlan returns the plan that turns on RDMA with RoCE v2 of ports, in their order. It returns an error if no port can be changed.
func (h *Host) RDMAPlan(ports []int) (Plan, error) {
	plan, reason := Plan{Title: "Turn on RDMA with RoCE v2"}, "RDMA is on with RoCE v2"
	for _, port := range ports {
		d, _, _ := h.lab.Port(port)
		why, _, fix := h.adapterLacksRDMA(port, d.Connection)
		if why != "" && len(fix) == 0 {
			reason = d.Connection + ": " + why
		}
		plan.Operations = append(plan.Operations, fix...)
	}
	if len(plan.Operations) == 0 {
		return Plan{}, errors.New(reason)
	}
	return plan, nil
}

// adapterLacksRDMA returns why the adapter of a port carries no RDMA to the peers, with the plan that changes it; empty if it does.
func (h *Host) adapterLacksRDMA(port int, connection string) (why, title string, fix []Operation) {
	s := h.lab.Settings(port)
	off, known := h.number(port, "*NetworkDirect", registry.Miniport)
	switch {
	case h.miniports[port].state != Running: // it says so itself
	case s.RoCE == description.NoRoCE && known && off == 0:
		return "RDMA of the adapter is off (*NetworkDirect 0)", "Turn on RDMA of " + connection,
			[]Operation{edit.SetValue{Connection: connection, Key: "*NetworkDirect", Value: "1"}, adapters.RestartAdapter{Connection: connection}}
	case s.RoCE != description.RoCEv2:
		why = "the adapter has no RoCE mode"
		if s.RoCE != description.NoRoCE {
			why = "the adapter uses RoCE v1, and the peers v2"
		}
		if fix = h.setRoCEv2(port, connection); fix == nil {
			return why + ", and its keys or its card allow no other", "", nil
		}
		return why, "Set RoCE v2 of " + connection, fix
	case s.RoCEUnheard:
		if to, known := h.number(port, destinationPortKey, registry.RoCE); known && to != roce.DestinationPort {
			return fmt.Sprintf("the adapter sends RDMA to UDP port %d (%s), and the peers listen on %d", to, destinationPortKey, roce.DestinationPort),
				fmt.Sprintf("Use UDP port %d for RDMA of %s", roce.DestinationPort, connection),
				[]Operation{edit.SetValue{Connection: connection, Key: string(registry.RoCE) + "/" + destinationPortKey, Value: strconv.Itoa(roce.DestinationPort)}, adapters.RestartAdapter{Connection: connection}}
		}
		return "its connection requests don't reach the peers: MaxCMRetries 1 allows no retry", "", nil
	case h.lab.InTeam(port):
		team := h.team.TeamOf(port)
		if team == nil {
			return "the port is in a team, whose adapter has no RDMA", "", nil
		}
		return "the port is in a team, whose adapter has no RDMA", fmt.Sprintf("Remove %s from the team %s", connection, team.Name),
			[]Operation{teams.Detach{Team: team.Name, Connection: connection}}
	}
	return "", "", nil
}

// setRoCEv2 returns the plan that sets RoCE v2: by the adapter's own key where its driver has one, else by the driver's. It is nil if
// the card can't use v2, or if the keys request it already and something else prevents it.
func (h *Host) setRoCEv2(port int, connection string) (fix []Operation) {
	const mode, technology, v2Technology = "roce_mode", "*NetworkDirectTechnology", 4
	_, card, _ := h.lab.Port(port)
	a := &h.lab.Description().Adapters[card]
	if registry.SupportedRoCE(a.Family, a.DeviceID, a.Firmware, registry.RoCEv2) != registry.RoCEv2 {
		return nil
	}
	key, scope := mode, registry.Miniport
	if _, own := h.catalogue(port).Find(mode, registry.Miniport); !own || a.Family == description.WinOF {
		key, scope = string(registry.RoCE)+"/"+mode, registry.RoCE
	}
	set := func(key string, value int) {
		fix = append(fix, edit.SetValue{Connection: connection, Key: key, Value: strconv.Itoa(value)})
	}
	if is, ok := h.number(port, mode, scope); !ok || is != registry.RoCEv2 {
		set(key, registry.RoCEv2)
	}
	if k, err := h.Key(connection, technology); err == nil && k.Stored.Exists() && k.Stored.Number() != v2Technology {
		set(technology, v2Technology)
	}
	if len(fix) > 0 {
		fix = append(fix, adapters.RestartAdapter{Connection: connection})
	}
	return fix
}

// addNeeds adds to each path what the RDMA workloads of its port lack, each reason once.
func (h *Host) addNeeds(paths []lossless.Path) {
	flows := h.lab.Description().Flows
	for _, need := range h.WorkloadNeeds() {
		p := &paths[need.Port]
		if slices.ContainsFunc(p.Needs, func(m lossless.Mismatch) bool { return strings.HasSuffix(m.Text, need.Why) }) {
			continue
		}
		m := lossless.Mismatch{Kind: lossless.WorkloadNeed, Place: lossless.OnHost, Priority: -1, Text: need.Sentence(flows[need.Flow].Name), Title: need.Title}
		for _, o := range need.Fix {
			m.Fix = append(m.Fix, o)
		}
		p.Needs = append(p.Needs, m)
	}
}
