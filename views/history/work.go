package history

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/views/deck"
)

// The functions of this file access the disk outside the terminal loop.

func readRecords(db *store.DB, id int64) ui.Cmd {
	return ui.Background(fmt.Sprintf("Read the events and marks of session %d", id), func(ctx context.Context) ui.Msg {
		events, err := db.SessionEvents(ctx, id)
		events = slices.Clone(events[max(len(events)-eventLimit, 0):])
		slices.Reverse(events)
		if err != nil {
			return recordsMsg{id: id, err: err}
		}
		marks, err := db.Marks(ctx, id)
		return recordsMsg{id, records{events, marks}, err}
	})
}

func open(db *store.DB, id int64, restore deck.Restore) ui.Cmd {
	return ui.Background(fmt.Sprintf("Open session %d", id), func(ctx context.Context) ui.Msg {
		replay, err := deck.LoadReplay(ctx, db, id, restore)
		return openedMsg{replay: replay, err: err}
	})
}

func writeNote(db *store.DB, id int64, note string) ui.Cmd {
	return ui.Background(fmt.Sprintf("Write the note of session %d", id), func(ctx context.Context) ui.Msg {
		err := db.SetNote(ctx, id, note)
		return doneMsg{
			text: fmt.Sprintf("The note of session %d is saved.", id),
			did:  fmt.Sprintf("Note on session %d: %s", id, cmp.Or(note, "none")), err: err,
		}
	})
}

// pin pins a session, or unpins it.
func pin(db *store.DB, id int64, pinned bool) ui.Cmd {
	text, verb := "Session %d is pinned: max_age and max_size keep it.", "pin"
	if !pinned {
		text, verb = "Session %d is no longer pinned.", "unpin"
	}
	return ui.Background(fmt.Sprintf("%s session %d", wording.UpperFirst(verb), id), func(ctx context.Context) ui.Msg {
		err := db.SetPinned(ctx, id, pinned)
		return doneMsg{
			text: fmt.Sprintf(text, id), did: fmt.Sprintf("%sned session %d", wording.UpperFirst(verb), id),
			commands: []string{fmt.Sprintf("cxdeck sessions %s %d", verb, id)}, err: err,
		}
	})
}

func remove(db *store.DB, id int64) ui.Cmd {
	return ui.Background(fmt.Sprintf("Delete session %d", id), func(ctx context.Context) ui.Msg {
		err := db.Delete(ctx, id)
		return doneMsg{
			text: fmt.Sprintf("Session %d is deleted; E frees its disk space.", id),
			did:  fmt.Sprintf("Deleted session %d", id), commands: []string{fmt.Sprintf("cxdeck sessions delete %d", id)}, err: err,
		}
	})
}

func vacuum(db *store.DB) ui.Cmd {
	return ui.Background("Free the space of deleted sessions", func(ctx context.Context) ui.Msg {
		freed, err := db.Vacuum(ctx)
		size := perf.Number(float64(freed), perf.Bytes, false, false)
		return doneMsg{
			text: "The history file is " + size + " smaller.",
			did:  "Freed " + size + " of the history file", commands: []string{"cxdeck sessions vacuum"}, err: err,
		}
	})
}
