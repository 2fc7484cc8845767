package counters

import (
	"testing"
	"time"

	"cxdeck/ui"
	"cxdeck/views/deck"
)

// TestNoteOnAMoment writes, changes and deletes a note on a moment of an open session, and writes one on a range.
func TestNoteOnAMoment(t *testing.T) {
	t.Parallel()
	db := openDB(t)
	id := recorded(t, db)
	p := newPlay(t, 1, 30)
	p.deck.DB = db
	replay, err := deck.LoadReplay(t.Context(), db, id, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.deck.ShowReplay(replay)
	p.Shell.Send(ui.DataMsg{})
	p.WaitIdle()
	p.Press("{", "e")
	p.Want("Note at 14:28:59")
	p.Type("replaced the cable")
	p.Press("enter")
	p.Want("The note is saved.")
	marks, err := db.Marks(t.Context(), id)
	if err != nil || len(marks) != 1 || marks[0].Text != "replaced the cable" || marks[0].From.Format("15:04:05") != "14:28:59" {
		t.Fatalf("%+v, %v", marks, err)
	}
	p.Press("K", "K")
	p.Want("the cable was pulled", "✎")
	p.Press("J")
	if now := p.screen.status.Now; !now.Equal(marks[0].From) {
		t.Errorf("the next mark is at %s", now)
	}

	p.Press("e")
	p.Want("Notes", "14:28:59", "replaced the cable")
	p.Press("enter")
	p.Type("replaced the cable again")
	p.Press("enter")
	p.Want("The note is changed.", "replaced the cable again")
	p.Press("d")
	p.Push("Delete")
	p.WantNot("replaced the cable")
	p.Want("The note is deleted.")
	if marks, err = db.Marks(t.Context(), id); err != nil || len(marks) != 0 {
		t.Fatalf("%+v, %v", marks, err)
	}
	p.Press("V", ")", "V", "e")
	p.Want("Note on 14:28:59 to 14:29:09")
	p.Type("the link was unstable")
	p.Press("enter")
	p.Want("The note is saved.")
	marks, err = db.Marks(t.Context(), id)
	if err != nil || len(marks) != 1 || marks[0].To.Sub(marks[0].From) != 10*time.Second {
		t.Fatalf("%+v, %v", marks, err)
	}
}
