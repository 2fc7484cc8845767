package local

import (
	"strconv"
	"strings"

	"cxdeck/perf"
)

// instanceName makes the name of an interface fit for a perfmon path, as Windows does: brackets for parentheses, an
// underscore for slashes, # and the wildcard.
func instanceName(name string) string {
	name = strings.NewReplacer("(", "[", ")", "]", `\`, "_", "/", "_", "#", "_", "*", "_").Replace(perf.CleanText(name, perf.NameLimit))
	if name == "" {
		return "_"
	}
	return name
}

// counterName makes the name of a driver's statistic fit for a perfmon path.
func counterName(name string) string {
	return strings.NewReplacer(`\`, "_", "*", "_").Replace(perf.CleanText(strings.TrimSpace(name), perf.NameLimit))
}

// statisticUnit guesses what a statistic counts from its name.
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
