package themes

import "github.com/charmbracelet/lipgloss"

// init sets Lip Gloss's background to dark before it is queried. Bubble Tea's own initialisation asks Lip Gloss, which
// would then ask the terminal and wait five seconds for one that does not answer. It is the only init of the program;
// it comes in time because this package imports nothing but Lip Gloss, and packages that are ready are initialised in
// the order of their import paths: cxdeck/themes comes before github.com/charmbracelet/bubbletea. Themes bring their
// own background, so that the answer is never used.
func init() { lipgloss.SetHasDarkBackground(true) }
