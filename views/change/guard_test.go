package change

import (
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/views/deck"
)

// TestConfirmationOutlastsTheInterruption checks that a confirmation is offered only if the operator's session is back
// before the time is over.
func TestConfirmationOutlastsTheInterruption(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		review  driver.Review
		want    time.Duration
		buttons int
		note    string
	}{
		{"nothing to undo", driver.Review{Management: driver.ManagementRisk{Touched: true}}, 0, 1, ""},
		{"a shortInterruption", touched(3*time.Second, false), 30 * time.Second, 2, ""},
		{"a reboot", touched(65*time.Second, false), 95 * time.Second, 2,
			"Your session is back after about 65 s; 30 s are then left to confirm it."},
		{"too long", touched(10*time.Minute, false), 0, 1,
			"Your session is back after about 600 s: too long to wait for a confirmation."},
		{"for good", touched(0, true), 30 * time.Second, 2,
			"With a confirmation it is reverted after 30 s, unless you reach the host another way."},
	} {
		d := &deck.Deck{}
		within := Period(d, &c.review)
		if buttons := applyButtons(&c.review, within, "Apply"); within != c.want || len(buttons) != c.buttons {
			t.Errorf("%s: %v to confirm, want %v; %+v", c.name, within, c.want, buttons)
		}
		if note := GuardNote(d, &c.review); note != c.note {
			t.Errorf("%s: %q, want %q", c.name, note, c.note)
		}
	}
}

func touched(down time.Duration, lost bool) driver.Review {
	return driver.Review{Reversible: true, Management: driver.ManagementRisk{Touched: true, Down: down, Lost: lost}}
}
