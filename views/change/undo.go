package change

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/journal"
	"cxdeck/driver/scenes"
	"cxdeck/driver/wording"
	"cxdeck/perf/monitor"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// UndoAction undoes the newest change from a screen.
func UndoAction(d *deck.Deck, screen string) ui.Action {
	title := d.Undoable()
	a := ui.Action{ID: screen + ".undo", Keys: []string{"u"}, Name: "undo", Changes: true, Object: title, AsksFirst: true,
		Help: "Undo the newest change", Run: func() ui.Cmd { return Undo(d) }}
	a.Disabled = d.CannotChange()
	if a.Disabled == "" && title == "" {
		a.Disabled = "nothing has been changed yet"
	}
	return a
}

// Undo undoes the newest change, like UndoEntry.
func Undo(d *deck.Deck) ui.Cmd { return undoEntry(d, 0, false) }

// UndoEntry undoes a change. It asks first, with a review, if the undo interrupts or removes something, or if another run
// of the program made the change.
func UndoEntry(d *deck.Deck, sequence uint64) ui.Cmd { return undoEntry(d, sequence, false) }

// AskToUndo is UndoEntry that always asks.
func AskToUndo(d *deck.Deck, sequence uint64) ui.Cmd { return undoEntry(d, sequence, true) }

// undoEntry undoes a change, 0 for the newest one.
func undoEntry(d *deck.Deck, sequence uint64, asks bool) ui.Cmd {
	m := d.Monitor()
	return ui.Background("Undo", func(ctx context.Context) ui.Msg {
		for {
			host, err := m.Clone(ctx)
			if err != nil {
				return deck.Outcome("Undo", driver.Entry{}, err)()
			}
			entry, review, err := reviewUndo(host, sequence)
			switch {
			case err != nil:
				return deck.Outcome("Undo", driver.Entry{}, err)()
			case asks || review.Impact.Any() || entry.Run != host.Actor().Run || review.Management.Touched:
				return newUndoQuestion(d, host, &entry, &review).ask()()
			}
			done, err := m.UndoEntry(ctx, entry.Sequence)
			if err != nil && sequence == 0 && undoneSince(ctx, m, entry.Sequence) {
				continue // the key was pressed twice: the second press undoes the next change
			}
			return deck.Outcome("Undo", done, err)()
		}
	})
}

// reviewUndo returns a change and the review of its undo; the error says why it can't be undone.
func reviewUndo(host *driver.Host, sequence uint64) (driver.Entry, driver.Review, error) {
	if sequence == 0 {
		newest, ok := host.Undoable()
		if !ok {
			return driver.Entry{}, driver.Review{}, journal.ErrNothingToUndo
		}
		sequence = newest.Sequence
	}
	entry, review := host.ReviewUndo(sequence)
	return entry, review, review.Refusal
}

// undoneSince reports whether a change was undone by somebody else.
func undoneSince(ctx context.Context, m *monitor.Monitor, sequence uint64) (back bool) {
	err := m.ReadHost(ctx, func(h *driver.Host) error {
		newest, ok := h.Undoable()
		back = !ok || newest.Sequence != sequence
		return nil
	})
	return err == nil && back
}

// newUndoQuestion asks whether to undo a change, and shows its title, author and time, and the effect of the undo.
func newUndoQuestion(d *deck.Deck, host *driver.Host, entry *driver.Entry, review *driver.Review) *confirmDialog {
	m, sequence, title := d.Monitor(), entry.Sequence, "Undo: "+entry.Plan.Title
	made := fmt.Sprintf("%s: change %d, made %s.", entry.Plan.Title, sequence, Provenance(entry, host.Actor(), host.Now()))
	lines := append([]ReviewLine{{' ', made, themes.Muted}, {' ', "", themes.Text}}, reviewLines(d, review)...)
	question := Question(d, &review.Impact, "Undo it anyway?")
	if question == nil {
		question = []string{"Undo it?"}
		if entry.Run != host.Actor().Run {
			question = []string{"It was not made in this run. Undo it?"}
		}
	}
	return &confirmDialog{
		deck: d, title: fmt.Sprintf("Undo change %d?", sequence), lines: lines, question: question,
		labels: []widget.Button{{Label: "Undo", Dangerous: true}},
		then: func(int) ui.Cmd {
			return ui.Background(title, func(ctx context.Context) ui.Msg {
				done, err := m.UndoEntry(ctx, sequence)
				return deck.Outcome(title, done, err)()
			})
		},
	}
}

// EndScene undoes the change that began a scene, and before it the scene's fix and the later changes of the same objects. It asks if there
// are any.
func EndScene(d *deck.Deck, title string, sequence uint64) ui.Cmd {
	m := d.Monitor()
	return ui.Background("Undo", func(ctx context.Context) ui.Msg {
		host, err := m.Clone(ctx)
		if err != nil {
			return deck.Outcome("Undo", driver.Entry{}, err)()
		}
		order, err := scenes.EndOrder(host, sequence)
		switch {
		case err != nil:
			return deck.Outcome("Undo", driver.Entry{}, err)()
		case len(order) == 1:
			return UndoEntry(d, sequence)()
		}
		return newUndosQuestion(d, host, title, order).ask()()
	})
}

// newUndosQuestion asks whether to undo several changes in an order. The host is a copy.
func newUndosQuestion(d *deck.Deck, host *driver.Host, title string, order []uint64) *confirmDialog {
	m := d.Monitor()
	var lines []ReviewLine
	for _, sequence := range order {
		entry, review := host.ReviewUndo(sequence)
		lines = append(lines, ReviewLine{' ', fmt.Sprintf("%s: change %d, made %s.", entry.Plan.Title, sequence, Provenance(&entry, host.Actor(), host.Now())), themes.Muted})
		lines = append(lines, reviewLines(d, &review)...)
		if _, err := host.UndoEntry(sequence); err != nil { // the order was tried on another copy
			lines = append(lines, ReviewLine{' ', wording.UpperFirst(err.Error()) + ".", themes.Warn})
		}
	}
	return &confirmDialog{
		deck: d, title: title + "?", lines: lines, question: []string{fmt.Sprintf("%d changes belong to it. Undo all of them?", len(order))},
		labels: []widget.Button{{Label: "Undo", Dangerous: true}},
		then: func(int) ui.Cmd {
			return ui.Background(title, func(ctx context.Context) ui.Msg {
				var done driver.Entry
				for _, sequence := range order {
					var err error
					if done, err = m.UndoEntry(ctx, sequence); err != nil {
						return deck.Outcome(title, done, err)()
					}
				}
				return deck.Outcome(title, done, nil)()
			})
		},
	}
}

// Provenance returns who made a change and when, relative to the current run: "by exec on 2 March at 14:02:31, in an earlier run".
func Provenance(entry *driver.Entry, actor driver.Actor, now time.Time) string {
	when := "at " + entry.Time.Format("15:04:05")
	if y, m, d := entry.Time.Date(); !sameDay(y, m, d, now) {
		when = "on " + entry.Time.Format("2006-01-02") + " " + when
	}
	if entry.Run != actor.Run {
		return "by " + cmp.Or(entry.By, "an older version") + " " + when + ", in another run"
	}
	return strings.TrimPrefix("by "+entry.By+" ", "by  ") + when + ", in this run"
}

func sameDay(year int, month time.Month, day int, now time.Time) bool {
	y, m, d := now.Date()
	return y == year && m == month && d == day
}
