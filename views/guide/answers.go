package guide

import (
	"context"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/guide"
	"cxdeck/driver/virtualization"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/exec"
	"cxdeck/views/exec/guides"
	"cxdeck/views/form"
)

// offers are what the host has for the answers of a guide.
type offers struct{ connections, teams, machines []wizard.Choice }

// readOffers reads them for a guide: ports of another driver or link type can't be chosen.
func readOffers(ctx context.Context, course *guides.Course) (o offers, err error) {
	err = course.Host.ReadHost(ctx, func(h *driver.Host) error {
		lab := h.Lab()
		for port := range lab.Ports() {
			d, card, _ := lab.Port(port)
			adapter := &lab.Description().Adapters[card]
			c := wizard.Choice{ID: d.Connection, Label: d.Connection, Text: adapter.Name, Mark: wizard.Down, Word: "down"}
			if lab.State(port).Up {
				c.Mark, c.Word = wizard.Good, "up"
			}
			family := map[description.Family]string{description.WinOF: "winof", description.WinOF2: "winof2"}[adapter.Family]
			if !slices.Contains(course.Guide.Families, family) {
				c.Disabled = "its driver is not " + guides.FamilyText(course.Guide.Families)
			}
			if d.Link == description.InfiniBand {
				c.Help = infiniBand
			}
			o.connections = append(o.connections, c)
		}
		for _, t := range h.Teams() {
			c := wizard.Choice{ID: t.Name, Label: t.Name, Text: t.Type.String(), Mark: wizard.Down, Word: "down"}
			if t.Connected {
				c.Mark, c.Word = wizard.Good, "up"
			}
			o.teams = append(o.teams, c)
		}
		for _, vm := range h.View().VMs {
			c := wizard.Choice{ID: vm.Name, Label: vm.Name, Mark: wizard.Down, Word: "off"}
			if vm.State == virtualization.VMRunning {
				c.Mark, c.Word = wizard.Good, "running"
			}
			o.machines = append(o.machines, c)
		}
		return nil
	})
	return o, err
}

// infiniBand marks the choice of an InfiniBand port.
const infiniBand = "An InfiniBand port."

// noAnswer is the choice that leaves an optional field empty.
const noAnswer = "(none)"

// field returns a field of a guide as a field of a form, with what the host offers.
func (o *offers) field(f *guide.Field, now string) wizard.Field {
	field := form.Field(f)
	field.Initial = wizard.Value{Text: now, On: now == "yes"}
	list := map[guide.FieldKind][]wizard.Choice{guide.Connection: o.connections, guide.Team: o.teams, guide.Machine: o.machines}[f.Kind]
	switch {
	case f.Kind == guide.Number && f.Low >= f.High:
		field.Kind = wizard.Text // hexadecimal numbers, too; Check looks
	case f.Kind == guide.Connection || f.Kind == guide.Team || f.Kind == guide.Machine:
		field.Choices = slices.Clone(list)
		for i := range field.Choices {
			if c := &field.Choices[i]; f.Kind == guide.Connection && c.Disabled == "" && (c.Help == infiniBand) != f.InfiniBand {
				c.Disabled = map[bool]string{true: "it is no InfiniBand port", false: "it is an InfiniBand port"}[f.InfiniBand]
			}
		}
		if now != "" && !slices.ContainsFunc(list, func(c wizard.Choice) bool { return c.ID == now }) {
			field.Choices = append(field.Choices, wizard.Choice{ID: now, Label: now, Text: "not on the host"})
		}
		if len(field.Choices) == 0 {
			field.Kind, field.Hint = wizard.Text, "the host has none yet"
		}
	}
	if field.Kind == wizard.OneOf && f.Optional {
		field.Choices = append([]wizard.Choice{{ID: noAnswer, Label: "none"}}, field.Choices...)
		if now == "" {
			field.Initial.Text = noAnswer
		}
	}
	return field
}

// answersForm is the form for the answers of a guide whose steps are lines.
type answersForm struct {
	*Guides
	wizard *ui.Wizard
	guide  *guide.Guide
	course *guides.Course
	offers offers
	// leaves is set when a button has decided what follows.
	leaves bool
}

const answersPage, linesPage = "answers", "lines"

