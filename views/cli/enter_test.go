package cli

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/views/counters"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// Number of Enters after each action, and of rows and parts tried on each screen.
const (
	enters    = 12
	walkRows  = 9
	walkParts = 3
)

// entered is a console on a lab with traffic, whose time does not advance, with a history of two sessions.
type entered struct {
	*viewtest.Stage
	t      *testing.T
	deck   *deck.Deck
	views  []ui.View
	tried  map[string]bool
	before *driver.Host
	known  int // changes in the journal
	// buttons are the buttons seen so far.
	buttons map[string]bool
}

func newEntered(t *testing.T) *entered {
	t.Helper()
	t.Chdir(t.TempDir()) // for exported files
	ctx := context.Background()
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "cxdeck.db"), store.Options{Version: "1.0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	recorder, err := db.Begin(ctx, viewtest.Lab(t).Info(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	d, _ := viewtest.PauseLab(t, 20, nil, recorder)
	if err := recorder.Close(ctx); err != nil {
		t.Fatal(err)
	}
	d.DB, d.NoDB = db, ""
	e := &entered{t: t, deck: d, views: Screens(d), tried: map[string]bool{}, buttons: map[string]bool{}}
	for i, view := range e.views {
		if view.ID() == counters.ID {
			e.views[i] = counters.New(d, counters.WithExportDirectory(t.TempDir()))
		}
	}
	e.Stage = viewtest.Open(t, d, e.views)
	return e
}

// remember copies the host before an action, if it has changed.
func (e *entered) remember() {
	e.t.Helper()
	if journal := e.deck.Live.Journal(); e.before != nil && len(journal) == e.known {
		return
	}
	host, err := e.deck.Live.Clone(e.t.Context())
	if err != nil {
		e.t.Fatal(err)
	}
	e.before, e.known = host, len(e.deck.Live.Journal())
}

// press presses keys on a screen, then Enter many times, and fails the test if that interrupted or removed something.
func (e *entered) press(screen int, what string, keys ...string) {
	e.t.Helper()
	e.remember()
	e.Press(keys...)
	for range enters {
		e.checkButtons(what)
		e.Press("enter")
	}
	for _, entry := range e.deck.Live.Journal()[e.known:] {
		if entry.Err != "" {
			continue
		}
		if review := e.before.ReviewWithoutRestarts(entry.Plan); review.Impact.Any() {
			e.t.Errorf("%s, then Enter: %s has an impact: %+v", what, entry.Plan.Title, review.Impact)
		}
		for _, o := range entry.Plan.Operations {
			if fault, ok := o.(hardware.SetFault); ok && fault.Share > 0 {
				e.t.Errorf("%s, then Enter: %s", what, entry.Plan.Title)
			}
		}
	}
	if sessions, err := e.deck.DB.Sessions(e.t.Context()); err != nil || len(sessions) != 1 {
		e.t.Errorf("%s, then Enter: %d sessions are left (%v)", what, len(sessions), err)
	}
	e.Press("esc", "esc", "esc", "esc", "esc")
	if _, open := e.deck.ReplaySession(); open {
		e.Press(strconv.Itoa(screen), "X")
	}
	e.Press(strconv.Itoa(screen))
}

// button matches a drawn button; backButtons lists the buttons that change nothing.
var (
	button      = regexp.MustCompile(`\[ ([A-Z][^\]│]*) \]`)
	backButtons = []string{"Back", "Cancel", "Stay", "Close", "Revert now"}
)

// checkButtons fails the test if a button that changes nothing is not the last one of its row.
func (e *entered) checkButtons(what string) {
	e.t.Helper()
	for line := range strings.SplitSeq(e.Text(), "\n") {
		row := button.FindAllStringSubmatch(line, -1)
		for i, match := range row {
			back := slices.Contains(backButtons, match[1])
			e.buttons[match[1]] = true
			if back != (i == len(row)-1) && len(row) > 1 {
				e.t.Errorf("%s: wrong order of buttons: %s", what, strings.TrimSpace(line))
			}
		}
	}
}

// TestEnterInterruptsNothing runs all actions of all screens, in each part and on the first rows, and presses Enter many times
// after each: on a host with traffic, default answers interrupt, remove and reboot nothing.
func TestEnterInterruptsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	e := newEntered(t)
	for n, view := range e.views {
		screen := n + 1
		for part := range walkParts {
			for row := range walkRows {
				e.walk(screen, view, part, row)
			}
		}
	}
	if len(e.tried) < 100 {
		t.Errorf("only %d actions were tried", len(e.tried))
	}
	for _, want := range []string{"Apply", "Back", "Next", "Cancel"} {
		if !e.buttons[want] {
			t.Errorf("no dialog with the button %q was met, only %v", want, slices.Sorted(maps.Keys(e.buttons)))
		}
	}
}

// walk tries the actions of a screen in a part, on a row, that were not available on another row before.
func (e *entered) walk(screen int, view ui.View, part, row int) {
	e.t.Helper()
	reach := func() {
		e.Press(strconv.Itoa(screen))
		e.Press("home")
		for range row {
			e.Press("down")
		}
	}
	reach()
	for range part {
		e.Press("tab")
	}
	for _, action := range view.Actions() {
		what := action.ID + " " + action.Name + " of " + action.Object
		if action.Changes && action.Object == "" { // it may still concern the selected row
			what += " row " + strconv.Itoa(row)
		}
		if action.Disabled != "" || len(action.Keys) == 0 || e.tried[what] {
			continue
		}
		e.tried[what] = true
		reach()
		e.press(screen, what, action.Keys[0])
	}
}

// TestEnterInDialogsInterruptsNothing does the same for the wizards of the SR-IOV screen, and for the keys within dialogs.
func TestEnterInDialogsInterruptsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	e := newEntered(t)
	for wizard := range 13 {
		for _, row := range []int{1, 5, 7, 11} { // a virtual function, and ports of several cards without one
			keys := []string{"5", "home"}
			for range row {
				keys = append(keys, "down")
			}
			keys = append(keys, "Z")
			for range wizard {
				keys = append(keys, "down")
			}
			e.press(5, fmt.Sprintf("wizard %d of row %d", wizard, row), append(keys, "enter")...)
		}
	}
	edit := []string{"3", "home", "down", "enter", "up", "enter"} // a value that waits for a restart
	for _, keys := range [][]string{
		{"2", "ctrl+o"}, {"2", "ctrl+o", "n"}, {"2", "ctrl+o", "d"}, {"2", "a", "tab", "A"}, {"2", "a", "tab", "A", "E"},
		append(edit, "r"), append(edit, "r", "F"), append(edit, "r", "R"), append(edit, "r", "x"), append(edit, "E"),
		{"3", "P"}, {"3", "P", "n"}, {"3", "P", "x"}, {"3", "P", "i"}, {"3", "P", "d"}, {"3", "P", "end"}, {"3", "P", "end", "up"},
		{"3", "c", "enter", "A"}, {"3", "H"}, {"3", "R"}, {"3", "u"}, {"8", "E"}, {"8", "*"}, {"8", "d"}, {"8", "e"},
	} {
		screen, err := strconv.Atoi(keys[0])
		if err != nil {
			t.Fatal(err)
		}
		e.press(screen, "keys "+strconv.Quote(keys[len(keys)-1]), keys...)
	}
}
