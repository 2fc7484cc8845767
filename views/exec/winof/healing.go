package winof

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/health/healing"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
	"cxdeck/views/exec/registrykey"
)

// healingRow is self-healing of a port as JSON.
type healingRow struct {
	Connection string `json:"connection"`
	healing.View
}

func yesNo(yes bool) string {
	if yes {
		return "Yes"
	}
	return "No"
}

// showSelfHealing implements mlxtool show selfhealing port. The manual does not show its output.
func showSelfHealing(c *exec.Call) (exec.Answer, error) {
	list, err := registrykey.ToolTargets(c, description.WinOF, "mlxtool show selfhealing port", strings.Join(c.Arguments, " "), false)
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []healingRow{}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		set := h.Healing()
		for i := range list {
			port, err := set.Port(list[i].Connection)
			if err != nil {
				return err
			}
			rows = append(rows, healingRow{list[i].Connection, set.View(port)})
		}
		return nil
	})
	return exec.Answer{
		Result: struct {
			Ports []healingRow `json:"ports"`
		}{rows},
		Text: func(w io.Writer) error {
			for i := range rows {
				r := &rows[i]
				if _, err := fmt.Fprintf(w, "Interface: %s\nRestarts count: %d\nCheck for hang: every %d s, %s without progress\n", r.Connection, r.Restarts, r.Interval, wording.Count(r.Checks, "check")); err != nil {
					return err
				}
				t := exec.NewTextTable(w, "SENSOR", "MASK", "EVENT", "RESET", "DUMP", "STATE")
				for _, s := range r.Sensors {
					mask := "-"
					if s.Mask != 0 {
						mask = fmt.Sprintf("0x%08X", uint32(s.Mask))
					}
					t.Row(s.Name, mask, strconv.Itoa(s.Event), yesNo(s.Resets), yesNo(s.Dumps), s.State)
				}
				if err := t.Flush(); err != nil {
					return err
				}
			}
			return nil
		},
	}, err
}

// resetDevice implements mlxtool dbg sw-reset.
func resetDevice(c *exec.Call, view *driver.View) (exec.Answer, error) {
	cards, err := cardsAt(c, view, "mlxtool dbg sw-reset")
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(healing.ResetDevice{Adapter: cards[0].Description.Name})
}

// restartInterface implements mlxtool dbg restart.
func restartInterface(c *exec.Call) (exec.Answer, error) {
	if c.Arguments[0] == "" { // it would stand for the first connection
		return exec.Answer{}, exec.Mistake("mlxtool dbg restart requires the name of a connection")
	}
	list, err := registrykey.ToolTargets(c, description.WinOF, "mlxtool dbg restart", c.Arguments[0], false)
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(adapters.RestartAdapter{Connection: list[0].Connection})
}

// stateRow is the state of a device as JSON.
type stateRow struct {
	Adapter string         `json:"adapter"`
	PCI     string         `json:"pci_address"`
	State   string         `json:"state"`
	Reset   bool           `json:"reset_allowed"`
	Why     string         `json:"why_no_reset,omitempty"`
	Ports   []portStateRow `json:"ports"`
}

type portStateRow struct {
	Connection string `json:"connection"`
	Port       int    `json:"port"`
	State      string `json:"state"`
	Code       int    `json:"code,omitempty"`
	Link       string `json:"link"`
	ND         string `json:"nd_status"`
}

// getState implements mlxtool dbg get-state. The manual shows its output only in a figure.
func getState(c *exec.Call, view *driver.View) (exec.Answer, error) {
	cards, err := cardsAt(c, view, "mlxtool dbg get-state")
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []stateRow{}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		set, stack := h.Healing(), h.Stack()
		for _, a := range cards {
			row := stateRow{Adapter: a.Description.Name, PCI: a.Description.PCI.String(), State: a.State.String(), Reset: true}
			reset := driver.Plan{Title: "Reset", Operations: []driver.Operation{healing.ResetDevice{Adapter: row.Adapter}}}
			if err := h.Check(reset); err != nil {
				row.Reset, row.Why = false, err.Error()
			}
			for i := range a.Ports {
				p := &a.Ports[i]
				link := "Down"
				if p.Up {
					link = "Up"
				}
				row.Ports = append(row.Ports, portStateRow{p.Description.Connection, i + 1, p.State.String(), p.Code, link, set.NDStatus(p.Port, stack.WhyNoRDMA(p.Port))})
			}
			rows = append(rows, row)
		}
		return nil
	})
	return exec.Answer{
		Result: struct {
			Devices []stateRow `json:"devices"`
		}{rows},
		Text: func(w io.Writer) error {
			for i := range rows {
				r := &rows[i]
				reset := "allowed"
				if !r.Reset {
					reset = "refused: " + r.Why
				}
				if _, err := fmt.Fprintf(w, "Device: %s (%s)\nState: %s\nSoftware reset: %s\n", r.Adapter, r.PCI, r.State, exec.Clean(reset)); err != nil {
					return err
				}
				t := exec.NewTextTable(w, "PORT", "CONNECTION", "DRIVER", "CODE", "LINK", "ND STATUS")
				for _, p := range r.Ports {
					code := "-"
					if p.Code != 0 {
						code = strconv.Itoa(p.Code)
					}
					t.Row(strconv.Itoa(p.Port), p.Connection, p.State, code, p.Link, p.ND)
				}
				if err := t.Flush(); err != nil {
					return err
				}
			}
			return nil
		},
	}, err
}
