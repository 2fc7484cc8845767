package perf

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"cxdeck/driver/table"
)

// counterTable is the table of all counter sets, one line per counter; see CounterSet and Counter for its fields.
//
//go:embed counters.json
var counterTable string

// CounterCatalogue describes counters: all sets that the adapters' manuals and Windows name, whether a source
// fills them or not. It never changes.
type CounterCatalogue struct {
	sets   []*CounterSet
	byName map[string]*CounterSet
}

// CounterSet is a group of counters that have the same instances.
type CounterSet struct {
	Name string `json:"set"`
	// PerfmonName is the name of the set in Performance Monitor, if the manual spells it differently.
	PerfmonName string `json:"perfmon_name"`
	// Families are the drivers that provide the set: "winof", "winof2".
	Families    []string `json:"families"`
	Description string   `json:"description"`
	// Instances is the kind of object that is an instance: "port", "port-priority", "vport-cpu", "adapter", "device", "vf" or
	// "ring".
	Instances string `json:"instances"`
	// Naming describes the names of the instances.
	Naming string `json:"naming"`
	// Enable says how to enable the set, if it is disabled by default; Starts says when counting starts.
	Enable string `json:"enable"`
	Starts string `json:"starts"`
	// Reset says what resets the counters to 0.
	Reset string `json:"reset"`
	// ViewOf is the set of which this one shows a selection of counters; SameCountersAs is a set for other ports with the same
	// counters.
	ViewOf         string `json:"view_of"`
	SameCountersAs string `json:"same_counters_as"`
	// OutsidePerfmon is set for a set that only the vendor's own tools show.
	OutsidePerfmon bool     `json:"outside_perfmon"`
	Notes          []string `json:"notes"`
	// Source is the text that the set's description was taken from.
	Source   string     `json:"source"`
	Counters []*Counter `json:"counters"`

	// CounterNames are the counters of the other set in a view.
	CounterNames []string `json:"counter_names"`
	byName       map[string]*Counter
}

// Counter is one counter of a set.
type Counter struct {
	Name string `json:"name"`
	// Aliases are other spellings under which a real machine may have it.
	Aliases []string `json:"aliases"`
	Kind    Kind     `json:"-"`
	Unit    Unit     `json:"unit"`
	// Width is the width of a cumulative counter in bits, if the manual says where it wraps; 0 otherwise.
	Width   uint8  `json:"width"`
	Summary string `json:"summary"`
	// Section is the heading under which the manual lists it.
	Section string `json:"section"`
	// DerivedFrom is the cumulative counter behind a rate, if the set has it.
	DerivedFrom string `json:"derived_from"`
	// SumOf and Includes are counters of the set that this one adds up or contains; SubsetOf is a counter that contains it.
	SumOf    []string `json:"sum_of"`
	Includes []string `json:"includes"`
	SubsetOf string   `json:"subset_of"`
	// SupportedOn names the adapters that have it; empty for all.
	SupportedOn string `json:"supported_on"`
	Advice      string `json:"advice"`
	Note        string `json:"note"`
	// Where says where in the path of a packet an error or a drop is counted.
	Where string `json:"where"`
	// AlwaysZero is set for a counter that exists but never changes.
	AlwaysZero bool `json:"always_zero"`
	// Uncaused is the reason why the counter stays 0 in the lab; empty for all other counters.
	Uncaused string `json:"-"`
	// UncausedBy is the key of Uncaused in uncausedReasons.
	UncausedBy string `json:"uncaused"`
	// Lab is the counter's binding in package lab; empty for a counter that stays 0 there.
	Lab string `json:"lab"`
	// Source is the text that the description was taken from.
	Source string `json:"source"`

	// KindName is the word for Kind in the table.
	KindName string `json:"kind"`
}

var catalogue = sync.OnceValue(func() *CounterCatalogue {
	c, err := readCatalogue(counterTable)
	if err != nil {
		panic(fmt.Sprintf("the embedded counter table is damaged: %v", err)) // a test reads the table, so this can't ship
	}
	return c
})

// Catalogue returns the catalogue of all counter sets; it is read on first use.
func Catalogue() *CounterCatalogue { return catalogue() }

// parseKind returns the kind for a word of the table.
func parseKind(word string) (Kind, bool) {
	switch word {
	case "cumulative":
		return Cumulative, true
	case "rate":
		return Rate, true
	case "gauge":
		return Gauge, true
	case "max":
		return Maximum, true
	case "id":
		return Identity, true
	}
	return 0, false
}

