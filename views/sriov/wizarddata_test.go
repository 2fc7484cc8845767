package sriov

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"cxdeck/views/change"
)

// manual is a procedure of the manuals as facts: its steps with their fields and commands.
type manual struct {
	ID            string `json:"id"`
	Preconditions int    `json:"preconditions"`
	Steps         []struct {
		N       int      `json:"n"`
		Kind    string   `json:"kind"`
		Field   string   `json:"field"`
		Command []string `json:"command"`
	} `json:"steps"`
}

// TestWizardsFollowTheProcedures holds the table against the procedures: each has its wizard, each of their steps is in one of its
// steps, each field is explained, and each command is among its commands.
func TestWizardsFollowTheProcedures(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/procedures.json")
	if err != nil {
		t.Fatal(err)
	}
	var manuals []manual
	if err := json.Unmarshal(text, &manuals); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for i := range manuals {
		m := &manuals[i]
		known[m.ID] = true
		at := slices.IndexFunc(procedures(), func(p change.Procedure) bool { return slices.Contains(p.Procedures, m.ID) })
		if at < 0 {
			t.Errorf("%s has no wizard", m.ID)
			continue
		}
		followed(t, &procedures()[at], m)
	}
	for _, p := range procedures() {
		for _, id := range p.Procedures {
			if !known[id] {
				t.Errorf("%s comes from %s, which is no procedure", p.ID, id)
			}
		}
	}
}

// followed holds a wizard against one of its procedures.
func followed(t *testing.T, p *change.Procedure, m *manual) {
	t.Helper()
	from, fields := map[string]int{}, map[string]bool{}
	for _, s := range p.Steps {
		for _, one := range s.From {
			from[one]++
		}
		for _, f := range s.Fields {
			fields[f.Field] = true
		}
	}
	for _, s := range m.Steps {
		place := fmt.Sprintf("%s/%d", m.ID, s.N)
		if from[place] != 1 {
			t.Errorf("%s: the step %s stands in %d steps", p.ID, place, from[place])
		}
		delete(from, place)
		if s.Field != "" && !fields[s.Field] {
			t.Errorf("%s: nobody explains the field %s of %s", p.ID, s.Field, place)
		}
		for _, command := range s.Command {
			if !slices.Contains(slices.Concat(p.Commands, p.Checks), command) {
				t.Errorf("%s: the command %q of %s is missing", p.ID, command, place)
			}
		}
	}
	for place := range from {
		if len(place) > len(m.ID) && place[:len(m.ID)+1] == m.ID+"/" {
			t.Errorf("%s: %s is no step of the procedure", p.ID, place)
		}
	}
	count := 0
	for _, c := range p.Preconditions {
		if c.Procedure == m.ID {
			count++
		}
	}
	if main := p.Procedures[0] == m.ID; main && count != m.Preconditions {
		t.Errorf("%s has %d preconditions, %s has %d", p.ID, count, m.ID, m.Preconditions)
	}
}

func TestEveryStepIsExplained(t *testing.T) {
	t.Parallel()
	for _, p := range procedures() {
		if p.Title == "" || p.Goal == "" || p.Undo == "" || len(p.Procedures) > 0 && len(p.Commands) == 0 {
			t.Errorf("%s is not whole: %+v", p.ID, p)
		}
		for i, s := range p.Steps {
			if s.Title == "" || len(s.Title) > 18 || s.Help == "" {
				t.Errorf("%s: the step %s has the title %q and %d bytes of help", p.ID, s.ID, s.Title, len(s.Help))
			}
			for _, f := range s.Fields {
				if f.ID == "" || f.Label == "" || f.Help == "" {
					t.Errorf("%s: the field %q of %s is not explained", p.ID, f.ID, s.ID)
				}
			}
			if last := i == len(p.Steps)-1; last != (s.ID == change.ReviewStep) {
				t.Errorf("%s: the review is not the last step", p.ID)
			}
		}
	}
}
