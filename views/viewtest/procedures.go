package viewtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"cxdeck/driver/guide"
	"cxdeck/views/form"
)

// Manual maps the wizards of a screen to the procedures of the manuals, and lists the permitted differences.
type Manual struct {
	// File is the path of the procedures: "testdata/procedures.json".
	File string
	// OnScreen are the procedures without a wizard, because the screen itself shows their output.
	OnScreen []string
	// Fields maps a step, "team-modify-ui/2", to the fields that the wizard names differently.
	Fields map[string]string
}

// manualProcedure is a procedure of the manuals: its steps with their fields and commands.
type manualProcedure struct {
	ID    string `json:"id"`
	Steps []struct {
		N     int    `json:"n"`
		Field string `json:"field"`
	} `json:"steps"`
}

// Follow checks wizards against the manual: each procedure has a wizard, exactly one step of the wizard covers each step
// of the procedure, and each of its fields is explained.
func (m *Manual) Follow(t *testing.T, list []*guide.Guide) {
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
		at := slices.IndexFunc(list, func(p *guide.Guide) bool { return slices.Contains(p.Procedures, procedure.ID) })
		if at < 0 {
			t.Errorf("%s has no wizard", procedure.ID)
			continue
		}
		m.followed(t, list[at], procedure)
	}
	for _, p := range list {
		for _, id := range p.Procedures {
			if !known[id] {
				t.Errorf("%s comes from %s, which is not a procedure", p.Name, id)
			}
		}
	}
}

// followed checks a wizard against one of its procedures.
func (m *Manual) followed(t *testing.T, p *guide.Guide, from *manualProcedure) {
	t.Helper()
	places, fields := map[string]int{}, map[string]bool{}
	for i := range p.Pages {
		for _, place := range p.Pages[i].From {
			places[place]++
		}
		for _, name := range p.Pages[i].Follows {
			fields[name] = true
		}
	}
	for i := range p.Fields {
		fields[p.Fields[i].InProcedure] = true
	}
	for _, s := range from.Steps {
		place := fmt.Sprintf("%s/%d", from.ID, s.N)
		if places[place] != 1 {
			t.Errorf("%s: the step %s is in %d steps", p.Name, place, places[place])
		}
		delete(places, place)
		if s.Field != "" && !fields[cmp.Or(m.Fields[place], s.Field)] {
			t.Errorf("%s: the field %s of %s has no explanation", p.Name, s.Field, place)
		}
	}
	for place := range places {
		if strings.HasPrefix(place, from.ID+"/") {
			t.Errorf("%s: %s is not a step of the procedure", p.Name, place)
		}
	}
}

// Explained checks that each step and field of the wizards has an explanation, and that each wizard ends with its review.
func Explained(t *testing.T, list []*guide.Guide) {
	t.Helper()
	for _, p := range list {
		for i, page := range p.Pages {
			if page.Title == "" || len(page.Title) > 18 || page.Help == "" {
				t.Errorf("%s: the page %s has the title %q and %d bytes of help", p.Name, page.ID, page.Title, len(page.Help))
			}
			if last := i == len(p.Pages)-1; last != (page.ID == form.ReviewPage) {
				t.Errorf("%s: the review is not the last page", p.Name)
			}
		}
		for i := range p.Fields {
			f := &p.Fields[i]
			if silent := f.Kind == guide.Facts || f.Kind == guide.Rows; f.Help == "" && !silent {
				t.Errorf("%s: the field %q is not explained", p.Name, f.Name)
			}
		}
	}
}

// Guides returns the guides of forms.
func Guides(t *testing.T, makers form.Makers) (list []*guide.Guide) {
	t.Helper()
	for name := range makers {
		g, found := guide.WithForm(name)
		if !found {
			t.Errorf("the form %s has no guide", name)
			continue
		}
		list = append(list, g)
	}
	return list
}
