package guides

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"cxdeck/driver/guide"
	"cxdeck/driver/script"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// guideRow is a guide in the list, as JSON.
type guideRow struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Group    string   `json:"group"`
	Families []string `json:"families"`
	Steps    int      `json:"steps"`
	Done     int      `json:"done"`
}

func list(c *exec.Call) (exec.Answer, error) {
	progress, err := read(c.Ctx, c.Runner.Drafts)
	if err != nil {
		return exec.Answer{}, err
	}
	words := strings.ToLower(strings.Join(c.Arguments, ""))
	rows := []guideRow{}
	for _, g := range guide.All() {
		if !strings.Contains(strings.ToLower(g.Name+" "+g.Title+" "+g.Group+" "+g.Goal), words) {
			continue
		}
		row := guideRow{Name: g.Name, Title: g.Title, Group: g.Group, Families: g.Families, Steps: len(g.Steps)}
		if p := progress[g.Name]; p != nil {
			row.Done = p.count(g)
		}
		rows = append(rows, row)
	}
	return exec.Answer{Result: struct {
		Guides []guideRow `json:"guides"`
	}{rows}, Text: func(w io.Writer) error {
		table := exec.NewTextTable(w, "GROUP", "GUIDE", "TITLE", "STEPS")
		group := ""
		for _, r := range rows {
			shown := ""
			if r.Group != group {
				group, shown = r.Group, r.Group
			}
			steps := fmt.Sprint(r.Steps)
			if r.Done > 0 {
				steps = fmt.Sprintf("%d of %d done", r.Done, r.Steps)
			}
			table.Row(shown, r.Name, r.Title, steps)
		}
		return table.Flush()
	}}, nil
}

// count returns the number of steps that were carried out.
func (p *Progress) count(g *guide.Guide) (n int) {
	for i := range g.Steps {
		if p.isDone(i) {
			n++
		}
	}
	return n
}

// textWidth is the width at which texts are wrapped.
const textWidth = 100

func (s commands) show(c *exec.Call) (exec.Answer, error) {
	o, err := s.open(c)
	if err != nil {
		return exec.Answer{}, err
	}
	return exec.Answer{Result: o.Guide, Text: func(w io.Writer) error {
		_, err := io.WriteString(w, o.Page(textWidth))
		return err
	}}, nil
}

// FamilyText names driver families: "WinOF, WinOF-2".
func FamilyText(families []string) string {
	var words []string
	for _, f := range families {
		words = append(words, map[string]string{"winof": "WinOF", "winof2": "WinOF-2"}[f])
	}
	return strings.Join(words, ", ")
}

// verdictRow is a check as JSON.
type verdictRow struct {
	Text  string   `json:"text"`
	State State    `json:"state"`
	Why   string   `json:"why,omitempty"`
	Guide string   `json:"guide,omitempty"`
	Meet  []string `json:"meet,omitempty"`
}

// rowsOf returns checks as JSON, and whether none is unmet.
func (o *course) rowsOf(verdicts []Verdict) (rows []verdictRow, met bool) {
	rows, met = []verdictRow{}, true
	for _, v := range verdicts {
		row := verdictRow{Text: v.Text, State: v.State, Why: v.Why}
		if v.State == Unmet {
			met = false
			row.Guide = v.Check.Guide
			for _, line := range v.Check.Meet {
				row.Meet = append(row.Meet, o.Progress.Answers.Fill(line))
			}
		}
		rows = append(rows, row)
	}
	return rows, met
}

func writeVerdicts(b *strings.Builder, rows []verdictRow) {
	for _, r := range rows {
		fmt.Fprintf(b, "%-13s  %s\n", r.State, exec.Clean(r.Text))
		if r.State != Met && r.Why != "" {
			fmt.Fprintf(b, "               %s\n", exec.Sentence(r.Why))
		}
		if r.Guide != "" {
			fmt.Fprintf(b, "               the guide %s does it\n", r.Guide)
		}
		for _, line := range r.Meet {
			fmt.Fprintf(b, "               > %s\n", exec.Clean(line))
		}
	}
}

