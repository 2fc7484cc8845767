package teaming

// The IDs of fields that several wizards share.
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

// noPrimary is the choice of no primary member, because an ID must not be empty.
const noPrimary = "(none)"

// noVLANs is the reason why InfiniBand ports and their teams can't have VLANs.
const noVLANs = "InfiniBand has PKeys in place of VLANs"
