package themes

import "github.com/charmbracelet/lipgloss"

// init sets Lip Gloss's background to dark before it is queried. Bubble Tea's own initialisation queries Lip Gloss, which would
// then query the terminal and wait five seconds if it does not answer. It is the only init of the program; it runs early enough
// because this package imports only Lip Gloss, and packages without pending imports are initialised in the order of their
// import paths: cxdeck/themes comes before github.com/charmbracelet/bubbletea. Themes set their own background, so the value is
// never used.
func init() { lipgloss.SetHasDarkBackground(true) }
