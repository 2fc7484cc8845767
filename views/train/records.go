package train

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"cxdeck/perf/regular"
)

// RecordsName is the name of the file with the records in the state directory, as JSON Lines.
const RecordsName = "exercises.jsonl"

// Limits of the file with the records, and of a line in it, in bytes.
const (
	maxRecords = 16 << 20
	maxRecord  = 16 << 10
)

// Record is the end of a course.
type Record struct {
	Exercise string    `json:"exercise"`
	Seed     uint64    `json:"seed"`
	At       time.Time `json:"at"`
	Solved   bool      `json:"solved"`
	// Seconds is the time that it took on the lab's clock.
	Seconds       float64 `json:"seconds"`
	Hints         int     `json:"hints"`
	Changes       int     `json:"changes"`
	Interruptions int     `json:"interruptions"`
	LostBytes     float64 `json:"lost_bytes"`
}

// Record returns the record of an ended course.
func (c *Course) Record(at time.Time) Record {
	r := c.Ended
	return Record{
		Exercise: c.Exercise.Name, Seed: c.Seed, At: at.UTC(), Solved: r.Solved && !c.GaveUp, Seconds: r.Took.Seconds(), Hints: c.Hints,
		Changes: len(r.Changes), Interruptions: len(r.Interruptions), LostBytes: r.Lost,
	}
}

// AddRecord appends a record to the file in a directory. Other users can't read the file.
func AddRecord(directory string, r Record) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(directory, 0o700); err != nil {
		return fmt.Errorf("the record can't be kept: %w", err)
	}
	path := filepath.Join(directory, RecordsName)
	file, err := regular.Append(path)
	if err == nil {
		_, err = file.Write(append(data, '\n'))
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return fmt.Errorf("the record can't be kept: %w", err)
	}
	return nil
}

// ReadRecords returns the records of a directory, oldest first; none if there is no file. Lines that can't be read are left out, and
// counted.
func ReadRecords(directory string) (list []Record, unread int, err error) {
	data, err := regular.Read(filepath.Join(directory, RecordsName), maxRecords)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, 0, nil
	case err != nil:
		return nil, 0, fmt.Errorf("the records can't be read: %w", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, maxRecord)
	for lines.Scan() {
		var r Record
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if json.Unmarshal(lines.Bytes(), &r) != nil || r.Exercise == "" {
			unread++
			continue
		}
		list = append(list, r)
	}
	if lines.Err() != nil {
		unread++
	}
	return list, unread, nil
}

// Best returns the best record of an exercise: solved with the fewest hints, then in the shortest time; nil for none.
func Best(list []Record, name string) (best *Record) {
	for i := range list {
		r := &list[i]
		if r.Exercise != name || !r.Solved {
			continue
		}
		if best == nil || r.Hints < best.Hints || r.Hints == best.Hints && r.Seconds < best.Seconds {
			best = r
		}
	}
	return best
}
