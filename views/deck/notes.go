package deck

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"cxdeck/store"
	"cxdeck/store/sessions"
	"cxdeck/ui"
)

// NotesMsg reports that the notes of a session have changed.
type NotesMsg struct {
	Session int64
	Notes   []store.Mark
}

// checkNote returns why the text of a note is invalid; empty for a valid one.
func checkNote(text string) string {
	if n := utf8.RuneCountInString(text); n > sessions.MaxMarkText {
		return fmt.Sprintf("%d characters are too many: %d are the maximum", n, sessions.MaxMarkText)
	}
	return ""
}

// noteTitle names the time of a note.
func noteTitle(from, to time.Time) string {
	if to.After(from) {
		return "Note on " + from.Format("15:04:05") + " to " + to.Format("15:04:05")
	}
	return "Note at " + from.Format("15:04:05")
}

// AskNote asks for a note on a moment or a range of the open session, or of the session that is being recorded.
func (d *Deck) AskNote(from, to time.Time) ui.Cmd {
	id := d.notedSession()
	return ui.Prompt(noteTitle(from, to), fmt.Sprintf("On session %d", id), "", checkNote, func(text string) ui.Cmd {
		if text = strings.TrimSpace(text); text == "" {
			return nil
		}
		return d.changeNotes(id, "Write a note", "The note is saved.", func(ctx context.Context) error {
			_, err := d.DB.AddMark(ctx, store.Mark{Session: id, From: from, To: to, Text: text})
			return err
		})
	})
}

// AskEditNote asks for a new text of a note; an empty text changes nothing.
func (d *Deck) AskEditNote(note store.Mark) ui.Cmd {
	from, to := d.Local(note.From), d.Local(note.To)
	return ui.Prompt(noteTitle(from, to), fmt.Sprintf("On session %d", note.Session), note.Text, checkNote, func(text string) ui.Cmd {
		if text = strings.TrimSpace(text); text == "" || text == note.Text {
			return nil
		}
		return d.changeNotes(note.Session, "Change a note", "The note is changed.", func(ctx context.Context) error {
			return d.DB.SetMarkText(ctx, note.ID, text)
		})
	})
}

// AskDeleteNote asks, and deletes a note.
func (d *Deck) AskDeleteNote(note store.Mark) ui.Cmd {
	return ui.Confirm(fmt.Sprintf("Delete the note of %s, “%s”?", d.Local(note.From).Format("15:04:05"), note.Text), "Delete", func() ui.Cmd {
		return d.changeNotes(note.Session, "Delete a note", "The note is deleted.", func(ctx context.Context) error {
			return d.DB.DeleteMark(ctx, note.ID)
		})
	})
}

// changeNotes changes the notes of a session outside the terminal loop, and reports the outcome.
func (d *Deck) changeNotes(id int64, what, done string, change func(context.Context) error) ui.Cmd {
	db, replay := d.DB, d.replay
	return ui.Background(what, func(ctx context.Context) ui.Msg {
		if err := change(ctx); err != nil {
			return ui.Toast(ui.Failure, "The notes are unchanged: "+err.Error())()
		}
		if replay != nil && replay.Session.ID == id {
			_ = replay.readMoments(ctx, db) // after an error the old moments stay
		}
		notes, err := db.Marks(ctx, id)
		if err != nil {
			return ui.Toast(ui.Success, done)()
		}
		return ui.Batch(ui.Toast(ui.Success, done), func() ui.Msg { return NotesMsg{id, notes} })()
	})
}

// notedSession returns the session to which notes are added, 0 for none.
func (d *Deck) notedSession() int64 {
	switch {
	case d.DB == nil || d.Unwritable != "":
		return 0
	case d.replay != nil:
		return d.replay.Session.ID
	case d.Recorder != nil:
		return d.Recorder.Status().Session
	}
	return 0
}

// NotesAt returns the notes of the open session that begin or end within half an interval of a time.
func (d *Deck) NotesAt(at time.Time) []store.Mark {
	if d.replay == nil {
		return nil
	}
	all := d.replay.notes.Load()
	if all == nil {
		return nil
	}
	half := d.replay.Session.Interval / 2
	near := func(moment time.Time) bool { return moment.Sub(at).Abs() <= half }
	return slices.DeleteFunc(slices.Clone(*all), func(m store.Mark) bool { return !near(m.From) && !near(m.To) })
}

// CannotNote returns why no note can be written, empty if one can.
func (d *Deck) CannotNote() string {
	if d.notedSession() == 0 {
		return "there is no recording to write a note on"
	}
	return ""
}
