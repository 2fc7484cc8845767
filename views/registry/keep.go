package registry

import (
	"context"
	"fmt"

	"cxdeck/driver/wording"
	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/views/registry/keyset"
)

// The names of this screen's data in the history file.
const (
	draftName     = "registry"
	favouriteKind = "key"
)

// keeper holds the state of saving the draft and the favourites in the history file.
type keeper struct {
	asked   bool // the saved state was requested
	offered *store.Draft
	// saving is set while the draft is being saved, stale if it has changed since, failed after the operator was warned that
	// it can't be saved.
	saving, stale, failed bool
	// reread is set if a command has changed the draft during a replay.
	reread bool
}

// keptMsg contains the draft and the favourites of earlier runs.
type keptMsg struct {
	draft      *store.Draft
	favourites []string
	err        error
}

// draftSavedMsg reports that the draft was saved, or the error.
type draftSavedMsg struct{ err error }

// loadKept reads the draft and the favourites, once.
func (v *View) loadKept() ui.Cmd {
	db := v.deck.DB
	if db == nil || v.keeper.asked || v.deck.Live == nil {
		return nil
	}
	v.keeper.asked = true
	info := v.deck.Live.Status().Info
	return ui.Background("Read the draft and the favourites", func(ctx context.Context) ui.Msg {
		var msg keptMsg
		if msg.favourites, msg.err = db.Favourites(ctx, favouriteKind); msg.err != nil {
			return msg
		}
		draft, ok, err := db.Draft(ctx, info.LabHash, info.Seed, draftName)
		if msg.err = err; ok && err == nil {
			msg.draft = &draft
		}
		return msg
	})
}

// takeKept sets the favourites, and offers the draft once the registry has been read.
func (v *View) takeKept(msg keptMsg) ui.Cmd {
	if msg.err != nil {
		return ui.Toast(ui.Caution, "The draft and the favourites can't be read: "+msg.err.Error())
	}
	for _, name := range msg.favourites {
		v.favourites[name] = true
	}
	if v.show == showFavourites {
		v.arrange()
	}
	v.keeper.offered = msg.draft
	return v.offerDraft()
}

// offerDraft offers the draft of an earlier run, once the registry has been read.
func (v *View) offerDraft() ui.Cmd {
	offered := v.keeper.offered
	if offered == nil || v.snapshot == nil || v.elsewhere || v.parked != nil {
		return nil
	}
	v.keeper.offered = nil
	var found keyset.Draft
	left := found.AddOperations(v.snapshot, offered.Plan.Operations)
	if found.Len() == 0 {
		return nil // all values are stored already
	}
	question := fmt.Sprintf("There is a draft of %s from %s: %s. Resume it?", count(found.Len(), "change"),
		offered.Saved.Local().Format("2006-01-02 15:04"), offered.Plan.Title)
	if left > 0 {
		question += fmt.Sprintf(" %s in it no longer fit this host.", count(left, "change"))
	}
	return ui.Confirm(question, "Resume", func() ui.Cmd {
		found.Reconcile(v.snapshot)
		v.draft = found
		v.draftChanged()
		return nil
	})
}

// keepDraft saves the draft, so that the next run can offer it. If a save is running, the newest draft is saved after it.
func (v *View) keepDraft() ui.Cmd {
	db := v.deck.DB
	switch {
	case v.snapshot == nil:
		return nil
	case v.parked != nil:
		v.keeper.stale = true
		return nil
	case db == nil && (v.keeper.failed || v.draft.Len() == 0):
		return nil
	case db == nil:
		v.keeper.failed = true
		return ui.Toast(ui.Note, "Without a history file the draft is lost when this run ends.")
	}
	if v.keeper.saving {
		v.keeper.stale = true
		return nil
	}
	v.keeper.saving, v.keeper.stale = true, false
	info := v.deck.Live.Status().Info
	kept := store.Draft{LabHash: info.LabHash, Seed: info.Seed, Name: draftName, Plan: v.plan()}
	return ui.Background("Save the draft", func(ctx context.Context) ui.Msg {
		if len(kept.Plan.Operations) == 0 {
			return draftSavedMsg{db.DeleteDraft(ctx, info.LabHash, info.Seed, draftName)}
		}
		return draftSavedMsg{db.SaveDraft(ctx, kept)}
	})
}

// savedDraft saves the draft again if it has changed since, and warns once if it can't be saved.
func (v *View) savedDraft(msg draftSavedMsg) ui.Cmd {
	v.keeper.saving = false
	if msg.err != nil {
		if v.keeper.failed {
			return nil
		}
		v.keeper.failed = true
		return ui.Toast(ui.Caution, "The draft can't be saved in the history file and is lost when this run ends: "+msg.err.Error())
	}
	again := v.keeper.failed
	v.keeper.failed = false
	switch {
	case v.keeper.stale:
		return v.keepDraft()
	case again && v.draft.Len() > 0:
		return ui.Toast(ui.Success, "The draft is saved in the history file again.")
	}
	return nil
}

// favouriteAction adds the key under the cursor to the favourites, or removes it.
func (v *View) favouriteAction() ui.Action {
	a := ui.Action{ID: "registry.favourite", Keys: []string{"*"}, FormerKeys: []string{"f"}, Name: "favourite", Hidden: true, Changes: v.deck.DB != nil,
		Help: "Add the key under the cursor to the favourites, or remove it; favourites are saved"}
	e := v.current()
	if e == nil {
		a.Disabled = "select a key first"
		return a
	}
	a.Object = e.Row.Name
	a.Run = func() ui.Cmd {
		name := favourite(e)
		on := !v.favourites[name]
		v.favourites[name] = on
		if v.show == showFavourites {
			v.arrange()
		}
		db := v.deck.DB
		if db == nil {
			return nil
		}
		return ui.Background("Save the favourite", func(ctx context.Context) ui.Msg {
			if err := db.SetFavourite(ctx, favouriteKind, name, on); err != nil {
				return ui.Toast(ui.Caution, wording.UpperFirst(err.Error()))()
			}
			return nil
		})
	}
	return a
}
