package cli

import (
	"slices"
	"testing"

	"cxdeck/views/deck"
)

// TestEveryScreenCanBeTheFirst holds that --screen takes the screens that there are.
func TestEveryScreenCanBeTheFirst(t *testing.T) {
	t.Parallel()
	var ids []string
	for _, view := range Screens(&deck.Deck{}) {
		ids = append(ids, view.ID())
	}
	if words := screenWords(); !slices.Equal(ids, words) {
		t.Errorf("--screen takes %q, and there are %q", words, ids)
	}
}
