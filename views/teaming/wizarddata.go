package teaming

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"
)

//go:embed wizards.json
var wizardTable []byte

// procedure is a wizard as data: what it is for, its steps, and the commands that do the same.
type procedure struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// Procedures are the ids of the manuals' procedures that it leads through.
	Procedures    []string       `json:"procedures"`
	Goal          string         `json:"goal"`
	Preconditions []precondition `json:"preconditions"`
	Steps         []step         `json:"steps"`
	// Commands are the forms of the commands that its plans stand for, Checks those that show the outcome.
	Commands []string `json:"commands"`
	Checks   []string `json:"checks"`
	Undo     string   `json:"undo"`
}

// precondition is what must be so before a procedure begins.
type precondition struct {
	Procedure string `json:"procedure"`
	Number    int    `json:"number"`
	Text      string `json:"text"`
}

// step is one page of a wizard.
type step struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// From are the steps of the procedures that it stands for: "team-create-cli/3".
	From   []string `json:"from"`
	Help   string   `json:"help"`
	Fields []field  `json:"fields"`
}

// field is one question of a step.
type field struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	// Field is its name in the procedure, empty for one that the procedure lacks.
	Field string `json:"field"`
	Help  string `json:"help"`
}

// reviewStep is the step that every wizard ends with.
const reviewStep = "review"

// procedures are all wizards. They are read when the first one is asked for.
var procedures = sync.OnceValue(func() []procedure {
	var list []procedure
	if err := json.Unmarshal(wizardTable, &list); err != nil {
		panic("teaming: the embedded wizards are damaged: " + err.Error()) // a test reads them: this can't ship
	}
	return list
})

// procedureNamed is the wizard with an id, which must be in the table.
func procedureNamed(id string) *procedure {
	list := procedures()
	for i := range list {
		if list[i].ID == id {
			return &list[i]
		}
	}
	panic("teaming: there is no wizard " + id) // the ids stand in the code
}

// help is the text beside a step: what it is about, its fields, and on the first what must be so before.
func (p *procedure) help(at int) string {
	s := &p.Steps[at]
	parts := []string{s.Help}
	for _, f := range s.Fields {
		parts = append(parts, f.Label+": "+f.Help)
	}
	if at == 0 {
		needs := "Before you begin:"
		for _, c := range p.Preconditions {
			needs += " " + c.Text
		}
		parts = append(parts, needs)
	}
	return strings.Join(parts, "\n")
}
