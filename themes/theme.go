package themes

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// Ink is the appearance of a role: its colour on each kind of terminal, and attributes.
type Ink struct {
	// Color is explicit for every profile, without conversion. An empty string means the terminal's default colour.
	Color lipgloss.CompleteColor
	// Attr are its attributes on every terminal; Mono are the attributes that replace a missing colour.
	Attr, Mono Attribute
}

// Backing is the appearance of a ground.
type Backing struct {
	Color lipgloss.CompleteColor
	Mono  Attribute
}

// Theme gives roles and grounds their looks.
//
// A theme with colours also sets the background of Plain: cxdeck never queries the terminal's background, and text that is
// readable on black may be unreadable on white. With the theme's own background, the contrast that the tests check holds on
// every terminal. The mono theme, and every theme on a terminal without colours, leaves the terminal's colours unchanged.
type Theme struct {
	Name, Description string
	inks              [roleCount]Ink
	backings          [groundCount]Backing
}

// Colored reports whether the theme has its own colours.
func (t Theme) Colored() bool { return t.backings[Plain].Color.TrueColor != "" }

// All returns the themes, the default first.
func All() []Theme {
	return []Theme{dark(), light(), highContrast(), colorBlind(), mono()}
}

// Names returns the names of the themes, the default first.
func Names() []string {
	var names []string
	for _, theme := range All() {
		names = append(names, theme.Name)
	}
	return names
}

// ByName returns the theme with a name, in upper or lower case.
func ByName(name string) (Theme, error) {
	for _, theme := range All() {
		if strings.EqualFold(theme.Name, strings.TrimSpace(name)) {
			return theme, nil
		}
	}
	return Theme{}, fmt.Errorf("there is no theme %q; choose %s", name, strings.Join(Names(), ", "))
}

// Ink returns the looks of a role.
func (t *Theme) Ink(role Role) Ink {
	if role >= roleCount {
		role = Text
	}
	return t.inks[role]
}

// Backing returns the looks of a ground.
func (t *Theme) Backing(ground Ground) Backing {
	if ground >= groundCount {
		ground = Plain
	}
	return t.backings[ground]
}
