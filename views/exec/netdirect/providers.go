package netdirect

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/driver/stack"
	"cxdeck/views/exec"
)

// providerRow is a NetworkDirect provider as JSON.
type providerRow struct {
	Name      string `json:"name"`
	Driver    string `json:"driver"`
	Versions  string `json:"interface_versions"`
	Library   string `json:"library"`
	Installed bool   `json:"installed"`
}

const ndinstallSynopsis = "ndinstall [-l] | -i [PROVIDER] | -r [PROVIDER]"

// ndinstall lists the NetworkDirect providers.
func ndinstall(c *exec.Call) (exec.Answer, error) {
	help := false
	if len(c.Arguments) > 0 {
		switch strings.ToLower(c.Arguments[0]) {
		case "-l":
		case "-h", "--help":
			help = true
		default:
			return exec.Answer{}, exec.Mistake("ndinstall takes -l, -i and -r, not %q: %s", c.Arguments[0], ndinstallSynopsis)
		}
	}
	rows, err := providerRows(c)
	return listProviders(rows, help), err
}

// providerRows returns the providers of the drivers of the host.
func providerRows(c *exec.Call) (rows []providerRow, err error) {
	rows = []providerRow{}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		adapters, set := h.Lab().Description().Adapters, h.Stack()
		for _, p := range stack.Providers() {
			if slices.ContainsFunc(adapters, func(a description.Adapter) bool { return a.Family == p.Family }) {
				rows = append(rows, providerRow{p.Name, map[bool]string{true: "mlx4", false: "mlx5"}[p.Family == description.WinOF], p.Versions, p.Library, set.HasProvider(p.Name)})
			}
		}
		return nil
	})
	return rows, err
}

// changeProviders installs or removes a provider, or without a name all that are not or are installed.
func changeProviders(c *exec.Call, install bool) (exec.Answer, error) {
	name := ""
	if len(c.Arguments) > 0 {
		if name = c.Arguments[0]; name == "" {
			return exec.Answer{}, exec.Mistake("a provider requires a name, and the name given is empty: ndinstall -l lists them")
		}
	}
	rows, err := providerRows(c)
	if err != nil {
		return exec.Answer{}, err
	}
	plan := driver.Plan{Title: map[bool]string{true: "Install", false: "Remove"}[install] + " NetworkDirect providers"}
	var names []string
	for _, row := range rows {
		names = append(names, row.Name)
		if strings.EqualFold(row.Name, name) || name == "" && row.Installed != install {
			plan.Operations = append(plan.Operations, stack.SetProvider{Provider: row.Name, Installed: install})
		}
	}
	switch {
	case len(plan.Operations) > 0:
		return c.Apply(plan)
	case name != "":
		return exec.Answer{}, request.Errorf("there is no NetworkDirect provider %q; the drivers have %s", name, strings.Join(names, ", "))
	case len(names) == 0:
		return exec.Answer{}, request.Errorf("no driver of the host has a NetworkDirect provider")
	}
	return c.ApplyOne(stack.SetProvider{Provider: names[0], Installed: install}) // which says that nothing changes
}

func listProviders(rows []providerRow, help bool) exec.Answer {
	return exec.Answer{
		Result: struct {
			Providers []providerRow `json:"providers"`
		}{rows},
		Text: func(w io.Writer) error {
			if help {
				if _, err := fmt.Fprintln(w, ndinstallSynopsis); err != nil {
					return err
				}
			}
			t := exec.NewTextTable(w, "Provider", "Driver", "Interface", "State", "Library")
			for _, row := range rows {
				t.Row(row.Name, row.Driver, row.Versions, map[bool]string{true: "installed", false: "not installed"}[row.Installed], row.Library)
			}
			return t.Flush()
		},
	}
}
