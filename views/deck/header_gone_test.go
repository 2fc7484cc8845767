//go:build unix

package deck_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/store"
	"cxdeck/views/viewtest"
)

// TestHeaderWhenTheFileIsGone removes the history file during recording: the header must report it, and report that the history
// was saved again.
func TestHeaderWhenTheFileIsGone(t *testing.T) {
	t.Parallel()
	directory := filepath.Join(t.TempDir(), "d")
	db, err := store.Open(t.Context(), filepath.Join(directory, "cxdeck.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := viewtest.WatchLab(t, 5, nil)
	d.DB = db
	if d.Recorder, err = db.Begin(t.Context(), d.Live.Status().Info, time.Second); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.RemoveAll(directory), os.WriteFile(directory, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	waitHeader := func(want string) {
		t.Helper()
		deadline := time.Now().Add(10 * time.Second)
		for !strings.Contains(headerText(d), want) {
			if time.Now().After(deadline) {
				t.Fatalf("the header is %s, want %s", headerText(d), want)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	waitHeader("✕ history file is gone / " + directory)
	if err := os.Remove(directory); err != nil { // the directory can be created again
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	waitHeader("file was gone, saved again")
}
