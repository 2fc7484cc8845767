package exec

import "sync"

// Standard is the table of all commands.
var Standard = sync.OnceValue(func() *Table {
	return NewTable(hostFamily(), winofFamily(), winof2Family(), firmwareFamily(), powershellFamily())
})
