package driver

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/hardware"
)

// replaceEntry returns a saved host with another text in place of an entry of its journal.
func replaceEntry(t testing.TB, saved []byte, at int, text string) []byte {
	t.Helper()
	var parts map[string]json.RawMessage
	var journal []json.RawMessage
	if err := errors.Join(json.Unmarshal(saved, &parts), json.Unmarshal(parts["journal"], &journal)); err != nil {
		t.Fatal(err)
	}
	journal[at] = json.RawMessage(text)
	var err error
	if parts["journal"], err = json.Marshal(journal); err != nil {
		t.Fatal(err)
	}
	changed, err := json.Marshal(parts)
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

// TestAnEntryThatCanNotBeReadIsSetAside holds that the rest of the host continues beside it, and that nothing of it is
// lost. Among them are entries that earlier versions wrote.
func TestAnEntryThatCanNotBeReadIsSetAside(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	mustApply(t, h, hardware.PullCable{Connection: "Ethernet 7"})
	mustApply(t, h, hardware.PlugCable{Connection: "Ethernet 7"})
	mustApply(t, h, set("Ethernet 5", "*JumboPacket", "9014"))
	saved := mustSave(t, h)
	const head = `{"sequence":2,"time":"2026-03-02T14:00:01Z","by":"exec","undoes":1,"plan":{"title":"Hostile","operations":[`
	const tail = `]},"inverse":{"title":"","operations":[]},"error":"refused"}`
	for what, c := range map[string]struct {
		text, why string
		whole     bool // its head can be told
	}{
		"an empty name":      {head + `{"kind":"create-vm","operation":{"vm":{"name":""}}}` + tail, "name of the object that it changes is required", true},
		"a long name":        {head + `{"kind":"pull-cable","operation":{"connection":"` + strings.Repeat("x", 300) + `"}}` + tail, "at most 256 bytes", true},
		"an unknown kind":    {head + `{"kind":"burn","operation":{}}` + tail, "newer cxdeck", true},
		"an unknown field":   {head + tail[:len(tail)-1] + `,"colour":"red"}`, "unknown field", true},
		"a number":           {`7`, "must be an object, not a number", false},
		"nothing":            {`null`, "does not follow", false},
		"a list":             {`[{"sequence":2}]`, "must be an object, not an array", false},
		"a number too often": {`{"sequence":1,"time":"2026-03-02T14:00:01Z","plan":{"title":"Hostile","operations":[]},"inverse":{"title":"","operations":[]}}`, "does not follow", false},
		"a huge number":      {`{"sequence":18446744073709551615,"time":"2026-03-02T14:00:01Z","plan":{"title":"","operations":[]},"inverse":{"title":"","operations":[]}}`, "does not follow", false},
	} {
		bad := replaceEntry(t, saved, 1, c.text)
		back, err := RestoreHost(description.Default(), bad)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		e := back.Journal()[1]
		if !strings.Contains(e.Unread, c.why) || len(e.Plan.Operations)+len(e.Inverse.Operations) != 0 {
			t.Errorf("%s: %q, %+v", what, e.Unread, e)
		}
		if c.whole && (e.Sequence != 2 || e.Plan.Title != "Hostile" || e.By != "exec" || e.Undoes != 1 || e.Err != "refused" ||
			!e.Time.Equal(time.Date(2026, 3, 2, 14, 0, 1, 0, time.UTC))) {
			t.Errorf("%s: its head is %+v", what, e)
		}
		if again := mustSave(t, back); !bytes.Contains(again, []byte(c.text)) || !bytes.Equal(replaceEntry(t, again, 1, c.text), bad) {
			t.Errorf("%s: it is not kept as it was found", what)
		}
		if undone, err := back.Undo(); err != nil || undone.Undoes != 3 || undone.Sequence != 4 {
			t.Errorf("%s: undo gives %+v, %v", what, undone, err)
		}
		if _, err := back.UndoEntry(2); err == nil {
			t.Errorf("%s: it was undone", what)
		}
		if err := sameJournal(back); err != nil {
			t.Errorf("%s: after a change: %v", what, err)
		}
	}
}

// sameJournal reports whether the journal of a host is another one after a save.
func sameJournal(h *Host) error {
	data, err := h.Save()
	if err != nil {
		return err
	}
	back, err := RestoreHost(h.lab.Description(), data)
	if err == nil && !reflect.DeepEqual(back.Journal(), h.Journal()) {
		err = errors.New("another journal came back")
	}
	return err
}

// TestAnUnreadableChangeIsNotGuarded holds that a host whose unconfirmed change can't be read takes changes again.
func TestAnUnreadableChangeIsNotGuarded(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	if _, err := h.ApplyGuarded(Plan{Title: "x", Operations: []Operation{hardware.PullCable{Connection: "Ethernet 7"}}}, time.Time{}); err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(mustSave(t, h)), `"kind":"pull-cable"`, `"kind":"burn"`, 1)
	back, err := RestoreHost(description.Default(), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if _, waits := back.Unconfirmed(); waits {
		t.Error("it waits for what can't be undone")
	}
	mustApply(t, back, hardware.PlugCable{Connection: "Ethernet 7"})
}

// TestTheJournalThatIsSavedIsBounded holds that many large changes do not make a host too large to be saved.
func TestTheJournalThatIsSavedIsBounded(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	plan := Plan{Title: strings.Repeat("t", 4<<20), Operations: []Operation{hardware.PullCable{Connection: "Ethernet 7"}}}
	for range 8 {
		h.journal = append(h.journal, Entry{Sequence: h.journal.Last() + 1, Time: h.Now(), Plan: plan})
	}
	list, err := h.journal.Save()
	if err != nil || len(list) != 5 || !bytes.Contains(list[4][:40], []byte(`"sequence":8`)) {
		t.Errorf("%d entries, %v", len(list), err)
	}
	h.journal = []Entry{{Sequence: 1, Time: h.Now(), Plan: Plan{Title: strings.Repeat("t", 24<<20+1)}}}
	if list, err := h.journal.Save(); err != nil || len(list) != 1 {
		t.Errorf("the newest entry is lost: %v", err)
	}
}

// TestCopiesShareTheJournalAndKeepTheirOwn holds that neither a host nor its copies see what the others add.
func TestCopiesShareTheJournalAndKeepTheirOwn(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	mustApply(t, h, hardware.PullCable{Connection: "Ethernet 7"})
	h.journal = slices.Grow(h.journal, 10)
	a, b := h.Clone(), h.Clone()
	mustApply(t, a, hardware.PullCable{Connection: "Ethernet 8"})
	mustApply(t, b, hardware.PullCable{Connection: "Ethernet 5"})
	mustApply(t, h, hardware.PlugCable{Connection: "Ethernet 7"})
	if _, err := h.Apply(Plan{Title: "refused", Operations: []Operation{hardware.PlugCable{Connection: "Ethernet 7"}}}); err == nil {
		t.Fatal("a cable was plugged twice")
	}
	mustApply(t, a, hardware.PlugCable{Connection: "Ethernet 8"})
	for name, c := range map[string]struct {
		host *Host
		want []string
	}{
		"host": {h, []string{"pull-cable Ethernet 7", "plug-cable Ethernet 7", "plug-cable Ethernet 7"}},
		"a":    {a, []string{"pull-cable Ethernet 7", "pull-cable Ethernet 8", "plug-cable Ethernet 8"}},
		"b":    {b, []string{"pull-cable Ethernet 7", "pull-cable Ethernet 5"}},
	} {
		var got []string
		for _, e := range c.host.journal {
			got = append(got, e.Plan.Operations[0].Kind()+" "+e.Plan.Operations[0].Target())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s has %q", name, got)
		}
	}
}

// TestAFailureNamesItsOperation holds that of two equal Operations the one is named that failed.
func TestAFailureNamesItsOperation(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	plan := Plan{Title: "x", Operations: []Operation{set("Ethernet 5", "*JumboPacket", "9014"), hardware.PullCable{Connection: "Ethernet 7"}, hardware.PullCable{Connection: "Ethernet 7"}, hardware.PlugCable{Connection: "Ethernet 7"}}}
	_, err := h.Apply(plan)
	var failed *OperationError
	if !errors.As(err, &failed) || failed.Index != 2 || failed.Operation != plan.Operations[2] || failed.Err == nil {
		t.Errorf("got %#v", err)
	}
	if !errors.As(h.Check(plan), &failed) || failed.Index != 2 {
		t.Errorf("check says %v", h.Check(plan))
	}
	if err := h.Review(plan).Refusal; !errors.As(err, &failed) || failed.Index != 2 {
		t.Errorf("review says %v", err)
	}
}

// A host with thousands of changes tries each plan on a copy: copies share the old entries, and each has its own new ones.
func TestCopiesShareTheEntriesOfTheJournal(t *testing.T) {
	h := newHost(t, 1)
	plan := Plan{Title: "x", Operations: []Operation{set("Ethernet 5", "*JumboPacket", "9014")}}
	h.journal = slices.Grow(h.journal, 8)
	for range 3 {
		h.journal = append(h.journal, Entry{Sequence: h.journal.Last() + 1, Time: h.Now(), Plan: plan})
	}
	first := &h.journal[0]
	c := h.Clone()
	if &c.journal[0] != first {
		t.Error("Clone copied the entries")
	}
	for name, host := range map[string]*Host{"copy": c, "host": h} {
		if _, err := host.Apply(Plan{Title: name, Operations: plan.Operations}); err != nil {
			t.Fatal(err)
		}
		if got := host.journal[len(host.journal)-1].Plan.Title; got != name || len(host.journal) != 4 {
			t.Errorf("the journal of the %s has %d entries and ends with %q", name, len(host.journal), got)
		}
	}
	if c.journal[3].Plan.Title != "copy" || h.journal[3].Plan.Title != "host" {
		t.Errorf("the journals end with %q and %q", c.journal[3].Plan.Title, h.journal[3].Plan.Title)
	}
	if err := h.Check(plan); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{hardware.PlugCable{Connection: "Ethernet 5"}}}); err == nil {
		t.Error("a cable that is in was plugged in")
	}
	if &h.journal[0] != first {
		t.Error("a refused plan copied the entries")
	}
}
