package registry

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cxdeck/driver/registry/tuning"
	"cxdeck/store"
	"cxdeck/views/viewtest"
)

func TestProfilesAndScenarios(t *testing.T) {
	t.Parallel()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "cxdeck.db"), store.Options{Version: "1.0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	d := viewtest.WatchLab(t, 5, nil)
	d.DB = db
	v, s := shownOn(t, d)
	s.Press("P")
	s.Want("Profiles for Ethernet 7", "single-port", "restore", "n save the current values")
	s.Press("down", "down")
	s.Want("Dual-port needs a second connection; select the branch of the card")
	s.Press("up", "up")
	s.Press("n")
	s.Type("seven")
	s.Press("enter")
	s.Want("Profile seven: ")
	if len(v.profiles) != 1 || v.profiles[0].Name != "seven" {
		t.Fatalf("the profiles are %+v", v.profiles)
	}
	file := filepath.Join(t.TempDir(), "seven.json")
	s.Press("P", "x")
	s.Want("Export the profile seven", "seven.json")
	s.Press("ctrl+u")
	s.Type(file)
	s.Press("enter")
	s.Want("The profile seven: " + file)
	s.Press("P", "i")
	s.Type(file + "x")
	s.Press("enter")
	s.Want("Import a profile", file+"x", "nothing was saved") // the dialog stays open with the typed text
	s.Press("backspace", "enter")
	s.Want("There is a profile seven already. Replace it?")
	s.Press("esc", "P", "d", "y")
	if len(v.profiles) != 0 {
		t.Fatalf("the profiles are %+v", v.profiles)
	}
	s.Press("P", "i")
	s.Type(file)
	s.Press("enter")
	s.Want("Profile seven: ")
	if len(v.profiles) != 1 || len(v.profiles[0].Values) == 0 {
		t.Fatalf("the profiles are %+v", v.profiles)
	}
	s.Press("tab", "tab", "down", "tab") // Ethernet 8
	s.Press("P")
	s.Want("Profiles for Ethernet 8", "seven", "yours", "single-port")
	s.Press("down")
	s.Want("Enter review")
	s.Press("enter")
	s.Want("Review: Tune Ethernet 8: single-port", "RecvCompletionMethod", "left out, because Ethernet 8 has no such key: ")
	log := filepath.Join(filepath.Dir(db.Path()), tuning.LogName)
	if _, err := os.Stat(log); err == nil {
		t.Error("a review wrote a log")
	}
	s.Push("Apply")
	s.Press("enter")
	s.Await(d, "the tuning", func() bool { return stored(v, "Ethernet 8", "RecvCompletionMethod") == "2" })
	s.Want("The values before are in " + log)
	written, err := os.ReadFile(log)
	if err != nil || !strings.Contains(string(written), "tuning: single-port\r\n") ||
		!strings.Contains(string(written), "Ethernet 8: RecvCompletionMethod was 1, now 2\r\n") {
		t.Errorf("the log is %q, %v", written, err)
	}
	if info, err := os.Stat(log); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the log is %v, %v", info, err)
	}
	s.Press("u", "y")
	s.Await(d, "the undo", func() bool { return stored(v, "Ethernet 8", "RecvCompletionMethod") == "1" })

	s.Press("P", "end", "up")
	s.Want("Enter choose processors", "*RssBaseProcNumber 0, *MaxRSSProcessors 8")
	s.Press("enter")
	s.Want("First processor and count", "0 8")
	s.Press("ctrl+u")
	s.Type("4 1000")
	s.Want("From processor 4 on there are ")
	s.Press("enter", "ctrl+u")
	s.Type("4 2")
	s.Press("enter")
	s.Want("Review: Tune Ethernet 8: manual", "*RssBaseProcNumber  ", "→  4")
	s.Press("esc")

	s.Press("P")
	s.Press("esc", "c")
	s.Want("seven", "profile")
	s.Press("esc", "P", "home", "d")
	s.Want("Delete the profile seven?")
	s.Press("y")
	if len(v.profiles) != 0 {
		t.Errorf("the profiles are %+v", v.profiles)
	}
}
