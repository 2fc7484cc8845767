package perf

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"cxdeck/driver/table"
)

// statisticTable is the table of the statistics of the Linux drivers mlx5 and mlx4, one line per statistic.
//
//go:embed statistics.json
var statisticTable string

// The sets of statistics that Linux gives under its own names. StatisticTable describes their counters.
const (
	DriverSet = "Network Interface Driver"
	RDMASet   = "Network Interface RDMA"
)

// Statistic describes a statistic of the Linux drivers of ConnectX adapters.
type Statistic struct {
	// Name has a # for each number in it: a queue, a priority, a lane. [#] marks a number that the sum of all queues lacks.
	Name string `json:"name"`
	// Group is the part of the path that it belongs to: "port", "priority", "vport", "device", "pcie", "ring", "rdma" or "rdma port".
	Group string `json:"group"`
	// Drivers are the drivers that have it: "mlx5", "mlx4".
	Drivers []string `json:"drivers"`
	Kind    Kind     `json:"-"`
	Unit    Unit     `json:"unit"`
	// Width is the width of the device's own counter in bits, if it is below 64.
	Width   uint8  `json:"width"`
	Summary string `json:"summary"`
	Where   string `json:"where"`
	Advice  string `json:"advice"`
	// Counterparts are the counters of Windows that count the same, as "set|counter". A # is the number of the statistic.
	Counterparts []string `json:"counterpart"`

	// KindName is the word for Kind in the table; empty for Cumulative.
	KindName string `json:"kind"`
}

// StatisticSum is a counter of Windows that is the sum of statistics.
type StatisticSum struct {
	// Counterpart is the counter, as "set|counter".
	Counterpart string `json:"counterpart"`
	// Of are the names of the statistics, as in the table.
	Of []string `json:"of"`
	// Drivers are the drivers for which the sum holds; empty for mlx5.
	Drivers []string `json:"drivers"`
}

// StatisticTable is the meaning of the statistics of Linux drivers. It never changes.
type StatisticTable struct {
	Statistics []*Statistic    `json:"statistics"`
	Sums       []*StatisticSum `json:"sums"`
	byName     map[string][]*Statistic
}

var statistics = sync.OnceValue(func() *StatisticTable {
	t, err := readStatistics(statisticTable)
	if err != nil {
		panic(fmt.Sprintf("the embedded table of statistics is damaged: %v", err)) // a test reads the table, so this can't ship
	}
	return t
})

// Statistics returns the table of the statistics of Linux drivers; it is read on first use.
func Statistics() *StatisticTable { return statistics() }

func readStatistics(text string) (*StatisticTable, error) {
	t, err := table.Read[*StatisticTable](text)
	if err != nil {
		return nil, err
	}
	t.byName = make(map[string][]*Statistic, 2*len(t.Statistics))
	for _, s := range t.Statistics {
		if s.KindName != "" {
			kind, ok := parseKind(s.KindName)
			if !ok {
				return nil, fmt.Errorf("the statistic %s has the unknown kind %q", s.Name, s.KindName)
			}
			s.Kind = kind
		}
		for _, name := range s.names() {
			for _, other := range t.byName[name] {
				if slices.ContainsFunc(s.Drivers, func(driver string) bool { return slices.Contains(other.Drivers, driver) }) {
					return nil, fmt.Errorf("two statistics are called %s", name)
				}
			}
			t.byName[name] = append(t.byName[name], s)
		}
	}
	return t, nil
}

// names returns the names of a queue's statistic and of the sum of all queues.
func (s *Statistic) names() []string {
	if !strings.Contains(s.Name, "[#]") {
		return []string{s.Name}
	}
	return []string{strings.Replace(s.Name, "[#]", "#", 1), strings.Replace(s.Name, "[#]", "", 1)}
}

// Find returns the statistic with a driver's name for it, and the first number in the name if the table has a # there. An empty
// driver means any. Queues for time stamps, rates and AF_XDP have the statistics of other queues.
func (t *StatisticTable) Find(driver, name string) (found *Statistic, number string, ok bool) {
	if found := t.of(driver, name); found != nil {
		return found, "", true
	}
	folded, number := foldNumbers(name)
	if found := t.of(driver, folded); found != nil {
		return found, number, true
	}
	for _, prefix := range []string{"ptp_", "qos_"} {
		if rest, has := strings.CutPrefix(folded, prefix); has {
			if found := t.of(driver, rest); found != nil {
				return found, number, true
			}
		}
	}
	if rest, has := strings.CutPrefix(folded, "ptp_rq#_"); has { // the receive queue for time stamps
		if found := t.of(driver, "rx#_"+rest); found != nil {
			return found, number, true
		}
	}
	if plain := strings.Replace(folded, "_xsk_", "_", 1); plain != folded {
		if found := t.of(driver, plain); found != nil {
			return found, number, true
		}
	}
	return nil, "", false
}

func (t *StatisticTable) of(driver, name string) *Statistic {
	for _, s := range t.byName[name] {
		if driver == "" || slices.Contains(s.Drivers, driver) {
			return s
		}
	}
	return nil
}

// foldNumbers replaces each number in a name with a # and returns the first one.
func foldNumbers(name string) (folded, number string) {
	var b strings.Builder
	for i := 0; i < len(name); {
		end := i
		for end < len(name) && name[end] >= '0' && name[end] <= '9' {
			end++
		}
		if end == i {
			b.WriteByte(name[i])
			i++
			continue
		}
		if number == "" {
			number = name[i:end]
		}
		b.WriteByte('#')
		i = end
	}
	return b.String(), number
}

// counter returns the statistic as a counter of its set under a driver's name.
func (s *Statistic) counter(name string, rate bool) *Counter {
	c := &Counter{
		Name: name, Kind: s.Kind, Unit: s.Unit, Width: s.Width, Summary: s.Summary, Where: s.Where, Advice: s.Advice,
		KindName: s.Kind.String(), Source: "Linux kernel documentation, mlx5 and mlx4 drivers",
	}
	if rate {
		c.Kind, c.KindName = Rate, Rate.String()
	}
	if len(s.Counterparts) > 0 {
		_, other, _ := strings.Cut(s.Counterparts[0], "|")
		c.Note = "WinOF counts the same as " + other + "."
	}
	return c
}

// linuxCounter finds a counter of the sets of Linux.
func linuxCounter(name string) (*Counter, bool) {
	plain, rate := name, false
	if len(name) > 4 && strings.EqualFold(name[len(name)-4:], "/sec") {
		plain, rate = name[:len(name)-4], true
	}
	s, _, ok := Statistics().Find("", plain)
	if !ok {
		return nil, false
	}
	return s.counter(name, rate), true
}
