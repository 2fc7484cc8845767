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

// Drafts keeps the answers of a screen's unfinished wizards, by wizard and object. They are saved in the history file,
// if there is one, separately for each host.
type Drafts struct {
	deck   *deck.Deck
	screen string // the key of the drafts in the file
	loaded bool   // the file was read, or is being read
	warned bool   // the operator knows that the file can't be written
	kept   map[string]wizard.Draft
}

// NewDrafts returns the drafts of a screen's wizards; screen is a name such as "sriov".
func NewDrafts(d *deck.Deck, screen string) *Drafts {
	return &Drafts{deck: d, screen: screen + ".wizard", kept: map[string]wizard.Draft{}}
}

// Draft returns the saved answers, the zero draft for none.
func (d *Drafts) Draft(key string) wizard.Draft { return d.kept[key] }

// draftsMsg contains the drafts that an earlier run saved; draftLostMsg reports that a draft could not be saved.
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

// suffix returns the end of a draft's name, which distinguishes hosts.
func (d *Drafts) suffix() string {
	info := d.deck.Live.Status().Info
	return fmt.Sprintf("@%.16s/%d", info.LabHash, info.Seed)
}

// Load reads the drafts that an earlier run saved, once.
func (d *Drafts) Load() ui.Cmd {
	db := d.deck.DB
	if db == nil || d.loaded || d.deck.Live == nil {
		return nil
	}
	d.loaded = true
	suffix := d.suffix()
	return ui.Background("Read the wizards' drafts", func(ctx context.Context) ui.Msg {
		msg := draftsMsg{of: d, drafts: map[string]wizard.Draft{}}
		layouts, err := db.Layouts(ctx, d.screen)
		for _, l := range layouts {
			key, ours := strings.CutSuffix(l.Name, suffix)
			var draft wizard.Draft
			if ours && json.Unmarshal(l.Data, &draft) == nil { // an unreadable draft is not a loss: the operator types it again
				msg.drafts[key] = draft
			}
		}
		msg.err = err
		return msg
	})
}

// Update handles the messages of Load and keep.
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
		if msg.of == d && !d.warned {
			d.warned = true
			return ui.Toast(ui.Caution, "The draft is kept for this run only: "+msg.err.Error())
		}
	}
	return nil
}

// keep saves the draft of a wizard, or deletes it when it is empty.
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
		return nil // can't happen: a draft is plain texts
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
