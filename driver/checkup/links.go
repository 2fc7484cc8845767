package checkup

import (
	"slices"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/health/findings"
)

// isLinkLoss reports whether an event is the loss of a link.
func isLinkLoss(key string) bool { return key == "mlx5.link-down" || key == "mlx4.eth-link-down" }

// downFor returns for how long the link of a port has been down.
func (g *gatherer) downFor(s *findings.Subject) time.Duration {
	for _, e := range slices.Backward(g.facts.Events) {
		if isLinkLoss(e.Key) && strings.EqualFold(e.Adapter, s.Name) {
			return g.facts.Time.Sub(e.Time)
		}
	}
	return eventSpan
}

// lostLinks counts losses of the link in ten minutes that no stop of the driver and no change of the operator explains.
func (g *gatherer) lostLinks(s *findings.Subject) (n int) {
	const span, near = 10 * time.Minute, time.Second
	events, journal := g.facts.Events, g.Host.Journal()
	for _, e := range events {
		if !isLinkLoss(e.Key) || !strings.EqualFold(e.Adapter, s.Name) || g.facts.Time.Sub(e.Time) > span {
			continue
		}
		nearby := func(at time.Time) bool { return at.Sub(e.Time).Abs() <= near }
		explained := slices.ContainsFunc(journal, func(entry driver.Entry) bool { return nearby(entry.Time) }) ||
			slices.ContainsFunc(events, func(other eventlog.Event) bool {
				return (other.Key == "mlx5.stopped" || other.Key == "mlx4.eth-stopped") && strings.EqualFold(other.Adapter, s.Name) && nearby(other.Time)
			})
		if !explained {
			n++
		}
	}
	return n
}
