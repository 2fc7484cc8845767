package mux

import "slices"

// Status is the state of a member's link (TEAM-1).
type Status uint8

// The states.
const (
	Connected Status = iota
	Disconnected
	Disabled
)

// String returns the manual's word for it.
func (s Status) String() string {
	return [...]string{"Connected", "Disconnected", "Disabled"}[min(s, Disabled)]
}

// Role is the part of a member in its team (TEAM-1).
type Role uint8

// The roles.
const (
	Backup Role = iota
	Active
)

// String returns the manual's word for it.
func (r Role) String() string { return [...]string{"Backup", "Active"}[min(r, Active)] }

// NoMember means no member.
const NoMember = -1

// Member is an adapter of a team. Key identifies it for the owner of the machine.
type Member struct {
	Key    int
	Status Status
}

// Machine is a team with its current state. The owner changes its fields and calls ChooseActive.
type Machine struct {
	Type Type
	// Failback lets the primary take over again when it comes back.
	Failback bool
	// Members are in the order of their attachment.
	Members []Member
	// Primary is the key of the preferred member, or NoMember for the member that was attached first (TEAM-5).
	Primary int
	// Chosen is the key of the member that carries everything in a team of one active member, or NoMember.
	Chosen int
	// Ungrouped reports that the switch ports of the members do not form one aggregation group; a team whose type needs one is
	// then down.
	Ungrouped bool
}

// Attach adds a member after the others. As the primary member it replaces the previous one (TEAM-9).
func (m *Machine) Attach(member Member, primary bool) {
	m.Members = append(m.Members, member)
	if primary {
		m.Primary = member.Key
	}
}

// Detach removes a member. If it was the primary, the first remaining member becomes the primary (TEAM-9).
func (m *Machine) Detach(key int) {
	m.Members = slices.DeleteFunc(slices.Clone(m.Members), func(member Member) bool { return member.Key == key })
	if m.Primary != key {
		return
	}
	m.Primary = NoMember
	if len(m.Members) > 0 {
		m.Primary = m.Members[0].Key
	}
}

// ChooseActive chooses the active member after something changed (TEAM-4 to TEAM-7).
func (m *Machine) ChooseActive() {
	if !m.Type.FaultTolerant() {
		m.Chosen = NoMember
		return
	}
	first := m.First()
	if m.connected(m.Chosen) && (!m.Failback || !m.connected(first)) {
		return
	}
	m.Chosen = NoMember
	if m.connected(first) {
		m.Chosen = first
		return
	}
	for _, member := range m.Members {
		if member.Status == Connected {
			m.Chosen = member.Key
			return
		}
	}
}

// First returns the key of the primary, or of the first member if there is no primary; NoMember for a team without members.
func (m *Machine) First() int {
	for _, member := range m.Members {
		if member.Key == m.Primary {
			return m.Primary
		}
	}
	if len(m.Members) == 0 {
		return NoMember
	}
	return m.Members[0].Key
}

func (m *Machine) connected(key int) bool {
	for _, member := range m.Members {
		if member.Key == key {
			return member.Status == Connected
		}
	}
	return false
}

// ActiveSet returns the keys of the members that carry traffic, in the order of their attachment (TEAM-4, TEAM-8).
func (m *Machine) ActiveSet() (keys []int) {
	for _, member := range m.Members {
		if m.Role(member.Key) == Active {
			keys = append(keys, member.Key)
		}
	}
	return keys
}

// Role returns the role of a member.
func (m *Machine) Role(key int) Role {
	active := m.connected(key)
	switch {
	case m.Type.FaultTolerant():
		active = key == m.Chosen && key != NoMember
	case m.Type.Aggregates() && m.Ungrouped:
		active = false
	}
	if active {
		return Active
	}
	return Backup
}

// Connected reports whether the team carries traffic: any member does.
func (m *Machine) Connected() bool { return len(m.ActiveSet()) > 0 }
