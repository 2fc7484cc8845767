package perf

import (
	"regexp"
	"testing"
)

// reasonScopes match the counters, as set\counter, to which a reason may be attached.
var reasonScopes = map[string]string{
	"InfiniBand":        `^Mellanox IB Adapter Diagnostic Counters\\(Requester|Responder) `,
	"SMB limits":        `^SMB Direct Connection\\Stalls `,
	"SMB notifications": `^SMB Direct Connection\\Spurious .*Notification`,
	"VF RoCE":           `VF .*\\RoCE Restrict`,
	"VF errors":         `VF .*\\Packets (Received|Outbound) Errors$`,
	"VF priority":       `VF .*\\.*Priority Update`,
	"VF queues":         `VF .*\\.*queues under processor handle`,
	"VF tags":           `VF .*\\Vlan Anti Spoofing`,
	"buffer marks":      `PCI .*\\.*MARKED PCIe BUFFERS`,
	"bypass":            `Transmit .*\\.*bypass mode`,
	"cable":             `\\(Packets Outbound Errors|Local Link Integrity Errors|.*Remote Physical Errors)$`,
	"checksums":         `\\.*Checksum Packets`,
	"control frames":    `\\.*opcode Error`,
	"control lanes":     `IB Port\\VL15`,
	"credit waits":      `IB Port\\Port Xmit Wait`,
	"credits":           `IB .*\\(Port Xmit Discards|Control Packets|Packets Received Discarded)$`,
	"doorbells":         `(?i)\\.*doorbell`,
	"dumps":             `\\Dump Me Now`,
	"firmware":          `\\(Requester time out received|Dcqcn .*|.*Dynamic MSI-X.*|RoCE (Adaptive|adaptive|Slow).*)$`,
	"guests":            `Backchannel`,
	"hash":              `(?i)Rss Counters\\Rss Misc`,
	"interrupts":        `\\Interrupts on incorrect cpu`,
	"length field":      `\\.*Frame Length Error`,
	"marks":             `\\EcnMarkedPackets`,
	"multicast":         `(?i)\\.*multicast`,
	"offload":           `\\Offloaded Connections`,
	"operating system":  `\\OS call`,
	"own end":           `Diagnostics?( Counters)?\\(Requester|Responder|Local) .*(?i:errors)$`,
	"partitions":        `IB Port\\.*Constraint Errors`,
	"peers":             `\\(Requester resync|Responder resync|(?i:responder duplicate request received)|Requester Bad Response|Implied NAK.*)$`,
	"polling":           `\\.*NDIS poll mode`,
	"protocols":         `\\Packets Received Unknown`,
	"queue length":      `\\Output Queue Length`,
	"queues":            `(?i)\\(.*\b[CE]Q (overflows?|overrun)|.*completion queue errors)$`,
	"receive sizes":     `(?i)\\(.*WQE too small|.*invalid packet size)$`,
	"relay":             `IB Port\\.*Relay Errors`,
	"ring caches":       `\\Slow packets miss`,
	"rounds":            `\\SkipReceive`,
	"send profiles":     `Transmit .*\\.*traffic profile`,
	"send sizes":        `\\(Packets Outbound Errors|Drops due to invalid packet size)$`,
	"sends":             `\\Packets Outbound Discarded`,
	"shared queues":     `\\.*SRQ`,
	"slots":             `PCI .*\\.*PCI (read|errors|non-fatal|fatal)`,
	"steering":          `(?i)\\.*steering`,
	"striding":          `\\StridedWqes`,
	"tunnels":           `\\Encapsulated`,
}

func TestReasonsFitTheirCounters(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for _, set := range Catalogue().Sets() {
		for _, c := range set.Counters {
			if c.UncausedBy == "" {
				continue
			}
			used[c.UncausedBy] = true
			if path := set.Name + `\` + c.Name; reasonScopes[c.UncausedBy] == "" || !regexp.MustCompile(reasonScopes[c.UncausedBy]).MatchString(path) {
				t.Errorf("%s stays 0 because %s: the reason %q is not for this counter", path, c.Uncaused, c.UncausedBy)
			}
		}
	}
	for reason := range uncausedReasons {
		if !used[reason] {
			t.Errorf("the reason %q is unused", reason)
		}
	}
}
