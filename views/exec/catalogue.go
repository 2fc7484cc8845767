package exec

import (
	"strings"

	"cxdeck/views/exec/shell"
	"cxdeck/views/exec/syntax"
)

// catalogue describes the commands of a table to package shell.
type catalogue struct{ *Table }

// Kind returns the kind of a command.
func (c catalogue) Kind(name string) shell.Kind {
	name = c.toolName(name)
	switch {
	case c.IsCmdlet(name):
		return shell.Cmdlet
	case c.start(name) != nil:
		return shell.Program
	}
	return shell.Unknown
}

// Word returns the first word of a line.
func (catalogue) Word(text string) (word string, length int, err error) {
	return syntax.FirstWord(text)
}

// Line returns the words of a line that is one command without syntax of PowerShell.
func (c catalogue) Line(line string) (words []string, ok bool) {
	if _, more := syntax.SplitContinuation(line); more || strings.Contains(line, `\$`) && c.needsShell(line) {
		return nil, false
	}
	words, err := c.Split(line)
	if err != nil || len(words) == 0 {
		return nil, false
	}
	command, rest := c.Match(words)
	switch {
	case command == nil:
		return nil, false
	case command.Pipes:
		return words, true
	case !c.IsCmdlet(words[0]):
		return words, plainProgram(line) && !strings.Contains(line, "$")
	case len(rest) == 0:
		return words, len(strings.Fields(line)) == 1
	}
	line = strings.TrimLeft(line, " \t&")
	return words, plainCmdlet(line[strings.IndexAny(line+" ", " \t"):])
}

// More returns a function that takes the lines which a command reads.
func (c catalogue) More(words []string) func(line string) (last bool) {
	command, rest := c.Match(words)
	if command == nil || command.Reads == nil {
		return nil
	}
	if arguments, _, err := command.read(rest); err != nil || len(arguments) != command.Min {
		return nil
	}
	return command.Reads()
}

// Check returns why a command can't be called with these words.
func (c catalogue) Check(words []string, piped bool, from string) error {
	command, rest, err := c.find(words)
	if err != nil {
		return err
	}
	if command.family.Check != nil && c.IsCmdlet(words[0]) {
		return command.family.Check(command.Name, rest, piped, from)
	}
	_, _, err = command.read(rest)
	return err
}

// Effect reports what a command does.
func (c catalogue) Effect(words []string) (changes, interrupts, asks bool) {
	if command, _ := c.Match(words); command != nil {
		return command.Changes, command.Interrupts, command.Asks
	}
	return false, false, false
}

// Missing explains a name that is no command.
func (c catalogue) Missing(name string) string {
	if why := missingCmdlet(name); why != "" {
		return why
	}
	_, _, err := c.find([]string{name})
	if err == nil {
		return "unknown command"
	}
	return err.Error()
}

// missingCmdlets are the cmdlets of PowerShell that operators type often and that cxdeck does not have, with what it has instead.
func missingCmdlets() map[string]string {
	return map[string]string{
		"out-file": "redirect the output of cxdeck exec, or use --json", "set-content": "redirect the output of cxdeck exec",
		"tee-object": "redirect the output of cxdeck exec", "export-csv": "cxdeck exec --json has each property",
		"convertto-json": "cxdeck exec --json has each property", "convertto-csv": "cxdeck exec --json has each property",
		"get-counter": "counters reads counters", "get-itemproperty": "reg get and reg list read the registry",
		"set-itemproperty": "New-ItemProperty and reg set write the registry",
		"get-help":         "help COMMAND explains a command", "get-command": "help lists the commands", "get-member": "Format-List prints all properties",
		"invoke-command": "the lab is one host; cxdeck --lab chooses another one", "invoke-expression": "type the line itself",
		"group-object": "Sort-Object and Measure-Object are here", "get-eventlog": "Get-WinEvent reads the event log",
		"get-service": "", "get-process": "", "get-childitem": "", "get-content": "", "test-netconnection": "", "test-connection": "",
		"get-netadapterstatistics": "counters reads the counters of adapters", "get-netadapterrss": "receive queues NAME shows the queues of RSS",
		"set-netadapterrss": "reg set CONNECTION *RSS and *NumRSSQueues configure RSS",
	}
}

// missingCmdlet explains a cmdlet of PowerShell that cxdeck does not have; it is empty for any other name.
func missingCmdlet(name string) string {
	instead, ok := missingCmdlets()[strings.ToLower(name)]
	switch {
	case !ok:
		return ""
	case instead == "":
		return "cxdeck does not have the cmdlet " + name + " of Windows; help lists the commands"
	}
	return "cxdeck does not have the cmdlet " + name + " of Windows; " + instead
}

// Noun returns the noun of the objects that a cmdlet prints.
func (c catalogue) Noun(words []string) string {
	command, _ := c.Match(words)
	if command == nil {
		return ""
	}
	noun, ok := strings.CutPrefix(command.Name, "Get-")
	if !ok {
		return ""
	}
	return noun
}
