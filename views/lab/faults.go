package lab

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/driver/wording"
	"cxdeck/ui"
	"cxdeck/views/change"
	"cxdeck/views/exec"
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
		return ui.Prompt("Fault of "+name, faultLabel(), "bad-cable 0.01",
			func(typed string) string {
				_, err := readFault(name, typed)
				if err != nil {
					return wording.UpperFirst(err.Error())
				}
				return ""
			}, func(typed string) ui.Cmd {
				f, err := readFault(name, typed)
				if err != nil {
					return ui.Toast(ui.Failure, wording.UpperFirst(err.Error()))
				}
				note := ""
				if flows, rate := v.traffic(p); f.share > 0 && rate > 0 {
					note = fmt.Sprintf("It disturbs %s in %s at %s until it is cleared.", v.deck.BitRate(rate), workloads(flows), name)
				}
				plan := driver.Plan{Title: wording.UpperFirst(f.operation().Describe()), Operations: []driver.Operation{f.operation()}}
				return change.DoBuilt(v.deck, "Do it", plan.Title, note, func(*driver.Host) (driver.Plan, error) { return plan, nil })
			})
	}
	return a
}

// fault is a fault of a connection with its share.
type fault struct {
	exec.Fault
	connection string
	share      float64
}

func (f fault) operation() driver.Operation { return f.Set(f.connection, nil, f.share) }

// faultLabel returns the label of the prompt. It names the first faults only: with all of them the refusal of a wrong name would not
// fit a screen of 24 lines, and that refusal lists them.
func faultLabel() string {
	const named = 4
	words := faultWords()
	return fmt.Sprintf("Fault and severity (0 clears, 1 is the maximum): %s and %d more; a wrong name lists all faults",
		strings.Join(words[:named], ", "), len(words)-named)
}

// faultWords returns the operator's names of the faults.
func faultWords() (words []string) {
	for _, f := range exec.Faults() {
		words = append(words, f.Word())
	}
	return words
}

// readFault reads a fault with its share, by default 1.
func readFault(connection, typed string) (fault, error) {
	f := fault{connection: connection, share: 1}
	word, share, given := strings.Cut(strings.TrimSpace(typed), " ")
	at := slices.Index(faultWords(), strings.ToLower(word))
	if at < 0 {
		near := request.Nearest(word, faultWords())
		if near == "" {
			return f, request.Errorf("there is no fault %q; the faults are %s", word, strings.Join(faultWords(), ", "))
		}
		return f, request.Errorf("there is no fault %q; did you mean %s?", word, near)
	}
	f.Fault = exec.Faults()[at]
	if given {
		n, err := strconv.ParseFloat(strings.TrimSpace(share), 64)
		if err != nil || !(n >= 0 && n <= 1) {
			return f, request.Errorf("%q is an invalid share: it must be 0 to 1", strings.TrimSpace(share))
		}
		f.share = n
	}
	return f, nil
}
