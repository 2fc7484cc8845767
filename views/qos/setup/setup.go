// Package setup has the forms of the QoS screen. Their pages and fields are data in the guides that name them, their plans come from
// driver/lossless/plans; here are the choices and first answers of their fields.
package setup

import (
	"context"

	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/driver/lossless"
	"cxdeck/driver/lossless/plans"
	"cxdeck/driver/qos"
	"cxdeck/driver/wording"
	"cxdeck/ui"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/change"
	"cxdeck/views/deck"
	"cxdeck/views/form"
)

// Wizards are the wizards of the screen.
type Wizards struct {
	deck  *deck.Deck
	guide *change.Forms
}

// New returns the wizards; refresh updates the screen to the newest state and reports whether there is a host.
func New(d *deck.Deck, refresh func() bool) *Wizards {
	return &Wizards{deck: d, guide: &change.Forms{Deck: d, Drafts: change.NewDrafts(d, "qos"), Refresh: refresh}}
}

// LosslessID is the wizard that makes RDMA lossless.
const LosslessID = "lossless"

// forms returns the form of each wizard, by its ID.
var forms = map[string]func(*scene) functions{
	LosslessID: losslessForm, "trust": trustForm, "shares": sharesForm, "pause": pauseForm, "limit": limitForm,
	"congestion": congestionForm, "roce": roceForm, "dropless": droplessForm,
}

// functions are the functions of a form: the choices and first answers, what the answers ask for, and messages on them.
type functions struct {
	field form.Completer
	setup func(values wizard.Values) plans.Setup
	// check may be nil.
	check func(values wizard.Values) []wizard.Message
}

// scene is the state of the host when the wizard was opened.
type scene struct {
	connection string // of the port that is proposed
	view       qos.View
	ports      []port
	// rate writes a rate in bit/s.
	rate func(bits float64) string
}

// port is a port of the host.
type port struct {
	*description.Port
	card     string
	family   description.Family
	settings setup.Port
	far      setup.SwitchPort
	dropless bool
	up       bool
	path     lossless.Path
	gids     []string
	// noRDMA is why it has no RoCE, empty when it has.
	noRDMA string
}

// sceneMsg contains the scene for a wizard.
type sceneMsg struct {
	of    *Wizards
	id    string
	scene *scene
	err   error
}

// List opens the list of the wizards for a port.
func (w *Wizards) List(connection string) ui.Cmd {
	list := []string{LosslessID, "trust", "shares", "pause", "limit", "congestion", "roce", "dropless"}
	return change.List("qos.wizards", list, func(id string) ui.Cmd { return w.Open(id, connection) })
}

// Open opens a wizard for a port, which another one can take the place of.
func (w *Wizards) Open(id, connection string) ui.Cmd {
	m := w.deck.Monitor()
	return ui.Background("Read the settings for the wizard", func(ctx context.Context) ui.Msg {
		msg := sceneMsg{of: w, id: id, scene: &scene{connection: connection, rate: w.deck.BitRate}}
		msg.err = m.ReadHost(ctx, func(h *driver.Host) error {
			msg.scene.read(h)
			return nil
		})
		return msg
	})
}

func (s *scene) read(h *driver.Host) {
	s.view = h.QoS()
	lab, stack, paths := h.Lab(), h.Stack(), h.Paths(&s.view)
	for at := range lab.Ports() {
		d, card, _ := lab.Port(at)
		p := port{Port: d, card: lab.Description().Adapters[card].Name, family: lab.Family(at), settings: lab.Settings(at), far: lab.SwitchPort(at),
			dropless: lab.Dropless(at), up: lab.State(at).Up, path: paths[at]}
		for _, a := range stack.IP(d.Connection).Addresses {
			p.gids = append(p.gids, a.Addr().String())
		}
		if d.Link == description.Ethernet && p.settings.RoCE == description.NoRoCE {
			p.noRDMA = "it has no RoCE: the wizard RoCE mode sets it"
		}
		s.ports = append(s.ports, p)
	}
}

