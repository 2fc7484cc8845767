package themes

// Role is the meaning of a piece of the screen. Code names roles, never colours; a theme gives each its looks.
type Role uint8

// The roles of the screen.
const (
	Text    Role = iota // ordinary text
	Muted               // unimportant text: labels, zero, disabled actions
	Title               // headings and panel titles
	Accent              // focus and the item under the cursor
	Good                // healthy states
	Warn                // needs attention
	Bad                 // failed, dropping
	Info                // neutral information
	Pending             // waits for a restart
	Border              // rules, axes and box lines
	KeyCap              // a key name in the status line and in help
	Series1             // the first of eight series colours, in Okabe and Ito's order
	Series2
	Series3
	Series4
	Series5
	Series6
	Series7
	Series8
	roleCount
)

// SeriesCount is the number of series colours; series n has role Series1 + n mod SeriesCount.
const SeriesCount = 8

// SeriesRole returns the role of the n-th series, counted from 0.
func SeriesRole(n int) Role { return Series1 + Role(n%SeriesCount) }

// Ground is the background of a cell.
type Ground uint8

// The grounds of the screen.
const (
	Plain    Ground = iota // the terminal's or the theme's own background
	Selected               // the row or field under the cursor of the focused part
	Marked                 // the row under the cursor of a part without focus; multi-selected rows
	Raised                 // dialogs and the header
	Heat1                  // heat colouring, weakest
	Heat2
	Heat3 // heat colouring, strongest
	groundCount
)

// Attribute is a set of text attributes that a caller adds to a role's own.
type Attribute uint8

// The attributes.
const (
	Bold Attribute = 1 << iota
	Underline
	Reverse
	Dim
)

// Style is the looks of one cell, by meaning.
type Style struct {
	Role   Role
	Ground Ground
	Attr   Attribute
}
