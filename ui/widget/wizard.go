package widget

// WizardStep is one step of a wizard: what is asked on one page.
type WizardStep struct {
	// ID is stable: drafts and callers know the step by it. Title is one or two words for the list of steps.
	ID, Title string
	// Help explains the step: what its answers mean and what they need. It is wrapped; "\n" parts paragraphs.
	Help string
	// Skip is why there is nothing to ask here now: the step shows as skipped and is passed over. Empty for a step
	// that counts.
	Skip string
	// Fields are the questions, in order. A field that earlier answers make pointless is left out.
	Fields []WizardField
	// Review makes the step the one that ends in Apply; its Fields stand above it. nil for any other step.
	Review *WizardReview
	// Keys are further actions on this step (a forecast, an export); the caller receives the ID of the pressed one.
	Keys []WizardKey
}

// WizardKind is the kind of a field.
type WizardKind uint8

// The kinds of fields, with the part of a WizardValue that each uses.
const (
	WizardText   WizardKind = iota // a line of text: Text
	WizardNumber                   // a whole number from Low to High: Text
	WizardMAC                      // a MAC address, with or without separators: Text
	WizardToggle                   // on or off: On
	WizardOneOf                    // one of Choices: Text is its ID
	WizardManyOf                   // any of Choices: IDs are theirs
	WizardRows                     // a list whose rows are added, edited and removed: Rows; Columns are a row's fields
	WizardFacts                    // nothing is asked: Facts are shown
)

// WizardField is one question.
type WizardField struct {
	// ID is the key of its value and must be unique in the wizard (for columns: in the row).
	ID    string
	Kind  WizardKind
	Label string
	// Hint says in a few words what belongs there, beside the field: a unit, a form. Number adds its range by itself.
	Hint string
	// Initial is the value until the operator enters another one; it may depend on other answers.
	Initial WizardValue
	// Required makes an empty answer an error: no text, nothing chosen, no row. An empty number or MAC is no error
	// otherwise.
	Required bool
	// Disabled is why it can't be changed now; it shows, muted, with the reason. Empty when it can.
	Disabled string
	// Choices are the choices of OneOf and ManyOf.
	Choices []WizardChoice
	// Low and High bound a number.
	Low, High int
	// Limit bounds the length of a text in characters, 0 for 256; for Rows the number of rows, 0 for any.
	Limit int
	// Columns are the fields of a row of Rows: of any kind but Rows and Facts. Item is what one row is called: "VLAN".
	Columns []WizardField
	Item    string
	// Facts are the rows that a field of this kind shows.
	Facts []WizardFact
}

// WizardChoice is something that can be chosen.
type WizardChoice struct {
	ID, Label string
	// Mark and Word are its state, glyph and word; Text is the rest of its line. All may be empty.
	Mark       WizardMark
	Word, Text string
	// Help explains it, while it is under the cursor.
	Help string
	// Disabled is why it can't be chosen, in place of its state: "can't join: carries team B". Empty when it can.
	Disabled string
}

// WizardFact is something that is so, or a check: glyph, word, sentence.
type WizardFact struct {
	Mark       WizardMark
	Label      string // what it is about: "Firmware"
	Word, Text string
	// Fix is the key that starts what fixes it; the zero WizardKey for none.
	Fix WizardKey
}

// WizardKey is something that a key or a press of the mouse starts.
type WizardKey struct {
	// ID is passed to the caller. Key is a key name as in actions, and must not be one of the wizard's own keys.
	ID, Key string
	// Name is a short verb phrase, Help a full one.
	Name, Help string
}

// WizardMark is the glyph and colour of a state; a word always stands beside it.
type WizardMark uint8

// The marks.
const (
	WizardNoMark WizardMark = iota
	WizardGood              // up, done, fine
	WizardDown              // down, off, not there
	WizardBusy              // on its way
	WizardWarn              // needs a look
	WizardBad               // failed, in the way
	WizardWaits             // waits for something, such as a restart
)

// WizardSeverity says how bad a message is. Only an error keeps the wizard from going on.
type WizardSeverity uint8

// The severities of a message.
const (
	WizardError WizardSeverity = iota
	WizardWarning
	WizardInfo
)

// WizardMessage is something to say of an answer.
type WizardMessage struct {
	// Field is the ID of the field it belongs to; in a review's warnings it may be empty.
	Field string
	// Row is the row of a row list that it belongs to, from 1 on; 0 for the whole field.
	Row      int
	Severity WizardSeverity
	Text     string
}

// WizardReview shows what will be done.
type WizardReview struct {
	// Pending says what is still being worked out ("Asking the host"); Apply is refused meanwhile. Empty when it is
	// all here.
	Pending string
	// Refusal is why it can't be applied. Empty when it can.
	Refusal string
	// Lines are the plan.
	Lines []WizardLine
	// Warnings are the arguments against it, the worst first.
	Warnings []WizardMessage
	// Forecast are the lines of a rehearsal's outcome; Rehearsing says that one runs ("Rehearsing, 34 of 60 s").
	Forecast   []WizardFact
	Rehearsing string
	// Commands are the equivalent command lines, a tab for each shell.
	Commands []WizardCommands
	// Question are sentences that name what it takes from others: traffic, machines, the operator's session. Where there
	// are any, Enter leads back unless another button was chosen. Empty for a plan that takes nothing.
	Question []string
	// Buttons end the wizard; the caller receives the number of the pressed one. Empty for one that says Apply. The one that leads back
	// comes behind them.
	Buttons []Button
}

// WizardLine is a line of a plan as a difference.
type WizardLine struct {
	Change WizardChange
	// Text describes the change or the action, From and To are the values of a change.
	Text, From, To string
	// Note says what it interrupts.
	Note string
}

// WizardChange is the kind of a line in a plan.
type WizardChange uint8

// The changes.
const (
	WizardDoes    WizardChange = iota // something happens, such as a restart
	WizardAdds                        // something comes into being: +
	WizardRemoves                     // something goes: -
	WizardChanges                     // something is another afterwards: From, To
)

// WizardCommands are commands for one world: "PowerShell".
type WizardCommands struct {
	Title string
	Lines []string
}

// WizardProgress is how far applying has come.
type WizardProgress struct {
	Title      string
	Operations []WizardOperation
}

// WizardOperation is one operation that is being applied.
type WizardOperation struct {
	Text  string
	Stage WizardStage
	// Note is a sentence: why it failed, what it waits for.
	Note string
}

// WizardStage is how far an operation has come.
type WizardStage uint8

// The stages of an operation.
const (
	WizardWaiting WizardStage = iota
	WizardRunning
	WizardDone
	WizardFailed
	WizardRolledBack
)

// WizardResult ends a wizard: what came of it, and what can be done next.
type WizardResult struct {
	// Mark and Word are the outcome: "done", "failed"; Text says it in a sentence.
	Mark       WizardMark
	Word, Text string
	// Facts are details.
	Facts []WizardFact
	// Next are follow-up actions; the caller receives the ID of the pressed one.
	Next []WizardKey
	// Again says that nothing was changed: the steps can be gone back to, and what was typed is kept.
	Again bool
}
