package registry

import (
	"path/filepath"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// opened opens the screen on a running lab.
func opened(t *testing.T) (*deck.Deck, *View, *viewtest.Stage) {
	t.Helper()
	d := viewtest.Run(t, viewtest.Lab(t))
	v, s := shownOn(t, d)
	return d, v, s
}

// stored returns the stored value of a key in the newest snapshot.
func stored(v *View, connection, key string) string {
	at := v.snapshot.Locate(connection, "", key)
	if at < 0 {
		return "no such key"
	}
	return v.snapshot.Entries[at].Stored.String()
}

// selectKey searches for a key and puts the cursor on it.
func selectKey(s *viewtest.Stage, name string) {
	s.Press("/")
	s.Type(name)
	s.Press("enter")
}

func TestSearchEditReviewApplyUndo(t *testing.T) {
	t.Parallel()
	d, v, s := opened(t)
	s.Press("r")
	s.Want("the draft is empty")
	selectKey(s, "recvbuffers|receivebuffers")
	if e := v.current(); e == nil || e.Row.Name != "*ReceiveBuffers" || e.Owner != "Ethernet 7" {
		t.Fatalf("the search found %+v", v.current())
	}
	s.Press("enter")
	s.Want("*ReceiveBuffers of Ethernet 7", "stored 512")
	s.Press("ctrl+u")
	s.Type("1024")
	s.Press("alt+x")
	s.Want("0x400")
	s.Press("alt+u", "alt+u")
	s.Want("102")
	s.Type("4")
	s.Press("tab", " ", "enter") // Ethernet 8, too
	s.Want("512 → 1024", "draft: 2 changes (r review)")
	s.Press("r")
	s.Want("Review: 2 changes on Ethernet 7 and Ethernet 8", "512  →  1024", "Restart Ethernet 7: down about")
	s.Press("F")
	s.Want("Forecast, the first", "until everything has restarted", "afterwards on a copy of the host", "differ")
	if stored(v, "Ethernet 7", "*ReceiveBuffers") != "512" {
		t.Error("a value was written before the plan was applied")
	}
	s.Push("Apply")
	s.Want("Applied: 2 changes", "Wanted", "Read back", "Nothing is recorded: it ends", "u undoes it")
	s.Press("enter")
	s.WantNot("draft:")
	s.Await(d, "the values", func() bool {
		return stored(v, "Ethernet 7", "*ReceiveBuffers") == "1024" && stored(v, "Ethernet 8", "*ReceiveBuffers") == "1024"
	})
	s.Await(d, "the restart", func() bool {
		return !v.snapshot.Entries[v.snapshot.Locate("Ethernet 7", "", "*ReceiveBuffers")].Pending
	})
	if v.draft.Len() != 0 {
		t.Errorf("the draft still has %+v", v.draft.Edits)
	}
	s.Want("• 1024", "History: one change")
	s.Press("u")
	s.Want("Undo change 1?", "made at 14:0", "1024 -> 512", "Undo it anyway?")
	s.Press("enter")
	if s.WantNot("Undo change 1?"); stored(v, "Ethernet 7", "*ReceiveBuffers") != "1024" {
		t.Error("Enter undid a change although that interrupts traffic")
	}
	s.Press("u", "y")
	s.Await(d, "the undo", func() bool { return stored(v, "Ethernet 7", "*ReceiveBuffers") == "512" })
	if len(s.Log) != 2 {
		t.Errorf("the action log has %+v", s.Log)
	}
}

func TestPlanOnTheManagementPortIsReverted(t *testing.T) {
	t.Parallel()
	d, v, s := opened(t)
	s.Press("shift+tab")
	for v.node().Label != "Ethernet 5" {
		s.Press("down")
	}
	s.Press("tab")
	selectKey(s, "*receivebuffers")
	s.Press("enter", "pgup", "enter", "r")
	s.Want("your own session uses it", "Apply, confirm in 30 s or revert")
	if len(d.Live.Journal()) != 0 {
		t.Fatal("the plan was applied before the answer")
	}
	s.Push("Apply, confirm in 30 s or revert")
	s.Want("Keep this change?", "s left")
	s.Press("n")
	s.Await(d, "the value restored", func() bool {
		return len(d.Live.Journal()) == 2 && stored(v, "Ethernet 5", "*ReceiveBuffers") == "512"
	})
}

func TestValuesWaitForARestart(t *testing.T) {
	t.Parallel()
	d, v, s := opened(t)
	selectKey(s, "jumbopacket")
	s.Press("D")
	s.Want("→ 1514", "the draft is lost when this run ends")
	s.Press("r", "R")
	s.Want("waits: adapter restart", "Ethernet 7: later")
	s.Press("enter", "enter")
	s.Await(d, "the pending value", func() bool { return v.current().Pending })
	s.Want("1514 is stored and takes effect", "until then 9014 applies", "1◆")
	s.AwaitText(d, "1 ◆")
	s.Press("R")
	s.Want("Review: Restart for pending values", "*JumboPacket 1514 is pending", "Apply it anyway?")
	s.Push("Apply")
	s.Press("enter")
	s.Await(d, "the restart", func() bool { return !v.current().Pending })
	s.Press("R")
	s.Want("no value waits for a restart")
	s.Press("H")
	s.Want("Changes of the host", "applied", "leaves nothing")
	s.Press("enter")
	s.Want("can't be undone")
	s.Press("down", "enter")
	s.Want("Undo change 1")
	s.Press("y")
	s.Await(d, "the value of before", func() bool { return stored(v, "Ethernet 7", "*JumboPacket") == "9014" })
}

func TestInvalidValueNeedsASecondEnter(t *testing.T) {
	t.Parallel()
	d, v, s := opened(t)
	selectKey(s, "receivebuffers")
	s.Press("enter", "ctrl+u")
	s.Type("twelve")
	s.Want("must be an integer")
	s.Press("enter")
	s.Want("*ReceiveBuffers of Ethernet 7")
	s.Press("ctrl+u")
	s.Type("100000")
	s.Want("✕ Invalid: ", "above the limit of 4096")
	s.Press("enter")
	s.Want("Enter again puts it in the draft anyway")
	s.Press("enter")
	s.Want("✎", "→ 100000", "draft: 1 change")
	s.Press("v", "v", "v", "v", "v")
	if v.show != showInvalid || v.current() == nil || v.grades[v.rows[v.table.List.Cursor()].entry] != registry.Invalid {
		t.Errorf("the invalid ones are %+v", v.rows)
	}
	s.Press("r")
	s.Want("acts as ", "above the limit")
	s.Press("enter", "enter")
	s.Await(d, "the value", func() bool { return stored(v, "Ethernet 7", "*ReceiveBuffers") == "100000" })
}

func TestTogglesLinksAndTheTree(t *testing.T) {
	t.Parallel()
	_, v, s := opened(t)
	s.Press(" ")
	s.Want("has too many values to toggle")
	selectKey(s, "*rss")
	s.Press(" ")
	if value, ok := v.draft.EditOf(v.selected); !ok || value.String() != "0" {
		t.Fatalf("the toggle gave %v, %v", value, ok)
	}
	s.Press(" ")
	s.WantNot("draft:")
	s.Press("esc", "home")
	if v.current().Row.Name != "*JumboPacket" {
		t.Fatalf("the first key is %s", v.current().Row.Name)
	}
	s.Press("tab")
	for range 30 {
		if l := v.detail.Current(); l != nil && l.Opens == "LSOSize" {
			break
		}
		s.Press("down")
	}
	s.Press("enter")
	if v.current().Row.Name != "LSOSize" || v.focus != tablePart {
		t.Fatalf("the link led to %s", v.current().Row.Name)
	}
	s.Press("esc")
	if v.current().Row.Name != "*JumboPacket" {
		t.Fatalf("back led to %s", v.current().Row.Name)
	}
	s.Press("shift+tab", "down")
	s.Want("Ethernet 8: keys")
	s.Press("home", "enter")
	s.Want("Ethernet 8: Basic", "All keys")
	s.Press("o")
	s.Want("By group")
	s.Press("o")
	s.Want("By registry path", `Control\Class`)
	s.Press("s")
	s.Want("Key", "On")
}

func TestReadOnlyRefuses(t *testing.T) {
	t.Parallel()
	d := viewtest.WatchLab(t, 5, nil)
	d.ReadOnly = true
	v, s := shownOn(t, d)
	s.Press("enter")
	s.Want("Read-only mode: “edit” is not available")
	s.Press("D")
	if v.draft.Len() != 0 {
		t.Error("the draft was changed")
	}
}

func TestADraftIsOfferedAgain(t *testing.T) {
	t.Parallel()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "cxdeck.db"), store.Options{Version: "1.0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	start := func() (*View, *viewtest.Stage) {
		d := viewtest.WatchLab(t, 5, nil)
		d.DB = db
		return shownOn(t, d)
	}
	v, s := start()
	selectKey(s, "*receivebuffers")
	s.Press("enter", "up", "enter", "*")
	if v.draft.Len() != 1 {
		t.Fatalf("the draft is %+v", v.draft.Edits)
	}
	// The console is killed.
	v, s = start()
	s.Want("There is a draft of one change", "Resume it?")
	s.Press("y")
	if value, ok := v.draft.EditOf(v.snapshot.Entries[v.snapshot.Locate("Ethernet 7", "", "*ReceiveBuffers")].ID); !ok || value.String() != "640" {
		t.Errorf("the draft is %+v", v.draft.Edits)
	}
	s.Want("draft: 1 change")
	s.Press("v", "v", "v", "v", "v", "v")
	s.Want("★ *ReceiveBuffers")
	s.Press("esc", "E", "y")
	_, s = start()
	s.WantNot("There is a draft")
}

