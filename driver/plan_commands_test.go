package driver

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"cxdeck/device/description"
	"cxdeck/driver/cmdlet"
	"cxdeck/driver/teams"
)

// TestTheJournalKeepsWhatIsTyped: the commands of Windows for its teams and the GUIDs of adapters, also after the host
// was saved, its teams were removed and the plan failed; an entry of an older version has the commands of its Operations
// alone.
func TestTheJournalKeepsWhatIsTyped(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	mustApply(t, h, teams.Create{Name: "S", Type: "SFT", Family: description.WinOF2}, teams.Attach{Team: "S", Connection: "Ethernet 9"})
	mustApply(t, h, teams.Create{Name: "M", Type: "AFT", Family: description.WinOF}, teams.Attach{Team: "M", Connection: "Ethernet 3"})
	mustApply(t, h, teams.Delete{Team: "S"})
	if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{
		teams.Delete{Team: "nobody"}, teams.Detach{Team: "M", Connection: "Ethernet 3"},
	}}); err == nil {
		t.Fatal("a team was deleted that there is not")
	}
	if _, err := h.UndoEntry(3); err != nil {
		t.Fatal(err)
	}
	h, err := RestoreHost(h.lab.Description(), mustSave(t, h))
	if err != nil {
		t.Fatal(err)
	}
	d, _, _ := h.lab.Port(portOf(t, h, "Ethernet 3"))
	const team = `New-NetLbfoTeam -Name "S" -TeamMembers "Ethernet 9" -TeamingMode SwitchIndependent -LoadBalancingAlgorithm TransportPorts -Confirm:$false`
	const comes = "# S is created with its first member: Windows has no team without one."
	for i, want := range [][]string{
		{comes, team},
		{"vlan_config create team AFT M", `vlan_config attach team M "` + d.Interface + `"`},
		{`Remove-NetLbfoTeam -Name "S" -Confirm:$false`},
		{"vlan_config removeteam nobody", `vlan_config detach team M "` + d.Interface + `"`},
		{comes, team},
	} {
		if got := slices.Concat(h.journal[i].Commands()...); !slices.Equal(got, want) {
			t.Errorf("change %d was typed as %q", i+1, got)
		}
	}
	data, err := json.Marshal(h.journal[0])
	if err != nil {
		t.Fatal(err)
	}
	var old Entry
	cut := `,"commands":` + strings.SplitAfter(strings.SplitN(string(data), `,"commands":`, 2)[1], "}")[0]
	if err := json.Unmarshal([]byte(strings.Replace(string(data), cut, "", 1)), &old); err != nil {
		t.Fatal(err)
	}
	if got := old.Commands()[1]; !slices.Equal(got, []string{`vlan_config attach team S "{GUID of Ethernet 9}"`}) {
		t.Errorf("an older entry was typed as %q", got)
	}
}

// TestArgumentsOfTools: a plain word is as it is, and nothing that a name can have means anything to cmd or PowerShell.
func TestArgumentsOfTools(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"MyTeam": "MyTeam", "My Team": `"My Team"`, "": `""`, "-x": `"-x"`, "{30C3-F1}": `"{30C3-F1}"`, "a & calc": `"a & calc"`,
		"it's": `"it's"`, "Zürich": `"Zürich"`, "50%x": `('50' + [char]37 + 'x')`, "$(calc)": `('' + [char]36 + [char]40 + 'calc' + [char]41)`,
		`a" & calc`: `('a' + [char]34 + ' ' + [char]38 + ' calc')`, "`'": `('' + [char]96 + [char]39)`, `end\`: `('end' + [char]92)`,
		"”; calc": `('' + [char]8221 + [char]59 + ' calc')`, "a\nb": `('a' + [char]10 + 'b')`,
	} {
		if got := cmdlet.Word(name); got != want {
			t.Errorf("%q is %s, want %s", name, got, want)
		}
	}
}
