package guide

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/guide"
	"cxdeck/perf/lab"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/exec"
	"cxdeck/views/exec/catalog"
	"cxdeck/views/exec/guides"
	"cxdeck/views/exec/hosts"
	"cxdeck/views/exec/syntax"
	"cxdeck/views/form"
	"cxdeck/views/qos"
	"cxdeck/views/sriov"
	"cxdeck/views/teaming"
	"cxdeck/views/viewtest"
)

// formStage is a running console with the screens that have forms, whose progress is kept in drafts.
type formStage struct {
	*viewtest.Stage
	deck   *deck.Deck
	views  []ui.View
	drafts exec.DraftStore
	lines  []string
}

func newFormStage(t *testing.T) *formStage {
	t.Helper()
	return openStage(t, viewtest.Lab(t))
}

// preparedLab returns the lab in which a guide is tried, in the state that it begins with.
func preparedLab(t *testing.T, g *guide.Guide) *lab.Source {
	t.Helper()
	d := description.Default()
	for _, named := range description.NamedLabs() {
		if named.Name == g.Try.Lab {
			var err error
			if d, err = description.ParseText(named.Text()); err != nil {
				t.Fatal(err)
			}
		}
	}
	model, err := device.New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	source, err := lab.New(driver.NewHost(model))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range append([]string{"advance 30s"}, g.Try.Prepare...) {
		if status, out := runOn(t, source, line); status != exec.Done {
			t.Fatalf("prepare: %s gives %d: %s", line, status, out)
		}
	}
	return source
}

// runOn runs words, or a line, on a lab, and returns the status and what it prints.
func runOn(t *testing.T, source *lab.Source, words ...string) (status exec.Status, printed string) {
	t.Helper()
	var out bytes.Buffer
	runner := exec.Runner{Table: catalog.Commands(), Open: func(context.Context) (exec.Host, error) { return hosts.OnLab(source, nil, nil), nil },
		Drafts: exec.NewDraftStore(), Out: &out, Err: &out, Ask: func(context.Context) string { return "y" }}
	if len(words) == 1 {
		status = runner.Script(t.Context(), strings.NewReader(words[0]))
	} else {
		status = runner.Run(t.Context(), words)
	}
	return status, out.String()
}

// openStage opens the screens on a lab.
func openStage(t *testing.T, source *lab.Source) *formStage {
	t.Helper()
	s := &formStage{deck: viewtest.Run(t, source), drafts: exec.NewDraftStore()}
	s.deck.OpenCourse = func(ctx context.Context, name string, answers guide.Answers) (*guides.Course, error) {
		runner := &exec.Runner{Table: catalog.Commands(), Drafts: s.drafts}
		call := &exec.Call{Ctx: ctx, Runner: runner, Host: hosts.OnMonitor(s.deck.Live, s.deck.Live.Changer), Arguments: []string{name}}
		return guides.OpenForm(call, catalog.Forms(), answers)
	}
	s.deck.RunLine = func(words []string) ui.Cmd {
		s.lines = append(s.lines, syntax.Join(words))
		return nil
	}
	s.views = []ui.View{teaming.New(s.deck), sriov.New(s.deck), qos.New(s.deck)}
	s.Stage = viewtest.Open(t, s.deck, s.views)
	s.Await(s.deck, "a sample", func() bool { return s.deck.Live.Lab() != nil && len(s.deck.Live.Lab().Recent) > 1 })
	return s
}

// open opens a form, and goes to its review with its default answers; reviewed is false when they are refused before.
func (s *formStage) open(t *testing.T, name string) (reviewed bool) {
	t.Helper()
	for _, view := range s.views {
		cmd, known := view.(interface {
			OpenForm(name string) (ui.Cmd, bool)
		}).OpenForm(name)
		if !known {
			continue
		}
		s.Shell.Send(cmd())
		s.WaitIdle()
		for range 8 {
			if s.WaitIdle(); strings.Contains(s.Text(), "What will be done") {
				return true
			}
			before := s.Text()
			if s.Press("enter"); s.Text() == before {
				return false
			}
		}
		return false
	}
	t.Fatalf("no screen has the form %s", name)
	return false
}

// TestEveryFormHasAGuide: each form is a step of one guide, each form that a guide names exists, and a screen opens it.
func TestEveryFormHasAGuide(t *testing.T) {
	t.Parallel()
	makers, named := catalog.Forms(), map[string]int{}
	for _, g := range guide.All() {
		if name := g.Form(); name != "" {
			named[name]++
			if makers[name] == nil {
				t.Errorf("the guide %s names the form %s, which does not exist", g.Name, name)
			}
		}
	}
	for name := range makers {
		if named[name] != 1 {
			t.Errorf("%d guides have the form %s", named[name], name)
		}
	}
	if len(makers) < 34 {
		t.Errorf("there are %d forms", len(makers))
	}
}

// TestErrorsOfFormsNameLabels: whatever answer a form refuses, its error has the field's label as the page shows it, and not the name of
// the answer on a command line.
func TestErrorsOfFormsNameLabels(t *testing.T) {
	t.Parallel()
	model, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	h, refused := driver.NewHost(model), 0
	for name, maker := range catalog.Forms() {
		g, _ := guide.WithForm(name)
		f, err := maker(h)
		if err != nil {
			continue // the lab has nothing for it
		}
		for i := range g.Fields {
			field := &g.Fields[i]
			if !field.Asks() {
				continue
			}
			for _, answer := range []string{"99999999", "", "nothing/of/this/kind/exists", "-1"} {
				filled, err := form.Fill(g, f, guide.Answers{field.Name: answer})
				if err == nil {
					err = filled.Problem
				}
				if err == nil {
					continue
				}
				refused++
				for j := range g.Fields {
					other := &g.Fields[j]
					if !strings.EqualFold(other.Name, other.Label) && strings.HasPrefix(strings.ToLower(err.Error()), other.Name+":") {
						t.Errorf("%s: %s=%s: %q names the answer, not the label %q", g.Name, field.Name, answer, err, other.Label)
					}
				}
			}
		}
	}
	if refused < 100 {
		t.Errorf("only %d answers were refused", refused)
	}
}

