package sessions

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"cxdeck/driver/wording"
	"cxdeck/store"
	"cxdeck/store/sessions"
	"cxdeck/views/exec"
	"cxdeck/views/moment"
)

// note writes the note of a session; with --from, a note on a moment or range of it.
func note(c *Call) error {
	id, text := c.id(0), strings.Join(c.Arguments[1:], " ")
	if exec.Clean(text) != text {
		return exec.Mistake("a note is one line of text without control characters")
	}
	if c.From == "" && c.To == "" {
		if err := c.DB.SetNote(c.Ctx, id, text); err != nil {
			return err
		}
		c.say("Session %d has the note %q.", id, text)
		return nil
	}
	r, err := c.open(id)
	if err != nil {
		return err
	}
	defer r.source.Close() //nolint:errcheck // nothing was written
	if c.From == "" {
		return exec.Mistake("--to requires --from: a note is on the moment --from, or on the range --from to --to")
	}
	from, to, err := moment.Range(c.From, c.To, r.from.Local(), r.to.Local())
	if err != nil {
		return &exec.MistakeError{Text: err.Error()}
	}
	if c.To == "" {
		to = from
	}
	mark, err := c.DB.AddMark(c.Ctx, store.Mark{Session: id, From: from.UTC(), To: to.UTC(), Text: text})
	if err != nil {
		return err
	}
	period := wording.Stamp(mark.From)
	if mark.To.After(mark.From) {
		period += " to " + wording.Stamp(mark.To)
	}
	c.say("Note %d on session %d, %s: %q.", mark.ID, id, period, text)
	return nil
}

// editNote changes the text of a note on a moment or range, by the number that show prints.
func editNote(c *Call) error {
	text := strings.Join(c.Arguments[1:], " ")
	if exec.Clean(text) != text {
		return exec.Mistake("a note is one line of text without control characters")
	}
	id, err := noteNumber(c.Arguments[0])
	if err != nil {
		return err
	}
	if err := c.DB.SetMarkText(c.Ctx, id, text); err != nil {
		return noNote(id, err)
	}
	c.say("Note %d: %q.", id, text)
	return nil
}

func noteNumber(argument string) (int64, error) {
	id, err := strconv.ParseInt(argument, 10, 64)
	if err != nil {
		return 0, exec.Mistake("%q is not the number of a note; sessions show prints the numbers", argument)
	}
	return id, nil
}

func noNote(id int64, err error) error {
	if errors.Is(err, store.ErrNoMark) {
		return fmt.Errorf("note %d: there is no such note; sessions show prints the notes of a session", id)
	}
	return err
}

// deleteNotes deletes notes on moments and ranges, by the numbers that show prints.
func deleteNotes(c *Call) error {
	for _, argument := range c.Arguments {
		id, err := noteNumber(argument)
		if err != nil {
			return err
		}
		if err := c.DB.DeleteMark(c.Ctx, id); err != nil {
			return noNote(id, err)
		}
		c.say("Note %d is deleted.", id)
	}
	return nil
}

func tag(c *Call) error { return setTags(c, c.Arguments[1:], nil) }

func untag(c *Call) error { return setTags(c, nil, c.Arguments[1:]) }

func setTags(c *Call, add, remove []string) error {
	err := c.DB.Tag(c.Ctx, c.id(0), add, remove)
	var wrong *sessions.TagError
	if errors.As(err, &wrong) {
		return &exec.MistakeError{Text: err.Error()}
	}
	if err != nil {
		return err
	}
	session, err := c.DB.Session(c.Ctx, c.id(0))
	if err != nil {
		return err
	}
	if len(session.Tags) == 0 {
		c.say("Session %d has no tags.", session.ID)
		return nil
	}
	word := "tags"
	if len(session.Tags) == 1 {
		word = "tag"
	}
	c.say("Session %d has the %s %s.", session.ID, word, strings.Join(session.Tags, ", "))
	return nil
}
