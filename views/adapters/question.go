package adapters

import (
	"time"

	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/change"
)

// question waits for the confirmation of an applied plan.
type question struct {
	trial   *trial
	answers ui.YesNo
}

func newQuestion(t *trial) *question {
	return &question{t, ui.NewYesNo("settings.question.button", widget.Button{Label: "Keep it"}, widget.Button{Label: "Revert now"})}
}

func (q *question) Title() string { return "Keep this change?" }

func (q *question) Size(width, height int) (int, int) {
	return min(width, 64), min(height, change.CountdownHeight)
}

// Opened starts the countdown, and waits for the end of the change.
func (q *question) Opened() ui.Cmd { return ui.Batch(q.tick(), finish(q.trial)) }

func (q *question) tick() ui.Cmd { return ui.After(time.Second, tickMsg{q}) }

func (q *question) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case tickMsg:
		if msg.dialog == q {
			return false, q.tick()
		}
		return false, nil
	case endedMsg:
		return msg.trial == q.trial, nil
	}
	if keep, answered := q.answers.Update(msg); answered {
		q.answer(keep)
		return true, nil
	}
	return false, nil
}

// Closed answers no: esc reverts the change.
func (q *question) Closed() ui.Cmd {
	q.answer(false)
	return nil
}

// answer answers once; what comes later is ignored.
func (q *question) answer(keep bool) {
	select {
	case q.trial.answer <- keep:
	default:
	}
}

func (q *question) Draw(area widget.Area) {
	change.DrawCountdown(area, q.trial.title, time.Until(q.trial.until), confirmWithin, &q.answers.Buttons)
}

func (q *question) Hints() []ui.Hint {
	return []ui.Hint{{Key: "y", Name: "keep it"}, {Key: "n", Name: "revert"}, {Key: "enter", Name: "press the button"}, {Key: "esc", Name: "revert"}}
}
