package checkup

import (
	"strings"

	"cxdeck/device/description"
)

// busyGbps is the demand from which the lack of flow control for a workload is more than a remark.
const busyGbps = 0.5

// demandOf returns the current demand of the RDMA workloads of a port that a mismatch names, in Gb/s.
func (g *gatherer) demandOf(port int, text string) (demand float64) {
	for _, f := range g.lab.Flows() {
		if f.Port == port && strings.Contains(text, f.Name) {
			demand += (f.ReceiveDemand + f.SendDemand) / 1e9
		}
	}
	return demand
}

// flows adds what workloads demand and get, and the ones without a receiver.
func (g *gatherer) flows() {
	n := len(g.ports)
	rdma, all := make([]float64, n), make([]float64, n)
	receives, sends, received, sent := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	connected := make([]float64, n)
	states, modes := g.lab.Flows(), map[description.RoCEMode]bool{}
	for i, f := range states {
		if f.Scale == 0 {
			continue
		}
		all[f.Port]++
		if described := g.lab.Description().Flows; i < len(described) && described[i].Protocol == description.RDMA {
			rdma[f.Port]++
			if f.Protocol == description.RDMA && f.Transport == description.Reliable { // others use TCP in its place
				connected[f.Port] += float64(described[i].Connections)
			}
			if mode := g.lab.Settings(f.Port).RoCE; mode != description.NoRoCE {
				modes[mode] = true
			}
		}
		receives[f.Port] += f.ReceiveDemand / 1e9
		sends[f.Port] += f.SendDemand / 1e9
		received[f.Port] += f.ReceiveRate / 1e9
		sent[f.Port] += f.SendRate / 1e9
	}
	for port, s := range g.ports {
		s.Set("rdma_flows", rdma[port])
		s.Set("workloads", all[port])
		s.Set("receive_demand", receives[port])
		s.Set("send_demand", sends[port])
		s.Set("receive_rate", received[port])
		s.Set("send_rate", sent[port])
		path := g.lab.RemotePath(port)
		s.Set("rdma_connected", connected[port])
		drops, atPeers, unheeded := uint64(0), uint64(0), uint64(0)
		for priority, d := range path.SwitchDrops {
			drops += d
			atPeers += path.PeerDrops[priority]
			unheeded += path.Unheeded[priority]
		}
		s.Set("unheeded", float64(unheeded))
		s.Set("peer_drops", float64(atPeers))
		s.Set("far_lost_cnps", float64(path.LostNotices))
		s.Set("far_drops", float64(drops))
	}
	g.host.Set("roce_modes", float64(len(modes)))
	g.addUnreached(states)
}
