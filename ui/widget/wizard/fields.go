package wizard

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// The styles of fields.
var (
	plainStyle  = themes.Style{}
	mutedStyle  = themes.Style{Role: themes.Muted}
	accentStyle = themes.Style{Role: themes.Accent, Attr: themes.Bold}
)

// The widths of inputs, and the maximum of the column of labels, in cells. A text is shortened for its hint.
const (
	widestLabel = 26
	numberWidth = 10
	macWidth    = 18
	textWidth   = 32
	minText     = 20
)

// layout writes the fields of a form into the pane. inRow reports that they are the columns of a row that is being edited;
// messages returns the messages of a field.
type layout struct {
	pane     *pane
	form     *form
	indent   int
	labels   int // the column after the labels
	focused  bool
	inRow    bool
	messages func(field string) []Message
	// behind writes the rows after a field; nil for none.
	behind func(field *Field)
}

func (l *layout) write() {
	for i := range l.form.fields {
		if f := &l.form.fields[i]; f.isText() || f.Kind == Toggle {
			l.labels = max(l.labels, widget.Width(f.Label))
		}
	}
	l.labels = l.indent + min(l.labels, widestLabel, l.pane.width/2) + 2
	for i := range l.form.fields {
		f := &l.form.fields[i]
		tall := !f.isText() && f.Kind != Toggle
		if i > 0 && (tall || !l.form.fields[i-1].isText() && l.form.fields[i-1].Kind != Toggle) {
			l.pane.blank()
		}
		from := len(l.pane.rows)
		l.field(f)
		for _, m := range l.messages(f.ID) {
			if m.Row == 0 {
				l.pane.message(l.messageColumn(f), m)
			}
		}
		if l.hasFocus(f) {
			l.pane.scrollToField(from)
		}
		if l.behind != nil {
			l.behind(f)
		}
	}
}

// messageColumn returns the column of a field's messages.
func (l *layout) messageColumn(f *Field) int {
	if f.isText() || f.Kind == Toggle {
		return l.labels
	}
	return l.indent + 1
}

// hasFocus reports whether a field has the focus.
func (l *layout) hasFocus(f *Field) bool { return l.focused && l.form.focus == f.ID }

func (l *layout) labelStyle(f *Field) themes.Style {
	switch {
	case f.Disabled != "":
		return mutedStyle
	case l.hasFocus(f):
		return accentStyle
	default:
		return plainStyle
	}
}

// row adds a row that belongs to a field.
func (l *layout) row(f *Field, item int, pieces ...panePiece) *paneRow {
	row := l.pane.row(pieces...)
	row.item, row.inRow = item, l.inRow
	if f.Disabled == "" {
		row.field = f.ID
	}
	return row
}

func (l *layout) field(f *Field) {
	value := l.form.values[f.ID]
	switch {
	case f.isText():
		l.line(f, value.Text)
	case f.Kind == Toggle:
		l.toggle(f, value.On)
	case f.Kind == OneOf, f.Kind == ManyOf:
		l.choices(f, value)
	case f.Kind == Rows:
		l.rows(f, value.Rows)
	case f.Kind == Shares:
		l.shares(f, value.Text)
	case f.Kind == Curves:
		l.heading(f, "")
		l.pane.curves(l.indent+1, &f.Plot)
	default:
		l.heading(f, "")
		l.pane.facts(l.indent+1, f.Facts)
	}
}

// heading adds the label of a field with several lines, and the text beside it.
func (l *layout) heading(f *Field, rest string) {
	if f.Disabled != "" {
		rest = f.Disabled
	}
	if f.Label == "" && rest == "" {
		return
	}
	style := l.labelStyle(f)
	style.Attr |= themes.Bold
	l.row(f, -1, panePiece{l.indent, f.Label, style}, panePiece{l.indent + widget.Width(f.Label) + 2, rest, mutedStyle})
}

