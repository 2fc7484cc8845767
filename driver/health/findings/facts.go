package findings

import (
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/driver/table"
)

//go:embed facts.json
var factTable string

// Kind is what a finding is about.
type Kind string

// The kinds of subjects.
const (
	Host     Kind = "host"
	Card     Kind = "card"
	Port     Kind = "port"
	Function Kind = "function" // a virtual function
	Machine  Kind = "machine"  // a network adapter of a virtual machine
	Team     Kind = "team"
)

// Fact is a number about a subject that conditions read.
type Fact struct {
	Name string `json:"name"`
	Of   Kind   `json:"of"`
	// Unit is the unit in sentences: "packets per second", "share", "Gb/s"; empty for truths and plain numbers.
	Unit string `json:"unit"`
	// Truth is set for a fact that is true or false.
	Truth   bool   `json:"truth"`
	Meaning string `json:"meaning"`
	// Counters are the counters that give the fact, "set|counter" and "+" between counters of one set that are added up; the first
	// that the source has is used. Empty for a fact about settings or state.
	Counters []string `json:"counters"`
	// Max takes the largest value of several instances, as of the priorities of a port, in place of their sum.
	Max bool `json:"max"`
}

// Names is the catalogue of facts.
type Names struct {
	Facts []Fact
	index map[string]int
	// unknown are the numbers of a subject without facts.
	unknown []float64
}

// Find returns the index of a fact.
func (n *Names) Find(name string) (int, bool) {
	i, ok := n.index[name]
	return i, ok
}

// Catalogue returns all facts. It is read on first use.
func Catalogue() *Names { return catalogue() }

var catalogue = sync.OnceValue(func() *Names {
	facts, err := table.Read[[]Fact](factTable)
	if err != nil {
		panic("findings: the embedded facts are damaged: " + err.Error()) // a test reads them: this can't ship
	}
	n := &Names{facts, map[string]int{}, make([]float64, len(facts))}
	for i := range facts {
		n.index[facts[i].Name], n.unknown[i] = i, math.NaN()
	}
	return n
})

// Operation is a step of a fix; see driver.Operation.
type Operation interface {
	Kind() string
	Target() string
	Describe() string
	Commands() []string
}

// Item is one of several similar facts about a subject, such as a setting that the two ends of a cable have different.
type Item struct {
	// Key identifies it among the items of a kind.
	Key string
	// Text is a sentence or a clause without its full stop.
	Text string
	// Shown names the setting or state that shows it; empty for none.
	Shown string
	// Title names the plan that fixes it, and Fix are its steps; empty for none.
	Title string
	Fix   []Operation
}

// Subject is an object with facts.
type Subject struct {
	Kind Kind
	// Name is its name: "Ethernet 7".
	Name string
	// Aliases are other names that events use for it, such as the device of a connection.
	Aliases []string
	// Port is the number of its port, -1 for none; Ports are the ports that it uses.
	Port  int
	Ports []int
	// Connection is the connection that its findings are shown at; empty for the host.
	Connection string
	// Texts are values of sentences: "adapter", "switch".
	Texts map[string]string
	// Items are lists of facts by their kind.
	Items map[string][]Item
	// Instances are the instances of its counters.
	Instances []string

	numbers []float64
}

// NewSubject returns a subject without facts.
func NewSubject(kind Kind, name string) *Subject {
	return &Subject{Kind: kind, Name: name, Port: -1, Texts: map[string]string{}, numbers: slices.Clone(Catalogue().unknown)}
}

// Clone returns a copy with numbers of its own.
func (s *Subject) Clone() *Subject {
	c := *s
	c.numbers = append([]float64(nil), s.numbers...)
	return &c
}

// Set sets a fact; the name is in the catalogue.
func (s *Subject) Set(name string, value float64) {
	i, ok := Catalogue().Find(name)
	if !ok {
		panic("findings: no fact " + name)
	}
	s.numbers[i] = value
}

// NumberAt returns the fact at an index of the catalogue, NaN for an unknown one.
func (s *Subject) NumberAt(index int) float64 { return s.numbers[index] }

// SetAt sets the fact at an index of the catalogue.
func (s *Subject) SetAt(index int, value float64) { s.numbers[index] = value }

// Flag sets a truth.
func (s *Subject) Flag(name string, value bool) { s.Set(name, boolNumber(value)) }

// Number returns a fact, NaN for an unknown one.
func (s *Subject) Number(name string) float64 {
	if i, ok := Catalogue().Find(name); ok {
		return s.numbers[i]
	}
	return math.NaN()
}

// Add adds an item.
func (s *Subject) Add(kind string, item Item) {
	if s.Items == nil {
		s.Items = map[string][]Item{}
	}
	s.Items[kind] = append(s.Items[kind], item)
}

// named reports whether an event's adapter is the subject.
func (s *Subject) named(adapter string) bool {
	if s.Kind == Host || strings.EqualFold(adapter, s.Name) {
		return true
	}
	for _, alias := range s.Aliases {
		if strings.EqualFold(adapter, alias) {
			return true
		}
	}
	return false
}

// Facts are all facts at a moment.
type Facts struct {
	Time     time.Time
	Subjects []*Subject
	// Events are the events of the last hour, oldest first.
	Events []eventlog.Event
}
