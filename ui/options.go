package ui

import (
	"context"
	"os"
	"time"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// Options configures the shell.
type Options struct {
	// Product is the first word of the header.
	Product string
	// Views are the screens in the order of their number keys; there must be at least one.
	Views []View
	// Start is the ID of the first screen; empty for the first of Views.
	Start string
	// Header returns the segments of the header line, and is called for every frame. nil shows only the product's name.
	Header func() Header
	// Rule draws a line in place of the rule above the status line, such as the timeline of a recording, and reports whether it
	// did. Its zones have the name RuleZone, and RuleHit handles the mouse on them. nil for the plain rule.
	Rule    func(area widget.Area) bool
	RuleHit func(HitMsg) Cmd
	// Actions returns the actions that are available on all screens, beside the shell's own, for the screen at the front; nil for none.
	Actions func(screen string) []Action
	// Waits returns the operations in progress that end by themselves, the most important first; it is called for every
	// frame. nil for none.
	Waits func() []Wait
	// Items returns further entries of the palette; it is called when the palette opens.
	Items func() []Item
	// Line returns an action for a command line typed in the palette; ok is false for other text. It is called for each typed
	// key; the action is confirmed and rejected like any other. nil disables command lines.
	Line func(typed string) (action Action, ok bool)
	// Complete completes a line that is typed in the palette. It is called in the terminal loop; the returned function runs in
	// the background, and returns the line as far as it is certain, and the possible words if there are several. nil disables
	// completion.
	Complete func(typed string) func(ctx context.Context) (completed string, offered []string)
	// Looks are the themes that the theme key selects in turn; the first is used at the start. Empty draws without colour.
	Looks []Look
	// Feeds announce new data: each token becomes a DataMsg.
	Feeds []<-chan struct{}
	// Unchangeable returns the reason why the shown host can't be changed, such as in a recording; empty when it can. Actions
	// that are disabled for this reason are not offered: their keys show the reason, and help lists them. nil means that it can
	// always be changed.
	Unchangeable func() string
	// ReadOnly rejects every action that changes something.
	ReadOnly bool
	// LowBandwidth shows new data at most every three seconds; the effect of keys shows at once.
	LowBandwidth bool
	// Mouse turns the mouse on at the start.
	Mouse bool
	// QuitQuestion returns a question before quitting if something would be lost; otherwise nil. nil never asks.
	QuitQuestion func() Cmd
	// Notice is something that the operator must know at the start; it stays until a key is pressed.
	Notice string
	// Ended reports that no more data will come and no input is possible: RunPlain returns then. nil for never.
	Ended func() bool
	// OnIdle is called in the terminal loop when no background work is running and the screen is up to date. Tests wait for it.
	// nil for none.
	OnIdle func()
	// Arrived returns commands for news since its last call that do not come from the operator, such as lines of the action log
	// and toasts; it is called with each DataMsg. nil for none.
	Arrived func() []Cmd
	// Log receives each line of the action log; may be nil.
	Log func(LogEntry)
	// Taken is called when the terminal is taken over, with the function that restores it, which may be called at any time and from
	// any goroutine, and does not hang. It may be nil.
	Taken func(leave func())
	// Shown is called once, when the first frame is on the terminal; it must not block. It may be nil.
	Shown func()
	// Version is written into crash reports.
	Version string
	// ReportDirectory is the directory of crash reports; empty for the directory of temporary files.
	ReportDirectory string
	// Now is the wall clock; nil for time.Now.
	Now func() time.Time
	// Input and Output are the terminal; nil for standard input and output.
	Input, Output *os.File

	// suspendRefusal is the reason why the console can't be suspended; empty when it can. Run sets it: a shell without a terminal
	// does not depend on the process it runs in.
	suspendRefusal string
}

// Look is a theme for a terminal. The shell owns it.
type Look struct {
	Name    string
	Painter *themes.Painter
	Glyphs  *themes.Glyphs
}

// plainLook returns the default theme of the shell.
func plainLook() Look {
	return Look{Name: "plain", Painter: themes.NewPainter(themes.All()[0], themes.NoColor), Glyphs: themes.UnicodeGlyphs()}
}

// Header is the line at the top: three groups of segments.
type Header struct{ Left, Middle, Right []Segment }

// Segment is one piece of the header.
type Segment struct {
	Text string
	// Spoken replaces Text in plain mode, for a Text with symbols. Empty for the same text.
	Spoken string
	Style  themes.Style
	// Rank decides which segments are dropped for lack of room: the highest first. Rank 0 is never dropped.
	Rank int
}

// Item is an entry of the palette: something to do or to open.
type Item struct {
	Title string
	// Kind is a word for its kind: "adapter", "counter", "session".
	Kind string
	// Disabled is the reason why it is not possible just now, empty when it is.
	Disabled string
	// Run opens it, in the terminal loop.
	Run func() Cmd
}

// LogEntry is a line of the action log.
type LogEntry struct {
	At       time.Time
	What     string
	Commands []string
}
