// Package wizard is the dialog that leads through steps: fields as data, answers, a review, progress and the result.
// The caller gives the steps for the answers so far and receives events; the wizard keeps focus, drafts and drawing.
package wizard

import "cxdeck/ui/widget"

// Step is one step of a wizard: what is asked on one page.
type Step struct {
	// ID is stable: drafts and callers know the step by it. Title is one or two words for the list of steps.
	ID, Title string
	// Help explains the step: what its answers mean and what they need. It is wrapped; "\n" parts paragraphs.
	Help string
	// Skip is the reason why there is nothing to ask here now: the step shows as skipped and is passed over. Empty for a step
	// that counts.
	Skip string
	// Fields are the questions, in order. A field that earlier answers make pointless is left out.
	Fields []Field
	// Review makes the step the one that ends in Apply; its Fields are above it. nil for any other step.
	Review *Review
	// Keys are further actions on this step (a forecast, an export); the caller receives the ID of the pressed one.
	Keys []Key
}

// Kind is the kind of a field.
type Kind uint8

// The kinds of fields, with the part of a Value that each uses.
const (
	Text   Kind = iota // a line of text: Text
	Number             // a whole number from Low to High: Text
	MAC                // a MAC address, with or without separators: Text
	Toggle             // on or off: On
	OneOf              // one of Choices: Text is its ID
	ManyOf             // any of Choices: IDs are theirs
	Rows               // a list whose rows are added, edited and removed: Rows; Columns are a row's fields
	Facts              // nothing is asked: Facts are shown
)

// Field is one question.
type Field struct {
	// ID is the key of its value and must be unique in the wizard (for columns: in the row).
	ID    string
	Kind  Kind
	Label string
	// Hint says in a few words what belongs there, beside the field: a unit, a form. Number adds its range by itself.
	Hint string
	// Initial is the value until the operator enters another one; it may depend on other answers.
	Initial Value
	// Required makes an empty answer an error: no text, nothing chosen, no row. An empty number or MAC is not an error
	// otherwise.
	Required bool
	// Disabled is the reason why it can't be changed now; it shows, muted, with the reason. Empty when it can.
	Disabled string
	// Choices are the choices of OneOf and ManyOf.
	Choices []Choice
	// Low and High bound a number.
	Low, High int
	// Limit bounds the length of a text in characters, 0 for 256; for Rows the number of rows, 0 for any.
	Limit int
	// Columns are the fields of a row of Rows: of any kind but Rows and Facts. Item is what one row is called: "VLAN".
	Columns []Field
	Item    string
	// Facts are the rows that a field of this kind shows.
	Facts []Fact
}

// Choice is something that can be chosen.
type Choice struct {
	ID, Label string
	// Mark and Word are its state, glyph and word; Text is the rest of its line. All may be empty.
	Mark       Mark
	Word, Text string
	// Help explains it, while it is under the cursor.
	Help string
	// Disabled is the reason why it can't be chosen, in place of its state: "can't join: carries team B". Empty when it can.
	Disabled string
}

// Fact is something that is so, or a check: glyph, word, sentence.
type Fact struct {
	Mark       Mark
	Label      string // its subject: "Firmware"
	Word, Text string
	// Fix is the key that starts what fixes it; the zero Key for none.
	Fix Key
}

// Key is something that a key or a press of the mouse starts.
type Key struct {
	// ID is passed to the caller. Key is a key name as in actions, and must not be one of the wizard's own keys.
	ID, Key string
	// Name is a short verb phrase, Help a full one.
	Name, Help string
}

// Mark is the glyph and colour of a state; a word always is beside it.
type Mark uint8

// The marks.
const (
	NoMark Mark = iota
	Good        // up, done, fine
	Down        // down, off, not there
	Busy        // on its way
	Warn        // needs a look
	Bad         // failed, in the way
	Waits       // waits for something, such as a restart
)

// Severity is how bad a message is. Only an error keeps the wizard from going on.
type Severity uint8

// The severities of a message.
const (
	Error Severity = iota
	Warning
	Info
)

// Message is something to say of an answer.
type Message struct {
	// Field is the ID of the field it belongs to; in a review's warnings it may be empty.
	Field string
	// Row is the row of a row list that it belongs to, from 1 on; 0 for the whole field.
	Row      int
	Severity Severity
	Text     string
}

// Review shows what will be done.
type Review struct {
	// Pending is what is still being worked out ("Asking the host"); Apply is refused meanwhile. Empty when it is
	// all here.
	Pending string
	// Refusal is the reason why it can't be applied. Empty when it can.
	Refusal string
	// Lines are the plan.
	Lines []Line
	// Warnings are the arguments against it, the worst first.
	Warnings []Message
	// Forecast are the lines of a rehearsal's outcome; Rehearsing says that one runs ("Rehearsing, 34 of 60 s").
	Forecast   []Fact
	Rehearsing string
	// Commands are the equivalent command lines, a tab for each shell.
	Commands []Commands
	// Question are sentences that name what it takes from others: traffic, machines, the operator's session. Where there
	// are any, Enter leads back unless another button was chosen. Empty for a plan that takes nothing.
	Question []string
	// Buttons end the wizard; the caller receives the number of the pressed one. Empty for one that says Apply. The one that leads back
	// follows them.
	Buttons []widget.Button
}

// Line is a line of a plan as a difference.
type Line struct {
	Change Change
	// Text describes the change or the action, From and To are the values of a change.
	Text, From, To string
	// Note is what it interrupts.
	Note string
}

// Change is the kind of a line in a plan.
type Change uint8

// The changes.
const (
	Does    Change = iota // something happens, such as a restart
	Adds                  // something comes into being: +
	Removes               // something goes: -
	Changes               // something is another afterwards: From, To
)

// Commands are commands for one world: "PowerShell".
type Commands struct {
	Title string
	Lines []string
}

// Progress is how far applying has come.
type Progress struct {
	Title      string
	Operations []Operation
}

// Operation is one operation that is being applied.
type Operation struct {
	Text  string
	Stage Stage
	// Note is a sentence: why it failed, what it waits for.
	Note string
}

// Stage is how far an operation has come.
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
	// Mark and Word are the outcome: "done", "failed"; Text says it in a sentence.
	Mark       Mark
	Word, Text string
	// Facts are details.
	Facts []Fact
	// Next are follow-up actions; the caller receives the ID of the pressed one.
	Next []Key
	// Again reports that nothing was changed: the steps can be revisited, and the input is kept.
	Again bool
}