func (s commands) check(c *exec.Call) (exec.Answer, error) {
	o, err := s.open(c)
	if err != nil {
		return exec.Answer{}, err
	}
	checks := o.Guide.Needs
	if _, after := c.Flags["after"]; after {
		checks = o.Guide.After
	}
	rows, met := o.rowsOf(o.Check(c.Ctx, checks))
	return exec.Answer{Failed: !met, Result: struct {
		Guide  string       `json:"guide"`
		Met    bool         `json:"met"`
		Checks []verdictRow `json:"checks"`
	}{o.Guide.Name, met, rows}, Text: func(w io.Writer) error {
		var b strings.Builder
		writeVerdicts(&b, rows)
		if len(rows) == 0 {
			b.WriteString("The guide has no checks for these answers.\n")
		}
		_, err := io.WriteString(w, b.String())
		return err
	}}, nil
}

// meet runs the lines that meet the preconditions, and checks them again.
func (s commands) meet(c *exec.Call) (exec.Answer, error) {
	o, err := s.open(c)
	if err != nil {
		return exec.Answer{}, err
	}
	ran, err := o.Meet(c.Ctx)
	if err != nil {
		return exec.Answer{}, err
	}
	rows, met := o.rowsOf(o.Check(c.Ctx, o.Guide.Needs))
	return exec.Answer{Failed: !met, Result: struct {
		Guide  string       `json:"guide"`
		Met    bool         `json:"met"`
		Lines  []Ran        `json:"lines"`
		Checks []verdictRow `json:"checks"`
	}{o.Guide.Name, met, append([]Ran{}, ran...), rows}, Text: func(w io.Writer) error {
		var b strings.Builder
		writeLines(&b, ran)
		writeVerdicts(&b, rows)
		_, err := io.WriteString(w, b.String())
		return err
	}}, nil
}

func writeLines(b *strings.Builder, lines []Ran) {
	for _, ran := range lines {
		fmt.Fprintf(b, "          > %s\n", exec.Clean(ran.Line))
		for line := range strings.Lines(strings.TrimSpace(ran.Output)) {
			fmt.Fprintf(b, "          %s\n", exec.Clean(strings.TrimRight(line, "\n")))
		}
	}
}

// runRow is the answer of guide run as JSON.
type runRow struct {
	Guide string       `json:"guide"`
	Needs []verdictRow `json:"needs,omitempty"`
	Steps []doneRow    `json:"steps"`
	// Left is the number of steps that are left, Stopped the reason why the guide stopped before its end.
	Left    int          `json:"left"`
	Stopped string       `json:"stopped,omitempty"`
	After   []verdictRow `json:"after,omitempty"`
}

type doneRow struct {
	Step  int       `json:"step"`
	Title string    `json:"title"`
	Time  time.Time `json:"time"`
	Lines []Ran     `json:"lines,omitempty"`
}

func (s commands) run(c *exec.Call) (exec.Answer, error) {
	o, err := s.open(c)
	if err != nil {
		return exec.Answer{}, err
	}
	result := runRow{Guide: o.Guide.Name, Steps: []doneRow{}}
	_, forced := c.Flags["force"]
	if len(o.Progress.Done) == 0 && !forced {
		rows, met := o.rowsOf(o.Check(c.Ctx, o.Guide.Needs))
		if !met {
			result.Needs, result.Left, result.Stopped = rows, len(o.Guide.Steps), "a precondition is not met; guide meet runs the lines that meet it, and --force begins anyway"
			return answerOfRun(&result), nil
		}
	}
	first := len(o.Progress.Done)
	if _, once := c.Flags["step"]; once {
		if at, more := o.Progress.next(o.Guide); more {
			err = o.Step(c.Ctx, at)
		}
	} else {
		err = o.Rest(c.Ctx)
	}
	if saved := o.save(c.Ctx); saved != nil {
		return exec.Answer{}, errors.Join(err, saved)
	}
	for _, done := range o.Progress.Done[first:] {
		result.Steps = append(result.Steps, doneRow{done.Step + 1, o.Progress.Answers.Fill(o.Guide.Steps[done.Step].Title), done.Time, done.Lines})
	}
	for i := range o.Guide.Steps {
		if o.Progress.Answers.Applies(o.Guide.Steps[i].When) && !o.Progress.isDone(i) {
			result.Left++
		}
	}
	switch {
	case err != nil:
		result.Stopped = err.Error()
		if hand := (*HandError)(nil); errors.As(err, &hand) {
			result.Stopped += "; guide tick " + o.Guide.Name + " marks it as done"
		}
	case result.Left == 0:
		var met bool
		if result.After, met = o.rowsOf(o.Check(c.Ctx, o.Guide.After)); !met {
			result.Stopped = "all steps are done, and a check after them is not met"
		}
	}
	return answerOfRun(&result), nil
}

