package teaming

import (
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/teams"
	"cxdeck/perf/labstate"
)

// portKind holds the properties that the members of a team must share.
type portKind struct {
	family description.Family
	ipoib  bool
}

// portKinds are the kinds of ports that can form a team, with their IDs in the wizards.
var portKinds = []struct {
	id   string
	kind portKind
}{
	{"winof-2", portKind{family: description.WinOF2}},
	{"winof", portKind{family: description.WinOF}},
	{"ipoib", portKind{family: description.WinOF, ipoib: true}},
}

// portKindOf returns the kind of a port.
func portKindOf(p *labstate.Port) portKind {
	return portKind{p.Adapter.Family, p.Description.Link == description.InfiniBand}
}

// teamKind returns the kind of a team's members.
func teamKind(t *teams.View) portKind { return portKind{t.Family, t.IPoIB} }

// label returns the name of the kind: "WinOF-2 Ethernet".
func (k portKind) label() string {
	if k.ipoib {
		return familyText(k.family) + " IPoIB"
	}
	return familyText(k.family) + " Ethernet"
}

// maker returns the name of the multiplexer driver that teams ports of this kind.
func (k portKind) maker() string {
	switch {
	case k.ipoib:
		return "the multiplexer of WinOF; failover only"
	case k.family == description.WinOF:
		return "the multiplexer of WinOF"
	default:
		return "Windows Server itself"
	}
}

// kindOfID returns the kind with an ID of portKinds.
func kindOfID(id string) portKind {
	for _, k := range portKinds {
		if k.id == id {
			return k.kind
		}
	}
	return portKind{}
}

// owner is the owner of a VLAN: a team or a port; the other field is empty.
type owner struct{ team, connection string }

// ownerOf returns the team or port to which a VLAN is added if a row is selected.
func ownerOf(r *row) owner {
	if r.team != nil {
		return owner{team: r.team.Name}
	}
	return owner{connection: r.port.Description.Connection}
}

// name returns the name of the team or port.
func (o owner) name() string { return o.team + o.connection }

// id returns the ID of an owner among the choices of a wizard.
func (o owner) id() string {
	if o.team != "" {
		return "team:" + o.team
	}
	return "port:" + o.connection
}

// ownerOfID is the inverse of id.
func ownerOfID(id string) owner {
	if team, ok := strings.CutPrefix(id, "team:"); ok {
		return owner{team: team}
	}
	return owner{connection: strings.TrimPrefix(id, "port:")}
}
