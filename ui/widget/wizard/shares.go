package wizard

import (
	"fmt"
	"strconv"
	"strings"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// whole is the sum of all shares.
const whole = 100

// SharesText returns percentages as the text of a Shares field.
func SharesText(list []int) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ",")
}

// Shares returns percentages in the order of the choices; nil for a text that has none.
func (v Values) Shares(id string) []int { return parseShares(v.Text(id)) }

func parseShares(text string) (list []int) {
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil {
			return nil
		}
		list = append(list, n)
	}
	return list
}

// checkShares returns the error in percentages, empty for none. The keys keep their sum: only an old draft can be wrong.
func (f *Field) checkShares(text string) string {
	list, sum := parseShares(text), 0
	if len(list) != len(f.Choices) {
		return fmt.Sprintf("The saved shares do not match the %d parts; leave with Esc and start again to discard them.", len(f.Choices))
	}
	for i, n := range list {
		if sum += n; n < 0 || n > whole || n != 0 && f.Choices[i].Disabled != "" {
			return fmt.Sprintf("%s can't have %d%%.", f.Choices[i].Label, n)
		}
	}
	if sum != whole {
		return fmt.Sprintf("The shares must add up to 100%%, not %d%%.", sum)
	}
	return ""
}

// dragged returns by how many percent a key moves the end of a part, 0 for any other key.
func dragged(key string) int {
	return map[string]int{"left": -1, "h": -1, "right": 1, "l": 1, "-": -10, "+": 10}[key]
}

// drag moves percents to the part under the cursor from its neighbour, or back: from the next part that has a share, or the one
// before where there is none. A part keeps Low percent at least.
func (f *form) drag(by int) {
	field := f.field()
	list := parseShares(f.values[field.ID].Text)
	at := f.lists[field.ID].Cursor()
	if at < 0 || len(list) != len(field.Choices) || field.Choices[at].Disabled != "" {
		return
	}
	other := -1
	for i := at + 1; i < len(list) && other < 0; i++ {
		if field.Choices[i].Disabled == "" {
			other = i
		}
	}
	for i := at - 1; i >= 0 && other < 0; i-- {
		if field.Choices[i].Disabled == "" {
			other = i
		}
	}
	if other < 0 {
		return
	}
	by = min(by, max(list[other]-field.Low, 0))
	by = max(by, min(field.Low-list[at], 0))
	list[at], list[other] = list[at]+by, list[other]-by
	f.change(field.ID, Value{Text: SharesText(list)})
}

// shares adds the bar of all parts, and a row for each.
func (l *layout) shares(f *Field, text string) {
	l.heading(f, f.Hint)
	list := parseShares(text)
	if len(list) != len(f.Choices) {
		return
	}
	width := max(l.pane.width-l.indent-2, 1)
	var bar []panePiece
	from, sum, x := 0, 0, l.indent+1
	for i, n := range list {
		sum += n
		to := sum * width / whole
		style := themes.Style{Role: themes.SeriesRole(i)}
		if to > from {
			bar = append(bar, panePiece{x + from, segment(l.pane.glyphs, to-from, string(rune('A'+i%26)), n), style})
		}
		from = to
	}
	l.pane.row().joined = bar
	labels := 0
	for i := range f.Choices {
		labels = max(labels, widget.Width(f.Choices[i].Label))
	}
	cursor := l.form.lists[f.ID].Cursor()
	for i := range f.Choices {
		c := &f.Choices[i]
		style, share := themes.Style{Role: themes.SeriesRole(i)}, fmt.Sprintf("%3d%%", list[i])
		if c.Disabled != "" {
			style, share = mutedStyle, "  - "
		}
		at := l.indent + 1
		pieces := []panePiece{{at, string(rune('A' + i%26)), style}, {at + 2, c.Label, plainStyle}, {at + labels + 4, share, style}}
		rest := at + labels + 10
		l.row(f, i, append(pieces, panePiece{rest, strings.TrimSpace(c.Disabled + c.Text), mutedStyle})...)
		if l.hasFocus(f) && i == cursor {
			l.pane.rows[len(l.pane.rows)-1].ground = themes.Selected
			l.pane.focusFrom(len(l.pane.rows) - 1)
		}
	}
}

// segment returns the part of a bar of a share: its letter and percentage on a line between two ends.
func segment(g *themes.Glyphs, width int, letter string, share int) string {
	text := fmt.Sprintf("%s %d%%", letter, share)
	if widget.Width(text)+2 > width {
		text = letter
	}
	if widget.Width(text)+2 > width {
		return strings.Repeat(string(g.Full[len(g.Full)-1]), width)
	}
	left := (width - widget.Width(text)) / 2
	right := width - left - widget.Width(text)
	fill := string(g.Horizontal)
	return "[" + strings.Repeat(fill, left-1) + text + strings.Repeat(fill, right-1) + "]"
}
