package prometheus

import (
	"cmp"
	"slices"
	"strings"

	"cxdeck/perf"
)

// baseUnit is the base unit of Prometheus for a unit.
type baseUnit struct {
	// name ends the metric's name; empty for a counter without a unit.
	name string
	// A value times times, divided by per, is in the base unit. The division avoids rounding of decimal numbers.
	times, per float64
	// words for the unit in a counter's name, which are removed: the name has the unit once, at the end.
	words []string
}

// baseUnits are the units with a base unit; other units are used under their own names. Events have no unit, as every counter
// counts them.
var baseUnits = map[perf.Unit]baseUnit{
	perf.Bytes:        {"bytes", 1, 1, []string{"bytes", "byte"}},
	perf.Kilobytes:    {"bytes", 1e3, 1, []string{"kbytes", "kilobytes"}},
	perf.Megabytes:    {"bytes", 1e6, 1, []string{"mbytes", "megabytes"}},
	perf.Gigabytes:    {"bytes", 1e9, 1, []string{"gbytes", "gigabytes"}},
	"bits":            {"bytes", 1, 8, []string{"bits", "bit"}},
	"kilobits":        {"bytes", 1e3, 8, []string{"kbits", "kilobits"}},
	"gigabits":        {"bytes", 1e9, 8, []string{"gbits", "gigabits"}},
	perf.Microseconds: {"seconds", 1, 1e6, []string{"microseconds", "microsec", "usec", "in"}},
	perf.Percent:      {"ratio", 1, 100, []string{"percent"}},
	perf.Celsius:      {"celsius", 1, 1, []string{"celsius", "degrees"}},
	"events":          {"", 1, 1, nil},
	"CPU number":      {"", 1, 1, nil},
	"QP number":       {"", 1, 1, nil},
	"bitmask":         {"", 1, 1, nil},
}

// Metric describes a series for Prometheus.
type Metric struct {
	// Name is the name of the metric, without _total for a counter.
	Name, Unit, Help string
	Counter          bool
	// A value times Times, divided by Per, is in the base unit.
	Times, Per float64
	Labels     []Label
}

// Label is a label besides the host's.
type Label struct{ Name, Value string }

// Sample returns the name of the metric's samples.
func (m *Metric) Sample() string {
	if m.Counter {
		return m.Name + "_total"
	}
	return m.Name
}

// MetricOf returns the metric of a series by the rules of Prometheus: base units, the unit once and at the end.
func MetricOf(s perf.Series) Metric {
	counted, _ := s.Unit.Counted()
	unit, known := baseUnits[counted]
	if !known {
		unit = baseUnit{Word(string(counted)), 1, 1, nil}
		unit.words = []string{unit.name, strings.TrimSuffix(unit.name, "s")}
	}
	if counted == perf.Percent && s.Kind == perf.Cumulative {
		unit = baseUnit{"seconds", 1, 100, unit.words} // a percentage of each second
	}
	m := Metric{Unit: unit.name, Times: unit.times, Per: unit.per, Counter: s.Kind == perf.Cumulative && !s.PerSecond(),
		Help: perf.CleanText(perf.JoinPath(s.Set, "", s.Counter), perf.PathLimit), Labels: labelsOf(s)}
	perSecond := s.PerSecond() && counted != perf.Percent // a percentage per second is a percentage
	if perSecond {
		m.Unit = strings.TrimPrefix(m.Unit+"_per_second", "_")
	}
	counter := TrimPerSecond(s.Counter)
	if catalogued, ok := perf.Catalogue().Counter(s.Set, s.Counter); ok {
		m.Help = perf.CleanText(catalogued.Summary, perf.PathLimit)
	} else if rate, ok := perf.Catalogue().Counter(s.Set, counter+"/sec"); ok && m.Counter {
		m.Help = "The counter of this rate: " + perf.CleanText(rate.Summary, perf.PathLimit)
	}
	words := strings.Split(Word(counter), "_")
	if kept := slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return slices.Contains(unit.words, word)
	}); len(kept) > 0 || unit.name != "" {
		words = kept
	}
	words = withoutTypes(words)
	for n := len(words); n > 0 && words[n-1] == "total"; n = len(words) {
		words = words[:n-1] // "total" is only for counters, after the unit
	}
	words = append(strings.Split(Word(s.Set), "_"), words...)
	m.Name = strings.Trim(strings.Join(joinUnits(words, m.Unit == "" && !m.Counter), "_"), "_")
	if m.Unit != "" {
		m.Name += "_" + m.Unit
	}
	if m.Name == "" || m.Name[0] >= '0' && m.Name[0] <= '9' {
		m.Name = strings.TrimSuffix("perf_"+m.Name, "_")
	}
	return m
}

