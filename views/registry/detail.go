package registry

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver/registry"
	"cxdeck/driver/wording"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
	"cxdeck/views/registry/keyset"
)

// write writes the page about the key under the cursor, in two columns if two is set.
func (v *View) write(two bool) {
	p := &v.detail
	e := v.current()
	if e == nil {
		p.Text("No key is selected.", muted)
		p.split = len(p.Lines)
		p.Scroll.SetLength(len(p.Lines))
		return
	}
	d := e.Row.Detail()
	v.writeValue(e)
	if !two {
		v.writeAffectedCounters(e, d)
		v.writeHistory(e)
	}
	v.writeTexts(e, d)
	p.split = len(p.Lines)
	if two {
		v.writeAffectedCounters(e, d)
		v.writeHistory(e)
	}
	v.writeRelated(e, d)
	v.writeValues(e)
	v.writeFacts(e, d)
	if !two {
		p.split = len(p.Lines)
	}
	p.Scroll.SetLength(len(p.Lines))
}

// gradeStyle returns the glyph and the style of a grade.
func gradeStyle(g *themes.Glyphs, grade registry.Grade) (rune, themes.Style) {
	switch grade {
	case registry.Invalid:
		return g.Failed, bad
	case registry.Doubtful:
		return g.Warning, warn
	default:
		return g.Up, good
	}
}

// writeValue writes the value of the key with remarks, and its summary.
func (v *View) writeValue(e *keyset.Entry) {
	p := &v.detail
	p.Add(browse.Line{Text: e.Row.Name, Style: title, Value: e.Owner, ValueStyle: muted})
	value, drafted := v.draft.EditOf(e.ID)
	if drafted {
		to := keyset.FormatWithMeaning(e.Row, value)
		if !value.Exists() {
			to = "deleted"
		}
		p.Item(p.Glyphs.Edited, fmt.Sprintf("%s %c %s, in the draft", keyset.FormatWithMeaning(e.Row, e.Stored), p.Glyphs.ArrowRight, to), edited)
	}
	if e.Pending {
		p.Item(p.Glyphs.Pending, fmt.Sprintf("%s is stored and takes effect after the next %s; until then %s applies",
			keyset.FormatWithMeaning(e.Row, e.Stored), keyset.MomentWords[e.Row.Applies], keyset.FormatWithMeaning(e.Row, e.Effective)), waiting)
	}
	if e.Differs() {
		values, connections := v.snapshot.Effects(e)
		words := make([]string, len(values))
		for i := range values {
			words[i] = keyset.FormatWithMeaning(e.Row, values[i]) + " on " + strings.Join(connections[i], ", ")
		}
		p.Text("In effect: "+strings.Join(words, "; "), muted)
	}
	if why := e.CannotStore(); why != "" {
		p.Item(p.Glyphs.Down, why, muted)
	}
	for _, reason := range v.reasons(e) {
		glyph, style := gradeStyle(p.Glyphs, reason.Grade)
		p.Item(glyph, wording.UpperFirst(reason.Why), style)
	}
	p.Text(e.Row.Summary, text)
}

// writeTexts writes the description of the key.
func (v *View) writeTexts(e *keyset.Entry, d *registry.Detail) {
	p := &v.detail
	if e.Row.Inert != "" {
		p.Item(p.Glyphs.Down, "No effect: "+e.Row.Inert, muted)
	}
	if why := e.Row.Detail().Lab; why != "" {
		p.Item(p.Glyphs.Down, "Not visible in the lab: "+why, muted)
	}
	p.Text(d.Effect, text)
	if d.Constraint != "" {
		p.Text(d.Constraint, muted)
	}
	if d.Notes != "" {
		p.Text(d.Notes, muted)
	}
	if d.Decision != "" {
		p.Text("Where the manuals are unclear: "+d.Decision, muted)
	}
}

// writeRelated writes the related keys; Enter opens one.
func (v *View) writeRelated(e *keyset.Entry, d *registry.Detail) {
	if len(d.Related) == 0 {
		return
	}
	p := &v.detail
	p.Text("Works with", title)
	for _, name := range d.Related {
		l := browse.Line{Text: "  " + name, Style: accent}
		to := v.related(e, name)
		if to < 0 {
			l.Style = muted
		} else {
			other := &v.snapshot.Entries[to]
			l.Value, l.ValueStyle = keyset.FormatWithMeaning(other.Row, v.stored(other)), muted
			l.Opens = other.Row.Name
			l.Open = func() ui.Cmd { return v.jump(e.ID, to) }
		}
		p.Add(l)
	}
}

// related returns the entry of a related key on the same port, -1 for none.
func (v *View) related(e *keyset.Entry, name string) int {
	p := &v.snapshot.Ports[e.Port]
	r, ok := registry.Keys(p.Family).Find(name, keyset.AllScopes()...)
	if !ok {
		return -1
	}
	if at, ok := v.snapshot.Slots[p.SlotOf(e.Port, r)]; ok {
		return at
	}
	return -1
}

// jump moves the cursor to another key; Esc returns.
func (v *View) jump(from string, to int) ui.Cmd {
	v.back = append(v.back, from)
	v.reveal(to)
	return nil
}

