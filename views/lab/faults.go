package lab

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/ui"
	"cxdeck/views/change"
	"cxdeck/views/deck"
)

// faultAction sets or clears a fault at the selected port.
func (v *View) faultAction() ui.Action {
	a := ui.Action{ID: "lab.fault", Keys: []string{"B"}, FormerKeys: []string{"f"}, Name: "fault", AsksFirst: true, Changes: true, Hidden: true,
		Help: "Inject a fault at the selected port (a bad cable, a host that stops receiving and so on), or clear it"}
	if a.Disabled = v.deck.CannotChange(); a.Disabled != "" {
		return a
	}
	p := v.port()
	if p == nil {
		a.Disabled = "select a port: faults belong to ports"
		return a
	}
	name := p.Description.Connection
	a.Object = name
	a.Run = func() ui.Cmd {
		return ui.Prompt("Fault of "+name, "Its name and share, 0 (cleared) to 1", "bad-cable 0.01",
			func(typed string) string {
				_, err := readFault(name, typed)
				if err != nil {
					return deck.Sentence(err.Error())
				}
				return ""
			}, func(typed string) ui.Cmd {
				fault, err := readFault(name, typed)
				if err != nil {
					return ui.Toast(ui.Failure, deck.Sentence(err.Error()))
				}
				note := ""
				if flows, rate := v.traffic(p); fault.Share > 0 && rate > 0 {
					note = fmt.Sprintf("It disturbs %s in %s at %s until it is cleared.", v.deck.BitRate(rate), workloads(flows), name)
				}
				plan := driver.Plan{Title: deck.Sentence(fault.Describe()), Operations: []driver.Operation{fault}}
				return change.DoMade(v.deck, "Do it", plan.Title, note, func(*driver.Host) (driver.Plan, error) { return plan, nil })
			})
	}
	return a
}

// faultWords returns the operator's names of the faults.
func faultWords() (words []string) {
	for _, kind := range description.FaultKinds() {
		word, _ := kind.MarshalText() // never fails for these kinds
		words = append(words, string(word))
	}
	return words
}

// readFault reads a fault with its share, by default 1.
func readFault(connection, typed string) (driver.SetFault, error) {
	fault := driver.SetFault{Connection: connection, Share: 1}
	word, share, given := strings.Cut(strings.TrimSpace(typed), " ")
	at := slices.Index(faultWords(), strings.ToLower(word))
	if at < 0 {
		near := request.Nearest(word, faultWords())
		if near == "" {
			return fault, fmt.Errorf("there is no fault %q; the faults are %s", word, strings.Join(faultWords(), ", "))
		}
		return fault, fmt.Errorf("there is no fault %q; did you mean %s?", word, near)
	}
	fault.Fault = description.FaultKinds()[at]
	if given {
		f, err := strconv.ParseFloat(strings.TrimSpace(share), 64)
		if err != nil || !(f >= 0 && f <= 1) {
			return fault, fmt.Errorf("%q is an invalid share: it must be 0 to 1", strings.TrimSpace(share))
		}
		fault.Share = f
	}
	return fault, nil
}