// TestFormsAndExecMakeTheSamePlan opens each form on its screen with the answers with which its guide is tried, and applies its plan; exec
// guide run with the recorded answers applies the same Operations to a copy of the host.
func TestFormsAndExecMakeTheSamePlan(t *testing.T) {
	t.Parallel()
	for name := range catalog.Forms() {
		g, _ := guide.WithForm(name)
		t.Run(g.Name, func(t *testing.T) {
			t.Parallel()
			s := openStage(t, preparedLab(t, g))
			copied, err := s.deck.Live.Clone(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			source, err := lab.New(copied)
			if err != nil {
				t.Fatal(err)
			}
			applied := func(h *driver.Host) (list []string) {
				for _, entry := range h.Journal() {
					if entry.Err == "" && entry.Undoes == 0 {
						list = nil // the newest plan
						for _, o := range entry.Plan.Operations {
							list = append(list, o.Describe())
						}
					}
				}
				return list
			}
			before := applied(copied)
			var screen []string
			answers := guide.Answers{}
			s.deck.Answers = guide.Answers(g.Try.Answers)
			if s.open(t, name) {
				s.Press("left", "left", "left", "left", "enter")
				s.WaitIdle()
				if text := s.Text(); !strings.Contains(text, "No differences") && !strings.Contains(text, "can't be applied") {
					s.Await(s.deck, "the plan", func() bool { return len(s.deck.Live.Journal()) > len(copied.Journal()) })
					s.WaitIdle()
					after, err := s.deck.Live.Clone(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					screen = applied(after)
					course, err := s.deck.OpenCourse(t.Context(), g.Name, nil)
					if err != nil {
						t.Fatal(err)
					}
					if len(course.Progress.Done) == 0 || len(course.Progress.Done[0].Changes) != 1 {
						t.Fatalf("the progress of the guide is %+v", course.Progress)
					}
					answers = course.Progress.Answers
				}
			}
			words := []string{"guide", "run", g.Name, "--step", "--force"}
			for field, answer := range answers {
				words = append(words, field+"="+answer)
			}
			_, printed := runOn(t, source, words...)
			done := applied(copied)
			if slices.Equal(done, before) {
				done = nil
			}
			if !slices.Equal(done, screen) {
				t.Errorf("the screen applies\n%s\nexec applies\n%s\nand prints\n%s", strings.Join(screen, "\n"), strings.Join(done, "\n"), printed)
			}
			if len(screen) == 0 {
				t.Errorf("there is no plan to compare; the screen shows\n%s", s.Text())
			}
		})
	}
}

// TestBegunGuideHasItsAnswers: the form of a guide that exec has begun opens with the answers that were given there.
func TestBegunGuideHasItsAnswers(t *testing.T) {
	t.Parallel()
	g, _ := guide.Find("set-vf-count")
	d := &pageDialog{guide: g, course: &guides.Course{Guide: g, Progress: &guides.Progress{Answers: guide.Answers{"numvfs": "4"}}}}
	if d.begun() != nil {
		t.Error("a guide that has not begun has answers")
	}
	d.course.Progress.Done = make([]guides.Done, 1)
	if d.begun()["numvfs"] != "4" {
		t.Error("the answers of the first step are lost")
	}
	for step := 1; step < len(g.Steps); step++ {
		d.course.Progress.Done = append(d.course.Progress.Done, guides.Done{Step: step})
	}
	if d.begun() != nil {
		t.Error("a guide that is done has answers")
	}
}

// TestFormKeepsProgress: the first page shows the preconditions as they are, the result has the checks after the guide, and the protocol
// can be exported; after an undo the guide begins again.
func TestFormKeepsProgress(t *testing.T) {
	t.Parallel()
	s := newFormStage(t)
	s.Resize(120, 40)
	for _, view := range s.views {
		if cmd, known := view.(*qos.View); known {
			open, _ := cmd.OpenForm("roce")
			s.Shell.Send(open())
		}
	}
	s.WaitIdle()
	s.Want("Before the guide set-roce-mode", "met", "The driver of Ethernet")
	s.Press("tab", "down", " ", "enter")
	s.WaitIdle()
	s.Want("What will be done")
	s.Press("left", "left", "left", "enter")
	s.WaitIdle()
	s.AwaitText(s.deck, "has a link again")
	s.Want("Write the protocol of the guide")
	course, err := s.deck.OpenCourse(t.Context(), "set-roce-mode", nil)
	if err != nil || !course.Finished() {
		t.Fatalf("the guide is not done: %v", err)
	}
	if text := course.Protocol(t.Context()); !strings.Contains(text, "roce_mode") || !strings.Contains(text, "step 1, RoCE mode") {
		t.Errorf("the protocol is\n%s", text)
	}
	if _, err := s.deck.Live.Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	if course, err = s.deck.OpenCourse(t.Context(), "set-roce-mode", nil); err != nil || course.Finished() {
		t.Errorf("the guide is still done after its undo: %v", err)
	}
}
