package request

import "fmt"

// UnknownConnectionError is a connection that the host does not have.
type UnknownConnectionError struct{ Connection string }

// Error names it and the remedy.
func (e *UnknownConnectionError) Error() string {
	return fmt.Sprintf("there is no adapter %q; use a name on the Overview, such as \"Ethernet 7\"", Word(e.Connection))
}

// UnknownAdapterError is a card that the host does not have.
type UnknownAdapterError struct{ Adapter string }

// Error names it and the remedy.
func (e *UnknownAdapterError) Error() string {
	return fmt.Sprintf("there is no adapter card %q; use a name on the Overview, such as \"ConnectX-5 Ex\"", Word(e.Adapter))
}
