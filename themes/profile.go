package themes

import "strings"

// Profile is the number of colours of a terminal.
type Profile uint8

// The profiles, the poorest first.
const (
	NoColor   Profile = iota // bold, underline and reverse only
	ANSI16                   // the sixteen named colours
	ANSI256                  // the xterm palette
	TrueColor                // 24 bits
)

// String returns the profile's name.
func (p Profile) String() string {
	return [...]string{"no colour", "16 colours", "256 colours", "true colour"}[min(p, TrueColor)]
}

// fullColorTerminals are terminals with 24 bits of colour that only their name indicates.
var fullColorTerminals = [...]string{"alacritty", "contour", "foot", "rio", "wezterm", "xterm-ghostty", "xterm-kitty"}

// DetectProfile derives a terminal's profile from its environment (NO_COLOR, CLICOLOR, CLICOLOR_FORCE, COLORTERM, TERM) and
// never queries the terminal, which may not answer. getenv is os.Getenv or a test's.
func DetectProfile(getenv func(string) string) Profile {
	forced := getenv("CLICOLOR_FORCE") != "" && getenv("CLICOLOR_FORCE") != "0"
	if getenv("NO_COLOR") != "" || getenv("CLICOLOR") == "0" && !forced {
		return NoColor
	}
	profile := terminalProfile(getenv)
	if profile == NoColor && forced {
		return ANSI16
	}
	return profile
}

func terminalProfile(getenv func(string) string) Profile {
	term := getenv("TERM")
	if term == "dumb" {
		return NoColor
	}
	switch strings.ToLower(getenv("COLORTERM")) {
	case "truecolor", "24bit":
		// GNU screen supports at most 256 colours; tmux may also set TERM to screen, and supports all.
		if strings.HasPrefix(term, "screen") && getenv("TERM_PROGRAM") != "tmux" {
			return ANSI256
		}
		return TrueColor
	case "yes", "true":
		return ANSI256
	}
	if getenv("WT_SESSION") != "" {
		return TrueColor // Windows Terminal sets neither TERM nor COLORTERM
	}
	for _, name := range fullColorTerminals {
		if term == name {
			return TrueColor
		}
	}
	switch {
	case strings.HasSuffix(term, "-direct"):
		return TrueColor
	case strings.Contains(term, "256color"):
		return ANSI256
	case term == "linux", strings.HasPrefix(term, "xterm"), strings.HasPrefix(term, "screen"), strings.HasPrefix(term, "tmux"),
		strings.HasPrefix(term, "rxvt"), strings.Contains(term, "color"), strings.Contains(term, "ansi"):
		return ANSI16
	}
	return NoColor
}
