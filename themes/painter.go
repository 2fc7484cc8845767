package themes

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// attributeSets is the number of sets of attributes.
const attributeSets = 16

// sgrCodes are the SGR parameters of the attributes (ECMA-48, 8.3.117), by bit.
var sgrCodes = [...]string{"1", "4", "7", "2"}

// Painter converts styles to the escape sequences of one terminal. It caches them, and belongs to one goroutine.
type Painter struct {
	theme   Theme
	profile Profile
	inks    [roleCount]string
	grounds [groundCount]string
	flat    [groundCount]bool                              // grounds without a colour, which use the plain one
	memo    [roleCount]*[groundCount][attributeSets]string // nil for unused roles
}

// NewPainter returns the painter of a theme for a terminal's profile.
func NewPainter(theme Theme, profile Profile) *Painter {
	p := &Painter{theme: theme, profile: profile}
	for role := range roleCount {
		p.inks[role] = colorCode(theme.inks[role].Color, profile, false)
	}
	for ground := range groundCount {
		p.grounds[ground] = colorCode(theme.backings[ground].Color, profile, true)
		if p.grounds[ground] == "" {
			p.grounds[ground], p.flat[ground] = p.grounds[Plain], true
		}
	}
	return p
}

// Theme returns the painter's theme.
func (p *Painter) Theme() *Theme { return &p.theme }

// Profile returns the profile of the painter's terminal.
func (p *Painter) Profile() Profile { return p.profile }

// SGR returns the sequence that sets a style, regardless of the previous style.
func (p *Painter) SGR(style Style) string {
	style = valid(style)
	if p.memo[style.Role] == nil {
		p.memo[style.Role] = new([groundCount][attributeSets]string)
	}
	memo := &p.memo[style.Role][style.Ground][style.Attr]
	if *memo == "" {
		var b strings.Builder
		b.WriteString("\x1b[0")
		attributes := p.attributes(style)
		for bit, code := range sgrCodes {
			if attributes&(1<<bit) != 0 {
				b.WriteString(";" + code)
			}
		}
		for _, code := range [...]string{p.inks[style.Role], p.grounds[style.Ground]} {
			if code != "" {
				b.WriteString(";" + code)
			}
		}
		b.WriteByte('m')
		*memo = b.String()
	}
	return *memo
}

// AppendChange appends the shortest sequence that changes the terminal's style: nothing if both look the same, one colour if
// only that differs.
func (p *Painter) AppendChange(dst []byte, from, to Style) []byte {
	from, to = valid(from), valid(to)
	if from == to {
		return dst
	}
	ink, ground := p.inks[to.Role], p.grounds[to.Ground]
	newInk, newGround := ink != p.inks[from.Role], ground != p.grounds[from.Ground]
	switch {
	case p.attributes(from) != p.attributes(to), newInk && ink == "", newGround && ground == "":
		return append(dst, p.SGR(to)...)
	case newInk && newGround:
		dst = append(append(append(append(dst, "\x1b["...), ink...), ';'), ground...)
	case newInk:
		dst = append(append(dst, "\x1b["...), ink...)
	case newGround:
		dst = append(append(dst, "\x1b["...), ground...)
	default:
		return dst
	}
	return append(dst, 'm')
}

// Reset returns the sequence that restores the terminal's default style.
func (p *Painter) Reset() string { return "\x1b[0m" }

// attributes returns all the attributes of a style: the caller's, the role's and the ground's. If the terminal or the theme has
// no colour for a role or ground, their Mono attributes are included.
func (p *Painter) attributes(style Style) Attribute {
	ink, backing := &p.theme.inks[style.Role], &p.theme.backings[style.Ground]
	attributes := style.Attr | ink.Attr
	if p.inks[style.Role] == "" {
		attributes |= ink.Mono
		attributes &^= Dim // without colours, faint text is unreadable on many terminals
	}
	if p.flat[style.Ground] {
		attributes ^= backing.Mono & Reverse // a reversed field on a reversed row must still stand out
		attributes |= backing.Mono &^ Reverse
	}
	return attributes
}

// valid replaces unknown parts of a style.
func valid(style Style) Style {
	if style.Role >= roleCount {
		style.Role = Text
	}
	if style.Ground >= groundCount {
		style.Ground = Plain
	}
	style.Attr %= attributeSets
	return style
}

// colorCode returns the SGR parameters of a colour, "" for the terminal's default.
func colorCode(color lipgloss.CompleteColor, profile Profile, background bool) string {
	base := 30
	if background {
		base = 40
	}
	switch profile {
	case TrueColor:
		r, g, b, ok := rgb(color.TrueColor)
		if !ok {
			return ""
		}
		return strconv.Itoa(base+8) + ";2;" + strconv.Itoa(int(r)) + ";" + strconv.Itoa(int(g)) + ";" + strconv.Itoa(int(b))
	case ANSI256:
		if color.ANSI256 == "" {
			return ""
		}
		return strconv.Itoa(base+8) + ";5;" + color.ANSI256
	case ANSI16:
		n, err := strconv.Atoi(color.ANSI)
		if err != nil {
			return ""
		}
		if n >= 8 { // the bright ones
			base += 60 - 8
		}
		return strconv.Itoa(base + n)
	case NoColor:
	}
	return ""
}

// rgb parses "#rrggbb".
func rgb(text string) (r, g, b uint8, ok bool) {
	if len(text) != 7 || text[0] != '#' {
		return 0, 0, 0, false
	}
	n, err := strconv.ParseUint(text[1:], 16, 32)
	if err != nil {
		return 0, 0, 0, false
	}
	return uint8(n >> 16), uint8(n >> 8), uint8(n), true
}
