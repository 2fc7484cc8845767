package registry

import (
	"cmp"
	"slices"
	"strings"

	"cxdeck/driver/registry"
	"cxdeck/views/registry/keyset"
)

// row is a line of the table: a key, or the heading of the keys below it.
type row struct {
	entry   int // -1 for a heading
	heading string
}

// show selects the keys that the table shows.
type show uint8

const (
	showAll show = iota
	showDraft
	showChanged
	showPending
	showOther
	showInvalid
	showFavourites
	showCount
)

// showWords are the names of the selections, in the bar above the table.
var showWords = [showCount]string{"all", "in draft", "changed", "pending", "not default", "invalid", "favourites"}

// shows reports whether the table shows an entry.
func (v *View) shows(i int) bool {
	e := &v.snapshot.Entries[i]
	if v.group != "" && e.Row.Group != v.group {
		return false
	}
	switch v.show {
	case showDraft:
		_, ok := v.draft.EditOf(e.ID)
		return ok
	case showChanged:
		return e.Changes > 0
	case showPending:
		return e.Pending
	case showOther:
		if e.CannotStore() != "" {
			return false
		}
		stored := e.Stored
		if v, ok := v.draft.EditOf(e.ID); ok {
			stored = v
		}
		return stored != e.Default
	case showInvalid:
		return v.grades[i] != registry.Valid
	case showFavourites:
		return v.favourites[favourite(e)]
	default:
		return true
	}
}

// favourite returns the id of a favourite: scope and name of the key.
func favourite(e *keyset.Entry) string { return string(e.Row.Scope) + "/" + e.Row.Name }

// search scores the keys that match the filter's text; nil for an empty text. Names score higher than summaries.
func search(text string, families []*registry.Catalogue) map[*registry.Row]int {
	scores := map[*registry.Row]int{}
	asked := false
	for phrase := range strings.SplitSeq(text, "|") {
		if phrase = strings.TrimSpace(phrase); phrase == "" {
			continue
		}
		asked = true
		for _, c := range families {
			for _, hit := range c.Search(phrase, keyset.AllScopes()...) {
				scores[hit.Row] = max(scores[hit.Row], hit.Score)
			}
		}
	}
	if !asked {
		return nil
	}
	return scores
}

// searchUnknown adds the values of unknown keys whose name or path has a phrase of the filter's text.
func (v *View) searchUnknown(text string) {
	if v.snapshot == nil || v.scores == nil {
		return
	}
	for phrase := range strings.SplitSeq(strings.ToLower(text), "|") {
		if phrase = strings.TrimSpace(phrase); phrase == "" {
			continue
		}
		for i := range v.snapshot.Entries {
			if e := &v.snapshot.Entries[i]; e.IsUnknown() && strings.Contains(strings.ToLower(e.Row.Name+" unknown"), phrase) {
				v.scores[e.Row] = 1
			}
		}
	}
}

// arrange selects and sorts the rows.
func (v *View) arrange() {
	v.rows = v.rows[:0]
	if v.snapshot == nil {
		v.table.List.SetLength(0)
		return
	}
	n := v.node()
	for _, i := range v.tree.Order[n.From:n.To] {
		if v.scores != nil {
			if _, found := v.scores[v.snapshot.Entries[i].Row]; !found {
				continue
			}
		}
		if v.shows(i) {
			v.rows = append(v.rows, row{entry: i})
		}
	}
	v.addShared()
	switch {
	case v.sorting != noSorting:
		v.sort()
	case v.scores != nil:
		slices.SortStableFunc(v.rows, func(a, b row) int {
			return cmp.Compare(v.scores[v.entry(b).Row], v.scores[v.entry(a).Row])
		})
	default:
		v.addHeadings()
	}
	v.table.List.SetLength(len(v.rows))
	v.find(v.selected)
}

// addShared adds the matching keys that the selected connection shares with others: keys of its card, its driver and
// Windows.
func (v *View) addShared() {
	v.shared = false
	connection := v.connectionUnderCursor()
	if v.scores == nil || connection == "" {
		return
	}
	for i := range v.snapshot.Entries {
		e := &v.snapshot.Entries[i]
		if _, found := v.scores[e.Row]; found && e.Connection == "" && v.snapshot.Reads(e, []string{connection}) && v.shows(i) {
			v.rows = append(v.rows, row{entry: i})
			v.shared = true
		}
	}
}

// connectionUnderCursor returns the connection of the selected branch; empty for another branch.
func (v *View) connectionUnderCursor() string {
	if n := v.node(); v.arrangement == keyset.ByAdapter && n.Depth == 2 && n.To > n.From {
		return v.snapshot.Entries[v.tree.Order[n.From]].Connection
	}
	return ""
}

func (v *View) entry(r row) *keyset.Entry { return &v.snapshot.Entries[r.entry] }

