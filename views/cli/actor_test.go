package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestJournalOrigin checks origin and run of the journal entries of two runs of exec.
func TestJournalOrigin(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	execIn(t, home, "cable pull 'Ethernet 7'\nvm create vm001\n", "--keep-going").want(t, exitFailed)
	execIn(t, home, "", "undo", "--yes").want(t, exitDone)
	r := execIn(t, home, "", "journal")
	r.want(t, exitDone, "BY")
	if n := strings.Count(r.out, "  exec  "); n != 3 {
		t.Errorf("%d of 3 changes are by exec:\n%s", n, r.out)
	}
	r = execIn(t, home, "", "journal", "--json")
	var document struct {
		Result struct {
			Changes []struct{ By, Run string } `json:"changes"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(r.out), &document); err != nil {
		t.Fatal(err)
	}
	runs := document.Result.Changes
	if len(runs) != 3 || runs[0].Run == "" || runs[0].Run != runs[1].Run || runs[1].Run == runs[2].Run {
		t.Errorf("runs %+v", runs)
	}
}
