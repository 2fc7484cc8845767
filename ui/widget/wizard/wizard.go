// Package wizard is the dialog that leads through steps: fields as data, answers, a review, progress and the result. The caller
// provides the steps for the answers so far and receives events; the wizard manages focus, drafts and drawing.
package wizard

import "cxdeck/ui/widget"

// Step is one step of a wizard: one page of fields.
type Step struct {
	// ID is stable: drafts and callers know the step by it. Title is one or two words for the list of steps.
	ID, Title string
	// Help explains the step: the meaning of its answers and their requirements. It is wrapped; "\n" separates paragraphs.
	Help string
	// Skip is the reason why the step is not needed now: it shows as skipped. Empty for a needed step.
	Skip string
	// Fields are the questions, in order. Fields that are useless after earlier answers are omitted.
	Fields []Field
	// Review makes the step end in Apply; its Fields are above the review. nil for other steps.
	Review *Review
	// Keys are further actions on this step (a forecast, an export); the caller receives the ID of the pressed one.
	Keys []Key
}

// Kind is the kind of a field.
type Kind uint8

// The kinds of fields, with the part of a Value that each uses.
const (
	Text   Kind = iota // a line of text: Text
	Number             // an integer from Low to High: Text
	MAC                // a MAC address, with or without separators: Text
	Toggle             // on or off: On
	OneOf              // one of Choices: Text is its ID
	ManyOf             // any of Choices: IDs are theirs
	Rows               // a list whose rows are added, edited and removed: Rows; Columns are a row's fields
	Facts              // no question: Facts are shown
	Shares             // percentages of Choices that always add up to 100: Text, as 50,30,20
	Curves             // no question: Plot is shown
)

// Field is one question.
type Field struct {
	// ID is the key of its value and must be unique in the wizard (for columns: in the row).
	ID    string
	Kind  Kind
	Label string
	// Hint is a short text beside the field: a unit, a format. A Number also shows its range.
	Hint string
	// Initial is the value until the operator changes it; it may depend on other answers.
	Initial Value
	// Required makes an empty answer an error: no text, nothing chosen, no row. An empty number or MAC is not an error
	// otherwise.
	Required bool
	// Disabled is the reason why it can't be changed now; the field is muted and shows the reason. Empty when it can.
	Disabled string
	// Choices are the choices of OneOf and ManyOf, and the parts of Shares; a disabled part has no share.
	Choices []Choice
	// Low and High are the limits of a number.
	Low, High int
	// Limit is the maximum length of a text in characters, 0 for 10,000; for Rows the maximum number of rows, 0 for no limit.
	Limit int
	// Columns are the fields of a row of Rows, of any kind except Rows and Facts. Item is the name of a row: "VLAN".
	Columns []Field
	Item    string
	// Facts are the rows that a field of this kind shows.
	Facts []Fact
	// Plot are the curves that a field of this kind shows.
	Plot Plot
}

// Plot is a set of curves over one axis.
type Plot struct {
	Curves []Curve
	// High is the value at the upper end, with Top as its text; the lower end is 0. Left and Right label the ends of the axis.
	High             float64
	Top, Left, Right string
}

// Curve is a line of values at equal distances.
type Curve struct {
	Label  string
	Values []float64
	// Dashed draws it with gaps, for what it is compared with.
	Dashed bool
}

// Choice is one of the choices of a field.
type Choice struct {
	ID, Label string
	// Mark and Word are its state; Text is the rest of its line. All may be empty.
	Mark       Mark
	Word, Text string
	// Help explains it while it is under the cursor.
	Help string
	// Disabled is the reason why it can't be chosen, in place of its state: "can't join: carries team B". Empty when it can.
	Disabled string
}

// Fact is a fact or the result of a check: glyph, word, sentence.
type Fact struct {
	Mark       Mark
	Label      string // its subject: "Firmware"
	Word, Text string
	// Fix is the key that fixes it; the zero Key for none.
	Fix Key
}

// Key is an action that a key or a press of the mouse starts.
type Key struct {
	// ID is passed to the caller. Key is a key name, and must not be one of the wizard's own keys.
	ID, Key string
	// Name is a short verb phrase, Help a full one.
	Name, Help string
}

// Mark is the glyph and colour of a state, always with a word beside it.
type Mark uint8

// The marks.
const (
	NoMark Mark = iota
	Good        // up, done, fine
	Down        // down, off, missing
	Busy        // in progress
	Warn        // needs attention
	Bad         // failed, blocking
	Waits       // waits for something, such as a restart
)

// Severity is the severity of a message. Only an error prevents Next.
type Severity uint8

// The severities of a message.
const (
	Error Severity = iota
	Warning
	Info
)

// Message is a message on an answer.
type Message struct {
	// Field is the ID of the field it belongs to; in a review's warnings it may be empty.
	Field string
	// Row is the row of a row list that it belongs to, from 1 on; 0 for the whole field.
	Row      int
	Severity Severity
	Text     string
}

// Review shows the plan before it is applied.
type Review struct {
	// Pending is work in progress for the review ("Asking the host"), during which Apply is not possible. Empty when it is
	// complete.
	Pending string
	// Refusal is the reason why the plan can't be applied. Empty when it can.
	Refusal string
	// Lines are the plan.
	Lines []Line
	// Warnings are the warnings about it, the most severe first.
	Warnings []Message
	// Forecast are the results of a forecast; Forecasting is the progress of a running one ("Forecast running, 34 of 60 s").
	Forecast    []Fact
	Forecasting string
	// Commands are the equivalent command lines, with a tab for each tool.
	Commands []Commands
	// Question are sentences on what the plan interrupts: traffic, machines, the operator's session. With a question, Back is
	// the default button. Empty for a plan without interruptions.
	Question []string
	// Buttons end the wizard; the caller receives the index of the pressed one. Empty means one button, Apply. The button Back
	// follows them.
	Buttons []widget.Button
}

// Line is a line of a plan as a difference.
type Line struct {
	Change Change
	// Text describes the change or the action; From and To are the values of a change.
	Text, From, To string
	// Note names its interruptions.
	Note string
}

// Change is the kind of a line in a plan.
type Change uint8

// The changes.
const (
	Does    Change = iota // an action, such as a restart
	Adds                  // an object is added: +
	Removes               // an object is removed: -
	Changes               // a value changes: From, To
)

// Commands are commands for one tool: "PowerShell".
type Commands struct {
	Title string
	Lines []string
}

// Progress is the progress of applying.
type Progress struct {
	Title      string
	Operations []Operation
}

// Operation is one operation that is being applied.
type Operation struct {
	Text  string
	Stage Stage
	// Note is a sentence: why it failed, or what it is waiting for.
	Note string
}

// Stage is the stage of an operation.
type Stage uint8

// The stages of an operation.
const (
	Waiting Stage = iota
	Running
	Done
	Failed
	RolledBack
)

// Result ends a wizard: the outcome, and the possible next steps.
type Result struct {
	// Mark and Word are the outcome: "done", "failed"; Text is a sentence on it.
	Mark       Mark
	Word, Text string
	// Facts are details.
	Facts []Fact
	// Next are follow-up actions; the caller receives the ID of the pressed one.
	Next []Key
	// Again reports that nothing was changed: the steps can be revisited, and the input is kept.
	Again bool
}
