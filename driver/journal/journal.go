package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"cxdeck/driver/request"
)

// Journal is the list of all plans that were tried, oldest first.
type Journal []Entry

// Last returns the highest sequence in the journal, 0 when it is empty. Entries that can't be read may be in any order.
func (j Journal) Last() (last uint64) {
	for i := range j {
		last = max(last, j[i].Sequence)
	}
	return last
}

// ErrInterrupted is the reason why a plan was not applied: the cxdeck that began it ended before.
var ErrInterrupted = errors.New("cxdeck ended before it was applied; nothing was changed")

// RecordCommands stores the commands of an Operation where they differ from the Operation's own.
func (e *Entry) RecordCommands(i int, commands []string) {
	if slices.Equal(commands, e.Plan.Operations[i].Commands()) {
		return
	}
	if e.Typed == nil {
		e.Typed = map[int][]string{}
	}
	e.Typed[i] = commands
}

// CannotKeep returns the error for a plan that the journal can't keep.
func CannotKeep(plan Plan, why error) error {
	return request.Errorf("the journal can't keep %q: %w", Shorten(plan.Title), why)
}

// Check returns why an entry could not be read back unchanged. It checks each part: a plan may have 100,000 Operations, and
// encoding the whole would copy it at each level.
func (e *Entry) Check() error {
	kinds := decoders()
	for _, plan := range []Plan{e.Plan, e.Inverse} {
		if len(plan.Operations) > MaxOperations {
			return errTooMany
		}
		for _, o := range plan.Operations {
			data, err := MarshalOperation(o)
			if err == nil {
				_, err = unmarshalOperation(data, kinds)
			}
			if err != nil {
				return err
			}
		}
	}
	head := *e
	head.Plan.Operations, head.Inverse.Operations = nil, nil
	_, err := head.MarshalJSON()
	return err
}

// unreadEntry makes an entry of stored data that can't be decoded; it keeps the data.
func unreadEntry(data []byte, why error) Entry {
	e := Entry{Unread: Shorten(why.Error()), stored: bytes.Clone(data)}
	var plan struct{ Title string }
	var parts map[string]json.RawMessage
	_ = json.Unmarshal(data, &parts) // a value that is not an object has no parts
	for name, part := range map[string]any{
		"sequence": &e.Sequence, "time": &e.Time, "plan": &plan, "undoes": &e.Undoes, "error": &e.Err,
		"by": &e.By, "run": &e.Run,
	} {
		_ = json.Unmarshal(parts[name], part) // the other parts may be valid
	}
	e.Plan.Title = plan.Title
	if e.Sequence > maxSequence {
		e.Sequence = 0 // the next entry still needs a number
	}
	return e
}

// Restore returns a saved journal. Entries that can't be read, or are out of order, become unread entries.
func Restore(saved []json.RawMessage) (Journal, error) {
	if len(saved) > maxEntries {
		return nil, fmt.Errorf("the saved journal has more than %d entries", maxEntries)
	}
	j := make(Journal, len(saved))
	var last uint64
	for i, data := range saved {
		e := &j[i]
		if err := e.UnmarshalJSON(data); err != nil {
			return nil, err
		}
		if e.Unread == "" && (e.Sequence <= last || e.Sequence > maxSequence) {
			*e = unreadEntry(data, fmt.Errorf("its number %d does not follow %d, the number of the previous entry", e.Sequence, last))
		}
		if e.Unread == "" {
			last = e.Sequence
		}
	}
	return j, nil
}

// Limits of a saved journal, in entries and bytes: the newest entries within both are kept.
const (
	maxSavedEntries = 1000
	maxSavedJournal = 24 << 20
)

// maxSequence bounds the numbers of entries; no host comes near it.
const maxSequence = 1 << 62

// Save encodes the newest entries, oldest first.
func (j Journal) Save() ([]json.RawMessage, error) {
	list := []json.RawMessage{}
	size := 0
	for _, e := range slices.Backward(j[max(0, len(j)-maxSavedEntries):]) {
		data, err := e.MarshalJSON()
		if err != nil {
			return nil, fmt.Errorf("save change %d: %w", e.Sequence, err)
		}
		if size += len(data); size > maxSavedJournal && len(list) > 0 {
			break
		}
		list = append(list, data)
	}
	slices.Reverse(list)
	return list, nil
}

// HasInvalidText reports whether JSON was written from text that is not valid UTF-8: the encoder writes this escape for each
// invalid byte, and never uses it otherwise.
func HasInvalidText(data []byte) bool {
	escape := []byte(`\ufffd`)
	for {
		at := bytes.Index(data, escape)
		if at < 0 {
			return false
		}
		backslashes := 0
		for at-backslashes > 0 && data[at-backslashes-1] == '\\' {
			backslashes++
		}
		if backslashes%2 == 0 {
			return true
		}
		data = data[at+len(escape):]
	}
}

// maxSentence is the maximum length, in bytes, of an outside text that is quoted in a sentence.
const maxSentence = 1000

// Shorten cuts a text that is too long for a sentence, and makes it valid UTF-8.
func Shorten(text string) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	if len(text) <= maxSentence {
		return text
	}
	text = text[:maxSentence]
	for !utf8.ValidString(text) {
		text = text[:len(text)-1]
	}
	return text + "..."
}
