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
	"cxdeck/driver/journal"
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
	// Signs are the counters that change, with {connection}, {device}, {adapter} and {other} in their paths; see At.
	Signs []Sign `json:"signs"`
	// Events are the keys of events of both families that the drivers log; see At.
	Events []string `json:"events"`
	// Operations set up the scene. The texts "{connection}" and "{adapter}" are replaced by the names of the chosen port, and
	// "{lldp receive}", "{lldp send}" and "{lldp dcbx}" by the firmware settings of the port. An operation with "{incoming}" is
	// repeated for each flow to the port, one with "{rdma}" for each of RDMA, one with "{rdma sent}" for each RDMA flow that the
	// port sends. The numbers "{overload}", "{send overload}", "{generation}" and "{lanes}" are computed for the port; see
	// overload, sendOverload and narrowSlot. "{other}" is the connection that Survey.other finds, "{burst}" the flow of burstOf.
	Operations []json.RawMessage `json:"operations"`
	// Fix is how an operator fixes the situation while the scene runs.
	Fix Fix `json:"fix"`
}

// Fix is a plan that fixes the situation of a scene.
type Fix struct {
	// Text describes the fix as sentences.
	Text string `json:"text"`
	// Agreement takes the plan of the QoS screen, which fixes all mismatches of the port. Operations are Operations of the
	// plan otherwise, with the placeholders of a scene.
	Agreement  bool              `json:"agreement"`
	Operations []json.RawMessage `json:"operations"`
}

// Sign is a counter that a scene changes.
type Sign struct {
	// Counter is its path.
	Counter string `json:"counter"`
	// Trend is the direction of the change.
	Way Trend `json:"way"`
	// Where are the conditions on a port for the sign to show.
	Where []Condition `json:"where"`
	// Stays reports that the counter also changes after the fix: the load that the scene adds changes it, too.
	Stays bool `json:"stays"`
}

// Trend is the change of a counter: it rises or falls, compared with its value without the scene, or it stops.
type Trend string

// The directions of a change.
const (
	Rises Trend = "rises"
	Falls Trend = "falls"
	Stops Trend = "stops"
)

// PortScene is the part of a scene that a connection shows.
type PortScene struct {
	Connection string
	// Signs have the paths of the connection's own counters.
	Signs []Sign
	// Events are the keys of the events that the connection's driver logs.
	Events []string
	// Refusal is the reason why the scene can't run there; empty when it can.
	Refusal string
}

// All returns the ready-made scenes, in the order in which they are offered. They are read on first use.
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
	if missing, ok := s.missing(NewSurvey(h).has[port]); ok {
		return driver.Plan{}, request.Errorf("%s can't show the scene %q; it needs %s", connection, s.Title, conditionWords[missing])
	}
	plan := driver.Plan{Title: s.title(connection)}
	return plan, addOperations(&plan, s.Operations, h, port)
}

// FixPlan returns the plan that fixes the situation of the scene at a connection while it runs. Its error says why there is none.
func (s Scene) FixPlan(h *driver.Host, connection string) (plan driver.Plan, err error) {
	port, err := portOf(h.Lab(), connection)
	switch {
	case err != nil:
		return driver.Plan{}, err
	case s.Fix.Agreement:
		if plan, err = h.AgreementPlan(port); err != nil {
			return driver.Plan{}, err
		}
		if len(plan.Operations) == 0 {
			return driver.Plan{}, fmt.Errorf("the ends of the path of %s agree: there is nothing to fix", connection)
		}
	case len(s.Fix.Operations) == 0:
		return driver.Plan{}, request.Errorf("the scene %q has no plan that fixes it: ending it undoes its changes", s.Title)
	default:
		err = addOperations(&plan, s.Fix.Operations, h, port)
	}
	plan.Title = s.FixTitle(connection)
	return plan, err
}

// FixTitle returns the title of the plan that fixes the scene at a connection.
func (s Scene) FixTitle(connection string) string { return fixTitle(s.title(connection)) }

// title returns the title of the plan that begins the scene at a connection.
func (s Scene) title(connection string) string { return s.Title + " at " + connection }

// fixTitle returns the title of the fix of the scene that a plan with a title began.
func fixTitle(began string) string { return "Fix: " + began }