// TestTextsAboutTheHistoryFile applies a plan while recording, and checks that no toast reports an empty draft as saved.
func TestTextsAboutTheHistoryFile(t *testing.T) {
	t.Parallel()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "cxdeck.db"), store.Options{Version: "1.0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	d := viewtest.WatchLab(t, 5, nil)
	d.DB = db
	if d.Recorder, err = db.Begin(t.Context(), d.Live.Status().Info, time.Second); err != nil {
		t.Fatal(err)
	}
	v, s := shownOn(t, d)
	selectKey(s, "*receivebuffers")
	s.Press("enter", "up", "enter", "r")
	s.Push("Apply")
	s.Want("Applied:", "in the journal. u undoes it")
	s.Press("enter")
	v.keeper.failed = true
	if v.savedDraft(draftSavedMsg{}) != nil {
		t.Error("an empty draft is reported as saved")
	}
	if err := d.Recorder.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestMasksAddressesAndBases(t *testing.T) {
	t.Parallel()
	_, v, s := opened(t)
	selectKey(s, "networkaddress")
	if v.current().Row.Form != registry.MAC {
		t.Fatalf("the search found %s", v.current().Row.Name)
	}
	s.Press("enter", "ctrl+u")
	s.Type("24-8a-07-00-00-01")
	s.Want("● Valid")
	s.Press("ctrl+u")
	s.Type("01-00-5e-00-00-01")
	s.Want("✕ Invalid")
	s.Press("esc")
	mask := -1
	for i := range v.snapshot.Entries {
		if len(v.snapshot.Entries[i].Row.Bits) > 0 {
			mask = i
			break
		}
	}
	if mask < 0 {
		t.Fatal("no key is a mask")
	}
	v.reveal(mask)
	row := v.current().Row
	s.Press("enter")
	s.Want(row.Bits[0].Label)
	s.Press("down", " ", "enter")
	if _, ok := v.draft.EditOf(v.current().ID); !ok {
		s.Press("enter") // an invalid mask needs a second Enter
	}
	if value, ok := v.draft.EditOf(v.current().ID); !ok || value.Number() != v.current().Stored.Number()^row.Bits[1].Value {
		t.Errorf("toggling a bit gave %v, %v", value, ok)
	}
}

func TestMouse(t *testing.T) {
	t.Parallel()
	_, v, s := opened(t)
	s.Hit(zoneTable, 2, false)
	if v.current().Row.Name != "*ReceiveBuffers" {
		t.Errorf("a press on a row selects %s", v.current().Row.Name)
	}
	s.Hit(zoneTable, 2, true)
	s.Want("*ReceiveBuffers of Ethernet 7")
	s.Press("esc")
	s.Hit(zoneTable+".head", nameColumn, false)
	s.Hit(zoneTable+".head", nameColumn, false)
	if v.sorting != nameColumn || !v.descending {
		t.Errorf("two presses on a title sort by %d, descending %v", v.sorting, v.descending)
	}
	s.Hit(zoneShow, int(showOther), false)
	if v.show != showOther {
		t.Errorf("a press shows %s", showWords[v.show])
	}
	s.Hit(zoneTree, 3, false)
	if v.focus != treePart || v.node().Label != "Ethernet 8" {
		t.Errorf("a press on the tree selects %s", v.node().Label)
	}
	s.Hit(zonePage, 0, false)
	if v.focus != pagePart {
		t.Error("a press on the page does not focus it")
	}
}

func TestUndoNamesLaterChanges(t *testing.T) {
	t.Parallel()
	d, v, s := opened(t)
	for _, value := range []string{"1024", "2048"} {
		selectKey(s, "*receivebuffers")
		s.Press("enter", "ctrl+u")
		s.Type(value)
		s.Press("enter", "r", "R", "enter", "enter")
		s.Await(d, "the value", func() bool { return stored(v, "Ethernet 7", "*ReceiveBuffers") == value })
		s.Press("esc")
	}
	s.Press("H", "end", "enter")
	s.Want("later changes depend on it")
	if stored(v, "Ethernet 7", "*ReceiveBuffers") != "2048" {
		t.Error("a later change was overwritten")
	}
	s.Press("esc", "H")
	s.Want("W before and after")
	s.Press("W") // opens History and closes the dialog
	s.WantNot("Changes of the host")
}

func TestAReplayHasNoRegistry(t *testing.T) {
	t.Parallel()
	d, v, s := opened(t)
	s.Press("tab")
	d.Replay = viewtest.Watch(t, silent{viewtest.NewFiniteLab(t, 3, nil)}, 1000).Live
	s.Await(d, "the other source", func() bool { return v.elsewhere })
	s.Want("There is no registry here")
	for _, key := range []string{"enter", "down", "tab", "enter", "tab", "enter", " ", "D", "c", "esc", "p", "H", "esc", "R", "P", "i", "v", "a", "s", "o"} {
		s.Press(key)
	}
	if v.draft.Len() != 0 {
		t.Errorf("the draft has %+v", v.draft.Edits)
	}
	d.Replay = nil
	s.Await(d, "the lab again", func() bool { return !v.elsewhere })
	s.Want("By group")
}

// silent is a source that can't be changed.
type silent struct{ perf.Source }

// TestAKeyOfThePalette opens a key from the palette: the screen must show it for all adapters.
func TestAKeyOfThePalette(t *testing.T) {
	t.Parallel()
	_, v, s := opened(t)
	v.Update(ui.ShowMsg{Arg: deck.KeyFocus{Key: "*JumboPacket"}})
	if e := v.current(); e == nil || e.Row.Name != "*JumboPacket" {
		t.Fatalf("the key under the cursor is %+v", e)
	}
	s.Want("All keys", "filter *JumboPacket", "Ethernet 10", "1500 - 4092")
	v.Update(ui.ShowMsg{Arg: deck.KeyFocus{Connection: "Ethernet 8"}})
	s.Want("Ethernet 8: keys")
	s.WantNot("filter *JumboPacket")
}

// TestDraftWithUnknownKeys loads a draft that contains values of unknown keys, as commands make from .reg files.
func TestDraftWithUnknownKeys(t *testing.T) {
	t.Parallel()
	_, v, s := opened(t)
	unknown := edit.StoreValues{Path: `HKLM\SOFTWARE\Vendor`, Values: []edit.StoredValue{{Name: "Colour", Value: registry.NumberValue(3)}}}
	number := edit.SetValue{Connection: "Ethernet 8", Key: "*JumboPacket", Value: "9014", Type: registry.Number}
	jumbo := edit.SetValue{Connection: "Ethernet 7", Key: "*JumboPacket", Value: "4000"}
	missing := edit.SetValue{Connection: "Ethernet 7", Key: "NoSuchKey", Value: "1"}
	if left := v.draft.AddOperations(v.snapshot, []driver.Operation{unknown, jumbo, number, missing}); left != 1 || v.draft.Len() != 3 {
		t.Fatalf("%d left out, %d in the draft", left, v.draft.Len())
	}
	v.draftChanged()
	s.Want("draft: 3 changes (r review)")
	s.Press("r")
	s.Want("Review: 3 changes on Ethernet 7, Ethernet 8 and other places of the registry", "9014 as REG_DWORD")
	s.WantNot("acts as 9014")
	s.Push("Apply")
	s.Await(v.deck, "the values", func() bool { return stored(v, "Ethernet 7", "*JumboPacket") == "4000" && v.draft.Len() == 0 })
	if got := stored(v, "Ethernet 8", "*JumboPacket"); got != "9014" {
		t.Errorf("Ethernet 8 has %s", got)
	}
}