func answerOfRun(r *runRow) exec.Answer {
	return exec.Answer{Failed: r.Stopped != "", Result: r, Text: func(w io.Writer) error {
		var b strings.Builder
		writeVerdicts(&b, r.Needs)
		for _, s := range r.Steps {
			fmt.Fprintf(&b, "%s  %d. %s\n", s.Time.Format(time.TimeOnly), s.Step, exec.Clean(s.Title))
			writeLines(&b, s.Lines)
		}
		writeVerdicts(&b, r.After)
		switch {
		case r.Stopped != "":
			fmt.Fprintf(&b, "Stopped: %s.\n", exec.Sentence(r.Stopped))
		case r.Left == 0:
			b.WriteString("The guide is done.\n")
		default:
			fmt.Fprintf(&b, "%s left.\n", wording.Count(r.Left, "step"))
		}
		_, err := io.WriteString(w, b.String())
		return err
	}}
}

func (s commands) tick(c *exec.Call) (exec.Answer, error) {
	o, err := s.open(c)
	if err != nil {
		return exec.Answer{}, err
	}
	at, more := o.Progress.next(o.Guide)
	if !more {
		return exec.Answer{}, fmt.Errorf("all steps of the guide %s are done", o.Guide.Name)
	}
	if err := o.Tick(c.Ctx, at); err != nil {
		return exec.Answer{}, err
	}
	if err := o.save(c.Ctx); err != nil {
		return exec.Answer{}, err
	}
	title := o.Progress.Answers.Fill(o.Guide.Steps[at].Title)
	return exec.PrintLines([]string{fmt.Sprintf("Step %d is marked as done: %s", at+1, title)}, struct {
		Step  int    `json:"step"`
		Title string `json:"title"`
	}{at + 1, title}), nil
}

func (s commands) undo(c *exec.Call) (exec.Answer, error) {
	o, err := s.open(c)
	if err != nil {
		return exec.Answer{}, err
	}
	if len(o.Progress.Done) == 0 {
		return exec.Answer{}, fmt.Errorf("no step of the guide %s was carried out", o.Guide.Name)
	}
	undone, err := o.Undo(c.Ctx)
	if err = cmp.Or(err, o.save(c.Ctx)); err != nil {
		return exec.Answer{}, err
	}
	return exec.PrintLines([]string{fmt.Sprintf("The guide %s is undone: %s.", o.Guide.Name, wording.Count(undone, "change"))}, struct {
		Undone int `json:"undone"`
	}{undone}), nil
}

func reset(c *exec.Call) (exec.Answer, error) {
	g, err := find(c, c.Arguments[0])
	if err != nil {
		return exec.Answer{}, err
	}
	progress, err := read(c.Ctx, c.Runner.Drafts)
	if err != nil {
		progress = all{} // what can't be read is forgotten
	}
	if err == nil && progress[g.Name] == nil {
		return exec.NothingChanges(c.Command.Name, []string{"no step of the guide " + g.Name + " was carried out"}), nil
	}
	delete(progress, g.Name)
	if err := progress.save(c.Ctx, c.Runner.Drafts); err != nil {
		return exec.Answer{}, err
	}
	return exec.PrintLines([]string{fmt.Sprintf("The guide %s begins again; its changes stay.", g.Name)}, struct {
		Guide string `json:"guide"`
	}{g.Name}), nil
}

func (s commands) export(c *exec.Call) (exec.Answer, error) {
	file := c.Arguments[1]
	c.Arguments = append(c.Arguments[:1:1], c.Arguments[2:]...)
	o, err := s.open(c)
	if err != nil {
		return exec.Answer{}, err
	}
	what := "runbook"
	var text string
	switch {
	case strings.HasSuffix(strings.ToLower(file), ".ps1"):
		what = "script"
		text, err = o.Script(c.Ctx)
	case len(o.Progress.Done) > 0 && c.Flags["runbook"] == "":
		what, text = "protocol", o.Protocol(c.Ctx)
	default:
		text, err = o.Runbook(c.Ctx)
	}
	if err != nil {
		return exec.Answer{}, err
	}
	if err := c.Write([]script.File{{Path: file, Data: []byte(text)}}); err != nil {
		return exec.Answer{}, err
	}
	return exec.PrintLines([]string{fmt.Sprintf("The %s of the guide is in %s.", what, exec.Clean(file))}, struct {
		File string `json:"file"`
	}{file}), nil
}
