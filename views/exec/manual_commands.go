package exec

import "strings"

// manualCommand returns the command of the manuals that a line begins with and that cxdeck does not support; it is empty if
// there is none. The answer to it is not "unknown command".
func manualCommand(words []string) string {
	name := strings.TrimSuffix(strings.ToLower(words[0]), ".exe")
	line := strings.TrimSpace(name + " " + strings.ToLower(strings.Join(words[1:], " ")))
	longest := ""
	for _, command := range ManualCommands() {
		lower := strings.ToLower(command)
		if (line == lower || strings.HasPrefix(line, lower+" ")) && len(command) > len(longest) {
			longest = command
		}
	}
	return longest
}

// SetupProduct returns the first word of the commands of a setup program for the name of its file; empty for any other word.
func SetupProduct(word string) string {
	name := strings.ToLower(word)
	for _, product := range [...]struct{ prefix, name string }{
		{"mlnx_vpi_winof-1_", "MLNX_WinOF2"}, // a slip of the manual of WinOF-2
		{"mlnx_vpi_winof-", "MLNX_VPI_WinOF"}, {"mlnx_vpi_winof_", "MLNX_VPI_WinOF"}, {"mlnx_winof2-", "MLNX_WinOF2"}, {"mlnx_winof2_", "MLNX_WinOF2"}, {"mellanox.msi", "MLNX_VPI_WinOF"},
	} {
		if strings.HasPrefix(name, product.prefix) {
			return product.name
		}
	}
	return ""
}

// ManualCommands returns the commands of the manuals that cxdeck does not support. A row of the command table takes precedence
// over an entry here; a test finds entries that have a row.
func ManualCommands() []string {
	return []string{
		"netsh",
	}
}

// guestProgram returns the program of a virtual machine that words begin with; it is empty if there is none. vm console takes it.
func guestProgram(words []string) string {
	switch name := strings.ToLower(TrimExe(words[0])); name {
	case "rundll32", "netcfg":
		return words[0]
	}
	return ""
}

// switchLine returns the line of a switch that words begin with; it is empty if there is none. switch console takes it.
func switchLine(words []string) string {
	line := strings.ToLower(strings.Join(words, " "))
	for _, command := range []string{
		"show interface", "show interfaces", "show ib", "show priority-flow-control", "system profile", "interface", "speed", "enable", "config terminal",
		"configure terminal", "ib sm", "no ib", "configuration write", "switchport", "dcbx", "channel-group", "load-interval", "priority-flow-control",
		"flowcontrol", "dcb",
	} {
		if line == command || strings.HasPrefix(line, command+" ") {
			return command
		}
	}
	return ""
}

// unsupportedError reports a command of the manuals that cxdeck does not support.
type unsupportedError struct{ command string }

// Error names the command.
func (e *unsupportedError) Error() string {
	return e.command + " is in the manuals, but cxdeck does not support it; help lists the commands that it supports"
}
