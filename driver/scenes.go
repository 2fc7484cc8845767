package driver

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"cxdeck/device"
)

//go:embed scenes.json
var sceneTable []byte

// Scene is a ready situation for the lab, with what to look for.
type Scene struct {
	// Name is what it is called by: "pause-storm"; Title is for people: "Pause storm".
	Name  string `json:"name"`
	Title string `json:"title"`
	// Story says what happens, LookFor what the operator should see, each as sentences.
	Story   string `json:"story"`
	LookFor string `json:"look_for"`
	// Prefer is the connection that shows it best in the default lab.
	Prefer string `json:"prefer"`
	// Lossless says that the port needs PFC, Jumbo that it must take frames above 1514 bytes.
	Lossless bool `json:"lossless"`
	Jumbo    bool `json:"jumbo"`
	// Counters are paths of counters that move, with {connection}, {device} and {adapter} in them; see Paths.
	Counters []string `json:"counters"`
	// Events are keys of the event catalogue that are written.
	Events []string `json:"events"`
	// Operations make it. A text that is "{connection}" or "{adapter}" stands for that of the chosen port, and an
	// operation with "{flow}" for one on each of its flows.
	Operations []json.RawMessage `json:"operations"`
}

// Scenes are the ready scenes, in the order in which they are offered. They are read when they are first asked for.
func Scenes() []Scene { return append([]Scene(nil), scenes()...) }

var scenes = sync.OnceValue(func() []Scene {
	var list []Scene
	if err := strict(sceneTable, &list); err != nil {
		panic("driver: the embedded scenes are damaged: " + err.Error()) // a test reads them: this can't ship
	}
	return list
})

// SceneNamed is the scene of a name or title; case does not matter.
func SceneNamed(name string) (Scene, bool) {
	for _, s := range scenes() {
		if strings.EqualFold(s.Name, name) || strings.EqualFold(s.Title, name) {
			return s, true
		}
	}
	return Scene{}, false
}

// Plan is what makes the scene on a host at a connection; an empty name chooses the connection that shows it best.
func (s Scene) Plan(h *Host, connection string) (Plan, error) {
	if connection == "" {
		connection = s.Connection(h)
	}
	port, err := h.port(connection)
	if err != nil {
		return Plan{}, err
	}
	if !s.suits(h, port) {
		return Plan{}, fmt.Errorf("%s can't show the scene %q; it needs %s", connection, s.Title, s.needs())
	}
	_, a, _ := h.lab.Port(port)
	names := map[string]string{"{connection}": connection, "{adapter}": h.lab.Description().Adapters[a].Name}
	plan := Plan{Title: s.Title + " at " + connection}
	for _, template := range s.Operations {
		if !strings.Contains(string(template), `"{flow}"`) {
			if err := plan.add(template, names); err != nil {
				return Plan{}, err
			}
			continue
		}
		for _, flow := range h.lab.Flows() {
			if flow.Port == port {
				names["{flow}"] = flow.Name
				if err := plan.add(template, names); err != nil {
					return Plan{}, err
				}
			}
		}
	}
	if len(plan.Operations) == 0 {
		return Plan{}, fmt.Errorf("%s can't show the scene %q; it has no flows", connection, s.Title)
	}
	return plan, nil
}

// add puts an Operation into a plan, with names in the place of those that stand for them. Names go in as JSON texts: they
// may hold anything.
func (p *Plan) add(template json.RawMessage, names map[string]string) error {
	var pairs []string
	for placeholder, name := range names {
		text, err := json.Marshal(name)
		if err != nil {
			return err
		}
		pairs = append(pairs, `"`+placeholder+`"`, string(text))
	}
	o, err := UnmarshalOperation([]byte(strings.NewReplacer(pairs...).Replace(string(template))))
	if err == nil {
		p.Operations = append(p.Operations, o)
	}
	return err
}

// Connection is the connection of a host that shows the scene best: the preferred one, else the first that can; empty when
// none can.
func (s Scene) Connection(h *Host) string {
	first := ""
	for port := range h.miniports {
		d, _, _ := h.lab.Port(port)
		if !s.suits(h, port) || d.Management && d.Connection != s.Prefer {
			continue
		}
		if first == "" || d.Connection == s.Prefer {
			first = d.Connection
		}
	}
	return first
}

// suits says whether a port can show the scene.
func (s Scene) suits(h *Host, port int) bool {
	d, _, _ := h.lab.Port(port)
	settings := h.lab.Settings(port)
	return h.family(port) == device.WinOF2 && d.Link == device.Ethernet &&
		(!s.Lossless || settings.Lossless&(1<<sceneLossless) != 0) && (!s.Jumbo || settings.MaxFrame > plainFrame)
}

const (
	sceneLossless = 3    // the priority that the scenes speak of
	plainFrame    = 1514 // the largest frame without jumbo packets, in bytes
)

func (s Scene) needs() string {
	switch {
	case s.Lossless:
		return "an Ethernet port of WinOF-2 with PFC on priority 3"
	case s.Jumbo:
		return "an Ethernet port of WinOF-2 that takes jumbo frames"
	}
	return "an Ethernet port of WinOF-2"
}

// Paths are the counters that move, for a connection of a host.
func (s Scene) Paths(h *Host, connection string) ([]string, error) {
	port, err := h.port(connection)
	if err != nil {
		return nil, err
	}
	d, a, _ := h.lab.Port(port)
	names := strings.NewReplacer("{connection}", d.Connection, "{device}", d.Device,
		"{adapter}", h.lab.Description().Adapters[a].Name)
	paths := make([]string, len(s.Counters))
	for i, c := range s.Counters {
		paths[i] = names.Replace(c)
	}
	return paths, nil
}