func (l *layout) line(f *Field, text string) {
	label := panePiece{l.indent, f.Label, l.labelStyle(f)}
	if f.Disabled != "" {
		l.row(f, -1, label, panePiece{l.labels, strings.TrimSpace(text + "  " + f.Disabled), mutedStyle})
		return
	}
	hint, width := f.hint(), numberWidth
	switch f.Kind {
	case MAC:
		width = macWidth
	case Text:
		width = max(minText, min(l.pane.width-l.labels-2-widget.Width(hint), textWidth))
		if f.Limit > 0 {
			width = min(width, f.Limit+1)
		}
	default: // a number
	}
	width = max(1, min(width, l.pane.width-l.labels))
	x := l.labels + width + 2
	beside := x+widget.Width(hint) <= l.pane.width
	row := l.row(f, -1, label)
	if beside {
		row.pieces = append(row.pieces, panePiece{x, hint, mutedStyle})
	}
	row.input, row.inputX, row.inputWidth, row.typing = l.form.inputs[f.ID], l.labels, width, l.hasFocus(f)
	if !beside && hint != "" {
		l.pane.wrap(nil, l.labels, hint, mutedStyle)
	}
}

func (l *layout) toggle(f *Field, on bool) {
	label, style := panePiece{l.indent, f.Label, l.labelStyle(f)}, plainStyle
	text, rest := "[ ] off", f.Hint
	if on {
		text = "[x] on"
	}
	if f.Disabled != "" {
		rest, style = f.Disabled, mutedStyle
	}
	x := l.labels + widget.Width("[ ] off") + 2
	row := l.row(f, -1, label, panePiece{l.labels, text, style})
	if l.hasFocus(f) {
		row.ground = themes.Selected
	}
	if x+widget.Width(rest) <= l.pane.width {
		row.pieces = append(row.pieces, panePiece{x, rest, mutedStyle})
		return
	}
	l.pane.wrap(nil, l.labels, rest, mutedStyle)
}

// maxHelp limits the rows of the explanation of the choice under the cursor.
const maxHelp = 4

func (l *layout) choices(f *Field, value Value) {
	rest := f.Hint
	if f.Kind == ManyOf {
		rest = strings.TrimSuffix(fmt.Sprintf("%d of %d  %s", len(value.IDs), len(f.Choices), f.Hint), "  ")
	}
	l.heading(f, rest)
	choices := f.offeredChoices(value)
	if len(choices) == 0 {
		l.pane.wrap(nil, l.indent+1, "There is nothing to choose from.", mutedStyle)
		return
	}
	labels, words := 0, 0
	for i := range choices {
		labels = max(labels, widget.Width(choices[i].Label))
		if choices[i].Disabled == "" {
			words = max(words, widget.Width(choices[i].Word))
		}
	}
	left := l.indent + 5
	labels = min(labels, (l.pane.width-left)*3/5)
	cursor, behind := l.form.lists[f.ID].Cursor(), left+labels+2
	for i := range choices {
		l.choice(f, value, &choices[i], i, behind, words)
		if l.hasFocus(f) && i == cursor {
			l.pane.rows[len(l.pane.rows)-1].ground = themes.Selected
			l.pane.focusFrom(len(l.pane.rows) - 1)
		}
	}
	if cursor >= 0 {
		l.explain(choices, cursor, behind)
	}
}

// choice adds the row of a choice: its check mark, name, and state or the reason why it can't be chosen.
func (l *layout) choice(f *Field, value Value, c *Choice, at, rest, words int) {
	box := "[ ]"
	switch {
	case f.Kind == ManyOf && slices.Contains(value.IDs, c.ID):
		box = "[x]"
	case f.Kind == OneOf && value.Text == c.ID:
		box = "(" + string(l.pane.glyphs.Up) + ")"
	case f.Kind == OneOf:
		box = "( )"
	}
	style := plainStyle
	if c.Disabled != "" || f.Disabled != "" {
		style = mutedStyle
	}
	pieces := []panePiece{{l.indent + 1, box, style}, {l.indent + 5, c.Label, style}}
	if c.Disabled != "" {
		l.row(f, at, append(pieces, panePiece{rest, c.Disabled, mutedStyle})...)
		return
	}
	if c.Mark != NoMark {
		glyph, look := l.pane.mark(c.Mark)
		pieces = append(pieces, panePiece{rest, string(glyph), look}, panePiece{rest + 2, c.Word, look})
		rest += 2 + words + 2
	} else if words > 0 {
		pieces = append(pieces, panePiece{rest, c.Word, plainStyle})
		rest += words + 2
	}
	l.row(f, at, append(pieces, panePiece{rest, c.Text, mutedStyle})...)
}

