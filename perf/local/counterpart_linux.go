package local

import (
	"slices"
	"strings"

	"cxdeck/perf"
)

// family returns the driver's name in the table of statistics: "mlx5" or "mlx4", empty for any other driver.
func (h *hardware) family() string {
	for _, family := range []string{"mlx5", "mlx4"} {
		if strings.HasPrefix(h.driver, family) {
			return family
		}
	}
	return ""
}

// virtual reports whether the device is a virtual function, on the host or in a virtual machine.
func (h *hardware) virtual() bool {
	return h.parent != "" || strings.HasSuffix(adapterNames[h.model], " VF")
}

// sum is a cell that adds up others of its column.
type sum struct {
	cell int
	of   []int
}

// addMeaning adds the counterparts of a statistic in the sets of WinOF, which have the same cell, and returns its meaning; nil for a
// statistic that the table lacks.
func (s *source) addMeaning(i *netInterface, name string, cell int) *perf.Statistic {
	meaning, number, known := perf.Statistics().Find(i.hardware.family(), name)
	if !known {
		return nil
	}
	if i.meant == nil {
		i.meant = make(map[string]int)
	}
	if number == "" {
		i.meant[strings.Replace(meaning.Name, "[#]", "", 1)] = cell
	} else {
		i.meant[meaning.Name+number] = cell
	}
	// The sum of all queues and a queue's own statistic have one name in the table.
	if number != "" && strings.Contains(meaning.Name, "[#]") {
		return meaning
	}
	for _, counterpart := range meaning.Counterparts {
		s.addCounterpart(i, strings.ReplaceAll(counterpart, "#", number), s.priorityOf(meaning, number), cell, meaning.Width)
	}
	return meaning
}

// priorityOf returns what a priority's instance has behind its port's name; empty for other statistics.
func (s *source) priorityOf(meaning *perf.Statistic, number string) string {
	switch {
	case meaning.Group != "priority":
		return ""
	case number == "":
		return " Untagged"
	}
	return " Priority " + number
}

// addCounterpart adds a counter of a set of WinOF, and the rates that are derived from it.
func (s *source) addCounterpart(i *netInterface, counterpart, suffix string, cell int, width uint8) {
	set, name, _ := strings.Cut(counterpart, "|")
	described, ok := perf.Catalogue().Set(set)
	if !ok {
		return
	}
	counter, ok := described.Counter(name)
	// The sets of virtual functions count one function; the others count a port with all its functions.
	if !ok || strings.Contains(set, " VF ") != i.hardware.virtual() && set != perf.SummarySet && set != "RDMA Activity" {
		return
	}
	instance := i.instance + suffix
	if described.Instances == "device" {
		instance = s.cardOf(i)
	}
	s.addSeries(i, described, counter, instance, cell, width)
	for _, derived := range described.Counters {
		if derived.DerivedFrom == counter.Name {
			s.addSeries(i, described, derived, instance, cell, width)
		}
	}
}

// addSeries adds a series unless its path is taken: both ports of a card count what the card has in common.
func (s *source) addSeries(i *netInterface, set *perf.CounterSet, counter *perf.Counter, instance string, cell int, width uint8) {
	series := perf.Series{
		Set: set.Name, Instance: instance, Counter: counter.Name, Kind: counter.Kind, Unit: counter.Unit, Width: width, Cell: cell,
	}
	if path := perf.FoldPath(series.Path()); s.paths[path] {
		return
	} else if s.paths == nil {
		s.paths = map[string]bool{path: true}
	} else {
		s.paths[path] = true
	}
	const thousandth = 1e-3
	if counter.Unit == perf.Kilobytes || counter.Unit == "kilobits" {
		series.Scale = thousandth
	}
	if set.Name == perf.SummarySet {
		for n, name := range []string{perf.SummaryReceive, perf.SummarySend, perf.SummaryDrops} {
			if counter.Name == name {
				i.summary[n] = len(s.series)
			}
		}
	} else if instance != i.instance && set.Instances != "device" && !slices.Contains(i.instances, instance) {
		i.instances = append(i.instances, instance)
	}
	s.series = append(s.series, series)
}

// addSums adds the counters that add up statistics of the interface.
func (s *source) addSums(i *netInterface) {
	family := i.hardware.family()
	for _, total := range perf.Statistics().Sums {
		if len(total.Drivers) == 0 && family != "mlx5" || len(total.Drivers) > 0 && !slices.Contains(total.Drivers, family) {
			continue
		}
		if !strings.Contains(total.Of[0], "#") {
			s.addSum(i, total, "")
			continue
		}
		for priority := range 8 {
			s.addSum(i, total, string(rune('0'+priority)))
		}
	}
}

func (s *source) addSum(i *netInterface, total *perf.StatisticSum, number string) {
	var cells []int
	for _, name := range total.Of {
		if cell, ok := i.meant[name+number]; ok {
			cells = append(cells, cell)
		}
	}
	// A total of traffic requires both directions; discards and errors add up what the driver has.
	if len(cells) == 0 || len(cells) < len(total.Of) && strings.HasSuffix(total.Counterpart, " Total") {
		return
	}
	suffix := ""
	if number != "" {
		suffix = " Priority " + number
	}
	before := len(s.series)
	s.addCounterpart(i, total.Counterpart, suffix, s.cells, 0)
	if len(s.series) > before {
		i.sums = append(i.sums, sum{s.cells, cells})
		s.cells++
	}
}

// addUp fills the cells of the sums. A sum is missing when one of its parts is.
func (i *netInterface) addUp(cells []int64) {
	for _, total := range i.sums {
		value := int64(0)
		for _, cell := range total.of {
			if cells[cell] == perf.Missing {
				value = perf.Missing
				break
			}
			value += cells[cell]
		}
		cells[total.cell] = value
	}
}

// cardOf returns the name of an interface's adapter, which is also its instance. A second adapter of the same kind gets a number.
func (s *source) cardOf(i *netInterface) string {
	device := s.adapterOf(i)
	if name, ok := s.cards[device]; ok {
		return name
	}
	plain := instanceName(i.hardware.name())
	name := plain
	for n := 2; slices.Contains(s.cardNames, name); n++ {
		name = plain + " " + string(rune('0'+n%10))
		if n > 9 {
			name = plain + " " + strings.NewReplacer(":", "-").Replace(device)
			break
		}
	}
	if s.cards == nil {
		s.cards = map[string]string{}
	}
	s.cards[device] = name
	s.cardNames = append(s.cardNames, name)
	return name
}