// openAnswers opens the form; its answers are kept for the page.
func (g *Guides) openAnswers(course *guides.Course, o *offers) ui.Cmd {
	f := &answersForm{Guides: g, guide: course.Guide, course: course, offers: *o}
	f.wizard = ui.NewWizard(ui.WizardOptions{
		Title: "Answers: " + course.Guide.Title, Steps: f.steps, Check: f.check, Apply: f.apply, Forgets: true,
		Leave: func(wizard.Draft) ui.Cmd {
			if f.leaves {
				return nil
			}
			return g.openPage(f.guide)
		},
	})
	return ui.OpenDialog(f.wizard)
}

func (f *answersForm) steps(values wizard.Values) []wizard.Step {
	ask := wizard.Step{ID: answersPage, Title: "Answers"}
	var help []string
	for i := range f.guide.Fields {
		field := &f.guide.Fields[i]
		ask.Fields = append(ask.Fields, f.offers.field(field, f.course.Progress.Answers[field.Name]))
		if field.Help != "" {
			help = append(help, field.Label+": "+field.Help)
		}
	}
	ask.Help = strings.Join(append([]string{f.guide.Goal}, help...), "\n")
	return []wizard.Step{ask, {ID: linesPage, Title: "Steps", Review: f.review(values), Help: "The steps that apply with these answers, and their lines. Keep returns to the page of the guide. " +
		"What changes the host is shown and asked before it runs."}}
}

// answer returns the answer to a field as text.
func answer(f *guide.Field, values wizard.Values) string {
	v := values[f.Name]
	if f.Kind == guide.YesNo {
		return map[bool]string{true: "yes", false: "no"}[v.On]
	}
	if text := strings.TrimSpace(v.Text); text != noAnswer {
		return text
	}
	return ""
}

func (f *answersForm) answers(values wizard.Values) guide.Answers {
	answers := guide.Answers{}
	for i := range f.guide.Fields {
		answers[f.guide.Fields[i].Name] = answer(&f.guide.Fields[i], values)
	}
	return answers
}

func (f *answersForm) check(values wizard.Values) (list []wizard.Message) {
	for i := range f.guide.Fields {
		field := &f.guide.Fields[i]
		text := answer(field, values)
		if text == "" {
			continue // the field itself says so where an answer is required
		}
		if err := field.Check(text); err != nil {
			list = append(list, wizard.Message{Field: field.Name, Text: err.Error()})
		}
	}
	return list
}

// review lists the steps that apply, with their lines.
func (f *answersForm) review(values wizard.Values) *wizard.Review {
	answers := f.answers(values)
	given := answers.Given()
	commands := wizard.Commands{Title: "Lines"}
	r := &wizard.Review{Buttons: []widget.Button{{Label: "Keep"}, {Label: "Next step"}, {Label: "All steps"}}}
	for i := range f.guide.Steps {
		s := &f.guide.Steps[i]
		if !answers.Applies(s.When) {
			continue
		}
		line := wizard.Line{Text: exec.Clean(given.Fill(s.Title))}
		if f.course.IsDone(i) {
			line.Note = "done"
		}
		r.Lines = append(r.Lines, line)
		for _, text := range s.Run {
			commands.Lines = append(commands.Lines, exec.Clean(given.Fill(text)))
		}
	}
	if len(commands.Lines) > 0 {
		r.Commands = []wizard.Commands{commands}
	}
	return r
}

// apply keeps the answers, and goes on.
func (f *answersForm) apply(button int) ui.Cmd {
	var words []string
	for i := range f.guide.Fields {
		name := f.guide.Fields[i].Name
		words = append(words, name+"="+answer(&f.guide.Fields[i], f.wizard.Values()))
	}
	if f.typedFor == nil {
		f.typedFor = map[string][]string{}
	}
	f.typedFor[f.guide.Name] = words
	f.leaves = true
	f.wizard.Close()
	run := append([]string{"guide", "run", f.guide.Name}, words...)
	why := f.CannotChange()
	switch {
	case button == 0:
		return f.openPage(f.guide)
	case why != "":
		return ui.Batch(f.openPage(f.guide), ui.Toast(ui.Caution, "The guide can't be carried out: "+why+"."))
	case button == 1:
		return f.Run(append(run, "--step"))
	}
	return f.Run(run)
}

// formMark marks a guide with a form in the list.
var formMark = widget.TableCell{Text: "form", Style: themes.Style{Role: themes.Accent}}
