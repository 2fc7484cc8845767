package shell

// Kind is the kind of a command of the host.
type Kind int

// Unknown names are refused. Cmdlets take parameters and values of PowerShell; Programs take words.
const (
	Unknown Kind = iota
	Cmdlet
	Program
)

// Catalogue describes the commands of the host.
type Catalogue interface {
	// Kind returns the kind of a command by the word that a line begins with.
	Kind(name string) Kind
	// Word returns the first word of a program's arguments without its quotes, and its length with them.
	Word(text string) (word string, length int, err error)
	// Line returns the words of a line that is one command without syntax of PowerShell; ok is false for any other.
	Line(line string) (words []string, ok bool)
	// More returns a function that takes the further lines that a command reads from the script, and reports the last one; nil for
	// a command that reads none.
	More(words []string) func(line string) (last bool)
	// Check returns why a command can't be called with these words. An unknown value is represented by Placeholder. from is the noun
	// of the objects that the command gets from a pipe; piped reports that it gets any, of an unknown kind if from is empty.
	Check(words []string, piped bool, from string) error
	// Effect reports what the command does.
	Effect(words []string) (changes, interrupts, asks bool)
	// Missing explains a name that is no command.
	Missing(name string) string
	// Noun returns the noun of the objects that a cmdlet prints; empty for none.
	Noun(words []string) string
}

// Placeholder represents an unknown value in the words that Check gets.
const Placeholder = "value"
