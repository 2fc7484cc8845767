package lab

import (
	"fmt"

	"cxdeck/perf/labstate"
	"cxdeck/ui"
	"cxdeck/views/change"
)

func (v *View) cableAction() ui.Action {
	a := ui.Action{ID: "lab.cable", Keys: []string{" ", "p"}, Name: "pull cable", AsksFirst: true, Changes: true,
		Help: "Pull the cable of the selected port, or plug it in again"}
	if a.Disabled = v.deck.CannotChange(); a.Disabled != "" {
		return a
	}
	p := v.port()
	if p == nil {
		a.Disabled = "select a port"
		return a
	}
	change.Cable(v.deck, &a, p.Description.Connection, p.Cabled)
	return a
}

// traffic returns the number of active workloads of a port, and their rate in bits per second.
func (v *View) traffic(p *labstate.Port) (flows int, rate float64) {
	for i := range v.state.Flows {
		f := &v.state.Flows[i]
		if moves := f.ReceiveRate + f.SendRate; moves > 0 && f.Connection == p.Description.Connection {
			flows++
			rate += moves
		}
	}
	return flows, rate
}

func workloads(n int) string {
	if n == 1 {
		return "one workload"
	}
	return fmt.Sprintf("%d workloads", n)
}

// editAction opens the form of the selected port's switch port.
func (v *View) editAction() ui.Action {
	a := ui.Action{ID: "lab.edit", Keys: []string{"e"}, Name: "set up", Changes: true,
		Help: "Configure the selected port's switch port (speed, MTU, pause, PFC, ECN), the card's PCIe slot and the host's CPUs"}
	if a.Disabled = v.deck.CannotChange(); a.Disabled != "" {
		return a
	}
	p := v.port()
	if p == nil {
		a.Disabled = "select a port"
		return a
	}
	a.Object = p.Description.Connection
	a.Run = func() ui.Cmd { return ui.OpenDialog(newPortForm(v, p)) }
	return a
}
