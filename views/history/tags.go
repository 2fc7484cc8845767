package history

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cxdeck/store"
	"cxdeck/ui"
)

// askTags asks for the tags of the selected session.
func (v *View) askTags() ui.Cmd {
	s, db := v.session(), v.deck.DB
	id, before := s.ID, s.Tags
	return ui.PromptWork(fmt.Sprintf("Tags of session %d", id), "Tags, separated by spaces", strings.Join(before, " "), nil,
		fmt.Sprintf("Write the tags of session %d", id), func(ctx context.Context, text string) (ui.Msg, error) {
			return writeTags(ctx, db, id, before, strings.Fields(strings.ReplaceAll(text, ",", " ")))
		})
}

// writeTags replaces the tags of a session.
func writeTags(ctx context.Context, db *store.DB, id int64, before, after []string) (ui.Msg, error) {
	added, removed := missing(before, after), missing(after, before)
	if err := db.Tag(ctx, id, added, removed); err != nil {
		return nil, err
	}
	done := doneMsg{text: fmt.Sprintf("The tags of session %d are saved.", id), did: fmt.Sprintf("Tags of session %d", id)}
	for verb, tags := range map[string][]string{"tag": added, "untag": removed} {
		if len(tags) > 0 {
			done.commands = append(done.commands, fmt.Sprintf("cxdeck sessions %s %d %s", verb, id, strings.Join(tags, " ")))
		}
	}
	slices.Sort(done.commands)
	return done, nil
}

// missing returns the tags of list that from does not contain, ignoring case.
func missing(from, list []string) (tags []string) {
	for _, tag := range list {
		if !slices.ContainsFunc(from, func(known string) bool { return strings.EqualFold(known, tag) }) {
			tags = append(tags, tag)
		}
	}
	return tags
}
