package teaming

import (
	"testing"

	"cxdeck/views/viewtest"
)

func TestWizardsFollowTheProcedures(t *testing.T) {
	t.Parallel()
	manual := viewtest.Manual{
		File: "testdata/procedures.json", OnScreen: []string{"team-query-cli"},
		Fields: map[string]string{"team-create-ui/6": "failback", "team-modify-ui/2": "new_name"},
		Examples: map[string]string{
			`Set-NetAdapterAdvancedProperty -Name "Ethernet 4" -RegistryKeyword "VlanID" -RegistryValue "55"`: `Set-NetAdapterAdvancedProperty -Name "<Connection>" -RegistryKeyword "VlanID" -RegistryValue "<VlanId>"`,
			"vlan_config attach team <TeamName> {<Adapter-GUID>}":                                             "vlan_config attach team <TeamName> {<Adapter-GUID>} [primary] [SetTeamMacAddress]",
		},
	}
	manual.Follow(t, procedures())
}

func TestEveryStepIsExplained(t *testing.T) {
	t.Parallel()
	viewtest.Explained(t, procedures())
}