func readCatalogue(text string) (*CounterCatalogue, error) {
	sets, err := table.Read[[]*CounterSet](text)
	if err != nil {
		return nil, err
	}
	c := &CounterCatalogue{sets: sets, byName: map[string]*CounterSet{}}
	for _, set := range c.sets {
		for _, name := range []string{set.Name, set.PerfmonName} {
			if name == "" || c.byName[strings.ToLower(name)] == set {
				continue
			}
			if c.byName[strings.ToLower(name)] != nil {
				return nil, fmt.Errorf("two sets are called %s", name)
			}
			c.byName[strings.ToLower(name)] = set
		}
		if err := set.prepare(); err != nil {
			return nil, err
		}
	}
	for _, set := range c.sets {
		if err := c.resolve(set); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// prepare completes and indexes the set's own counters.
func (s *CounterSet) prepare() error {
	s.byName = make(map[string]*Counter, len(s.Counters))
	for _, counter := range s.Counters {
		kind, ok := parseKind(counter.KindName)
		if !ok {
			return fmt.Errorf("%s: counter %s has the unknown kind %q", s.Name, counter.Name, counter.KindName)
		}
		counter.Kind = kind
		if counter.Uncaused = uncausedReasons[counter.UncausedBy]; counter.Uncaused == "" && counter.UncausedBy != "" {
			return fmt.Errorf("%s: counter %s has the unknown reason %q", s.Name, counter.Name, counter.UncausedBy)
		}
		if counter.Source == "" {
			counter.Source = s.Source
		}
		if s.byName[strings.ToLower(counter.Name)] != nil {
			return fmt.Errorf("%s: two counters are called %s", s.Name, counter.Name)
		}
		s.byName[strings.ToLower(counter.Name)] = counter
	}
	for _, counter := range s.Counters {
		for _, alias := range counter.Aliases {
			if s.byName[strings.ToLower(alias)] == nil {
				s.byName[strings.ToLower(alias)] = counter
			}
		}
	}
	return nil
}

// resolve adds the counters of the set that this one refers to.
func (c *CounterCatalogue) resolve(set *CounterSet) error {
	other := set.ViewOf
	if other == "" {
		other = set.SameCountersAs
	}
	if other == "" {
		return nil
	}
	from, ok := c.Set(other)
	if !ok {
		return fmt.Errorf("%s refers to the unknown set %s", set.Name, other)
	}
	for _, name := range set.CounterNames {
		counter, ok := from.Counter(name)
		if !ok {
			return fmt.Errorf("%s refers to the unknown counter %s of %s", set.Name, name, other)
		}
		set.Counters = append(set.Counters, counter)
		set.byName[strings.ToLower(name)] = counter
	}
	return nil
}

// Sets returns all sets in the order of the manuals. The caller must not change them.
func (c *CounterCatalogue) Sets() []*CounterSet { return c.sets }

// Set finds a set by its name in the manual or in Performance Monitor, ignoring case.
func (c *CounterCatalogue) Set(name string) (*CounterSet, bool) {
	set, ok := c.byName[strings.ToLower(name)]
	return set, ok
}

// Counter finds a counter by its name or an alias, ignoring case.
func (c *CounterCatalogue) Counter(set, name string) (*Counter, bool) {
	s, ok := c.Set(set)
	if !ok {
		return nil, false
	}
	return s.Counter(name)
}

// Counter finds a counter of the set by its name or an alias, ignoring case.
func (s *CounterSet) Counter(name string) (*Counter, bool) {
	counter, ok := s.byName[strings.ToLower(name)]
	if !ok && (s.Name == DriverSet || s.Name == RDMASet) {
		return linuxCounter(name)
	}
	return counter, ok
}

// Describe explains the counter to an operator in a few sentences: its meaning, where in the path of a packet it is counted,
// and the remedy.
func (c *Counter) Describe() string {
	var text strings.Builder
	sentence := func(parts ...string) {
		if text.Len() > 0 {
			text.WriteByte(' ')
		}
		for _, part := range parts {
			text.WriteString(part)
		}
	}
	sentence(c.Summary)
	if c.Where != "" {
		sentence("Counted ", c.Where, ".")
	}
	if len(c.Includes) > 0 {
		sentence("Contains ", strings.Join(c.Includes, ", "), ".")
	}
	if c.SubsetOf != "" && !strings.Contains(c.Summary, c.SubsetOf) {
		sentence("Part of ", c.SubsetOf, ".")
	}
	if c.AlwaysZero {
		sentence("It is always 0.")
	}
	if c.Uncaused != "" {
		sentence("In the lab it stays 0: ", c.Uncaused, ".")
	}
	if c.SupportedOn != "" {
		sentence("Limits: ", c.SupportedOn, ".")
	}
	for _, more := range []string{c.Advice, c.Note} {
		if more != "" {
			sentence(more)
		}
	}
	return text.String()
}
