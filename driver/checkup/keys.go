package checkup

import (
	"fmt"
	"slices"

	"cxdeck/driver/health/findings"
	"cxdeck/driver/limits"
	"cxdeck/driver/registry"
)

// momentWords say when a stored value takes effect.
var momentWords = map[registry.EffectTime]string{
	registry.AtRestart: "a restart of the adapter", registry.AtOnce: "the driver reads it", registry.AtReload: "the driver is loaded again",
	registry.AtReboot: "a reboot", registry.AtNewVM: "a virtual machine starts",
}

// uses reports whether a connection has a stored key that enables the feature of a limit.
func (g *gatherer) uses(connection string, l *limits.Limit) bool {
	return slices.ContainsFunc(l.Keys, func(name string) bool {
		k, err := g.Host.Key(connection, name)
		if err != nil || !k.Stored.Exists() {
			return false
		}
		n, ok := k.Stored.Integer()
		return ok && l.EnabledBy(n)
	})
}

// stored returns the default of a key of a connection as a number.
func (g *gatherer) stored(connection, key string) (float64, bool) {
	k, err := g.Host.Key(connection, key)
	if err != nil || !k.Default.Exists() {
		return 0, false
	}
	return float64(k.Default.Number()), true
}

// pending adds keys whose stored values are not in effect, and values that drivers replaced.
func (g *gatherer) pending() {
	for _, k := range g.Host.Pending() {
		used := k.Effective.String()
		if !k.Effective.Exists() {
			used = "no value"
		}
		text := fmt.Sprintf("%s %s is stored and not in effect: %s is used until %s", k.Row.Name, k.Stored, used, momentWords[k.TakesEffect])
		for _, s := range g.ports {
			if len(k.Connections) > 0 && s.Name == k.Connections[0] {
				s.Add("pending", findings.Item{Key: k.Row.Name, Text: text})
			}
		}
	}
	for _, s := range g.ports {
		effective, err := g.Host.Registry(s.Name)
		if err != nil {
			continue
		}
		for _, found := range effective.Findings() {
			kind := "replaced"
			if found.Verdict.Grade == registry.Doubtful {
				kind = "doubtful"
			}
			s.Add(kind, findings.Item{Key: found.Row.Name, Text: fmt.Sprintf("%s: %s", found.Row.Name, found.Verdict)})
		}
	}
}
