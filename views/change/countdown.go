package change

import (
	"context"
	"fmt"
	"math"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/wording"
	"cxdeck/perf/monitor"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// countdown is the dialog that waits for the confirmation of an applied plan.
type countdown struct {
	monitor *monitor.Monitor
	guard   driver.Guard
	answers ui.YesNo
	// period is the time to confirm when the dialog opened.
	period time.Duration
}

func newCountdown(m *monitor.Monitor, guard driver.Guard) *countdown {
	return &countdown{monitor: m, guard: guard, period: max(guard.Remaining(time.Now()), ConfirmWithin),
		answers: ui.NewYesNo("change.countdown.button", widget.Button{Label: "Keep it"}, widget.Button{Label: "Revert now"})}
}

func (d *countdown) Title() string { return "Keep this change?" }

func (d *countdown) Size(width, height int) (int, int) {
	return min(width, 64), min(height, CountdownHeight)
}

func (d *countdown) Update(msg ui.Msg) (bool, ui.Cmd) {
	if _, ok := msg.(TickMsg); ok {
		guard, ok := d.monitor.Unconfirmed()
		if !ok || guard.Sequence != d.guard.Sequence {
			return true, ui.Toast(ui.Caution, "No confirmation in time: "+d.guard.Title+" was reverted.")
		}
		d.guard = guard
		return false, tick()
	}
	if keep, answered := d.answers.Update(msg); answered {
		return true, d.answer(keep)
	}
	return false, nil
}

// Waits implements ui.Leaver: the operator may look at the host before answering. The question stays in the header until it
// is answered or the time is over, and > opens it again.
func (d *countdown) Waits() bool { return true }

// Outcome implements ui.Leaver. It is a note only: the answer itself reports the result.
func (d *countdown) Outcome() (ui.Severity, string) { return ui.Note, d.guard.Title }

// answer keeps or reverts the plan, in the background.
func (d *countdown) answer(keep bool) ui.Cmd {
	m, title := d.monitor, d.guard.Title
	if keep {
		return ui.Background("Confirm "+title, func(ctx context.Context) ui.Msg {
			if err := m.Confirm(ctx); err != nil {
				return ui.Toast(ui.Failure, wording.UpperFirst(err.Error()))()
			}
			return ui.Toast(ui.Success, title+": kept")()
		})
	}
	return ui.Background("Revert "+title, func(ctx context.Context) ui.Msg {
		entry, err := m.Revert(ctx)
		if err != nil {
			return ui.Toast(ui.Failure, wording.UpperFirst(err.Error()))()
		}
		return ui.Batch(ui.Toast(ui.Success, title+": reverted"),
			ui.Log(entry.Time, entry.Plan.Title, deck.Commands(&entry)))()
	})
}

func (d *countdown) Draw(area widget.Area) {
	DrawCountdown(area, d.guard.Title, d.guard.Remaining(time.Now()), d.period, &d.answers.Buttons)
}

// CountdownHeight is the height of a countdown, in cells.
const CountdownHeight = 6

// DrawCountdown draws the question whether an applied change stays, with the time that is left of a period.
func DrawCountdown(area widget.Area, title string, left, period time.Duration, buttons *widget.Buttons) {
	body, foot := area.SplitBottom(1)
	y := 0
	text := title + " was applied. If you can read this, the host is still reachable. If you don't answer, the change is reverted."
	for _, l := range widget.Wrap(text, body.Width) {
		body.Print(0, y, l, themes.Style{})
		y++
	}
	x := body.Print(0, y, fmt.Sprintf("%2d s left  ", int(math.Ceil(left.Seconds()))), themes.Style{Role: themes.Warn, Attr: themes.Bold})
	bar(body.Sub(x, y, body.Width-x, 1), left.Seconds()/period.Seconds(), themes.Style{Role: themes.Warn})
	buttons.Draw(foot, true)
}

func (d *countdown) Hints() []ui.Hint {
	return []ui.Hint{{Key: "y", Name: "keep it"}, {Key: "n", Name: "revert"}, {Key: "enter", Name: "press the button"},
		{Key: "esc", Name: "look at the host first"}}
}

// bar draws a part, 0 to 1, as a bar over the first row.
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

// WaitActions returns the actions of Deck.WaitActions. While a change waits for its confirmation, the key that skips waits
// opens the question again.
func WaitActions(d *deck.Deck) []ui.Action {
	actions := d.WaitActions()
	if d.Live == nil {
		return actions
	}
	guard, unconfirmed := d.Live.Unconfirmed()
	for i := range actions {
		if a := &actions[i]; a.ID == deck.PassAction && unconfirmed {
			a.Name, a.Object, a.Hidden, a.Disabled = "answer", guard.Title, false, ""
			a.Run = func() ui.Cmd { return AskToConfirm(d.Live) }
		}
	}
	return actions
}
