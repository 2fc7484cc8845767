package preset

import "cxdeck/themes"

// Preset selects the counters for a usual question.
type Preset struct {
	Title    string
	Help     string
	families []family
	// Max is the maximum number of curves.
	Max int
	// Need names the requirement on a source, for the text without a match.
	Need string
	// busyOnly leaves out counters that are 0, unless all are; they are added when they change. busyFirst puts them last.
	busyOnly, busyFirst bool
	// Busiest selects the instances with the largest values if there are more counters than Max.
	Busiest bool
	// Stacked and Small are the settings of the chart.
	Stacked, Small bool
	// Teams limits it to teams and the ports that are their members.
	Teams bool
}

// family holds the counter names of one kind of driver: a set and patterns of its counters, with * for any text.
type family struct {
	set      string
	counters []string
	role     familyRole
}

// familyRole is the relation of a family to the families before it. Families count the same traffic, often under other names
// of the instances, and no traffic may be counted twice.
type familyRole uint8

const (
	instead  familyRole = iota // instances that no earlier family has
	fallback                   // only if no earlier family has a counter
	also                       // details of the same instances: only counters that are not 0
)

// All returns the presets; the screen opens with the first one. The counters of a preset have one dimension.
func All() []Preset { return presets }

var presets = []Preset{
	{
		Title: "Throughput", Help: "Bytes sent and received per second on every port",
		Max: themes.SeriesCount, Busiest: true, Need: "a source with ports that count bytes",
		families: []family{
			{"Mellanox WinOF-2 Port Traffic", []string{"KBytes Sent/Sec", "KBytes Received/Sec", "Bytes Sent/Sec", "Bytes Received/Sec"}, instead},
			{"Mellanox Adapter Traffic Counters", []string{"Bytes Sent/Sec", "Bytes Received/Sec"}, instead},
			{"Mellanox IB Adapter Traffic Counters", []string{"Bytes Sent/Sec", "Bytes Received/Sec"}, instead},
			{"cxdeck Port", []string{"Bytes Sent/sec", "Bytes Received/sec"}, instead},
			{"Network Interface", []string{"Bytes Sent/sec", "Bytes Received/sec"}, fallback},
			{"*", []string{"*Bytes*Sent*/sec", "*Bytes*Received*/sec", "*Bytes*/sec"}, fallback},
		},
	},
	{
		Title: "Drops and errors", Help: "Packets lost or damaged per second on every port",
		Max: 24, Need: "a source that counts discards or errors", busyFirst: true,
		families: []family{
			{"cxdeck Port", []string{"Packets Discarded/sec"}, instead},
			{"Network Interface", []string{"*Discarded/sec"}, fallback},
			{"Network Interface", []string{"*Errors/sec"}, also},
			{"Mellanox WinOF Bus Counters", []string{"*Drops/sec"}, also},
			{"*", []string{"*discard*/sec", "*drop*/sec", "*error*/sec"}, fallback},
			{"*", []string{"*discard*", "*drop*", "*error*"}, fallback},
		},
	},
	{
		Title: "Drops by cause", Help: "Total of each type of loss since the counters started",
		Max: 24, busyOnly: true, Need: "a source that counts each kind of loss",
		families: []family{
			{"Mellanox WinOF-2 Port Traffic", dropCounters, also},
			{"Mellanox Adapter Traffic Counters", dropCounters, also},
			{"Mellanox IB Adapter Traffic Counters", dropCounters, also},
			{"Mellanox WinOF-2 Diagnostics", []string{"*discarded", "*Dropped"}, also},
			{"Mellanox WinOF Bus Counters", []string{"*discarded*"}, also},
			{"Mellanox WinOF-2 PCI Device Diagnostics", []string{"RX PACKET DROPS*"}, also},
			{"Network Interface Kernel", []string{"*dropped", "*errors"}, also},
			{"Network Interface Driver", []string{"*drop*", "*discard*", "*out_of_buffer*", "*err*"}, also},
			{"Network Interface", dropCounters, fallback},
			{"*", []string{"*discarded*", "*dropped*", "*errors"}, fallback},
		},
	},
	{
		Title: "Pause frames", Help: "Pause frames sent and received, per priority",
		Max: 32, Small: true, busyOnly: true, Need: "the QoS counters of a Mellanox adapter, which count pause frames per priority",
		families: []family{
			{"Mellanox WinOF-2 Port QoS", []string{"*Pause Frames*"}, instead},
			{"Mellanox Adapter QoS Counters", []string{"*Pause Frames*"}, instead},
			{"*", []string{"*pause*"}, fallback},
		},
	},
	{
		Title: "Pause duration", Help: "Time for which pause frames stopped traffic, per priority",
		Max: 32, Small: true, busyOnly: true, Need: "the QoS counters of a Mellanox adapter, which count how long pause lasted",
		families: []family{
			{"Mellanox WinOF-2 Port QoS", []string{"*Pause Duration*"}, instead},
			{"Mellanox Adapter QoS Counters", []string{"*Pause Duration*"}, instead},
			{"*", []string{"*pause*duration*"}, fallback},
		},
	},
	{
		Title: "RSS spread per CPU", Help: "Distribution of received packets over the CPUs",
		Max: 32, busyOnly: true, Need: "the RSS counters, which the driver keeps after RssMonitoringEnabled is 1 and the adapter has been restarted",
		families: []family{
			{"Mellanox WinOF-2 Rss Counters", []string{"Rss IPv4/Tcp", "Rss IPv6/Tcp", "NonRss IPv4/Tcp"}, instead},
			{"Mellanox Adapter RSS Counters", []string{"Rss IPv4/Tcp", "Rss IPv6/Tcp", "NonRss IPv4/Tcp"}, instead},
			{"Mellanox WinOF-2 Receive Datapath Counters", []string{"Packets processed in*"}, instead},
			{"*Driver*", []string{"*rx*queue*packets*", "rx*_packets"}, fallback},
		},
	},
	{
		Title: "RDMA", Help: "RDMA bytes sent and received",
		Max: 24, busyOnly: true, Need: "the RDMA Activity counters of an adapter that does RDMA",
		families: []family{
			{"RDMA Activity", []string{"RDMA Outbound Bytes/sec", "RDMA Inbound Bytes/sec"}, instead},
			{"SMB Direct Connection", []string{"Bytes RDMA Written/sec", "Bytes RDMA Read/sec"}, instead},
		},
	},
	{
		Title: "RDMA connections", Help: "RDMA connections that are open or failed",
		Max: 24, busyOnly: true, Need: "the RDMA Activity counters of an adapter that does RDMA",
		families: []family{
			{"RDMA Activity", []string{"RDMA Active Connections", "RDMA Connection Errors", "RDMA Failed Connection Attempts"}, instead},
		},
	},
	{
		Title: "Congestion control", Help: "ECN-marked packets, and CNPs sent and handled",
		Max: 24, busyOnly: true, Need: "the congestion control counters of an adapter that does RDMA",
		families: []family{
			{"Mellanox WinOF-2 Congestion Control", []string{"Notification Point*", "Reaction Point*CNP*"}, instead},
			{"Mellanox Adapter QoS Counters", []string{"Responder*CNP*", "Responder*ECN*"}, instead},
			{"Mellanox WinOF Bus Counters", []string{"*CNP*"}, instead},
		},
	},
	{
		Title: "PCIe pressure", Help: "Time for which the adapter waits for the host",
		Max: 24, busyOnly: true, Need: "the PCI or bus counters of a Mellanox adapter",
		families: []family{
			{"Mellanox WinOF-2 PCI Device Diagnostics", []string{"*back-pressure*/Sec"}, instead},
			{"Mellanox WinOF Bus Counters", []string{"*Back-pressure/sec"}, instead},
		},
	},
	{
		Title: "PCIe bandwidth", Help: "Used and free bandwidth of the adapter's slot",
		Max: 24, busyOnly: true, Need: "the PCI counters of a WinOF-2 adapter",
		families: []family{
			{"Mellanox WinOF-2 PCI Device Diagnostics", []string{"Used PCI BW/Sec", "Available PCI BW/Sec"}, instead},
		},
	},
	{
		Title: "Team failover", Help: "Bytes of teams and of their members: one line falls, another rises",
		Max: 24, Teams: true, Need: "a team of ports, which the Teams screen makes",
		families: []family{
			{"cxdeck Port", []string{"Bytes Sent/sec", "Bytes Received/sec"}, instead},
		},
	},
}

// dropCounters are the counters of lost and damaged packets.
var dropCounters = []string{"*Discarded*", "Packets Received Errors", "Packets Outbound Errors"}
