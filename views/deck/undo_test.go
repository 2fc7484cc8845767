package deck_test

import (
	"context"
	"testing"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

func TestUndoableNamesTheNewestChange(t *testing.T) {
	t.Parallel()
	d := viewtest.Run(t, viewtest.Lab(t))
	want := func(title string) {
		t.Helper()
		if got := d.Undoable(); got != title {
			t.Errorf("undo would revert %q, want %q", got, title)
		}
	}
	apply := func(title string, o driver.Operation) {
		t.Helper()
		if _, err := d.Live.Apply(context.Background(), driver.Plan{Title: title, Operations: []driver.Operation{o}}); err != nil {
			t.Fatal(err)
		}
	}
	undo := func() {
		t.Helper()
		if _, err := d.Live.Undo(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	want("")
	apply("Pull 5", hardware.PullCable{Connection: "Ethernet 5"})
	apply("Pull 6", hardware.PullCable{Connection: "Ethernet 6"})
	want("Pull 6")
	apply("Restart 7", adapters.RestartAdapter{Connection: "Ethernet 7"}) // leaves nothing to undo
	want("Pull 6")
	undo()
	want("Pull 5")
	undo()
	want("")
	if (&deck.Deck{}).CannotChange() == "" || (&deck.Deck{}).Undoable() != "" {
		t.Error("a deck without a source can be changed")
	}
}
