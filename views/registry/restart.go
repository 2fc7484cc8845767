package registry

import (
	"context"
	"slices"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/registry"
	"cxdeck/ui"
)

// restartAction reviews the restarts that stored values wait for.
func (v *View) restartAction() ui.Action {
	a := ui.Action{ID: "registry.restart", Keys: []string{"R"}, Name: "restart", Hidden: true, Changes: true,
		Help: "Review the restarts that stored values wait for (the minimum that makes them take effect)"}
	a.Disabled = v.deck.CannotChange()
	if a.Disabled == "" && (v.snapshot == nil || len(v.tree.Nodes) == 0 || v.tree.Nodes[0].Waits == 0) {
		a.Disabled = "no value waits for a restart"
	}
	m := v.deck.Monitor()
	a.Run = func() ui.Cmd {
		return ui.Background("Review the restarts for pending values", func(ctx context.Context) ui.Msg {
			var msg reviewMsg
			host, err := m.Clone(ctx)
			if err != nil {
				return reviewMsg{err: err}
			}
			msg.plan = driver.Plan{Title: "Restart for pending values", Operations: restarts(host)}
			if len(msg.plan.Operations) == 0 {
				return ui.Toast(ui.Note, "Stored values take effect in new virtual machines; no restart is needed.")()
			}
			msg.review = host.Review(msg.plan)
			return msg
		})
	}
	return a
}

// restarts returns the minimal restarts after which all stored values of a host are in effect.
func restarts(h *driver.Host) (list []driver.Operation) {
	view := h.View()
	add := func(o driver.Operation) {
		if !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	pending := h.Pending()
	if slices.ContainsFunc(pending, func(k driver.PendingKey) bool { return k.TakesEffect == registry.AtReboot }) {
		return []driver.Operation{adapters.Reboot{Host: view.Name}}
	}
	reloaded := map[string]bool{} // drivers
	for _, a := range view.Adapters {
		for _, k := range pending {
			if k.TakesEffect != registry.AtReload {
				continue
			}
			for _, p := range a.Ports {
				if slices.Contains(k.Connections, p.Description.Connection) {
					add(adapters.ReloadDriver{Driver: a.Driver})
					reloaded[a.Driver] = true
				}
			}
		}
	}
	for _, a := range view.Adapters {
		for _, p := range a.Ports {
			waits := slices.ContainsFunc(pending, func(k driver.PendingKey) bool {
				return k.TakesEffect == registry.AtRestart && slices.Contains(k.Connections, p.Description.Connection)
			})
			if waits && !reloaded[a.Driver] {
				add(adapters.RestartAdapter{Connection: p.Description.Connection})
			}
		}
	}
	return list
}
