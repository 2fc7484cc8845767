package apply

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"cxdeck/driver/linuxhost"
)

// Entry is a line of the journal of changes to this machine.
type Entry struct {
	Number  int            `json:"number"`
	Time    time.Time      `json:"time"`
	Changes linuxhost.Plan `json:"changes"`
	// Outcome is "kept", "reverted" or "failed"; Reason says why it failed or was reverted.
	Outcome string `json:"outcome"`
	Reason  string `json:"reason,omitempty"`
	// Undoes is the number of the entry that it undoes, 0 for none.
	Undoes int `json:"undoes,omitempty"`
	// Backup is the file with the values before the change; empty for none.
	Backup string `json:"backup,omitempty"`
}

// The outcomes of an entry.
const (
	Kept     = "kept"
	Reverted = "reverted"
	Failed   = "failed"
)

// Limits of the journal that is read.
const (
	lineLimit  = 1 << 20
	entryLimit = 10_000
)

// ReadJournal returns the entries of a journal, oldest first; none when there is no file. Lines that can't be read are left out and
// counted.
func ReadJournal(path string) (entries []Entry, damaged int, err error) {
	if info, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	} else if err != nil {
		return nil, 0, err
	} else if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s is not a file", path)
	}
	file, err := os.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close() //nolint:errcheck // nothing was written
	lines := bufio.NewScanner(io.LimitReader(file, lineLimit*16))
	lines.Buffer(nil, lineLimit)
	for lines.Scan() && len(entries) < entryLimit {
		var e Entry
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Number <= 0 {
			damaged++
			continue
		}
		entries = append(entries, e)
	}
	return entries, damaged, lines.Err()
}

// AppendJournal adds an entry with the next number, and returns it.
func AppendJournal(path string, e Entry) (Entry, error) {
	entries, _, err := ReadJournal(path)
	if err != nil {
		return e, err
	}
	e.Number = 1
	if len(entries) > 0 {
		e.Number = entries[len(entries)-1].Number + 1
	}
	text, err := json.Marshal(e)
	if err != nil {
		return e, err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return e, err
	}
	_, err = file.Write(append(text, '\n'))
	return e, errors.Join(err, file.Sync(), file.Close())
}

// Undoable returns the newest entry that was kept and not undone.
func Undoable(entries []Entry) (Entry, bool) {
	undone := map[int]bool{}
	for n := len(entries) - 1; n >= 0; n-- {
		e := &entries[n]
		switch {
		case e.Outcome != Kept:
		case e.Undoes != 0:
			undone[e.Undoes] = true
		case !undone[e.Number]:
			return *e, true
		}
	}
	return Entry{}, false
}
