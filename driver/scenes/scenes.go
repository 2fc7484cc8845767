// Package scenes provides ready situations for the lab, each with what to look for. A scene is a row of scenes.json, from which
// a plan for a host is made; the package changes nothing itself.
package scenes

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/driver/request"
)

//go:embed scenes.json
var sceneTable []byte

// Scene is a ready situation for the lab, with what to look for.
type Scene struct {
	// Name identifies the scene: "pause-storm"; Title is its heading: "Pause storm".
	Name  string `json:"name"`
	Title string `json:"title"`
	// Story describes the situation, LookFor what the operator should see, each as sentences.
	Story   string `json:"story"`
	LookFor string `json:"look_for"`
	// Prefer is the connection that shows it best in the default lab.
	Prefer string `json:"prefer"`
	// Needs are the conditions that a port must meet to show it.
	Needs []Condition `json:"needs"`
	// Signs are the counters that change, with {connection}, {device} and {adapter} in their paths; see At.
	Signs []Sign `json:"signs"`
	// Events are the keys of events of both families that the drivers log; see At.
	Events []string `json:"events"`
	// Operations set up the scene. The texts "{connection}" and "{adapter}" are replaced by the names of the chosen port. An
	// operation with "{incoming}" is repeated for each flow to the port. The numbers "{overload}", "{generation}" and "{lanes}"
	// are computed for the port; see overload and narrowSlot.
	Operations []json.RawMessage `json:"operations"`
}

// Sign is a counter that a scene changes.
type Sign struct {
	// Counter is its path.
	Counter string `json:"counter"`
	// Way is the direction of the change.
	Way Way `json:"way"`
	// Where are the conditions on a port for the sign to show.
	Where []Condition `json:"where"`
}

// Way is the change of a counter: it rises or falls, compared with its value without the scene, or it stops.
type Way string

// The directions of a change.
const (
	Rises Way = "rises"
	Falls Way = "falls"
	Stops Way = "stops"
)

// Showing is the part of a scene that a connection shows.
type Showing struct {
	Connection string
	// Signs have the paths of the connection's own counters.
	Signs []Sign
	// Events are the keys of the events that the connection's driver logs.
	Events []string
	// Refusal is the reason why the scene can't be played there; empty when it can.
	Refusal string
}

// All returns the ready scenes, in the order in which they are offered. They are read on first use.
func All() []Scene { return append([]Scene(nil), table()...) }

var table = sync.OnceValue(func() []Scene {
	var list []Scene
	if err := request.Decode(sceneTable, &list); err != nil {
		panic("scenes: the embedded scenes are damaged: " + err.Error()) // a test reads them: this can't ship
	}
	return list
})

// Find returns the scene with a name or title, ignoring case.
func Find(name string) (Scene, bool) {
	for _, s := range table() {
		if strings.EqualFold(s.Name, name) || strings.EqualFold(s.Title, name) {
			return s, true
		}
	}
	return Scene{}, false
}

// Plan returns the plan that sets up the scene on a host at a connection; an empty name chooses the connection that shows it best.
func (s Scene) Plan(h *driver.Host, connection string) (driver.Plan, error) {
	if connection == "" {
		connection = s.Connection(h)
	}
	port, err := portOf(h.Lab(), connection)
	if err != nil {
		return driver.Plan{}, err
	}
	if missing, ok := s.missing(conditions(h.Lab(), port)); ok {
		return driver.Plan{}, fmt.Errorf("%s can't show the scene %q; it needs %s", connection, s.Title, conditionWords[missing])
	}
	_, a, _ := h.Lab().Port(port)
	values := map[string]any{"{connection}": connection, "{adapter}": h.Lab().Description().Adapters[a].Name}
	values["{overload}"] = overload(h.Lab(), port)
	values["{generation}"], values["{lanes}"] = narrowSlot(h.Lab(), port)
	plan := driver.Plan{Title: s.Title + " at " + connection}
	for _, template := range s.Operations {
		flows := []string{""}
		if strings.Contains(string(template), `"{incoming}"`) {
			flows = incoming(h.Lab(), port)
		}
		for _, flow := range flows {
			values["{incoming}"] = flow
			if err := addOperation(&plan, template, values); err != nil {
				return driver.Plan{}, err
			}
		}
	}
	return plan, nil
}

// addOperation appends an Operation to a plan, with values in place of its placeholders. They are inserted as JSON, because a
// name may contain any character.
func addOperation(p *driver.Plan, template json.RawMessage, values map[string]any) error {
	var pairs []string
	for placeholder, value := range values {
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		pairs = append(pairs, `"`+placeholder+`"`, string(text))
	}
	o, err := driver.UnmarshalOperation([]byte(strings.NewReplacer(pairs...).Replace(string(template))))
	if err == nil {
		p.Operations = append(p.Operations, o)
	}
	return err
}

// Connection returns the connection of a host that shows the scene best: the preferred one, else the first that can show it;
// empty when none can.
func (s Scene) Connection(h *driver.Host) string {
	first := ""
	for port := range h.Lab().Ports() {
		d, _, _ := h.Lab().Port(port)
		if _, lacks := s.missing(conditions(h.Lab(), port)); lacks || d.Connection == h.Management() && d.Connection != s.Prefer {
			continue
		}
		if first == "" || d.Connection == s.Prefer {
			first = d.Connection
		}
	}
	return first
}

// At returns the part of the scene that a connection shows. It returns a *request.UnknownConnectionError for an unknown name.
func (s Scene) At(h *driver.Host, connection string) (Showing, error) {
	port, err := portOf(h.Lab(), connection)
	if err != nil {
		return Showing{}, err
	}
	d, a, _ := h.Lab().Port(port)
	has := conditions(h.Lab(), port)
	names := strings.NewReplacer("{connection}", d.Connection, "{device}", d.Device,
		"{adapter}", h.Lab().Description().Adapters[a].Name)
	shows := Showing{Connection: connection}
	for _, sign := range s.Signs {
		if _, lacks := missingCondition(sign.Where, has); !lacks {
			sign.Counter = names.Replace(sign.Counter)
			shows.Signs = append(shows.Signs, sign)
		}
	}
	for _, key := range s.Events {
		if strings.HasPrefix(key, h.Lab().Family(port).Driver()+".") {
			shows.Events = append(shows.Events, key)
		}
	}
	if missing, lacks := s.missing(has); lacks {
		shows.Refusal = connection + " can't show it; it needs " + conditionWords[missing]
	}
	return shows, nil
}

// Paths returns the paths of the counters that change, for a connection of a host.
func (s Scene) Paths(h *driver.Host, connection string) ([]string, error) {
	shows, err := s.At(h, connection)
	paths := make([]string, len(shows.Signs))
	for i, sign := range shows.Signs {
		paths[i] = sign.Counter
	}
	return paths, err
}

// missing returns the first of the scene's needs that a port lacks.
func (s Scene) missing(has map[Condition]bool) (Condition, bool) {
	return missingCondition(s.Needs, has)
}

func missingCondition(wanted []Condition, has map[Condition]bool) (Condition, bool) {
	if i := slices.IndexFunc(wanted, func(c Condition) bool { return !has[c] }); i >= 0 {
		return wanted[i], true
	}
	return "", false
}

func portOf(lab *device.Lab, connection string) (int, error) {
	for port := range lab.Ports() {
		if lab.Connection(port) == connection {
			return port, nil
		}
	}
	return 0, &request.UnknownConnectionError{Connection: connection}
}
