package train

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestRecords holds that records are kept in a private file, that the best one is found, and that damaged lines are skipped.
func TestRecords(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "state")
	if list, unread, err := ReadRecords(folder); err != nil || len(list) > 0 || unread > 0 {
		t.Errorf("without a file there are %v, %d, %v", list, unread, err)
	}
	for _, r := range []Record{
		{Exercise: "cable-out", Seed: 1, Solved: true, Seconds: 90, Hints: 1}, {Exercise: "cable-out", Seed: 2, Solved: true, Seconds: 200},
		{Exercise: "cable-out", Seed: 3, Seconds: 10}, {Exercise: "window", Solved: true, Seconds: 5, At: time.Unix(0, 0).UTC()},
	} {
		if err := AddRecord(folder, r); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(folder, RecordsName)
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file has %v, %v", info.Mode(), err)
	}
	data, _ := os.ReadFile(path)
	if err := os.WriteFile(path, append(data, []byte("{damaged\n\n")...), 0o600); err != nil {
		t.Fatal(err)
	}
	list, unread, err := ReadRecords(folder)
	if err != nil || len(list) != 4 || unread != 1 {
		t.Errorf("%d records, %d unread, %v", len(list), unread, err)
	}
	if best := Best(list, "cable-out"); best == nil || best.Seed != 2 {
		t.Errorf("the best record is %+v", best)
	}
	if Best(list, "trunk") != nil {
		t.Error("an exercise without a record has a best one")
	}
	if err := AddRecord(path, Record{}); err == nil || !strings.Contains(err.Error(), "the record can't be kept") {
		t.Errorf("a file in place of the directory gives %v", err)
	}
}
