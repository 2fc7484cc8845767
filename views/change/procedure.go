package change

import (
	"encoding/json"
	"slices"
	"strings"

	"cxdeck/ui/widget"
)

// ReviewStep is the step that every wizard ends with.
const ReviewStep = "review"

// Procedure is a wizard as data: what it is for, its steps, and the commands that do the same.
type Procedure struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// Procedures are the ids of the manuals' procedures that it leads through.
	Procedures    []string       `json:"procedures"`
	Goal          string         `json:"goal"`
	Preconditions []Precondition `json:"preconditions"`
	Steps         []Step         `json:"steps"`
	// Commands are the forms of the commands that its plans stand for, Checks the commands that show the outcome.
	Commands []string `json:"commands"`
	Checks   []string `json:"checks"`
	Undo     string   `json:"undo"`
}

// Precondition is what must be so before a procedure begins.
type Precondition struct {
	Procedure string `json:"procedure"`
	Number    int    `json:"number"`
	Text      string `json:"text"`
}

// Step is one page of a wizard.
type Step struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// From are the steps of the procedures that it stands for: "sriov-firmware-mlxconfig/4".
	From   []string `json:"from"`
	Help   string   `json:"help"`
	Fields []Field  `json:"fields"`
}

// Field is one question of a step.
type Field struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	// Field is its name in the procedure, empty for one that the procedure lacks.
	Field string `json:"field"`
	Help  string `json:"help"`
}

// ReadProcedures reads an embedded table of wizards, which a test of its screen reads, too.
func ReadProcedures(table []byte) []Procedure {
	var list []Procedure
	if err := json.Unmarshal(table, &list); err != nil {
		panic("change: the embedded wizards are damaged: " + err.Error())
	}
	return list
}

// ProcedureNamed is the wizard with an id, which must be among them: ids stand in the code.
func ProcedureNamed(list []Procedure, id string) *Procedure {
	at := slices.IndexFunc(list, func(p Procedure) bool { return p.ID == id })
	if at < 0 {
		panic("change: there is no wizard " + id)
	}
	return &list[at]
}

// help is the text beside a step: what it is about, the fields that it shows, and on the first what must be so before.
func (p *Procedure) help(at int, fields []widget.WizardField) string {
	s := &p.Steps[at]
	parts := []string{s.Help}
	for _, f := range s.Fields {
		if shows(fields, f.ID) {
			parts = append(parts, f.Label+": "+f.Help)
		}
	}
	if at == 0 && len(p.Preconditions) > 0 {
		needs := "Before you begin:"
		for _, c := range p.Preconditions {
			needs += " " + c.Text
		}
		parts = append(parts, needs)
	}
	return strings.Join(parts, "\n")
}

// shows says whether a field belongs to a step, or is a column of its row list.
func shows(fields []widget.WizardField, id string) bool {
	return slices.ContainsFunc(fields, func(f widget.WizardField) bool { return f.ID == id || shows(f.Columns, id) })
}
