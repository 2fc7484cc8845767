package driver

// SetValue stores a value in the registry. Any value of the key's type can be stored; what the driver makes of it shows
// when it counts.
type SetValue struct {
	// Connection is the connection whose key it is: "Ethernet 7". It may name a key of its card, driver or system, too.
	Connection string `json:"connection,omitempty"`
	// Adapter is the card, for a key that its ports share: "ConnectX-3 Pro". One of the two is empty.
	Adapter string `json:"adapter,omitempty"`
	// Key is the name; case and the asterisk at the front don't matter. "bus-driver/PermitSriov" names its scope,
	// too.
	Key string `json:"key"`
	// Value is as it is typed: "9014", "0x2336", text for a REG_SZ.
	Value string `json:"value"`
}

// DeleteValue removes a value from the registry: the driver uses its default from then on.
type DeleteValue struct {
	Connection string `json:"connection,omitempty"`
	Adapter    string `json:"adapter,omitempty"`
	Key        string `json:"key"`
}