// addOperations appends Operations for a port to a plan, each repeated for all flows that it is for.
func addOperations(plan *driver.Plan, templates []json.RawMessage, h *driver.Host, port int) error {
	lab := h.Lab()
	d, a, _ := lab.Port(port)
	values := map[string]any{"{connection}": d.Connection, "{adapter}": lab.Description().Adapters[a].Name}
	values["{overload}"], values["{send overload}"] = overload(lab, port), sendOverload(lab, port)
	values["{generation}"], values["{lanes}"] = narrowSlot(lab, port)
	index := port - firstPort(lab, a) + 1
	for _, name := range []string{"receive LLDP_NB_RX_MODE", "send LLDP_NB_TX_MODE", "dcbx LLDP_NB_DCBX"} {
		word, setting, _ := strings.Cut(name, " ")
		values["{lldp "+word+"}"] = fmt.Sprintf("%s_P%d", setting, index)
	}
	values["{other}"], values["{burst}"] = NewSurvey(h).other(port), burstOf(lab, port)
	sent := rdmaSent(lab, port)
	lists := map[string][]string{"{incoming}": incoming(lab, port, false), "{rdma}": incoming(lab, port, true), "{rdma sent}": sent}
	for _, template := range templates {
		placeholder, flows := "", []string{""}
		for name, list := range lists {
			if strings.Contains(string(template), `"`+name+`"`) {
				placeholder, flows = name, list
			}
		}
		for _, flow := range flows {
			values[placeholder] = flow
			if err := addOperation(plan, template, values); err != nil {
				return err
			}
		}
		delete(values, placeholder)
	}
	return nil
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
	o, err := journal.UnmarshalOperation([]byte(strings.NewReplacer(pairs...).Replace(string(template))))
	if err == nil {
		p.Operations = append(p.Operations, o)
	}
	return err
}

// Running returns the change that began the scene and has not been undone, the newest of several, and where it runs: at a
// connection, or at any for an empty name.
func (s Scene) Running(h *driver.Host, connection string) (sequence uint64, at string, runs bool) {
	undone := map[uint64]bool{}
	for _, e := range slices.Backward(h.Journal()) {
		at, ok := strings.CutPrefix(e.Plan.Title, s.title(""))
		switch {
		case e.Err != "":
		case e.Undoes != 0:
			undone[e.Undoes] = true
		case ok && !undone[e.Sequence] && (connection == "" || at == connection):
			if _, err := portOf(h.Lab(), at); err == nil {
				return e.Sequence, at, true
			}
		}
	}
	return 0, "", false
}

// EndOrder returns the changes to undo, in order, so that a scene ends: its fix, the scene's own change, which has the given sequence, and
// before each of them the later changes of the same objects. Its error is why one of them can't be undone.
func EndOrder(h *driver.Host, sequence uint64) ([]uint64, error) {
	fix := ""
	undone := map[uint64]bool{}
	changes := []uint64{}
	journal := h.Journal()
	for i := range journal {
		if journal[i].Sequence == sequence {
			fix = fixTitle(journal[i].Plan.Title)
		}
	}
	for _, e := range slices.Backward(journal) {
		switch {
		case e.Err != "":
		case e.Undoes != 0:
			undone[e.Undoes] = true
		case e.Sequence > sequence && e.Plan.Title == fix && !undone[e.Sequence]:
			changes = append(changes, e.Sequence)
		}
	}
	return h.UndoOrder(append(changes, sequence)...)
}

// Connection returns the connection of a host that shows the scene best: the preferred one, else the first that can show it;
// empty when none can.
func (s Scene) Connection(h *driver.Host) string { return NewSurvey(h).Connection(&s) }

// Connection returns the connection that shows a scene best; see Scene.Connection.
func (v *Survey) Connection(s *Scene) string {
	first := ""
	for port, has := range v.has {
		connection := v.host.Lab().Connection(port)
		if _, lacks := s.missing(has); lacks || connection == v.host.Management() && connection != s.Prefer {
			continue
		}
		if first == "" || connection == s.Prefer {
			first = connection
		}
	}
	return first
}

// At returns the part of the scene that a connection shows. It returns a *request.UnknownConnectionError for an unknown name.
func (s Scene) At(h *driver.Host, connection string) (PortScene, error) {
	port, err := portOf(h.Lab(), connection)
	if err != nil {
		return PortScene{}, err
	}
	return NewSurvey(h).At(&s, port), nil
}

// At returns the part of a scene that a port shows.
func (v *Survey) At(s *Scene, port int) PortScene {
	lab, has := v.host.Lab(), v.has[port]
	d, a, _ := lab.Port(port)
	names := strings.NewReplacer("{connection}", d.Connection, "{device}", d.Device,
		"{adapter}", lab.Description().Adapters[a].Name, "{other}", v.other(port))
	shows := PortScene{Connection: d.Connection}
	for _, sign := range s.Signs {
		if _, lacks := missingCondition(sign.Where, has); !lacks {
			sign.Counter = names.Replace(sign.Counter)
			shows.Signs = append(shows.Signs, sign)
		}
	}
	for _, key := range s.Events {
		if strings.HasPrefix(key, lab.Family(port).Driver()+".") {
			shows.Events = append(shows.Events, key)
		}
	}
	if missing, lacks := s.missing(has); lacks {
		shows.Refusal = d.Connection + " can't show it; it needs " + conditionWords[missing]
	}
	return shows
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
