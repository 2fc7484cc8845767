package registry

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver/registry"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// write rewrites the page when something has changed since.
func (v *View) write(two bool) {
	p := &v.detail
	if !p.stale || p.width == 0 {
		return
	}
	p.stale = false
	p.lines = p.lines[:0]
	e := v.current()
	if e == nil {
		p.text("No key is selected.", muted)
		p.split = len(p.lines)
		p.list.SetLength(len(p.lines))
		return
	}
	d := e.Row.Detail()
	v.writeValue(e)
	if !two {
		v.writeMoves(e, d)
		v.writeHistory(e)
	}
	v.writeTexts(e, d)
	p.split = len(p.lines)
	if two {
		v.writeMoves(e, d)
		v.writeHistory(e)
	}
	v.writeRelated(e, d)
	v.writeValues(e)
	v.writeFacts(e, d)
	if !two {
		p.split = len(p.lines)
	}
	p.list.SetLength(len(p.lines))
}

// gradeLook is the glyph and the style of a grade.
func gradeLook(g *themes.Glyphs, grade registry.Grade) (rune, themes.Style) {
	switch grade {
	case registry.Invalid:
		return g.Failed, bad
	case registry.Doubtful:
		return g.Warning, warn
	default:
		return g.Up, good
	}
}

// writeValue writes what the key is, and what is to be said of its value.
func (v *View) writeValue(e *entry) {
	p := &v.detail
	p.lines = append(p.lines, line{text: e.Row.Name, style: title, value: e.owner, valueStyle: muted})
	value, drafted := v.draft.editOf(e.id)
	if drafted {
		to := shown(e.Row, value)
		if !value.Exists() {
			to = "deleted"
		}
		p.item(p.glyphs.Edited, fmt.Sprintf("%s %c %s, in the draft", shown(e.Row, e.Stored), p.glyphs.ArrowRight, to), edited)
	}
	if e.Pending {
		p.item(p.glyphs.Pending, fmt.Sprintf("%s is stored and takes effect after the next %s; until then %s applies",
			shown(e.Row, e.Stored), momentWords[e.Row.Applies], shown(e.Row, e.Effective)), waiting)
	}
	if e.differs() {
		values, connections := v.snapshot.effects(e)
		words := make([]string, len(values))
		for i := range values {
			words[i] = shown(e.Row, values[i]) + " on " + strings.Join(connections[i], ", ")
		}
		p.text("In effect: "+strings.Join(words, "; "), muted)
	}
	if why := e.cannotStore(); why != "" {
		p.item(p.glyphs.Down, why, muted)
	}
	for _, reason := range v.reasons(e) {
		glyph, style := gradeLook(p.glyphs, reason.Grade)
		p.item(glyph, deck.Sentence(reason.Why), style)
	}
	p.text(e.Row.Summary, text)
}

// writeTexts writes the longer texts.
func (v *View) writeTexts(e *entry, d *registry.Detail) {
	p := &v.detail
	if e.Row.Inert != "" {
		p.item(p.glyphs.Down, "No effect: "+e.Row.Inert, muted)
	}
	if why := e.Row.Detail().Lab; why != "" {
		p.item(p.glyphs.Down, "Not visible in the lab: "+why, muted)
	}
	p.text(d.Effect, text)
	if d.Constraint != "" {
		p.text(d.Constraint, muted)
	}
	if d.Notes != "" {
		p.text(d.Notes, muted)
	}
	if d.Decision != "" {
		p.text("Where the manuals are unclear: "+d.Decision, muted)
	}
}

// writeRelated writes the keys that it works with; Enter jumps there.
func (v *View) writeRelated(e *entry, d *registry.Detail) {
	if len(d.Related) == 0 {
		return
	}
	p := &v.detail
	p.text("Works with", title)
	for _, name := range d.Related {
		l := line{text: "  " + name, style: accent}
		to := v.related(e, name)
		if to < 0 {
			l.style = muted
		} else {
			other := &v.snapshot.entries[to]
			l.value, l.valueStyle = shown(other.Row, v.stored(other)), muted
			l.opens = other.Row.Name
			l.open = func() ui.Cmd { return v.jump(e.id, to) }
		}
		p.lines = append(p.lines, l)
	}
}

// related is the entry of a key that one works with, -1 when the port has none.
func (v *View) related(e *entry, name string) int {
	p := &v.snapshot.ports[e.port]
	r, ok := registry.Keys(p.family).Find(name, allScopes[:]...)
	if !ok {
		return -1
	}
	if at, ok := v.snapshot.slots[p.slotOf(e.port, r)]; ok {
		return at
	}
	return -1
}

// jump goes to another key, and remembers the way back.
func (v *View) jump(from string, to int) ui.Cmd {
	v.back = append(v.back, from)
	v.reveal(to)
	return nil
}

