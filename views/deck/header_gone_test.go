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

// A file that goes away while it is recorded into is noticed, said and saved.
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
	if err := os.Remove(directory); err != nil { // there is room again
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	waitHeader("file was gone, saved again")
}
