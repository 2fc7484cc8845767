package linuxhost

import (
	"strings"
	"sync"
)

// meanings say what the settings do, by name; those of virtual functions are without their number.
var meanings = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"mtu":                  "The largest packet in bytes, without the Ethernet header. All hosts and switches on the way must accept it.",
		"ring.rx":              "Descriptors of a receive ring. More absorb longer bursts before packets are dropped, and take more memory and cache.",
		"ring.tx":              "Descriptors of a send ring. More let the system queue more packets in the adapter, which adds delay under load.",
		"channels.combined":    "Queues that both send and receive, each with an interrupt: at most one for each processor that shall work on packets.",
		"channels.rx":          "Queues that receive, each with an interrupt.",
		"channels.tx":          "Queues that send, each with an interrupt.",
		"coalesce.adaptive-rx": "The driver chooses the receive times by the traffic: low delay when it is idle, few interrupts when it is busy.",
		"coalesce.adaptive-tx": "The driver chooses the send times by the traffic.",
		"coalesce.rx-usecs":    "Microseconds that a received packet waits at most before an interrupt. Lower: less delay, more processor time.",
		"coalesce.rx-frames":   "Received packets that raise an interrupt before the time is over.",
		"coalesce.tx-usecs":    "Microseconds that a sent packet waits at most before an interrupt frees its memory.",
		"coalesce.tx-frames":   "Sent packets that raise an interrupt before the time is over.",
		"pause.autoneg":        "The ends of the link agree on pause by themselves.",
		"pause.rx":             "Pause frames of the switch stop sending. It pauses all priorities; PFC is for single ones.",
		"pause.tx":             "The adapter sends pause frames when its buffer fills, so that nothing is dropped. It pauses all priorities.",
		"pfc":                  "Priorities whose frames are paused and not dropped. RDMA over Ethernet uses one, most often 3; the switch must have the same.",
		"vfs":                  "Virtual functions of the port, each for a virtual machine. A new number removes the ones that exist.",

		"state":  "Whether the interface is up. Down stops its traffic and removes its routes.",
		"master": "The bond that the interface is a member of. The kernel takes it down to join, and up again.",
		"link":   "What a bond or a VLAN is made of: n makes a new one, d removes it.",

		"vf.mac":      "The MAC address of the virtual function.",
		"vf.vlan":     "The VLAN that the adapter adds to the frames of the virtual function, and removes; 0 for none.",
		"vf.qos":      "The priority in the VLAN tag of the virtual function. It needs a VLAN.",
		"vf.state":    "The link of the virtual function: as the port's, always up, or down.",
		"vf.spoofchk": "The adapter drops frames of the virtual function with another source address than its own.",
		"vf.trust":    "The virtual function may change its address and become promiscuous.",
		"vf.min-rate": "Mb/s that the virtual function gets at least; 0 for none.",
		"vf.max-rate": "Mb/s that the virtual function sends at most; 0 for no limit.",

		"bond.mode":             "How the bond uses its members. 802.3ad needs the same aggregation at the switch; active-backup needs nothing.",
		"bond.miimon":           "Milliseconds between checks of the members' links. 0 checks nothing: a member without a link keeps its traffic.",
		"bond.active_slave":     "The member that carries the traffic.",
		"bond.xmit_hash_policy": "What spreads the flows over the members: addresses (layer2), addresses and IP, or also ports (layer3+4).",
		"bond.lacp_rate":        "How often the switch sends LACP frames: slow every 30 s, fast every second, so that a failure is seen in 3 s.",

		"offload.rx-checksum":                  "The adapter checks the checksums of received packets.",
		"offload.tx-checksum-ip-generic":       "The adapter computes the checksums of sent packets.",
		"offload.tx-checksum-ipv4":             "The adapter computes the checksums of sent IPv4 packets.",
		"offload.tx-checksum-ipv6":             "The adapter computes the checksums of sent IPv6 packets.",
		"offload.tx-tcp-segmentation":          "The adapter cuts large TCP sends into packets (TSO): less processor time.",
		"offload.tx-tcp6-segmentation":         "The adapter cuts large TCP sends over IPv6 into packets.",
		"offload.tx-generic-segmentation":      "The kernel cuts large sends as late as possible (GSO).",
		"offload.rx-gro":                       "The kernel joins received packets of a flow (GRO): less processor time.",
		"offload.rx-gro-hw":                    "The adapter joins received packets of a flow, so that they can be cut again unchanged.",
		"offload.rx-lro":                       "The adapter joins received packets of a flow (LRO). Off on routers and bridges: they can't be forwarded as they were.",
		"offload.rx-hashing":                   "The adapter gives the hash of each packet to the kernel.",
		"offload.rx-vlan-hw-parse":             "The adapter takes the VLAN tag out of received frames.",
		"offload.tx-vlan-hw-insert":            "The adapter adds the VLAN tag to sent frames.",
		"offload.rx-vlan-filter":               "The adapter drops frames of VLANs that nobody uses.",
		"offload.rx-ntuple-filter":             "Rules choose the queue of received flows.",
		"offload.hw-tc-offload":                "The adapter carries out rules of tc, such as the rules of Open vSwitch.",
		"offload.tls-hw-tx-offload":            "The adapter encrypts TLS records.",
		"offload.tls-hw-rx-offload":            "The adapter decrypts TLS records.",
		"offload.rx-all":                       "Frames with wrong checksums are received, too.",
		"offload.rx-fcs":                       "Received frames keep their checksum.",
		"offload.tx-udp_tnl-segmentation":      "The adapter cuts large sends within UDP tunnels such as VXLAN.",
		"offload.tx-udp-segmentation":          "The adapter cuts large UDP sends.",
		"offload.tx-nocache-copy":              "Data to send is copied past the processor's cache.",
		"offload.tx-scatter-gather":            "A packet to send may lie in several pieces of memory.",
		"offload.tx-gre-segmentation":          "The adapter cuts large sends within GRE tunnels.",
		"offload.rx-udp_tunnel-port-offload":   "The adapter knows the ports of UDP tunnels, and looks into them.",
		"offload.rx-gro-list":                  "The kernel joins received packets of a flow as a list.",
		"offload.rx-udp-gro-forwarding":        "The kernel joins received UDP packets that it forwards.",
		"offload.tx-scatter-gather-fraglist":   "A packet to send may consist of a list of packets.",
		"offload.highdma":                      "The adapter reaches all memory.",
		"offload.loopback":                     "The adapter returns sent frames to itself.",
		"offload.esp-hw-offload":               "The adapter encrypts and decrypts IPsec.",
		"offload.tx-esp-segmentation":          "The adapter cuts large sends within IPsec.",
		"offload.macsec-hw-offload":            "The adapter encrypts and decrypts MACsec.",
		"offload.tx-tcp-ecn-segmentation":      "The adapter cuts large TCP sends of connections with ECN.",
		"offload.tx-tcp-mangleid-segmentation": "The adapter may give the packets of a large TCP send equal identifiers.",
	}
})

// Meaning says what a setting does, as sentences; empty for one that is not in the table.
func Meaning(name string) string {
	if group, rest, _ := strings.Cut(name, "."); group == "vf" {
		_, attribute, _ := strings.Cut(rest, ".")
		name = "vf." + attribute
	}
	return meanings()[name]
}