// reveal brings an entry under the cursor, wherever it is.
func (v *View) reveal(to int) {
	id := v.snapshot.entries[to].id
	v.focus = tablePart
	if v.find(id) {
		return
	}
	v.filter.Set("")
	v.scores, v.show, v.group, v.sorting = nil, showAll, "", noSorting
	at := slices.Index(v.tree.order, to)
	for i := range slices.Backward(v.tree.nodes) { // the nearest node that is not a leaf, or the leaf itself
		n := &v.tree.nodes[i]
		if n.from <= at && at < n.to && (n.depth <= 2 || v.arrangement != byAdapter) {
			v.selected = id
			v.selectNode(i)
			break
		}
	}
	v.arrange()
	v.find(id)
}

// maxChoices bounds how many values of a list the page names.
const maxChoices = 40

// writeValues writes the values with a meaning, or the bits of a mask; the present one stands out.
func (v *View) writeValues(e *entry) {
	p := &v.detail
	list, is := choices(e.Row), v.stored(e)
	if len(e.Row.Bits) > 0 {
		list = e.Row.Bits
	}
	if len(list) == 0 {
		return
	}
	p.text([...]string{"Values", "Bits"}[min(len(e.Row.Bits), 1)], title)
	for _, c := range list[:min(len(list), maxChoices)] {
		on := is.Type() == registry.Number && is.Number() == c.Value
		lead := fmt.Sprintf("%5d  ", c.Value)
		if len(e.Row.Bits) > 0 {
			on = is.Number()&c.Value == c.Value && c.Value != 0
			lead = fmt.Sprintf("%#6x  ", c.Value)
		}
		style, mark := muted, "  "
		if on {
			style, mark = text, string(p.glyphs.Up)+" "
		}
		for _, part := range widget.Wrap(c.Label, p.width-len(lead)-2) {
			p.lines = append(p.lines, line{text: mark + lead + part, style: style})
			mark, lead = "  ", strings.Repeat(" ", len(lead))
		}
	}
}

var exposureWords = map[registry.Exposure]string{
	registry.InDialog: "in the property dialog of the driver", registry.Hidden: "hidden: only in the registry",
}

var limitWords = map[registry.VFLimit]string{
	registry.LimitedByHost: "no more than the physical function has", registry.NotConfigurable: "not configurable",
	registry.PhysicalOnly: "acts only on the physical function",
}

// writeFacts writes where the key is, and what else the manuals say in a word.
func (v *View) writeFacts(e *entry, d *registry.Detail) {
	p := &v.detail
	p.blank()
	number := shown(e.Row, e.Default)
	if e.Row.Unit != "" && e.Default.Exists() {
		number += " " + e.Row.Unit
	}
	p.field("Default", number)
	if e.span() != "" {
		p.field("Range", strings.TrimSpace(e.span()+" "+e.Row.Unit))
	}
	applies := momentWords[e.Row.Applies]
	if e.Row.Applies != registry.AtOnce {
		applies = "after the next " + applies
	}
	if !e.Row.AppliesGiven {
		applies += " (the manuals don't say)"
	}
	p.field("Counts", applies)
	p.field("If invalid", remedyWords[e.Row.Bad])
	p.field("Shown", exposureWords[e.Row.Exposure])
	p.field("On a VF", limitWords[e.Row.VF])
	if e.Row.MustCreate {
		p.field("Exists", "only when someone creates it")
	}
	p.field("Type", string(e.Row.StoredType()))
	p.field("Place", e.path())
	p.field("Manual", d.Manual)
}

// maxRecords bounds how many changes of a key the page names before the operator asks for all.
const maxRecords = 8

// writeHistory writes the changes of the key, the newest first.
func (v *View) writeHistory(e *entry) {
	h := &v.history
	list := h.of[e.id]
	reading := ""
	if h.read < h.all {
		reading = fmt.Sprintf(" in %d of %s", h.read, count(h.all, "session"))
	}
	if len(list) == 0 && reading == "" {
		return
	}
	p := &v.detail
	p.text("History: "+count(len(list), "change")+reading, title)
	most := maxRecords
	if h.whole == e.id {
		most = len(list)
	}
	for _, r := range list[:min(len(list), most)] {
		to := shown(e.Row, r.value)
		if !r.value.Exists() {
			to = "deleted"
		}
		if r.undoes {
			to += " (undo)"
		}
		p.lines = append(p.lines, line{text: deck.EventTime(r.at, v.now) + "  " + r.title, style: muted, value: to})
	}
	if more := len(list) - most; more > 0 {
		p.lines = append(p.lines, line{text: "  " + count(more, "older change"), style: accent, opens: "all changes", open: func() ui.Cmd {
			v.history.whole, v.detail.stale = e.id, true
			return nil
		}})
	}
}
