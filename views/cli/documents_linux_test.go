package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"cxdeck/perf"
)

// TestPagesOfLinuxCounters makes docs/linux-counters.md: the statistics of Linux drivers with their meanings.
func TestPagesOfLinuxCounters(t *testing.T) {
	t.Parallel()
	sameDocument(t, filepath.Join(documents, "linux-counters.md"), []byte(linuxCountersPage()))
}

// linuxGroups are the groups of statistics in the order of the page.
var linuxGroups = []struct{ group, title, text string }{
	{"port", "Port", "What the port counts for all functions and RDMA together. A virtual function does not have them."},
	{"priority", "Priority", "What the port counts for each priority, `#` being the priority. Statistics of pause exist only while priority flow control, or global pause, is on."},
	{"vport", "Function", "What one physical or virtual function counts at its port of the embedded switch."},
	{"device", "Device", "What the device counts for its own queues."},
	{"pcie", "PCI Express", "What the device counts at its PCI Express port; the ports of a card count the same."},
	{"ring", "Driver", "What the driver counts: `[#]` is the number of a queue, and without it the statistic is the sum of all queues. Queues for time stamps begin with `ptp_`, queues with a rate with `qos_`."},
	{"rdma", "RDMA", "The counters below `hw_counters` of an RDMA device's port, in the set Network Interface RDMA."},
	{"rdma port", "RDMA port", "The counters below `counters` of an RDMA device's port, in the set Network Interface RDMA."},
}

// linuxCountersPage returns docs/linux-counters.md.
func linuxCountersPage() string {
	var b strings.Builder
	table := perf.Statistics()
	fmt.Fprintf(&b, "# Linux counters\n\n%s\nThe %d statistics of the Linux drivers mlx5 (ConnectX-4 and later) and mlx4 (ConnectX-3) with a known meaning. "+
		"`--source local` shows them under their own names in the sets Network Interface Driver and Network Interface RDMA, and a statistic with a counterpart under the "+
		"counterpart's name too, so that presets, findings, thresholds and layouts made for Windows fit. Other statistics, and statistics of other "+
		"drivers, are shown as counts without a description. A statistic is cumulative if the table says nothing else.\n", generatedMark, len(table.Statistics))
	for _, group := range linuxGroups {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| Statistic | Driver | Unit | What it counts | Counterpart |\n| --- | --- | --- | --- | --- |\n", group.title, group.text)
		for _, s := range table.Statistics {
			if s.Group != group.group {
				continue
			}
			unit := string(s.Unit)
			if s.Kind != perf.Cumulative {
				unit += ", " + s.Kind.String()
			}
			meaning := s.Summary + " Counted " + s.Where + "."
			if s.Advice != "" {
				meaning += " " + s.Advice
			}
			counterparts := make([]string, len(s.Counterparts))
			for i, c := range s.Counterparts {
				set, counter, _ := strings.Cut(c, "|")
				counterparts[i] = fmt.Sprintf("[%s](counter-sets.md#%s): %s", set, anchor(set), cell(counter))
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", s.Name, strings.Join(s.Drivers, ", "), cell(unit), cell(meaning), strings.Join(counterparts, "; "))
		}
	}
	b.WriteString("\n## Sums\n\nCounters that add up several statistics.\n\n| Counter | Statistics |\n| --- | --- |\n")
	for _, sum := range table.Sums {
		set, counter, _ := strings.Cut(sum.Counterpart, "|")
		fmt.Fprintf(&b, "| [%s](counter-sets.md#%s): %s | `%s` |\n", set, anchor(set), cell(counter), strings.Join(sum.Of, "`, `"))
	}
	return b.String()
}
