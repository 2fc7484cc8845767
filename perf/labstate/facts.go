package labstate

import (
	"cxdeck/driver"
	"cxdeck/driver/checkup"
	"cxdeck/driver/health/findings"
	"cxdeck/driver/survey"
)

// Facts returns the facts about a host that the rules of driver/health/findings read; state is its current state.
func Facts(host *driver.Host, state *State) *findings.Facts {
	return checkup.Facts(&survey.HostViews{Host: host, View: state.Host, QoS: &state.QoS, Paths: state.Paths}, state.Drift)
}