// reveal moves the cursor to an entry, and clears the filters that hide it.
func (v *View) reveal(to int) {
	id := v.snapshot.Entries[to].ID
	v.focus = tablePart
	if v.find(id) {
		return
	}
	v.filter.Set("")
	v.scores, v.show, v.group, v.sorting = nil, showAll, "", noSorting
	at := slices.Index(v.tree.Order, to)
	for i := range slices.Backward(v.tree.Nodes) { // the nearest node that is not a leaf, or the leaf itself
		n := &v.tree.Nodes[i]
		if n.From <= at && at < n.To && (n.Depth <= 2 || v.arrangement != keyset.ByAdapter) {
			v.selected = id
			v.selectNode(i)
			break
		}
	}
	v.arrange()
	v.find(id)
}

// maxChoices is the maximum number of values that the page lists.
const maxChoices = 40

// writeValues writes the values with a meaning, or the bits of a mask; the current one is highlighted.
func (v *View) writeValues(e *keyset.Entry) {
	p := &v.detail
	list, is := keyset.Choices(e.Row), v.stored(e)
	if len(e.Row.Bits) > 0 {
		list = e.Row.Bits
	}
	if len(list) == 0 {
		return
	}
	p.Text([...]string{"Values", "Bits"}[min(len(e.Row.Bits), 1)], title)
	for _, c := range list[:min(len(list), maxChoices)] {
		on := is.Type() == registry.Number && is.Number() == c.Value
		lead := fmt.Sprintf("%5d  ", c.Value)
		if len(e.Row.Bits) > 0 {
			on = is.Number()&c.Value == c.Value && c.Value != 0
			lead = fmt.Sprintf("%#6x  ", c.Value)
		}
		style, mark := muted, "  "
		if on {
			style, mark = text, string(p.Glyphs.Up)+" "
		}
		for _, part := range widget.Wrap(c.Label, p.Width-len(lead)-2) {
			p.Add(browse.Line{Text: mark + lead + part, Style: style})
			mark, lead = "  ", strings.Repeat(" ", len(lead))
		}
	}
}

var exposureWords = map[registry.Exposure]string{
	registry.InDialog: "in the property dialog of the driver", registry.Hidden: "hidden: only in the registry",
}

var limitWords = map[registry.VFLimit]string{
	registry.LimitedByHost: "limited by the physical function", registry.NotConfigurable: "not configurable",
	registry.PhysicalOnly: "applies only to the physical function",
}

// writeFacts writes the path of the key and its short attributes.
func (v *View) writeFacts(e *keyset.Entry, d *registry.Detail) {
	p := &v.detail
	p.Blank()
	if e.IsUnknown() {
		p.field("Stored", widget.Cut(e.Stored.String(), maxUnknownText))
		p.field("Type", string(e.Stored.Type()))
		p.field("Path", e.Place())
		return
	}
	number := keyset.FormatWithMeaning(e.Row, e.Default)
	if e.Row.Unit != "" && e.Default.Exists() {
		number += " " + e.Row.Unit
	}
	p.field("Default", number)
	if e.Span() != "" {
		p.field("Range", strings.TrimSpace(e.Span()+" "+e.Row.Unit))
	}
	applies := keyset.MomentWords[e.Row.Applies]
	if e.Row.Applies != registry.AtOnce {
		applies = "after the next " + applies
	}
	if !e.Row.AppliesGiven {
		applies += " (assumed; not in the manuals)"
	}
	p.field("Applies", applies)
	p.field("If invalid", keyset.RemedyWords[e.Row.Bad])
	p.field("Visible", exposureWords[e.Row.Exposure])
	p.field("On a VF", limitWords[e.Row.VF])
	if e.Row.MustCreate {
		p.field("Exists", "only after it is created")
	}
	p.field("Type", string(e.Row.StoredType()))
	p.field("Path", e.Place())
	p.field("Manual", d.Manual)
}

// maxUnknownText is the number of cells of an unknown value on the page.
const maxUnknownText = 400

// maxRecords is the maximum number of changes of a key on the page, until the operator requests all.
const maxRecords = 8

// writeHistory writes the changes of the key, the newest first.
func (v *View) writeHistory(e *keyset.Entry) {
	h := &v.history
	list := h.of[e.ID]
	reading := ""
	if h.read < h.all {
		reading = fmt.Sprintf(" in %d of %s", h.read, count(h.all, "session"))
	}
	if len(list) == 0 && reading == "" {
		return
	}
	p := &v.detail
	p.Text("History: "+count(len(list), "change")+reading, title)
	limit := maxRecords
	if h.whole == e.ID {
		limit = len(list)
	}
	for _, r := range list[:min(len(list), limit)] {
		to := keyset.FormatWithMeaning(e.Row, r.value)
		if !r.value.Exists() {
			to = "deleted"
		}
		if r.undoes {
			to += " (undo)"
		}
		p.Add(browse.Line{Text: deck.EventTime(r.at, v.now) + "  " + r.title, Style: muted, Value: to})
	}
	if more := len(list) - limit; more > 0 {
		p.Add(browse.Line{Text: "  " + count(more, "older change"), Style: accent, Opens: "all changes", Open: func() ui.Cmd {
			v.history.whole, v.detail.Stale = e.ID, true
			return nil
		}})
	}
}
