package apply

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"cxdeck/driver/linuxhost"
)

// Entry is a line of the journal of changes to this machine.
type Entry struct {
	Number  int            `json:"number"`
	Time    time.Time      `json:"time"`
	Changes linuxhost.Plan `json:"changes"`
	// Outcome is "waiting", "kept", "reverted" or "failed"; Reason says why it failed or was reverted.
	Outcome string `json:"outcome"`
	Reason  string `json:"reason,omitempty"`
	// Undoes is the number of the entry that it undoes, 0 for none.
	Undoes int `json:"undoes,omitempty"`
	// Backup is the file with the values before the change; empty for none.
	Backup string `json:"backup,omitempty"`
}

// The outcomes of an entry. A change is written as waiting before the first setting changes, and again with its outcome: one that is
// still waiting when no program has the lock was left by a killed program.
const (
	Waiting  = "waiting"
	Kept     = "kept"
	Reverted = "reverted"
	Failed   = "failed"
)

// Limits of the journal that is read.
const (
	lineLimit  = 1 << 20
	entryLimit = 10_000
)

// ReadJournal returns the entries of a journal, oldest first; none when there is no file. The last line of a number is its entry. Lines
// that can't be read are left out and counted.
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
	at := map[int]int{} // the entry of each number
	for lines.Scan() && len(entries) < entryLimit {
		var e Entry
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Number <= 0 {
			damaged++
			continue
		}
		if n, ok := at[e.Number]; ok {
			entries[n] = e
			continue
		}
		at[e.Number] = len(entries)
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
	return e, AmendJournal(path, e)
}

// AmendJournal writes an entry that has a number, in place of an older line with the same number.
func AmendJournal(path string, e Entry) error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	return errors.Join(err, file.Sync(), file.Close())
}

// Undoable returns the newest entry that was kept, or left without a confirmation, and not undone.
func Undoable(entries []Entry) (Entry, bool) {
	undone := map[int]bool{}
	for n := len(entries) - 1; n >= 0; n-- {
		e := &entries[n]
		switch {
		case e.Outcome == Kept && e.Undoes != 0:
			undone[e.Undoes] = true
		case (e.Outcome == Kept || e.Outcome == Waiting) && !undone[e.Number]:
			return *e, true
		}
	}
	return Entry{}, false
}

// Abandoned returns the newest entry that still waits for its confirmation. The program that waits may be running: the caller has
// looked at its lock.
func Abandoned(entries []Entry) (Entry, bool) {
	undone := map[int]bool{}
	for _, e := range slices.Backward(entries) {
		if e.Undoes != 0 && e.Outcome == Kept {
			undone[e.Undoes] = true
		}
		if e.Outcome == Waiting && !undone[e.Number] {
			return e, true
		}
	}
	return Entry{}, false
}

// UndoPlan returns the plan that undoes an entry: all its changes, or what is left of a change that was never confirmed.
func UndoPlan(m *linuxhost.Machine, e Entry) linuxhost.Plan {
	if e.Outcome == Waiting {
		return linuxhost.Remaining(m, e.Changes)
	}
	return e.Changes.Inverse()
}
