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
	// Header returns the segments of the header line and is called every frame. nil shows only the product's name.
	Header func() Header
	// Rule draws a line in place of the rule above the status line, such as the timeline of a recording, and reports whether it
	// did. Its zones have the name RuleZone, and RuleHit handles the mouse on them. nil for the plain rule.
	Rule    func(area widget.Area) bool
	RuleHit func(HitMsg) Cmd
	// Actions returns the actions that are available on all screens, beside the shell's own; nil for none.
	Actions func() []Action
	// Waits returns the operations in progress that end by themselves, the most important first; it is called for every
	// frame. nil for none.
	Waits func() []Wait
	// Items returns what the palette offers beside actions and screens; it is called when the palette opens.
	Items func() []Item
	// Line makes an action of a line typed in the palette that is a command of its own; ok is false for other text. It is called
	// for each typed key; the action is confirmed and refused like any other. nil disables such lines.
	Line func(typed string) (action Action, ok bool)
	// Complete completes a line that is typed in the palette. It is called in the terminal loop; what it gives is called beside
	// it, and gives the line with as much as is certain, and what could follow when there are several. nil for no completion.
	Complete func(typed string) func(ctx context.Context) (completed string, offered []string)
	// Looks are the themes that the theme key goes through; the first is used at the start. Empty draws without colour.
	Looks []Look
	// Feeds announce new data: each token becomes a DataMsg.
	Feeds []<-chan struct{}
	// Unchangeable is the reason why what shows takes no changes, such as a recording; empty when it does. Actions that are disabled
	// for this reason are not offered: a key says why, and help lists them. nil for what always takes changes.
	Unchangeable func() string
	// ReadOnly refuses every action that changes something.
	ReadOnly bool
	// LowBandwidth shows new data at most once in three seconds; keys show at once anyway.
	LowBandwidth bool
	// Mouse turns the mouse on at the start.
	Mouse bool
	// QuitQuestion asks, in place of quitting, when something would be lost by it; it gives nil when nothing would. nil
	// never asks.
	QuitQuestion func() Cmd
	// Notice is something that the operator must know at the start; it stays until a key is pressed.
	Notice string
	// Ended reports that no more data will come and no input is possible: RunPlain returns then. nil for never.
	Ended func() bool
	// OnIdle is called in the terminal loop when everything is done: no background work is in flight and the screen
	// shows all there is. Tests wait for it instead of for some time. nil for none.
	OnIdle func()
	// Arrived returns what is to be shown since it was asked last without an action of the operator's, such as lines of the
	// action log and toasts; it is asked with each DataMsg. nil for nothing.
	Arrived func() []Cmd
	// Log receives each line of the action log; may be nil.
	Log func(LogEntry)
	// Taken is called when the terminal is taken over, with the function that restores it, which may be called at any time and from
	// any goroutine, and does not hang. It may be nil.
	Taken func(leave func())
	// Shown is called once, when the first frame is on the terminal, in a goroutine that must not wait. It may be nil.
	Shown func()
	// Version is written into crash reports.
	Version string
	// ReportDirectory is where crash reports go; empty for the directory of temporary files.
	ReportDirectory string
	// Now is the wall clock; nil for time.Now.
	Now func() time.Time
	// Input and Output are the terminal; nil for standard input and output.
	Input, Output *os.File
}

// Look is a theme made ready for a terminal. It belongs to the shell from then on.
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
	// Spoken is in place of Text where the console is lines of text, for a Text whose meaning is a symbol. Empty
	// for the same text.
	Spoken string
	Style  themes.Style
	// Rank decides what goes when there is too little room: the highest first. Rank 0 never goes.
	Rank int
}

// Item is something that the palette can do or go to.
type Item struct {
	Title string
	// Kind is a word that says what it is: "adapter", "counter", "session".
	Kind string
	// Disabled is the reason why it is not possible just now, empty when it is.
	Disabled string
	// Run goes there. It runs in the terminal loop.
	Run func() Cmd
}

// LogEntry is a line of the action log.
type LogEntry struct {
	At       time.Time
	What     string
	Commands []string
}
