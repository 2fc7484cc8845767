package teaming

// The ids of fields that more than one wizard has.
const (
	fieldPorts    = "ports"
	fieldType     = "type"
	fieldName     = "name"
	fieldMembers  = "members"
	fieldPrimary  = "primary"
	fieldFailback = "failback"
	fieldMAC      = "mac"
	fieldVLANs    = "vlans"
	fieldID       = "vlan_id"
	fieldVLAN     = "vlan_name"
	fieldPriority = "priority"
	fieldTeam     = "team"
	fieldOn       = "on"
)

// noPrimary is the choice of no primary member: an id must not be empty.
const noPrimary = "(none)"

// noVLANs is why nothing of InfiniBand has VLANs.
const noVLANs = "InfiniBand has PKeys in place of VLANs"