// addHeadings inserts a heading before the keys of each group, with the owner's name if there are several owners.
func (v *View) addHeadings() {
	several := false
	for i := range v.rows {
		several = several || v.entry(v.rows[i]).Owner != v.entry(v.rows[0]).Owner
	}
	headed := make([]row, 0, len(v.rows)+32)
	last := ""
	for i := range v.rows {
		e := v.entry(v.rows[i])
		heading := e.Row.Group
		if several {
			heading = e.Owner + ": " + heading
		}
		if heading != last {
			headed = append(headed, row{entry: -1, heading: heading})
			last = heading
		}
		headed = append(headed, v.rows[i])
	}
	v.rows = headed
}

// sortKey orders the rows: by weight, then number, then text, then the old position.
type sortKey struct {
	weight int
	number uint32
	place  int
	text   string
	row    row
}

// sort sorts the rows by the sorting column.
func (v *View) sort() {
	keys := make([]sortKey, len(v.rows))
	for i, r := range v.rows {
		keys[i] = v.sortKey(r.entry)
		keys[i].row, keys[i].place = r, i
	}
	slices.SortFunc(keys, func(a, b sortKey) int {
		if v.descending {
			a, b = b, a
		}
		return cmp.Or(cmp.Compare(a.weight, b.weight), cmp.Compare(a.number, b.number), strings.Compare(a.text, b.text),
			cmp.Compare(a.place, b.place))
	})
	for i := range keys {
		v.rows[i] = keys[i].row
	}
}

// sortKey returns the key of an entry for the sorting column.
func (v *View) sortKey(i int) sortKey {
	e := &v.snapshot.Entries[i]
	switch v.sorting {
	case ownerColumn:
		return sortKey{text: e.Owner}
	case markColumn:
		return sortKey{weight: -v.changedBy(i)}
	case storedColumn:
		return valueKey(v.stored(e))
	case effectiveColumn:
		return valueKey(e.Effective)
	case defaultColumn:
		return valueKey(e.Default)
	case rangeColumn:
		return sortKey{text: e.Span()}
	case appliesColumn:
		return sortKey{text: keyset.MomentWords[e.Row.Applies]}
	case flagColumn:
		weight := int(v.grades[i])
		if e.Pending {
			weight += 4 // more than any grade
		}
		return sortKey{weight: -weight}
	default:
		return sortKey{text: plain(e.Row.Name)}
	}
}

// valueKey sorts numbers first, then texts; keys without a value are last.
func valueKey(v registry.Value) sortKey {
	switch {
	case !v.Exists():
		return sortKey{weight: 2}
	case v.Type() == registry.Number:
		return sortKey{number: v.Number()}
	}
	return sortKey{weight: 1, text: v.String()}
}

// changedBy returns 2 for an edit in the draft, 1 for a changed key, else 0.
func (v *View) changedBy(i int) int {
	e := &v.snapshot.Entries[i]
	if _, ok := v.draft.EditOf(e.ID); ok {
		return 2
	}
	return min(e.Changes, 1)
}

// stored returns the value of the draft, or else the stored value.
func (v *View) stored(e *keyset.Entry) registry.Value {
	if edited, ok := v.draft.EditOf(e.ID); ok {
		return edited
	}
	return e.Stored
}

func plain(name string) string { return strings.ToLower(strings.TrimPrefix(name, "*")) }

// find selects the entry with an id; if it is not in the table, it returns false and the cursor stays.
func (v *View) find(id string) bool {
	for i := range v.rows {
		if v.rows[i].entry >= 0 && v.entry(v.rows[i]).ID == id {
			v.table.List.Select(i)
			return true
		}
	}
	v.table.List.Select(v.table.List.Cursor())
	v.skip(1)
	return false
}

// skip moves the cursor from a heading to the next key in the direction of step, or else in the other direction.
func (v *View) skip(step int) {
	list := &v.table.List
	step = cmp.Compare(step, 0)
	for _, step := range []int{step, -step} {
		for at := list.Cursor(); at >= 0 && at < len(v.rows); at += step {
			if v.rows[at].entry >= 0 {
				list.Select(at)
				v.remember()
				return
			}
		}
	}
	v.remember()
}

// remember stores the key under the cursor, and resets the page if it is another one.
func (v *View) remember() {
	id := ""
	if e := v.current(); e != nil {
		id = e.ID
	}
	if id != v.selected {
		v.selected = id
		v.detail.Stale = true
		v.detail.Scroll.Select(0)
	}
}

// current returns the key under the cursor, nil for none.
func (v *View) current() *keyset.Entry {
	at := v.table.List.Cursor()
	if at < 0 || at >= len(v.rows) || v.rows[at].entry < 0 {
		return nil
	}
	return v.entry(v.rows[at])
}
