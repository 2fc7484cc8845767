package themes

import (
	"fmt"
	"strings"
)

// Glyphs are the symbols of the screen. Every glyph is one cell wide.
type Glyphs struct {
	Name string
	// State glyphs, always followed by a word.
	Up, Down, Restarting, Warning, Failed, Pending, Recording, Frozen, Replay rune
	// Lines and boxes.
	Horizontal, Vertical, TopLeft, TopRight, BottomLeft, BottomRight, TeeRight, TeeLeft, AxisLeft, AxisCorner, AxisTick rune
	// Tree, lists and tables.
	Open, Closed, SortUp, SortDown, Checked, Unchecked, Bullet, ScrollThumb rune
	// Edited marks an edited value before the review, Favourite a favourite.
	Edited, Favourite rune
	// Ellipsis ends a text that was cut.
	Ellipsis rune
	// Marker and a marked Range on a time axis; Line and Cursor of a chart's legend and cursor; Limit of a threshold's line.
	Marker, Range, Line, Cursor, Limit rune
	// Arrows for hints.
	ArrowUp, ArrowDown, ArrowLeft, ArrowRight rune
	// Spark are the eight heights of a one-row chart, lowest first.
	Spark [8]rune
	// Full and Shade fill bars; Full[i] is i+1 eighths from the bottom, Wide[i] i+1 eighths from the left.
	Full, Wide [8]rune
	Shade      rune
	// UpperHalf is the upper half of a cell, the counterpart of Full[3].
	UpperHalf rune
	// Points draw the curves of an ASCII chart, one symbol per series colour.
	Points [SeriesCount]rune
	// Braille reports that charts draw 2x4 dots per cell; otherwise they use Full, and ASCII sets one row per cell.
	Braille bool
	ASCII   bool
	// Letters reports that curves carry the letters of their legend, because no colour distinguishes them.
	Letters bool
}

// WithLetters returns the set for a look without colours: its curves carry letters. The points of the ASCII set differ
// already.
func (g *Glyphs) WithLetters() *Glyphs {
	with := *g
	with.Letters = !g.ASCII
	return &with
}

// UnicodeGlyphs returns the set for terminals with a full font: state symbols, box lines and braille charts.
func UnicodeGlyphs() *Glyphs {
	eighths := [8]rune{'▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'}
	return &Glyphs{
		Name: "unicode",
		Up:   '●', Down: '○', Restarting: '◐', Warning: '▲', Failed: '✕', Pending: '◆', Recording: '●', Frozen: '▌', Replay: '⟲',
		Horizontal: '─', Vertical: '│', TopLeft: '┌', TopRight: '┐', BottomLeft: '└', BottomRight: '┘',
		TeeRight: '├', TeeLeft: '┤', AxisLeft: '┤', AxisCorner: '┼', AxisTick: '┬',
		Open: '▾', Closed: '▸', SortUp: '▲', SortDown: '▼', Checked: '■', Unchecked: '□', Bullet: '•', ScrollThumb: '┃',
		Edited: '✎', Favourite: '★',
		Ellipsis: '…', Marker: '▾', Range: '═', Line: '━', Cursor: '│', Limit: '╌',
		ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→',
		Spark: eighths, Full: eighths,
		Wide:  [8]rune{'▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'},
		Shade: '░', UpperHalf: '▀',
		Points:  [SeriesCount]rune{'*', '+', 'o', 'x', '#', '%', '@', '='},
		Braille: true,
	}
}

