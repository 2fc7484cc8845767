package teaming

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/ui/widget"
)

// draftScreen is the screen under which the history file keeps what was typed into wizards.
const draftScreen = "teams.wizard"

// keeper is what is kept of the wizards that were left.
type keeper struct {
	asked  bool // for what the history file has
	failed bool // the operator was told that it can't be kept there
	// drafts is what was typed, by the wizard and what it was opened for.
	drafts map[string]widget.WizardDraft
}

// draftsMsg brings what an earlier run kept.
type draftsMsg struct {
	drafts map[string]widget.WizardDraft
	err    error
}

// draftSuffix tells the drafts of a host from those of others.
func (v *View) draftSuffix() string {
	info := v.deck.Live.Status().Info
	return fmt.Sprintf("@%.16s/%d", info.LabHash, info.Seed)
}

// loadDrafts reads what an earlier run kept, once.
func (v *View) loadDrafts() ui.Cmd {
	db := v.deck.DB
	if db == nil || v.keeper.asked || v.deck.Live == nil {
		return nil
	}
	v.keeper.asked = true
	suffix := v.draftSuffix()
	return ui.Background("Read what was typed into wizards", func(ctx context.Context) ui.Msg {
		msg := draftsMsg{drafts: map[string]widget.WizardDraft{}}
		layouts, err := db.Layouts(ctx, draftScreen)
		for _, l := range layouts {
			key, ours := strings.CutSuffix(l.Name, suffix)
			var draft widget.WizardDraft
			if ours && json.Unmarshal(l.Data, &draft) == nil { // what can't be read is no loss: it is typed again
				msg.drafts[key] = draft
			}
		}
		msg.err = err
		return msg
	})
}

func (v *View) takeDrafts(msg draftsMsg) ui.Cmd {
	if msg.err != nil {
		return ui.Toast(ui.Caution, "What was typed into wizards before can't be read: "+msg.err.Error())
	}
	for key, draft := range msg.drafts {
		if _, newer := v.keeper.drafts[key]; !newer {
			v.keeper.drafts[key] = draft
		}
	}
	return nil
}

// keepDraft keeps what was typed into a wizard, or forgets it when there is nothing.
func (v *View) keepDraft(key string, draft widget.WizardDraft) ui.Cmd {
	if draft.Empty() {
		delete(v.keeper.drafts, key)
	} else {
		v.keeper.drafts[key] = draft
	}
	db := v.deck.DB
	if db == nil || v.deck.ReadOnly || v.deck.Live == nil {
		return nil
	}
	name := key + v.draftSuffix()
	data, err := json.Marshal(draft)
	if err != nil {
		return nil // plain texts: it can't be
	}
	return ui.Background("Keep what was typed into a wizard", func(ctx context.Context) ui.Msg {
		if draft.Empty() {
			err = db.DeleteLayout(ctx, draftScreen, name)
		} else {
			err = db.SaveLayout(ctx, store.Layout{Screen: draftScreen, Name: name, Data: data})
		}
		if err != nil {
			return draftLostMsg{err}
		}
		return nil
	})
}

// draftLostMsg says that a draft is not kept beyond this run.
type draftLostMsg struct{ err error }

// draftLost tells so, once.
func (v *View) draftLost(msg draftLostMsg) ui.Cmd {
	if v.keeper.failed {
		return nil
	}
	v.keeper.failed = true
	return ui.Toast(ui.Caution, "What was typed is kept for this run only: "+msg.err.Error())
}
