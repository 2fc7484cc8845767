package store

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// helperVariable makes the test binary act as one of the helpers: processes that tests kill, or that run with fewer rights.
const helperVariable = "CXDECK_STORE_HELPER"

func TestMain(m *testing.M) {
	helpers := map[string]func(path string) int{"record": recordUntilKilled, "open": openAndReport,
		"levels": levelsUntilKilled}
	if helper, ok := helpers[os.Getenv(helperVariable)]; ok {
		os.Exit(helper(os.Args[len(os.Args)-1]))
	}
	os.Exit(m.Run())
}

// openAndReport opens a file for recording and for reading, and prints both results.
func openAndReport(path string) int {
	for _, readOnly := range []bool{false, true} {
		db, err := Open(context.Background(), path, Options{ReadOnly: readOnly})
		if err != nil {
			fmt.Println("error:", err)
			continue
		}
		if !readOnly {
			if err := db.SaveSetting(context.Background(), "screen", "counters"); err != nil {
				fmt.Println("error:", err)
			}
		}
		sessions, err := db.Sessions(context.Background())
		fmt.Println("sessions:", len(sessions), err)
		if err := db.Close(); err != nil {
			fmt.Println("close:", err)
		}
	}
	return 0
}

// helperOutput runs a helper, and returns its output.
func helperOutput(t *testing.T, helper, path string) string {
	t.Helper()
	command := exec.Command(os.Args[0], path)
	command.Env = append(os.Environ(), helperVariable+"="+helper)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("helper %s: %v\n%s", helper, err, out)
	}
	return string(out)
}
