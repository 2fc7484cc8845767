package registry

import (
	"context"

	"cxdeck/store"
	"cxdeck/ui"
)

// DraftName is the name of the draft in the history file, for commands that change it.
const DraftName = draftName

// elsewhereMsg reports that a command may have changed the draft and the profiles in the history file.
type elsewhereMsg struct{}

// DraftChanged notifies the screen that a command may have changed the draft and the profiles in the history file.
func DraftChanged() ui.Cmd { return func() ui.Msg { return elsewhereMsg{} } }

// rereadMsg contains the draft of the history file.
type rereadMsg struct {
	draft store.Draft
	err   error
}

// reloadDraft reads the draft again, unless the screen has not loaded it yet or still offers it.
func (v *View) reloadDraft() ui.Cmd {
	db := v.deck.DB
	if db == nil || v.deck.Live == nil || !v.keeper.asked || v.keeper.offered != nil {
		return nil
	}
	info := v.deck.Live.Status().Info
	read := ui.Background("Read the draft", func(ctx context.Context) ui.Msg {
		draft, _, err := db.Draft(ctx, info.LabHash, info.Seed, draftName)
		return rereadMsg{draft, err}
	})
	return ui.Batch(read, v.loadProfiles())
}

// handleReread replaces the draft by the one of the history file.
func (v *View) handleReread(msg rereadMsg) ui.Cmd {
	if msg.err != nil {
		return ui.Toast(ui.Caution, "The draft can't be read: "+msg.err.Error())
	}
	if v.parked != nil {
		v.keeper.stale, v.keeper.reread = false, true
		return nil
	}
	if v.snapshot == nil {
		return nil
	}
	v.draft.Clear()
	v.draft.AddOperations(v.snapshot, msg.draft.Plan.Operations)
	v.draftChanged()
	return nil
}
