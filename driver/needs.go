package driver

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/lossless"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
)

// WorkloadNeed is what an RDMA workload lacks: SMB Direct then uses TCP, other programs stop.
type WorkloadNeed struct {
	// Flow is the workload's place in the description, Port its port.
	Flow, Port int
	// Why is the reason, a clause; Stops reports that the workload has no fallback.
	Why   string
	Stops bool
	// Title and Fix are the plan that provides it; nil if none does.
	Title string
	Fix   []Operation
}

// Sentence says what happens to the workload of a name, without a full stop.
func (n *WorkloadNeed) Sentence(name string) string {
	if n.Stops {
		return fmt.Sprintf("%s stops, because it has only RDMA: %s", name, n.Why)
	}
	return fmt.Sprintf("%s uses TCP in place of RDMA: %s", name, n.Why)
}

// WorkloadNeeds returns what the running RDMA workloads of the host lack, in their order.
func (h *Host) WorkloadNeeds() (list []WorkloadNeed) {
	set := h.stackSet()
	for i, state := range h.lab.Flows() {
		f := &h.lab.Description().Flows[i]
		d, _, _ := h.lab.Port(state.Port)
		if f.Protocol != description.RDMA || f.Virtual || d.Link != description.Ethernet || state.Scale == 0 {
			continue
		}
		need := WorkloadNeed{Flow: i, Port: state.Port, Stops: f.Application != description.SMBDirect}
		if need.Why, need.Title, need.Fix = h.adapterLacksRDMA(state.Port, d.Connection); need.Why != "" {
			list = append(list, need)
		}
		for _, missing := range set.Missing(f, state.Port) {
			need.Why, need.Title, need.Fix = missing.Why, missing.Title, nil
			if missing.Fix != nil {
				need.Fix = []Operation{missing.Fix}
			}
			list = append(list, need)
		}
	}
	return list
}

// adapterLacksRDMA returns why the adapter of a port carries no RDMA to the peers, with the plan that changes it; empty if it does.
func (h *Host) adapterLacksRDMA(port int, connection string) (why, title string, fix []Operation) {
	s := h.lab.Settings(port)
	off, known := h.number(port, "*NetworkDirect", registry.Miniport)
	switch {
	case h.miniports[port].state != Running: // it says so itself
	case s.RoCE == description.NoRoCE && known && off == 0:
		return "RDMA of the adapter is off (*NetworkDirect 0)", "Turn on RDMA of " + connection,
			[]Operation{edit.SetValue{Connection: connection, Key: "*NetworkDirect", Value: "1"}, RestartAdapter{connection}}
	case s.RoCE == description.NoRoCE:
		return "the adapter has no RoCE mode: qos setup roce sets one", "", nil
	case s.RoCE != description.RoCEv2:
		return "the adapter uses RoCE v1, and the peers v2: qos setup roce sets v2", "", nil
	case s.RoCEUnheard:
		return "its connection requests don't reach the peers: compare roce_udp_dport and MaxCMRetries", "", nil
	case h.lab.InTeam(port):
		return "the port is in a team, whose adapter has no RDMA", "", nil
	}
	return "", "", nil
}

// addNeeds adds to each path what the RDMA workloads of its port lack, each reason once.
func (h *Host) addNeeds(paths []lossless.Path) {
	flows := h.lab.Description().Flows
	for _, need := range h.WorkloadNeeds() {
		p := &paths[need.Port]
		if slices.ContainsFunc(p.Needs, func(m lossless.Mismatch) bool { return strings.HasSuffix(m.Text, need.Why) }) {
			continue
		}
		m := lossless.Mismatch{Place: lossless.OnHost, Priority: -1, Text: need.Sentence(flows[need.Flow].Name), Title: need.Title}
		for _, o := range need.Fix {
			m.Fix = append(m.Fix, o)
		}
		p.Needs = append(p.Needs, m)
	}
}
