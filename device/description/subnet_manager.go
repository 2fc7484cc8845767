package description

import "errors"

// SubnetManager is the state of the subnet manager of an InfiniBand port. A port that has trained its link waits in
// the state INIT until a subnet manager has configured it.
type SubnetManager uint8

// The states of a subnet manager.
const (
	// SubnetManaged: the subnet manager runs, and activates ports as they come up.
	SubnetManaged SubnetManager = iota
	// SubnetDown: the subnet manager has stopped. Active ports stay active; a port that comes up again waits.
	SubnetDown
	// SubnetAbsent: the subnet has no subnet manager, as after a restart of its switch: no port is active.
	SubnetAbsent
)

// ErrSubnetManager is returned for an unknown state of a subnet manager.
var ErrSubnetManager = errors.New("a subnet manager must be up, down or absent")

// Known reports whether it is a state of a subnet manager.
func (m SubnetManager) Known() bool { return int(m) < len(m.words()) }
