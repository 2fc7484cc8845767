package cli

import (
	"slices"
	"testing"

	"cxdeck/views/deck"
)

// TestScreenFlag: --screen accepts the ids of all screens.
func TestScreenFlag(t *testing.T) {
	t.Parallel()
	var ids []string
	for _, view := range Screens(&deck.Deck{}) {
		ids = append(ids, view.ID())
	}
	if words := screenWords(); !slices.Equal(ids, words) {
		t.Errorf("--screen accepts %q, the screens are %q", words, ids)
	}
}
