package change

import (
	"context"
	"slices"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/driver/wording"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// Do applies a plan outside the terminal loop, and reports the outcome by a toast and in the action log. If the plan
// interrupts or removes something, or touches the connection of the operator's session, it shows the review and asks
// first; verb labels the button: "Restart".
func Do(d *deck.Deck, verb string, plan driver.Plan) ui.Cmd {
	return DoBuilt(d, verb, plan.Title, "", func(*driver.Host) (driver.Plan, error) { return plan, nil })
}

// DoOne is Do for one Operation.
func DoOne(d *deck.Deck, verb string, o driver.Operation) ui.Cmd {
	return Do(d, verb, driver.Plan{Title: wording.UpperFirst(o.Describe()), Operations: []driver.Operation{o}})
}

// Cable makes an action pull the cable of a connection, or plug it in when cabled is false.
func Cable(d *deck.Deck, a *ui.Action, connection string, cabled bool) {
	verb, plan := "Pull", driver.Plan{Title: "Pull the cable of " + connection,
		Operations: []driver.Operation{hardware.PullCable{Connection: connection}}}
	if !cabled {
		a.Name = "plug cable"
		verb, plan = "Plug", driver.Plan{Title: "Plug in the cable of " + connection,
			Operations: []driver.Operation{hardware.PlugCable{Connection: connection}}}
	}
	a.Object, a.Run = connection, func() ui.Cmd { return Do(d, verb, plan) }
}

// DoBuilt is Do for a plan that depends on the host: plan makes it and must not keep the host. A note is a warning with
// which it always asks; empty for none.
func DoBuilt(d *deck.Deck, verb, title, note string, plan func(*driver.Host) (driver.Plan, error)) ui.Cmd {
	return DoFor(d, verb, title, nil, note, plan)
}

// DoFor is DoBuilt with the reasons for the plan, which the review lists first.
func DoFor(d *deck.Deck, verb, title string, reasons []string, note string, plan func(*driver.Host) (driver.Plan, error)) ui.Cmd {
	return propose(d, verb, title, reasons, note, note != "", plan)
}

// Propose shows the review of a plan that the console proposes for a reason, and asks. For a plan that interrupts and removes nothing
// the focus is on the button that applies it.
func Propose(d *deck.Deck, verb, title, reason string, plan func(*driver.Host) (driver.Plan, error)) ui.Cmd {
	return propose(d, verb, title, []string{reason}, "", true, plan)
}

// propose makes a plan and applies it; it asks first when it shall, or when the plan interrupts or removes something.
func propose(d *deck.Deck, verb, title string, reasons []string, note string, asks bool, plan func(*driver.Host) (driver.Plan, error)) ui.Cmd {
	m := d.Monitor()
	return ui.Background(title, func(ctx context.Context) ui.Msg {
		host, err := m.Clone(ctx)
		if err != nil {
			return deck.Outcome(title, driver.Entry{}, err)()
		}
		made, err := plan(host)
		if err != nil {
			return deck.Outcome(title, driver.Entry{}, err)()
		}
		review := host.ReviewWithoutRestarts(made)
		harms := review.Impact.Any() || review.Management.Touched
		if review.Refusal == nil && (asks || harms) {
			dialog := askTo(d, verb, note, made, &review)
			dialog.harmless = note == "" && !harms
			for i, reason := range reasons {
				dialog.lines = slices.Insert(dialog.lines, i, ReviewLine{'!', reason, themes.Warn})
			}
			return dialog.ask()()
		}
		entry, err := m.Apply(ctx, made) // the journal records a refused plan with its reason
		return deck.Outcome(title, entry, err)()
	})
}

// AskBefore shows the review of a plan and asks, then calls then. It is for work that applies the plan itself; question
// returns the text of the question, and may change the texts of the review.
func AskBefore(d *deck.Deck, verb string, plan driver.Plan, question func(*driver.Review) []string,
	then func() ui.Cmd) ui.Cmd {
	m := d.Monitor()
	return ui.Background(plan.Title, func(ctx context.Context) ui.Msg {
		host, err := m.Clone(ctx)
		if err != nil {
			return deck.Outcome(plan.Title, driver.Entry{}, err)()
		}
		review := host.ReviewWithoutRestarts(plan)
		if review.Refusal != nil {
			return deck.Outcome(plan.Title, driver.Entry{}, review.Refusal)()
		}
		asked := question(&review)
		dialog := &confirmDialog{
			deck: d, title: plan.Title + "?", lines: reviewLines(d, &review), question: asked,
			labels: []widget.Button{{Label: verb, Dangerous: true}}, then: func(int) ui.Cmd { return then() },
		}
		return dialog.ask()()
	})
}

// Before asks before work that applies plans itself, if they interrupt or remove something: try returns their plan,
// made on a copy of the host, or an error if it could not find out what the work does; then it asks as well. With ask it always
// asks. The work is then.
func Before(d *deck.Deck, verb, title string, ask bool, try func(context.Context, *driver.Host) (driver.Plan, error),
	then func() ui.Cmd) ui.Cmd {
	m := d.Monitor()
	return ui.Background(title, func(ctx context.Context) ui.Msg {
		host, err := m.Clone(ctx)
		if err != nil {
			return deck.Outcome(title, driver.Entry{}, err)()
		}
		plan, unknown := try(ctx, host.Clone())
		review := host.ReviewWithoutRestarts(plan)
		question := Question(d, &review.Impact, "Do it anyway?")
		switch {
		case unknown != nil:
			question = []string{wording.UpperFirst(unknown.Error()) + ".", "Do it anyway?"}
		case question != nil:
		case review.Management.Touched:
			question = []string{wording.UpperFirst(review.Management.Why) + ".", "Do it?"}
		case ask:
			question = []string{"Do it?"}
		default:
			return then()()
		}
		dialog := &confirmDialog{
			deck: d, title: title + "?", lines: reviewLines(d, &review), question: question,
			labels: []widget.Button{{Label: verb, Dangerous: true}}, then: func(int) ui.Cmd { return then() },
		}
		return dialog.ask()()
	})
}

// askTo asks whether to apply a plan.
func askTo(d *deck.Deck, verb, note string, plan driver.Plan, review *driver.Review) *confirmDialog {
	m := d.Monitor()
	question := Question(d, &review.Impact, "Do it anyway?")
	if question == nil {
		question = []string{"Do it?"}
		if review.Management.Touched {
			question = []string{wording.UpperFirst(review.Management.Why) + ".", "Do it?"}
		}
	}
	if note != "" {
		question = append([]string{note}, question...)
	}
	within := Period(d, review)
	buttons := applyButtons(review, within, verb)
	if guard := GuardNote(d, review); guard != "" {
		question = slices.Insert(question, len(question)-1, guard)
	}
	return &confirmDialog{
		deck: d, title: plan.Title + "?", lines: reviewLines(d, review), question: question, labels: buttons, plan: &plan,
		then: func(button int) ui.Cmd {
			return ui.Background(plan.Title, func(ctx context.Context) ui.Msg {
				guarded := len(buttons) > 1 && button == 0
				period := within
				if !guarded {
					period = 0
				}
				entry, err := Apply(ctx, m, review, plan, period)
				outcome := deck.Outcome(plan.Title, entry, err)
				if ask := AskToConfirm(m); err == nil && guarded && ask != nil {
					return ui.Batch(outcome, ask)()
				}
				return outcome()
			})
		},
	}
}

// applyButtons returns the buttons that apply a plan. If the plan touches the operator's session and can be confirmed, the
// first button asks for a confirmation within a time.
func applyButtons(r *driver.Review, within time.Duration, verb string) []widget.Button {
	plain := widget.Button{Label: verb, Dangerous: r.Impact.Any()}
	if within == 0 || !r.Management.Touched {
		return []widget.Button{plain}
	}
	return []widget.Button{{Label: GuardedLabel(within)}, plain}
}
