package viewtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"cxdeck/views/change"
)

// Manual maps the wizards of a screen to the procedures of the manuals, and lists the permitted differences.
type Manual struct {
	// File is the path of the procedures: "testdata/procedures.json".
	File string
	// OnScreen are the procedures without a wizard, because the screen itself shows their output.
	OnScreen []string
	// Fields maps a step, "team-modify-ui/2", to the fields that the wizard names differently.
	Fields map[string]string
	// Examples maps example commands of the procedures, which contain values, to the form of the wizards.
	Examples map[string]string
}

// manualProcedure is a procedure of the manuals: its steps with their fields and commands.
type manualProcedure struct {
	ID            string `json:"id"`
	Preconditions int    `json:"preconditions"`
	Steps         []struct {
		N       int      `json:"n"`
		Field   string   `json:"field"`
		Command []string `json:"command"`
	} `json:"steps"`
}

// Follow checks wizards against the manual: each procedure has a wizard, exactly one step of the wizard covers each step
// of the procedure, each of its fields is explained, and the wizard lists each of its commands.
func (m *Manual) Follow(t *testing.T, wizards []change.Procedure) {
	t.Helper()
	text, err := os.ReadFile(m.File)
	if err != nil {
		t.Fatal(err)
	}
	var manual []manualProcedure
	if err := json.Unmarshal(text, &manual); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for i := range manual {
		procedure := &manual[i]
		known[procedure.ID] = true
		if slices.Contains(m.OnScreen, procedure.ID) {
			continue
		}
		at := slices.IndexFunc(wizards, func(p change.Procedure) bool { return slices.Contains(p.Procedures, procedure.ID) })
		if at < 0 {
			t.Errorf("%s has no wizard", procedure.ID)
			continue
		}
		m.followed(t, &wizards[at], procedure)
	}
	for _, p := range wizards {
		for _, id := range p.Procedures {
			if !known[id] {
				t.Errorf("%s comes from %s, which is not a procedure", p.ID, id)
			}
		}
	}
}

// followed checks a wizard against one of its procedures.
func (m *Manual) followed(t *testing.T, p *change.Procedure, from *manualProcedure) {
	t.Helper()
	places, fields := map[string]int{}, map[string]bool{}
	for _, s := range p.Steps {
		for _, place := range s.From {
			places[place]++
		}
		for _, f := range s.Fields {
			fields[f.InProcedure] = true
		}
	}
	for _, s := range from.Steps {
		place := fmt.Sprintf("%s/%d", from.ID, s.N)
		if places[place] != 1 {
			t.Errorf("%s: the step %s is in %d steps", p.ID, place, places[place])
		}
		delete(places, place)
		if s.Field != "" && !fields[cmp.Or(m.Fields[place], s.Field)] {
			t.Errorf("%s: the field %s of %s has no explanation", p.ID, s.Field, place)
		}
		for _, command := range s.Command {
			if !slices.Contains(slices.Concat(p.Commands, p.Checks), cmp.Or(m.Examples[command], command)) {
				t.Errorf("%s: the command %q of %s is missing", p.ID, command, place)
			}
		}
	}
	for place := range places {
		if strings.HasPrefix(place, from.ID+"/") {
			t.Errorf("%s: %s is not a step of the procedure", p.ID, place)
		}
	}
	count := 0
	for _, c := range p.Preconditions {
		if c.Procedure == from.ID {
			count++
		}
	}
	if main := p.Procedures[0] == from.ID; main && count != from.Preconditions {
		t.Errorf("%s has %d preconditions, %s has %d", p.ID, count, from.ID, from.Preconditions)
	}
}

// Explained checks that each step and field of the wizards has an explanation, and that each wizard ends with its review.
func Explained(t *testing.T, wizards []change.Procedure) {
	t.Helper()
	for _, p := range wizards {
		if p.Title == "" || p.Goal == "" || p.Undo == "" || len(p.Procedures) > 0 && len(p.Commands) == 0 {
			t.Errorf("%s is incomplete: %+v", p.ID, p)
		}
		for i, s := range p.Steps {
			if s.Title == "" || len(s.Title) > 18 || s.Help == "" {
				t.Errorf("%s: the step %s has the title %q and %d bytes of help", p.ID, s.ID, s.Title, len(s.Help))
			}
			for _, f := range s.Fields {
				if silent := f.Kind == "facts" || f.Kind == "rows"; f.ID == "" || f.Label == "" || f.Help == "" && !silent {
					t.Errorf("%s: the field %q of %s is not explained", p.ID, f.ID, s.ID)
				}
			}
			if last := i == len(p.Steps)-1; last != (s.ID == change.ReviewStep) {
				t.Errorf("%s: the review is not the last step", p.ID)
			}
		}
	}
}
