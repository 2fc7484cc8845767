package local

import (
	"strconv"
	"strings"

	"cxdeck/perf"
)

// instanceName replaces characters of an interface's name that have a meaning in perfmon paths, as Windows does: brackets for
// parentheses, an underscore for slashes, # and the wildcard.
func instanceName(name string) string {
	name = strings.NewReplacer("(", "[", ")", "]", `\`, "_", "/", "_", "#", "_", "*", "_").Replace(perf.CleanText(name, perf.NameLimit))
	if name == "" {
		return "_"
	}
	return name
}

// counterName replaces characters of a statistic's name that have a meaning in perfmon paths.
func counterName(name string) string {
	return strings.NewReplacer(`\`, "_", "*", "_").Replace(perf.CleanText(strings.TrimSpace(name), perf.NameLimit))
}

// statisticUnit guesses the unit of a statistic from its name.
func statisticUnit(name string) perf.Unit {
	name = strings.ToLower(name)
	switch {
	case strings.Contains(name, "bytes"), strings.Contains(name, "octets"):
		return perf.Bytes
	case strings.Contains(name, "packets"), strings.Contains(name, "_drop"), strings.Contains(name, "discard"),
		strings.HasPrefix(name, "multicast"), strings.HasSuffix(name, "_errors"), strings.HasSuffix(name, "compressed"):
		return perf.Packets
	case strings.Contains(name, "frames"):
		return perf.Frames
	}
	return perf.NoUnit
}

// speedText writes the line rate of an Ethernet port as the manuals do.
func speedText(bits uint64) string {
	const giga, mega = 1_000_000_000, 1_000_000
	switch {
	case bits == 0:
		return ""
	case bits%giga == 0:
		return strconv.FormatUint(bits/giga, 10) + " GbE"
	case bits > giga:
		return strconv.FormatFloat(float64(bits)/giga, 'f', 1, 64) + " GbE"
	}
	return strconv.FormatUint(bits/mega, 10) + " Mb/s"
}
