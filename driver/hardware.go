package driver

import (
	"cxdeck/device/description"
	"cxdeck/driver/health"
)

func (h partHost) Adapter(name string) (int, error) { return h.adapter(name) }
func (h partHost) CarriesSession(port int) bool     { return port == h.management }
func (h partHost) LinksChanged()                    { h.noteLinks() }

func (h partHost) FaultChanged(port int, kind description.FaultKind, on bool) {
	h.healingSet().Follow(port, kind, on)
	h.teamSet().Bind()
	h.noteLinks()
}

func (h partHost) DroplessChanged(port int, on bool) {
	what := health.DroplessEntered
	if !on {
		what = health.DroplessLeft
	}
	h.logDropless(h.lab.Elapsed(), port, what)
}
