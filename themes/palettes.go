package themes

import "github.com/charmbracelet/lipgloss"

// color is a colour for each kind of terminal: 24 bits, the xterm palette, the sixteen named colours.
type color struct{ full, xterm, named string }

func (c color) complete() lipgloss.CompleteColor {
	return lipgloss.CompleteColor{TrueColor: c.full, ANSI256: c.xterm, ANSI: c.named}
}

// The values for 256 and 16 colours are chosen, not computed: the nearest colour of the xterm palette that keeps the contrast.
// A ground without a named colour uses attributes on sixteen-colour terminals, whose palettes vary: reversed text keeps the
// contrast of the plain ground.
type (
	textColors   map[Role]color
	seriesColors [SeriesCount]color
	groundColors [groundCount]color
)

// newTheme returns a theme; the attributes are the same for all themes.
func newTheme(name, description string, text textColors, series seriesColors, grounds groundColors) Theme {
	theme := Theme{Name: name, Description: description}
	for role, c := range text {
		theme.inks[role].Color = c.complete()
	}
	for n, c := range series {
		theme.inks[SeriesRole(n)].Color = c.complete()
	}
	for ground, c := range grounds {
		theme.backings[ground].Color = c.complete()
	}
	theme.inks[Title].Attr = Bold
	theme.inks[Accent].Mono = Bold
	theme.inks[Warn].Mono = Bold
	theme.inks[Bad].Mono = Bold | Underline
	theme.inks[Pending].Mono = Underline
	theme.inks[KeyCap].Mono = Bold
	theme.backings[Selected].Mono = Reverse
	theme.backings[Marked].Mono = Underline
	theme.backings[Heat2].Mono = Bold
	theme.backings[Heat3].Mono = Bold | Underline
	return theme
}

func mono() Theme {
	return newTheme("mono", "The terminal's own two colours; bold, underline and reverse", nil, seriesColors{}, groundColors{})
}

// brightSeries returns the colours of Okabe and Ito in their order (orange, sky blue, bluish green, yellow, blue,
// vermilion, reddish purple, and light grey in place of black), brightened for a dark background and moved apart as
// an eye without green cones sees them.
func brightSeries() seriesColors {
	return seriesColors{
		{"#fed10a", "220", "3"},
		{"#75d5fa", "117", "14"},
		{"#63c184", "114", "10"},
		{"#faf979", "228", "11"},
		{"#60afff", "75", "12"},
		{"#fb8c50", "209", "9"},
		{"#d395bb", "175", "13"},
		{"#e7e7e7", "254", "15"},
	}
}

// darkSeries returns the same colours, darkened for a light background.
func darkSeries() seriesColors {
	return seriesColors{
		{"#cd6200", "130", "3"},
		{"#3480c2", "26", "6"},
		{"#2e8b52", "29", "2"},
		{"#567b08", "22", "8"},
		{"#0c4d9e", "25", "4"},
		{"#80080b", "52", "1"},
		{"#721557", "89", "5"},
		{"#727272", "60", "0"},
	}
}

// darkGrounds returns the backgrounds of the dark themes.
func darkGrounds() groundColors {
	return groundColors{
		Plain:    {"#14171c", "234", "0"},
		Selected: {"#1f3654", "17", ""},
		Marked:   {"#2a2f38", "236", ""},
		Raised:   {"#1d222a", "235", ""},
		Heat1:    {"#2b2916", "235", ""},
		Heat2:    {"#40310f", "237", ""},
		Heat3:    {"#522a14", "52", ""},
	}
}

func dark() Theme {
	return newTheme("dark", "Light text on a dark background", textColors{
		Text:    {"#dfe3e8", "254", "15"},
		Muted:   {"#9ea7b3", "248", "7"},
		Title:   {"#ffffff", "231", "15"},
		Accent:  {"#6cc4ff", "117", "14"},
		Good:    {"#5fd08a", "78", "10"},
		Warn:    {"#f2c14e", "221", "11"},
		Bad:     {"#ff8f80", "210", "9"},
		Info:    {"#8fc7ee", "117", "14"},
		Pending: {"#d3a8fb", "183", "13"},
		Border:  {"#56606e", "59", "8"},
		KeyCap:  {"#9fd8ff", "153", "15"},
	}, brightSeries(), darkGrounds())
}

func light() Theme {
	return newTheme("light", "Dark text on white", textColors{
		Text:    {"#1b1f24", "234", "0"},
		Muted:   {"#555d68", "59", "8"},
		Title:   {"#000000", "16", "0"},
		Accent:  {"#0a4fa8", "25", "4"},
		Good:    {"#12632f", "22", "2"},
		Warn:    {"#7a4a00", "58", "5"},
		Bad:     {"#a51212", "88", "1"},
		Info:    {"#0b5a80", "24", "4"},
		Pending: {"#6b2fa0", "54", "5"},
		Border:  {"#aab2bd", "249", "7"},
		KeyCap:  {"#0a4fa8", "25", "4"},
	}, darkSeries(), groundColors{
		Plain:    {"#ffffff", "231", "15"},
		Selected: {"#cfe3fb", "189", ""},
		Marked:   {"#e4e7ec", "254", ""},
		Raised:   {"#f1f3f6", "255", ""},
		Heat1:    {"#fdf3cf", "230", ""},
		Heat2:    {"#fde2b0", "223", ""},
		Heat3:    {"#fbd0b4", "224", ""},
	})
}

func highContrast() Theme {
	return newTheme("high-contrast", "White on black, at least 7:1 for all text", textColors{
		Text:    {"#ffffff", "231", "15"},
		Muted:   {"#d4d4d4", "188", "7"},
		Title:   {"#ffffff", "231", "15"},
		Accent:  {"#5fe3ff", "81", "14"},
		Good:    {"#6dffa0", "85", "10"},
		Warn:    {"#ffe75c", "221", "11"},
		Bad:     {"#ffaca4", "217", "9"},
		Info:    {"#a8dcff", "153", "14"},
		Pending: {"#e6c4ff", "225", "13"},
		Border:  {"#9a9a9a", "247", "7"},
		KeyCap:  {"#ffffff", "231", "15"},
	}, brightSeries(), groundColors{
		Plain:    {"#000000", "16", "0"},
		Selected: {"#00305a", "17", ""},
		Marked:   {"#262626", "235", ""},
		Raised:   {"#141414", "233", ""},
		Heat1:    {"#1f1d08", "234", ""},
		Heat2:    {"#332503", "236", ""},
		Heat3:    {"#451503", "52", ""},
	})
}

func colorBlind() Theme {
	return newTheme("colour-blind", "Dark, with states in blue, yellow and orange instead of green and red", textColors{
		Text:    {"#dfe3e8", "254", "15"},
		Muted:   {"#9ea7b3", "248", "7"},
		Title:   {"#ffffff", "231", "15"},
		Accent:  {"#8fd0ff", "117", "14"},
		Good:    {"#56b4e9", "74", "12"},
		Warn:    {"#f7f06a", "228", "11"},
		Bad:     {"#f59055", "209", "9"},
		Info:    {"#c3d4e6", "252", "15"},
		Pending: {"#dba3c6", "182", "13"},
		Border:  {"#56606e", "59", "8"},
		KeyCap:  {"#ffffff", "231", "15"},
	}, brightSeries(), darkGrounds())
}
