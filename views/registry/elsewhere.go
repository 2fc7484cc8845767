package registry

import (
	"context"

	"cxdeck/store"
	"cxdeck/ui"
)

// DraftName is the name under which the history file keeps the draft, for commands that work on it.
const DraftName = draftName

// elsewhereMsg reports that a command may have changed the draft and the profiles in the history file.
type elsewhereMsg struct{}

// DraftChanged notifies the screen that a command may have changed the draft and the profiles in the history file.
func DraftChanged() ui.Cmd { return func() ui.Msg { return elsewhereMsg{} } }

// rereadMsg brings the draft as the history file has it.
type rereadMsg struct {
	draft store.Draft
	err   error
}

// reloadDraft reads the draft again that the screen has taken up; one that it has not is offered when it comes to the front.
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

// takeReread takes over the draft as the history file has it.
func (v *View) takeReread(msg rereadMsg) ui.Cmd {
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
