package driver

import "cxdeck/driver/registry"

// Key is one key of a connection or card: what it means, what is stored, and what the driver makes of it.
type Key struct {
	Row *registry.Row
	// Path is the registry key that it is a value of; empty for what is kept elsewhere.
	Path string
	// Stored is the value in the registry; it does not exist for a key that is absent.
	Stored registry.Value
	// Effective is the value that the driver works with now, read when it started. It does not exist when the manuals
	// don't say what the driver does without a value.
	Effective registry.Value
	// Default is the value of a fresh installation.
	Default registry.Value
	// Pending says that what is stored now will only count later.
	Pending bool
	// Why says why Effective is or will be another than Stored, as a phrase: "9999 is above the limit of 9614".
	Why string
}

// Keys are the keys of a connection, in the order of the catalogue: its own, then those of its card, its driver and the
// system. An *UnknownConnectionError is a name that the host does not have.
func (h *Host) Keys(connection string) ([]Key, error) {
	_, err := h.port(connection)
	return nil, err
}

// AdapterKeys are the keys of a card by its name or that of one of its connections: those that its ports share.
func (h *Host) AdapterKeys(adapter string) ([]Key, error) { return nil, nil }

// Key is a key of a connection by its name; case and the asterisk at the front don't matter. An *UnknownKeyError names
// the nearest.
func (h *Host) Key(connection, name string) (Key, error) {
	return Key{}, &UnknownKeyError{Key: name}
}

// UnknownKeyError is a key that a connection or card does not have.
type UnknownKeyError struct {
	Target, Key string
	// Nearest is the name that was probably meant; empty when none is near.
	Nearest string
}

// Error says which, and what to do.
func (e *UnknownKeyError) Error() string {
	return "there is no key " + e.Key
}
