package change

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver/guide"
	"cxdeck/driver/wording"
	"cxdeck/ui"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/exec/guides"
	"cxdeck/views/form"
)

// needsMsg has the preconditions of a guide as they are on the host.
type needsMsg struct {
	wizard *dialog
	course *guides.Course
	needs  []guides.Verdict
}

// checkNeeds checks the preconditions of the guide with the answers so far.
func (d *dialog) checkNeeds() ui.Cmd {
	open := d.forms.Deck.OpenCourse
	if open == nil || d.entry.Sequence != 0 {
		return nil
	}
	name, answers := d.guide.Name, form.Answers(d.guide, d.Values())
	return ui.Background("Check what the guide needs", func(ctx context.Context) ui.Msg {
		course, err := open(ctx, name, answers)
		if err != nil {
			return nil // the review says why the host can't be read
		}
		return needsMsg{d, course, course.Check(ctx, course.Guide.Needs)}
	})
}

// before returns the field with the preconditions, and what is done of the guide.
func (d *dialog) before() []wizard.Field {
	if d.forms.Deck.OpenCourse == nil || len(d.guide.Needs) == 0 {
		return nil
	}
	f := wizard.Field{ID: "guide.needs", Kind: wizard.Facts, Label: "Before the guide " + d.guide.Name}
	if d.needs == nil {
		f.Facts = []wizard.Fact{{Mark: wizard.Busy, Word: "is being checked"}}
	}
	for i := range d.needs {
		v := &d.needs[i]
		fact := verdictFact(v)
		if v.State == guides.Unmet && len(v.Check.Meet) > 0 && !slices.ContainsFunc(f.Facts, func(f wizard.Fact) bool { return f.Fix.Key != "" }) {
			fact.Fix = wizard.Key{ID: meetKey, Key: "M", Name: "meet", Help: "Run the lines that meet the preconditions; the answers are kept"}
		}
		f.Facts = append(f.Facts, fact)
	}
	if d.course != nil {
		if done := d.course.Progress.Done; len(done) > 0 && !d.course.Finished() {
			f.Facts = append(f.Facts, wizard.Fact{Mark: wizard.Good, Word: "continues",
				Text: fmt.Sprintf("%d of %s done, the last %s", len(done), wording.Count(len(d.guide.Steps), "step"), wording.Stamp(done[len(done)-1].Time))})
		}
	}
	return []wizard.Field{f}
}

// verdictFact returns a check as a fact.
func verdictFact(v *guides.Verdict) wizard.Fact {
	mark := map[guides.State]wizard.Mark{guides.Met: wizard.Good, guides.Unmet: wizard.Warn, guides.Unseen: wizard.NoMark}[v.State]
	word := map[guides.State]string{guides.Met: "met", guides.Unmet: "not met", guides.Unseen: "to check"}[v.State]
	fact := wizard.Fact{Mark: mark, Word: word, Text: v.Text}
	switch {
	case v.State == guides.Unmet && v.Check.Guide != "":
		fact.Text += " (the guide " + v.Check.Guide + " does it)"
	case v.State == guides.Unmet && v.Why != "":
		fact.Text += " (" + v.Why + ")"
	}
	return fact
}

// unmetNeeds returns a warning for each precondition that is not met.
func (d *dialog) unmetNeeds() (list []wizard.Message) {
	for i := range d.needs {
		if v := &d.needs[i]; v.State == guides.Unmet {
			list = append(list, wizard.Message{Severity: wizard.Warning, Text: "A precondition of the guide is not met: " + verdictFact(v).Text + "."})
		}
	}
	return list
}

// record adds the plan to the progress of the guide.
func (d *dialog) record() ui.Cmd {
	open := d.forms.Deck.OpenCourse
	if open == nil {
		return nil
	}
	name, answers, entry, complete := d.guide.Name, form.Answers(d.guide, d.Values()), d.entry, d.resumeStep == ""
	var lines []string
	if len(d.commands) > 0 {
		lines = d.commands[0].Lines
	}
	return ui.Background("Keep the progress of the guide", func(ctx context.Context) ui.Msg {
		course, err := open(ctx, name, nil)
		if err == nil {
			err = course.Record(ctx, answers, &entry, lines, complete)
		}
		if err != nil {
			return ui.Toast(ui.Caution, "The progress of the guide is not kept: "+err.Error())()
		}
		return nil
	})
}

// afterFacts returns the checks after the last step as facts.
func afterFacts(after []guides.Verdict) (facts []wizard.Fact) {
	for i := range after {
		facts = append(facts, verdictFact(&after[i]))
	}
	return facts
}

// addAfter adds the checks after the last step to a result.
func (d *dialog) addAfter(r *wizard.Result, msg *verifiedMsg) {
	if msg.err != nil {
		r.Facts = append(r.Facts, wizard.Fact{Mark: wizard.Warn, Word: "not checked", Text: wording.UpperFirst(msg.err.Error())})
		return
	}
	r.Facts = append(r.Facts, afterFacts(msg.after)...)
	if r.Mark == wizard.Good && slices.ContainsFunc(msg.after, func(v guides.Verdict) bool { return v.State == guides.Unmet }) {
		r.Mark, r.Word = wizard.Warn, "partly done"
		r.Text += " A check of the guide is not met."
	}
}

// export asks for a file and writes the protocol of the guide into it.
func (d *dialog) export() ui.Cmd {
	name, run := d.guide.Name, d.forms.Deck.RunLine
	return ui.Prompt("Export the protocol", "File", name+".md", func(text string) string {
		if strings.TrimSpace(text) == "" {
			return "A name is required."
		}
		return ""
	}, func(text string) ui.Cmd { return run([]string{"guide", "export", name, text}) })
}

// words returns the answers as words of a line.
func (d *dialog) words() (list []string) {
	for name, answer := range form.Answers(d.guide, d.Values()).Given() {
		list = append(list, name+"="+answer)
	}
	slices.Sort(list)
	return list
}

// help returns the text beside a page: its purpose, and its visible fields.
func (d *dialog) help(page *guide.Page, fields []wizard.Field) string {
	parts := []string{page.Help}
	for i := range d.guide.Fields {
		if f := &d.guide.Fields[i]; f.Page == page.ID && f.Help != "" && shows(fields, f.ID()) {
			parts = append(parts, f.Label+": "+f.Help)
		}
	}
	return strings.Join(parts, "\n")
}

// shows reports whether a field is visible, itself or as a column.
func shows(fields []wizard.Field, id string) bool {
	return slices.ContainsFunc(fields, func(f wizard.Field) bool { return f.ID == id || shows(f.Columns, id) })
}
