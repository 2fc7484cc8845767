package change

import (
	"context"
	"fmt"
	"math"
	"time"

	"cxdeck/perf"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// ConfirmWithin is how long an operator has to confirm a plan that may cut the way to the host.
const ConfirmWithin = 30 * time.Second

// AskToConfirm opens the dialog that waits for the confirmation of the change that a monitor has applied guarded; nil when
// none waits.
func AskToConfirm(m *perf.Monitor) ui.Cmd {
	waits, ok := m.Unconfirmed()
	if !ok {
		return nil
	}
	return ui.Batch(ui.OpenDialog(newCountdown(m, waits)), tick())
}

// countdown is the dialog that waits for the confirmation of an applied plan.
type countdown struct {
	monitor *perf.Monitor
	waits   perf.Unconfirmed
	buttons widget.Buttons
}

func newCountdown(m *perf.Monitor, waits perf.Unconfirmed) *countdown {
	return &countdown{monitor: m, waits: waits, buttons: widget.Buttons{ID: "change.countdown.button",
		Items: []widget.Button{{Label: "Keep it"}, {Label: "Revert now"}}}}
}

// Title implements ui.Dialog.
func (d *countdown) Title() string { return "Still there?" }

// Size implements ui.Dialog.
func (d *countdown) Size(width, height int) (int, int) { return min(width, 64), min(height, 6) }

// Update implements ui.Dialog.
func (d *countdown) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case TickMsg:
		waits, ok := d.monitor.Unconfirmed()
		if !ok || waits.Sequence != d.waits.Sequence {
			return true, ui.Toast(ui.Caution, "Nobody confirmed in time: "+d.waits.Title+" was taken back.")
		}
		d.waits = waits
		return false, tick()
	case ui.KeyMsg:
		switch msg.Name {
		case "y", "Y":
			return d.press(0)
		case "n", "N":
			return d.press(1)
		case "enter", " ":
			return d.press(d.buttons.Focus())
		case "tab", "shift+tab":
			d.buttons.SetFocus(1 - d.buttons.Focus())
		default:
			d.buttons.Key(msg.Name)
		}
	case ui.HitMsg:
		if msg.ID == d.buttons.ID && msg.Button == ui.Press {
			return d.press(msg.Index)
		}
	}
	return false, nil
}

// Escape implements ui.Escaper: only an answer closes it.
func (d *countdown) Escape() bool { return true }

// press keeps the plan, or takes it back.
func (d *countdown) press(button int) (bool, ui.Cmd) {
	m, title := d.monitor, d.waits.Title
	if button == 0 {
		return true, ui.Background("Confirm "+title, func(ctx context.Context) ui.Msg {
			if err := m.Confirm(ctx); err != nil {
				return ui.Toast(ui.Failure, deck.Sentence(err.Error()))()
			}
			return ui.Toast(ui.Success, title+": kept")()
		})
	}
	return true, ui.Background("Revert "+title, func(ctx context.Context) ui.Msg {
		entry, err := m.Revert(ctx)
		if err != nil {
			return ui.Toast(ui.Failure, deck.Sentence(err.Error()))()
		}
		return ui.Batch(ui.Toast(ui.Success, title+": taken back"), ui.Log(entry.Time, entry.Plan.Title, deck.Commands(entry.Plan)))()
	})
}

// Draw implements ui.Dialog.
func (d *countdown) Draw(area widget.Area) {
	left := int(math.Ceil(d.waits.Left().Seconds()))
	body, foot := area.SplitBottom(1)
	y := 0
	for _, l := range widget.Wrap(fmt.Sprintf("%s was applied. If you can read this, the way to the host still works. Without an answer it is "+
		"taken back.", d.waits.Title), body.Width) {
		body.Print(0, y, l, themes.Style{})
		y++
	}
	x := body.Print(0, y, fmt.Sprintf("%2d s left  ", left), themes.Style{Role: themes.Warn, Attr: themes.Bold})
	bar(body.Sub(x, y, body.Width-x, 1), d.waits.Left().Seconds()/ConfirmWithin.Seconds(), themes.Style{Role: themes.Warn})
	d.buttons.Draw(foot, true)
}

// Hints implements ui.Dialog.
func (d *countdown) Hints() []ui.Hint {
	return []ui.Hint{{Key: "y", Name: "keep it"}, {Key: "n", Name: "revert"}, {Key: "enter", Name: "press the button"}}
}

// bar draws how much is left or done as a bar.
func bar(area widget.Area, part float64, style themes.Style) {
	g := area.Glyphs()
	full := int(math.Round(min(max(part, 0), 1) * float64(area.Width)))
	for x := range area.Width {
		glyph, look := g.Shade, themes.Style{Role: themes.Muted}
		if x < full {
			glyph, look = g.Full[7], style
		}
		area.Set(x, 0, glyph, look)
	}
}