// BlockGlyphs returns the set for terminals whose font has box lines and blocks but no braille and few symbols, such as the
// Linux console.
func BlockGlyphs() *Glyphs {
	g := UnicodeGlyphs()
	g.Name = "blocks"
	g.Braille = false
	g.Up, g.Down, g.Restarting, g.Failed, g.Recording, g.Replay = '*', 'o', '~', 'x', '*', '='
	g.Warning, g.Pending, g.Frozen = '!', '+', '▌'
	g.Open, g.Closed, g.Marker = '-', '+', 'v'
	g.SortUp, g.SortDown = '^', 'v'
	g.Checked, g.Unchecked, g.Bullet, g.ScrollThumb = 'x', ' ', '·', '█'
	g.Edited, g.Favourite = '»', '*'
	g.Line, g.Limit, g.Ellipsis = '─', '-', '>'
	g.ArrowUp, g.ArrowDown, g.ArrowLeft, g.ArrowRight = '↑', '↓', '←', '→'
	// Console fonts always have the half and the full block, but not all eighths.
	g.Spark = [8]rune{'_', '_', '▄', '▄', '▄', '█', '█', '█'}
	g.Full = [8]rune{' ', '▄', '▄', '▄', '▄', '▄', '█', '█'}
	g.Wide = [8]rune{' ', '▌', '▌', '▌', '▌', '▌', '█', '█'}
	return g
}

// ASCIIGlyphs returns the set for terminals that show only ASCII.
func ASCIIGlyphs() *Glyphs {
	return &Glyphs{
		Name: "ascii",
		Up:   '*', Down: 'o', Restarting: '~', Warning: '!', Failed: 'x', Pending: '+', Recording: 'R', Frozen: '=', Replay: '<',
		Horizontal: '-', Vertical: '|', TopLeft: '+', TopRight: '+', BottomLeft: '+', BottomRight: '+',
		TeeRight: '+', TeeLeft: '+', AxisLeft: '+', AxisCorner: '+', AxisTick: '+',
		Open: '-', Closed: '+', SortUp: '^', SortDown: 'v', Checked: 'x', Unchecked: ' ', Bullet: '-', ScrollThumb: '#',
		Edited: '%', Favourite: '*',
		Ellipsis: '>', Marker: 'v', Range: '=', Line: '-', Cursor: '|', Limit: '.',
		ArrowUp: '^', ArrowDown: 'v', ArrowLeft: '<', ArrowRight: '>',
		Spark: [8]rune{'_', '.', ',', '-', '~', '+', '*', '#'},
		Full:  [8]rune{' ', '.', '.', ':', ':', '|', '#', '#'},
		Wide:  [8]rune{' ', ' ', ' ', '-', '-', '=', '=', '#'},
		Shade: '.', UpperHalf: '\'',
		Points: [SeriesCount]rune{'*', '+', 'o', 'x', '#', '%', '@', '='},
		ASCII:  true,
	}
}

// GlyphNames returns the names for GlyphsByName, the richest set first.
func GlyphNames() []string { return []string{"unicode", "blocks", "ascii"} }

// GlyphsByName returns the set with a name; the error for an unknown name lists all names.
func GlyphsByName(name string) (*Glyphs, error) {
	switch name {
	case "unicode":
		return UnicodeGlyphs(), nil
	case "blocks":
		return BlockGlyphs(), nil
	case "ascii":
		return ASCIIGlyphs(), nil
	}
	return nil, fmt.Errorf("there is no glyph set %q; choose %s", name, strings.Join(GlyphNames(), ", "))
}

// DetectGlyphs chooses the set that a terminal can show by its environment: ASCII if the locale is not UTF-8 or the terminal is
// dumb, blocks on the Linux console, and the full set otherwise. getenv is os.Getenv or a test's.
func DetectGlyphs(getenv func(string) string) *Glyphs {
	locale := ""
	// The order of POSIX: LC_ALL overrides LC_CTYPE, which overrides LANG.
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale = getenv(name); locale != "" {
			break
		}
	}
	locale = strings.ToUpper(locale)
	utf8 := strings.Contains(locale, "UTF-8") || strings.Contains(locale, "UTF8")
	switch term := getenv("TERM"); {
	case term == "dumb", !utf8 && !impliesUnicode(getenv):
		return ASCIIGlyphs()
	case term == "linux":
		return BlockGlyphs()
	}
	return UnicodeGlyphs()
}

// impliesUnicode reports whether the terminal's own variables name a modern one, regardless of the locale: Windows Terminal sets no
// locale at all.
func impliesUnicode(getenv func(string) string) bool { return getenv("WT_SESSION") != "" }
