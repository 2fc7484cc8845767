package subnet

// State is the state of an InfiniBand port in its subnet.
type State uint8

// The states of a port in its subnet.
const (
	None   State = iota // not an InfiniBand port
	Down                // no link
	Init                // the link is trained, and no subnet manager has configured the port
	Active              // it carries traffic
)

// String returns the state in the form of the InfiniBand tools: "DOWN", "INIT", "ACTIVE"; empty for Ethernet.
func (s State) String() string { return [...]string{"", "DOWN", "INIT", "ACTIVE"}[min(s, Active)] }
