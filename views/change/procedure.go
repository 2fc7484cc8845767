package change

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"cxdeck/driver/request"
	"cxdeck/ui/widget/wizard"
)

// ReviewStep is the id of the last step of every wizard.
const ReviewStep = "review"

// Procedure is a wizard as data: its purpose, its steps, and the equivalent commands.
type Procedure struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// Procedures are the ids of the manuals' procedures that it leads through.
	Procedures    []string       `json:"procedures"`
	Goal          string         `json:"goal"`
	Preconditions []Precondition `json:"preconditions"`
	Steps         []Step         `json:"steps"`
	// Commands are the forms of the commands that its plans represent, Checks the commands that show the outcome.
	Commands []string `json:"commands"`
	Checks   []string `json:"checks"`
	Undo     string   `json:"undo"`
}

// Precondition is a condition for a procedure to begin.
type Precondition struct {
	Procedure string `json:"procedure"`
	Number    int    `json:"number"`
	Text      string `json:"text"`
}

// Step is one page of a wizard.
type Step struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// From are the steps of the procedures that it represents: "sriov-firmware-mlxconfig/4".
	From   []string `json:"from"`
	Help   string   `json:"help"`
	Fields []Field  `json:"fields"`
}

// Field is one question of a step, with the parts that are the same on every host. The JSON names are the names of the
// widget's field.
type Field struct {
	wizard.Field
	// Kind is empty for a field of the procedure that follows from others: the wizard does not ask for it.
	Kind Kind `json:"kind"`
	// Columns are the ids of the step's fields that are the columns of a row.
	Columns []string `json:"columns"`
	// InProcedure is its name in the procedure, empty for a field that the procedure lacks.
	InProcedure string `json:"field"`
	Help        string `json:"help"`
}

// Kind is the name of a kind of field in the tables: a key of kinds.
type Kind string

var kinds = map[Kind]wizard.Kind{
	"text": wizard.Text, "number": wizard.Number, "mac": wizard.MAC, "toggle": wizard.Toggle,
	"one": wizard.OneOf, "many": wizard.ManyOf, "rows": wizard.Rows, "facts": wizard.Facts, "shares": wizard.Shares, "curves": wizard.Curves,
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (k *Kind) UnmarshalText(text []byte) error {
	if *k = Kind(text); kinds[*k] == 0 && *k != "text" {
		return request.Errorf("invalid kind of field %q", text)
	}
	return nil
}

// shownFields returns the visible fields of a step, completed by a form.
func (s *Step) shownFields(complete Completer, values wizard.Values) (list []wizard.Field) {
	for i := range s.Fields {
		id := s.Fields[i].ID
		if slices.ContainsFunc(s.Fields, func(f Field) bool { return slices.Contains(f.Columns, id) }) {
			continue
		}
		list = s.ask(list, id, complete, values)
	}
	return list
}

// ask appends the field with an id, unless it is hidden.
func (s *Step) ask(list []wizard.Field, id string, complete Completer, values wizard.Values) []wizard.Field {
	f := &s.Fields[slices.IndexFunc(s.Fields, func(f Field) bool { return f.ID == id })]
	if f.Kind == "" {
		return list
	}
	field := f.Field
	field.Kind = kinds[f.Kind]
	for _, column := range f.Columns {
		field.Columns = s.ask(field.Columns, column, complete, values)
	}
	if complete != nil && !complete(&field, values) {
		return list
	}
	return append(list, field)
}

// ReadProcedures reads an embedded table of wizards. It panics if the table is invalid.
func ReadProcedures(table []byte) []Procedure {
	var list []Procedure
	decoder := json.NewDecoder(bytes.NewReader(table))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&list); err != nil {
		panic("change: the embedded wizards are damaged: " + err.Error())
	}
	return list
}

// ProcedureNamed returns the wizard with an id. It panics if there is none: ids are constants of the code.
func ProcedureNamed(list []Procedure, id string) *Procedure {
	at := slices.IndexFunc(list, func(p Procedure) bool { return p.ID == id })
	if at < 0 {
		panic("change: there is no wizard " + id)
	}
	return &list[at]
}

// help returns the text beside a step: its purpose, its visible fields, and on the first step the preconditions.
func (p *Procedure) help(at int, fields []wizard.Field) string {
	s := &p.Steps[at]
	parts := []string{s.Help}
	for _, f := range s.Fields {
		if f.Help != "" && shows(fields, f.ID) {
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

// shows reports whether a field is visible, itself or as a column.
func shows(fields []wizard.Field, id string) bool {
	return slices.ContainsFunc(fields, func(f wizard.Field) bool { return f.ID == id || shows(f.Columns, id) })
}
