package perf

import (
	"strings"

	"cxdeck/driver"
)

// SummarySet is the console's own set: the counters that the Overview adds up, in the same unit for every kind of port.
const SummarySet = "cxdeck Port"

// The counters of SummarySet.
const (
	SummaryReceive = "Bytes Received/sec"
	SummarySend    = "Bytes Sent/sec"
	SummaryDrops   = "Packets Discarded/sec"
)

// Words in instance names of the console's own set that mark instances other than ports: a log has nothing but names.
const (
	SummaryTeam      = "Team "
	summaryVLAN      = " VLAN "
	summaryPartition = " IPoIB "
	summaryFunctions = " VFs"
)

// SummaryInstance returns the name of a virtual miniport in the console's own set.
func SummaryInstance(m *driver.VirtualMiniport) string {
	name := m.Connection
	if m.Team != "" {
		name = SummaryTeam + m.Team
	}
	if m.VLAN != "" {
		name += summaryVLAN + m.VLAN
	}
	if m.Partition != "" {
		name += summaryPartition + m.Partition
	}
	return name
}

// RepeatsPort reports whether the frames of an instance of the console's own set are counted at a port too.
func RepeatsPort(instance string) bool {
	return strings.HasPrefix(instance, SummaryTeam) || strings.HasSuffix(instance, summaryFunctions) ||
		strings.Contains(instance, summaryVLAN) || strings.Contains(instance, summaryPartition)
}
