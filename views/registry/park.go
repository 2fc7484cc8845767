package registry

import (
	"cxdeck/ui"
	"cxdeck/views/registry/keyset"
)

// setDraftAside sets the draft of the live host aside while a recording shows, which takes no edits, and brings it back.
func (v *View) setDraftAside() {
	switch live := v.monitor == v.deck.Live; {
	case !live && v.parked == nil:
		parked := v.draft
		v.parked, v.draft = &parked, keyset.Draft{}
	case live && v.parked != nil:
		v.draft, v.parked = *v.parked, nil
	}
}

// resumeDraft does what had to wait until the live host shows again: reading the draft, or saving it.
func (v *View) resumeDraft() ui.Cmd {
	switch {
	case v.parked != nil:
	case v.keeper.reread:
		v.keeper.reread = false
		return v.reloadDraft()
	case v.keeper.stale && !v.keeper.saving:
		return v.keepDraft()
	}
	return nil
}
