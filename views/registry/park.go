package registry

import (
	"cxdeck/ui"
	"cxdeck/views/registry/keyset"
)

// parkDraft stores the draft of the live host during a replay, which can't be edited, and restores it afterwards.
func (v *View) parkDraft() {
	switch live := v.monitor == v.deck.Live; {
	case !live && v.parked == nil:
		parked := v.draft
		v.parked, v.draft = &parked, keyset.Draft{}
	case live && v.parked != nil:
		v.draft, v.parked = *v.parked, nil
	}
}

// resumeDraft reads or saves the draft, if that had to wait for the end of a replay.
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
