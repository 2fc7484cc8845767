package exec

import "slices"

// nameHelp is what is said of a NAME wherever one is taken, cardHelp where it may be that of a card.
const (
	nameHelp = "NAME is the name of a connection, as adapter list prints it; upper and lower case are alike, and one " +
		"with spaces stands in quotes."
	cardHelp  = "NAME is the name of a connection or of a card. " + afterName
	afterName = "Upper and lower case are alike, and a name with spaces stands in quotes."
)

// Commands is the table of commands, in the order of help.
func Commands() []Command {
	return exemplified(slices.Concat(adapterCommands(), limitCommands(), registryCommands(), planCommands(), teamCommands(), toolCommands(),
		ringCommands(), muxCommands(), lbfoCommands(), undoable(firmwareCommands()), undoable(sriovCommands()),
		undoable(hyperVCommands()), cmdlets(), windowsCommands(), fabricCommands(), hostCommands()))
}
