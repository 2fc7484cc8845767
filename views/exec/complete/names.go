package complete

import (
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
	"cxdeck/driver/scenes"
	"cxdeck/driver/teams/mux"
	"cxdeck/views/exec"
	"cxdeck/views/exec/registrykey"
)

// createsObject reports whether the command creates an object, whose name does not exist yet.
func (k *completer) createsObject() bool {
	name := strings.ToLower(k.command.Name)
	return strings.HasPrefix(name, "new-") || strings.HasSuffix(name, " create") || strings.HasSuffix(name, " create team")
}

func (k *completer) connections([]string) (list []Candidate) {
	if !k.openHost() {
		return nil
	}
	for _, a := range k.view.Adapters {
		for _, p := range a.Ports {
			list = append(list, Candidate{p.Description.Connection, a.Description.Name})
		}
	}
	return list
}

func (k *completer) cards([]string) (list []Candidate) {
	if !k.openHost() {
		return nil
	}
	for _, a := range k.view.Adapters {
		list = append(list, Candidate{a.Description.Name, "card"})
	}
	return list
}

// adapters returns the candidates for a NAME: connections, and the cards or teams that the command accepts, too.
func (k *completer) adapters(rest []string) []Candidate {
	if strings.Contains(k.command.Name, "VMNetworkAdapter") || k.command.Name == "workload scale" {
		return nil // a name of another kind
	}
	list := k.connections(rest)
	switch family, _, _ := strings.Cut(k.command.Name, " "); family {
	case "vlan":
		list = append(list, k.teams(rest)...)
	case "adapter", "reg", "firmware", "limits", "events", "plan", "mlxtool", "mlx5cmd", "slot", "driver":
		list = append(list, k.cards(rest)...)
	}
	return list
}

func (k *completer) teams([]string) (list []Candidate) {
	if k.createsObject() || !k.openHost() {
		return nil
	}
	for _, t := range k.view.Teams {
		list = append(list, Candidate{t.Name, "team"})
	}
	return list
}

func (k *completer) machines([]string) (list []Candidate) {
	if k.createsObject() || !k.openHost() {
		return nil
	}
	for i := range k.view.VMs {
		list = append(list, Candidate{k.view.VMs[i].Name, "virtual machine, " + string(k.view.VMs[i].State)})
	}
	return list
}

func (k *completer) switches([]string) (list []Candidate) {
	if k.command.Name == "vswitch create" || k.command.Name == "New-VMSwitch" || !k.openHost() {
		return nil
	}
	for i := range k.view.Switches {
		list = append(list, Candidate{k.view.Switches[i].Name, "virtual switch"})
	}
	return list
}

func (k *completer) devices([]string) (list []Candidate) {
	if !k.openHost() {
		return nil
	}
	for _, a := range k.view.Adapters {
		list = append(list, Candidate{a.DeviceName, a.Description.Name})
	}
	return list
}

// vlans returns the VLANs of the team or connection named in rest; of all if rest is empty.
func (k *completer) vlans(rest []string) (list []Candidate) {
	if strings.HasSuffix(k.command.Name, "add") || strings.HasSuffix(k.command.Name, "addvlan") || !k.openHost() {
		return nil
	}
	for _, row := range exec.AllVLANs(k.view) {
		on := row.Team + row.Connection
		if len(rest) == 0 || slices.ContainsFunc(rest, func(word string) bool { return strings.EqualFold(word, on) }) {
			list = append(list, Candidate{row.Name, "VLAN of " + on})
		}
	}
	return list
}

func (k *completer) profiles([]string) (list []Candidate) {
	if k.command.Name == "reg profile save" || !k.openHost() || k.drafts == nil {
		return nil
	}
	profiles, err := k.drafts.Profiles(k.ctx)
	if err != nil {
		return nil
	}
	for _, p := range profiles {
		list = append(list, Candidate{p.Name, "profile"})
	}
	return list
}

func (k *completer) scenes([]string) (list []Candidate) {
	for _, scene := range scenes.All() {
		list = append(list, Candidate{scene.Name, scene.Title})
	}
	return list
}

func scopeWords([]string) (list []Candidate) {
	for _, s := range registrykey.Scopes() {
		list = append(list, Candidate{string(s.Scope), s.Help})
	}
	return list
}

func teamTypes([]string) (list []Candidate) {
	for _, row := range mux.Types() {
		list = append(list, Candidate{row.Name, row.Title})
	}
	return list
}

func faultWords([]string) (list []Candidate) {
	for _, f := range exec.Faults() {
		list = append(list, Candidate{f.Word(), f.What()})
	}
	return list
}

// keys returns the registry keys of the adapter named in rest, or of all drivers if rest names none.
func (k *completer) keys(rest []string) (list []Candidate) {
	seen := map[string]bool{}
	add := func(row *registry.Row) {
		if !seen[row.Name] {
			seen[row.Name] = true
			list = append(list, Candidate{row.Name, row.Summary})
		}
	}
	if k.openHost() {
		for _, name := range rest {
			adapter, _, err := exec.FindAdapter(k.view, name)
			if err != nil {
				continue
			}
			rows := registry.Keys(k.view.Adapters[adapter].Description.Family).Rows
			for i := range rows {
				add(&rows[i])
			}
			return list
		}
	}
	for _, family := range []description.Family{description.WinOF, description.WinOF2} {
		rows := registry.Keys(family).Rows
		for i := range rows {
			add(&rows[i])
		}
	}
	return list
}