// explain adds the explanation of the choice under the cursor, with the full text of a reason that was cut at a column of its
// row. It takes the rows of the longest explanation, so that the rows below do not move with the cursor.
func (l *layout) explain(choices []Choice, cursor, cut int) {
	x, rows := l.indent+5, 0
	var lines []string
	for i := range choices {
		text := choices[i].Help
		if reason := choices[i].Disabled; cut+widget.Width(reason) > l.pane.width {
			text = strings.TrimSpace(reason + ". " + text)
		}
		if text == "" {
			continue
		}
		wrapped := widget.Wrap(text, max(l.pane.width-x, 1))
		rows = max(rows, len(wrapped))
		if i == cursor {
			lines = wrapped
		}
	}
	for i := range min(rows, maxHelp) {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		l.pane.row(panePiece{x, line, mutedStyle})
	}
}

// cell returns the text of a value in the table of a row list.
func (f *Field) cell(value Value) string {
	switch f.Kind {
	case Toggle:
		if value.On {
			return "on"
		}
		return "off"
	case OneOf:
		if at := index(f.Choices, value.Text); at >= 0 {
			return f.Choices[at].Label
		}
	case ManyOf:
		return strings.Join(value.IDs, ", ")
	default: // a text
	}
	return value.Text
}

// maxCellWidth limits the width of columns of a row list, in cells.
const maxCellWidth = 24

func (l *layout) rows(f *Field, rows []Values) {
	count := fmt.Sprint(len(rows))
	if f.Limit > 0 {
		count = fmt.Sprintf("%d of at most %d", len(rows), f.Limit)
	}
	if f.Hint != "" {
		count += "  " + f.Hint
	}
	l.heading(f, count)
	if len(rows) > 0 {
		l.table(f, rows)
	}
	if f.Disabled != "" {
		return
	}
	item, from := f.item(), len(l.pane.rows)
	text := "adds a " + item
	if len(rows) > 0 {
		text += "; e edits it, d removes it"
	}
	row := l.row(f, -1, panePiece{l.indent + 1, "a", themes.Style{Role: themes.KeyCap, Attr: themes.Bold}},
		panePiece{l.indent + 3, text, mutedStyle})
	row.adds = true
	if l.hasFocus(f) && len(rows) == 0 {
		row.ground = themes.Selected
		l.pane.focusFrom(from)
	}
}

// table adds the titles and the rows of a row list.
func (l *layout) table(f *Field, rows []Values) {
	left := l.indent + 1
	at := make([]int, len(f.Columns)+1)
	at[0] = left
	for j := range f.Columns {
		width := widget.Width(f.Columns[j].Label)
		for _, row := range rows {
			width = max(width, widget.Width(f.Columns[j].cell(row[f.Columns[j].ID])))
		}
		at[j+1] = at[j] + min(width, maxCellWidth) + 2
	}
	titles := make([]panePiece, len(f.Columns))
	for j := range f.Columns {
		titles[j] = panePiece{at[j], f.Columns[j].Label, themes.Style{Role: themes.Muted, Attr: themes.Bold}}
	}
	l.pane.row(titles...)
	messages, cursor := l.messages(f.ID), l.form.lists[f.ID].Cursor()
	for i, values := range rows {
		pieces := make([]panePiece, 0, len(f.Columns)+1)
		for j := range f.Columns {
			pieces = append(pieces, panePiece{at[j], f.Columns[j].cell(values[f.Columns[j].ID]), plainStyle})
		}
		// Another piece ends the last column at the end of the table.
		row := l.row(f, i, append(pieces, panePiece{at[len(f.Columns)], "", plainStyle})...)
		if l.hasFocus(f) && i == cursor {
			row.ground = themes.Selected
			l.pane.focusFrom(len(l.pane.rows) - 1)
		}
		for _, m := range messages {
			if m.Row == i+1 {
				l.pane.message(left+2, m)
			}
		}
	}
}