// Update opens the wizard of a scene that was read.
func (w *Wizards) Update(msg ui.Msg) ui.Cmd {
	read, ok := msg.(sceneMsg)
	if !ok || read.of != w {
		return nil
	}
	if read.err != nil {
		return ui.Toast(ui.Failure, "The settings can't be read: "+read.err.Error())
	}
	f := forms[read.id](read.scene)
	whole := f.whole()
	whole.Verify = func(values wizard.Values) func(*driver.Host) []wizard.Fact {
		s := f.setup(values)
		return func(h *driver.Host) (facts []wizard.Fact) {
			for _, found := range s.Check(h) {
				fact := wizard.Fact{Mark: wizard.Good, Word: "ok", Text: wording.UpperFirst(found.Title) + ": " + found.Text}
				if !found.OK {
					fact.Mark, fact.Word = wizard.Bad, "fails"
				}
				facts = append(facts, fact)
			}
			return facts
		}
	}
	return w.guide.Open(read.id, "", whole)
}

// whole returns the functions as a form.
func (f functions) whole() change.Form {
	return change.Form{
		Fresh: true, Field: f.field, Check: f.check,
		Make: func(values wizard.Values) func(*driver.Host) (form.AnnotatedPlan, error) {
			s := f.setup(values)
			return func(h *driver.Host) (form.AnnotatedPlan, error) {
				made, err := plans.Make(h, s)
				return form.AnnotatedPlan{Plan: made.Plan, Notes: made.Notes}, err
			}
		},
	}
}

// Makers returns the makers of the forms, for commands.
func Makers() form.Makers {
	makers := form.Makers{}
	for id, functionsOf := range forms {
		makers[id] = func(h *driver.Host) (form.Form, error) {
			s := &scene{rate: new(deck.Deck).BitRate}
			s.read(h)
			for i := range s.ports {
				if s.ports[i].Link == description.Ethernet {
					s.connection = s.ports[i].Connection
					break
				}
			}
			whole := functionsOf(s).whole()
			return whole.Core(), nil
		}
	}
	return makers
}

// portNamed returns a port; nil for none.
func (s *scene) portNamed(connection string) *port {
	for i := range s.ports {
		if s.ports[i].Connection == connection {
			return &s.ports[i]
		}
	}
	return nil
}

// fieldPort is the ID of the field for one port.
const fieldPort = "port"

// at returns the chosen port, or the proposed one before there is an answer; nil where neither exists.
func (s *scene) at(values wizard.Values) *port {
	if name := values.Text(fieldPort); name != "" {
		return s.portNamed(name)
	}
	return s.portNamed(s.connection)
}

// offer completes a field for ports; refuse says why a port can't be chosen, empty if it can.
func (s *scene) offer(f *wizard.Field, refuse func(p *port) string) {
	for i := range s.ports {
		p := &s.ports[i]
		c := wizard.Choice{ID: p.Connection, Label: p.Connection, Text: p.card, Mark: wizard.Down, Word: "down"}
		if p.up {
			c.Mark, c.Word = wizard.Good, "up"
		}
		if c.Disabled = refuse(p); p.Link != description.Ethernet {
			c.Disabled = "InfiniBand has service levels and credits in place of priorities and pauses"
		}
		if c.Disabled == "" && (c.ID == s.connection || f.Kind == wizard.OneOf && f.Initial.Text == "") {
			f.Initial = wizard.Value{Text: c.ID, IDs: []string{c.ID}}
		}
		f.Choices = append(f.Choices, c)
	}
}

// everyPort refuses no port.
func everyPort(*port) string { return "" }

// withWinOF2 refuses WinOF ports, which lack something.
func withWinOF2(lacks string) func(*port) string {
	return func(p *port) string {
		if p.family == description.WinOF {
			return "WinOF has no " + lacks
		}
		return ""
	}
}
