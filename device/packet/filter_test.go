package packet_test

import (
	"strings"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/packet"
)

// TestFilters tries filters on a frame of RoCE v2 with a tag.
func TestFilters(t *testing.T) {
	t.Parallel()
	priority := 3
	g := &packet.Group{Length: 1000, Tagged: true, Port: 4791, RoCE: description.RoCEv2,
		Flow: description.Flow{Name: "SMB Direct reads", Flows: 1, Protocol: description.RDMA, Priority: &priority, VLAN: 70, DSCP: 26}}
	f := (&packet.Builder{}).Build(g, time.Unix(1e9, 0), true)
	for text, want := range map[string]bool{
		"": true, "rdma": true, "RDMA and in": true, "rdma out": false, "tcp or rdma": true, "not tcp": true, "not rdma": false,
		"priority 3 vlan 70 dscp 26 ce": true, "priority 4": false, "vlan 70 and (tcp or port 4791)": true, "in and tcp or rdma": true,
		"tcp and (in or rdma)": false, "host 10.0.0.1": true, "host 10.9.9.9": false, `flow "SMB direct"`: true, "flow 'writes'": false,
		"not (tcp or udp)": true, "pause or pfc or lldp or arp or icmp or dhcp or vxlan or nvgre or ipoib or ack or cnp or multicast or ip6": false, "ip": true,
	} {
		filter, err := packet.ParseFilter(text)
		if err != nil || (filter == nil || filter(&f)) != want {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
	for _, text := range []string{
		"foo", "and", "rdma and", "not", "(rdma", "rdma)", "vlan", "vlan x", "vlan 4095", "priority 8", "dscp -1", "port 65536", "host", "host x", "flow", `flow "x`,
		strings.Repeat("(", 200), strings.Repeat("not ", 100) + "rdma", strings.Repeat("a", packet.MaxFilter+1),
	} {
		if _, err := packet.ParseFilter(text); err == nil {
			t.Errorf("%.20q is accepted", text)
		}
	}
}

func FuzzFilter(f *testing.F) {
	for _, seed := range []string{"rdma and priority 3", "not (tcp or udp) vlan 70", `flow "x y"`, "((", "or or"} {
		f.Add(seed)
	}
	frame := (&packet.Builder{}).Build(&packet.Group{Length: 100, Flow: description.Flow{Name: "x", Flows: 1}}, time.Unix(1e9, 0), false)
	f.Fuzz(func(t *testing.T, text string) {
		filter, err := packet.ParseFilter(text)
		if err == nil && filter != nil {
			filter(&frame)
		}
		if err != nil && filter != nil {
			t.Error("a filter with an error")
		}
	})
}