// unitWords are units and abbreviations that a name must not have: a counter of a log in such a unit is exported without
// conversion, and the word is joined to the one before it.
var unitWords = strings.Fields("s ms us ns sec b kb mb gb tb pb m h d minutes hours days weeks kelvins fahrenheit rankine bits " +
	"calories pounds ounces microsec usec kbytes kbits percent inches yards miles")

// Prefixes of units, and the units that they precede.
var (
	unitPrefixes  = strings.Fields("pico nano micro milli centi deci deca hecto kilo kibi mega mibi giga gibi tera tebi peta pebi")
	prefixedUnits = strings.Fields("amperes bytes celsius grams joules kelvin meters metres moles seconds volts")
)

// joinUnits joins words that are units to a neighbour, and so a last word that would mark a part of a histogram.
func joinUnits(words []string, last bool) []string {
	var kept []string
	joined := ""
	for n, word := range words {
		part := last && n == len(words)-1 && slices.Contains([]string{"count", "sum", "bucket"}, word)
		switch {
		case word == "":
		case !part && !isUnit(word):
			kept = append(kept, joined+word)
			joined = ""
		case len(kept) == 0:
			joined += word
		case !isUnit(kept[len(kept)-1] + word): // not "kelvin" and "s"
			kept[len(kept)-1] += word
		}
	}
	if joined != "" {
		kept = append(kept, "perf"+joined)
	}
	return kept
}

func isUnit(word string) bool {
	return slices.Contains(unitWords, word) || slices.ContainsFunc(unitPrefixes, func(prefix string) bool {
		rest, ok := strings.CutPrefix(word, prefix)
		return ok && slices.Contains(prefixedUnits, rest)
	})
}

// withoutTypes removes types of metrics, which a name must not have, with an "of" after them: "histogram of packets".
func withoutTypes(words []string) []string {
	var kept []string
	for n, word := range words {
		isType := func(word string) bool {
			return slices.Contains([]string{"counter", "gauge", "histogram", "summary"}, word)
		}
		if !isType(word) && (word != "of" || n == 0 || !isType(words[n-1])) {
			kept = append(kept, word)
		}
	}
	return kept
}

// TrimPerSecond removes "/sec" from the end of a counter's name.
func TrimPerSecond(counter string) string {
	if n := len(counter) - len("/sec"); n > 0 && strings.EqualFold(counter[n:], "/sec") {
		return counter[:n]
	}
	return counter
}

// instanceParts are the words after an adapter's name in the instances of sets with several instances per adapter, by the
// catalogue's kind of instances, with the label for the text after the word.
var instanceParts = map[string][]instancePart{
	"port-priority": {{"Priority ", "priority", ""}, {"Untagged", "priority", "untagged"}},
	"vport-cpu":     {{"Cpu_", "cpu", ""}, {"Total", "cpu", "all"}, {"VPort_", "vport", ""}},
	"ring":          {{"RqNum_", "receive_queue", ""}, {"SqNum_", "send_queue", ""}, {"RX ", "receive_ring", ""}, {"TX ", "send_ring", ""}},
	"vf":            {{"VF ", "vf", ""}, {"VFs", "vf", "all"}},
}

// instancePart is a word with its label; whole is the label's value if nothing follows the word.
type instancePart struct{ word, label, whole string }

// labelsOf splits an instance into the adapter, which becomes the label device, and its part.
func labelsOf(s perf.Series) []Label {
	kind := ""
	if set, ok := perf.Catalogue().Set(s.Set); ok {
		kind = set.Instances
	}
	device := s.Instance
	if kind == "processor" {
		return []Label{{"cpu", device}}
	}
	var parts []Label
	for _, part := range instanceParts[kind] {
		at := strings.LastIndex(device, " "+part.word)
		if at <= 0 {
			continue
		}
		value := device[at+1+len(part.word):]
		if (part.whole == "") == (value == "") || strings.Contains(value, " ") {
			continue
		}
		value = cmp.Or(part.whole, value)
		if slices.ContainsFunc(parts, func(l Label) bool { return l.Name == part.label }) {
			continue
		}
		parts = append(parts, Label{part.label, value})
		device = device[:at]
	}
	if device == "" {
		return nil
	}
	return append([]Label{{"device", device}}, parts...)
}

// Word converts a text to lower-case letters, digits and single underscores.
func Word(text string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(text) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			gap = false
			b.WriteRune(r)
		case r == '%':
			b.WriteString("percent")
			gap = true
		default:
			gap = true
		}
	}
	return b.String()
}
