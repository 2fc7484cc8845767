package change

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/deck"
)

// Drafts keeps the answers of a screen's unfinished wizards, by the wizard and its object. It is saved in the history file,
// if there is one, separately for each host.
type Drafts struct {
	deck   *deck.Deck
	screen string // under which the file keeps them
	asked  bool   // for the content of the file
	failed bool   // the operator was warned that it can't be kept there
	kept   map[string]wizard.Draft
}

// NewDrafts returns the drafts of a screen's wizards; screen is a name such as "sriov".
func NewDrafts(d *deck.Deck, screen string) *Drafts {
	return &Drafts{deck: d, screen: screen + ".wizard", kept: map[string]wizard.Draft{}}
}

// Draft returns the saved answers, the zero draft for none.
func (d *Drafts) Draft(key string) wizard.Draft { return d.kept[key] }

// draftsMsg brings what an earlier run kept, draftLostMsg that a draft is not kept beyond this run.
type (
	draftsMsg struct {
		of     *Drafts
		drafts map[string]wizard.Draft
		err    error
	}
	draftLostMsg struct {
		of  *Drafts
		err error
	}
)

// suffix distinguishes hosts in the names of drafts.
func (d *Drafts) suffix() string {
	info := d.deck.Live.Status().Info
	return fmt.Sprintf("@%.16s/%d", info.LabHash, info.Seed)
}

// Load reads what an earlier run kept, once.
func (d *Drafts) Load() ui.Cmd {
	db := d.deck.DB
	if db == nil || d.asked || d.deck.Live == nil {
		return nil
	}
	d.asked = true
	suffix := d.suffix()
	return ui.Background("Read the wizards' drafts", func(ctx context.Context) ui.Msg {
		msg := draftsMsg{of: d, drafts: map[string]wizard.Draft{}}
		layouts, err := db.Layouts(ctx, d.screen)
		for _, l := range layouts {
			key, ours := strings.CutSuffix(l.Name, suffix)
			var draft wizard.Draft
			if ours && json.Unmarshal(l.Data, &draft) == nil { // an unreadable draft is no loss: the operator types it again
				msg.drafts[key] = draft
			}
		}
		msg.err = err
		return msg
	})
}

// Update takes what the work of Load and keep has come to.
func (d *Drafts) Update(msg ui.Msg) ui.Cmd {
	switch msg := msg.(type) {
	case draftsMsg:
		if msg.of != d {
			return nil
		}
		if msg.err != nil {
			return ui.Toast(ui.Caution, "The wizards' drafts can't be read: "+msg.err.Error())
		}
		for key, draft := range msg.drafts {
			if _, newer := d.kept[key]; !newer {
				d.kept[key] = draft
			}
		}
	case draftLostMsg:
		if msg.of == d && !d.failed {
			d.failed = true
			return ui.Toast(ui.Caution, "The draft is kept for this run only: "+msg.err.Error())
		}
	}
	return nil
}

// keep keeps what was typed into a wizard, or forgets it when there is nothing.
func (d *Drafts) keep(key string, draft wizard.Draft) ui.Cmd {
	if draft.Empty() {
		delete(d.kept, key)
	} else {
		d.kept[key] = draft
	}
	db := d.deck.DB
	if db == nil || d.deck.ReadOnly || d.deck.Live == nil {
		return nil
	}
	name := key + d.suffix()
	data, err := json.Marshal(draft)
	if err != nil {
		return nil // plain texts: it can't be
	}
	return ui.Background("Save a wizard's draft", func(ctx context.Context) ui.Msg {
		if draft.Empty() {
			err = db.DeleteLayout(ctx, d.screen, name)
		} else {
			err = db.SaveLayout(ctx, store.Layout{Screen: d.screen, Name: name, Data: data})
		}
		if err != nil {
			return draftLostMsg{d, err}
		}
		return nil
	})
}
