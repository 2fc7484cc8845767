package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/store"
	"cxdeck/store/fault"
	"cxdeck/views/cli/process"
	"cxdeck/views/cli/saving"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// unsavedConsole returns a console without a history, after one change that was applied and one that failed.
func unsavedConsole(t *testing.T) (c *console, errs *bytes.Buffer) {
	t.Helper()
	errs = &bytes.Buffer{}
	d := viewtest.WatchLab(t, 3, nil)
	c = &console{session: &session{ctx: t.Context(), streams: process.Streams{Err: errs}}, deck: d, inherited: len(d.Live.Journal())}
	pull := driver.Plan{Title: "Pull\x1b[31m it", Operations: []driver.Operation{hardware.PullCable{Connection: "Ethernet 7"}}}
	if _, err := d.Live.Apply(t.Context(), pull); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Live.Apply(t.Context(), driver.Plan{Title: "None", Operations: []driver.Operation{hardware.PullCable{Connection: "none"}}}); err == nil {
		t.Fatal("a change of an unknown port was applied")
	}
	if _, err := d.Live.Apply(t.Context(), driver.Plan{Title: "Restart", Operations: []driver.Operation{adapters.RestartAdapter{Connection: "Ethernet 8"}}}); err != nil {
		t.Fatal(err)
	}
	return c, errs
}

func TestUnsavedChanges(t *testing.T) {
	t.Parallel()
	c, errs := unsavedConsole(t)
	expect := func(what string, n int) {
		t.Helper()
		if got := len(c.unsavedChanges()); got != n {
			t.Errorf("%s: %d changes are unsaved, want %d", what, got, n)
		}
		if asks := c.askBeforeLoss() != nil; asks != (n > 0) {
			t.Errorf("%s: asks before quitting: %v", what, asks)
		}
		if lost := c.loss() != nil; lost != (n > 0 && !c.session.options.ephemeral) {
			t.Errorf("%s: loss: %v", what, c.loss())
		}
	}
	expect("without a history", 2)
	if err := c.loss(); !strings.Contains(err.Error(), "2 changes are not saved") {
		t.Error(err)
	}
	c.session.options.ephemeral = true
	expect("when no history was asked for", 2)
	c.session.options.ephemeral = false

	path := filepath.Join(t.TempDir(), "d", "cxdeck.db")
	db, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c.deck.DB, c.saver = db, &saving.Background{}
	expect("while the host is being saved", 0)
	c.saver.Failing.Store(true)
	expect("when it could not be saved", 2)
	c.saver.Kept.Store(c.deck.Live.Journal()[c.inherited].Sequence)
	expect("when the first was saved", 1)
	c.written.Store(c.unsavedChanges()[0].Sequence)
	expect("when the other was written to a file", 0)
	c.written.Store(0)
	c.saver.Failing.Store(false)
	expect("when all was saved", 0)
	if err := errors.Join(os.RemoveAll(filepath.Dir(path)), os.WriteFile(filepath.Dir(path), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err == nil {
		t.Error("nothing was lost")
	}
	expect("when it was saved in a file that is gone", 2)
	if errs.Len() > 0 {
		t.Errorf("complaints: %s", errs)
	}
}

func TestUnsavedChangesAsAScript(t *testing.T) {
	t.Parallel()
	c, _ := unsavedConsole(t)
	text := string(changeScript("LAB-N4", c.unsavedChanges()))
	for _, want := range []string{"# 2 changes of LAB-N4", "  Pull[31m it\n", "# no command for: pull the cable of Ethernet 7\n",
		"\nRestart-NetAdapter -Name \"Ethernet 8\""} {
		if !strings.Contains(text, want) {
			t.Errorf("the script lacks %q:\n%s", want, text)
		}
	}
}

// TestSecondConsole: a console beside a recording one reads the history, and says why it does not record.
func TestSecondConsole(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cxdeck.db")
	other, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	c := &console{session: &session{ctx: t.Context(), options: options{db: path}}, deck: &deck.Deck{}}
	c.openHistory(t.Context())
	defer c.deck.DB.Close()
	c.record(t.Context(), viewtest.Lab(t).Info())
	if c.deck.DB == nil || !c.reading || c.deck.Recorder != nil || !strings.Contains(c.deck.Unwritable, "is in use by the cxdeck") ||
		c.notice != c.deck.Unwritable || len(c.deck.StorageNotes()) != 1 {
		t.Errorf("reading %v, unwritable %q, notice %q, notes %q", c.reading, c.deck.Unwritable, c.notice, c.deck.StorageNotes())
	}
}

func TestProblemsAreReportedOnce(t *testing.T) {
	t.Parallel()
	full := &fault.FileError{Path: "/x", Reason: fault.ErrFull}
	err := saving.JoinDistinct(nil, full, saving.JoinDistinct(errors.New("one"), &fault.FileError{Path: "/x", Reason: fault.ErrFull}), errors.New("one"))
	if text := err.Error(); strings.Count(text, "is full") != 1 || !strings.HasSuffix(text, "; one") || !errors.Is(err, fault.ErrFull) {
		t.Error(text)
	}
	if err := saving.JoinDistinct(nil, saving.JoinDistinct()); err != nil {
		t.Error(err)
	}
}
