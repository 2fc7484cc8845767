package ui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// Wait is an operation in progress that ends by itself, for the header.
type Wait struct {
	// What is a clause that names it: "LAB-N4 reboots".
	What string
	// Until reports that Time is the remaining time; otherwise the end is unknown, and Time is the elapsed time.
	Until bool
	Time  time.Duration
}

// String returns the wait with its time: "LAB-N4 reboots: 42 s", "Drill of Ethernet 7: 8 s so far".
func (w Wait) String() string {
	if w.Until {
		return w.What + ": " + countdown(w.Time)
	}
	return w.What + ": " + countdown(w.Time.Truncate(time.Second)) + " so far"
}

// countdown returns the remaining time in whole seconds, rounded up: the last one is 1.
func countdown(left time.Duration) string {
	seconds := max(int((left+time.Second-1)/time.Second), 0)
	if seconds >= 120 {
		return fmt.Sprintf("%d min %d s", seconds/60, seconds%60)
	}
	return fmt.Sprintf("%d s", seconds)
}

// Leaver is a Dialog that can be left while it waits and needs no key: then the keys of the screens leave it, Esc leaves it,
// and it still receives its messages. When it stops waiting it is closed, and Outcome is shown.
type Leaver interface {
	Waits() bool
	Outcome() (Severity, string)
}

const (
	// workShows is the time after which background work shows in the header.
	workShows = time.Second
	// maxWaitName and minWaitName limit the width of a wait's name in the header, in cells.
	maxWaitName = 40
	minWaitName = 8
)

// workTickMsg is sent every second while work is in flight.
type workTickMsg struct{}

// tickWork updates the times in the header.
func (s *Shell) tickWork() {
	if !s.ticking {
		s.ticking = true
		s.startTimer(afterMsg{workShows, workTickMsg{}})
	}
}

func (s *Shell) workTicked() {
	if s.ticking = false; len(s.registry.works) > 0 {
		s.requestFrame(answered)
		s.tickWork()
	}
}

// listWaits lists the caller's waits, then the background work, the oldest first.
func (s *Shell) listWaits() (list []Wait) {
	if s.options.Waits != nil {
		list = s.options.Waits()
	}
	now, from := s.options.Now(), len(list)
	for _, w := range s.registry.works {
		if passed := now.Sub(w.began); passed >= workShows {
			list = append(list, Wait{What: sentence(w.name), Time: passed})
		}
	}
	slices.SortStableFunc(list[from:], func(a, b Wait) int { return int(b.Time - a.Time) })
	return list
}

// waitSegment returns the header's segment for the first wait, with a name of at most longest cells, and the number of further
// waits; it is empty without waits. The time is never cut.
func waitSegment(waits []Wait, glyph rune, longest int) Segment {
	if len(waits) == 0 {
		return Segment{}
	}
	w := waits[0]
	w.What = widget.Cut(w.What, longest)
	text := string(glyph) + " " + w.String()
	if more := len(waits) - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return Segment{Text: text, Style: themes.Style{Role: themes.Pending, Attr: themes.Bold}}
}

// commonActions returns the current actions that work everywhere: the shell's own and the caller's.
func (s *Shell) commonActions() []Action {
	if s.options.Actions == nil {
		return s.globals
	}
	return slices.Concat(s.options.Actions(s.Active()), s.globals)
}

// waiting reports whether a dialog waits and needs no key.
func waiting(dialog *layer) bool {
	leaver, can := dialog.Dialog.(Leaver)
	return can && leaver.Waits()
}

// keyWhileWaiting handles a key that leaves waiting dialogs; it reports whether it did.
func (s *Shell) keyWhileWaiting(key KeyMsg) bool {
	if key.Name == "esc" {
		s.moveToBackground(s.dialog())
		return true
	}
	action, ok := findAction(s.commonActions(), key.Name)
	if !ok {
		return false
	}
	if strings.HasPrefix(action.ID, actionScreen) {
		s.leaveWaitingDialogs()
	}
	s.perform(action)
	return true
}

// keyBelowText handles a key of a screen or of a wait while a dialog only shows text: it closes the dialog and runs the action.
// It reports whether it did.
func (s *Shell) keyBelowText(dialog *layer, key KeyMsg) bool {
	if _, text := dialog.Dialog.(*sheet); !text {
		return false
	}
	action, ok := findAction(s.globals, key.Name)
	if ok = ok && strings.HasPrefix(action.ID, actionScreen); !ok && s.options.Actions != nil {
		action, ok = findAction(s.options.Actions(s.Active()), key.Name)
	}
	if !ok || action.Disabled != "" {
		return false
	}
	s.closeDialog(dialog)
	s.perform(action)
	return true
}

// leaveWaitingDialogs moves the waiting dialogs on top to the background.
func (s *Shell) leaveWaitingDialogs() {
	for s.dialog() != nil && waiting(s.dialog()) {
		s.moveToBackground(s.dialog())
	}
}

// moveToBackground removes a waiting dialog from the screen. It continues in the background.
func (s *Shell) moveToBackground(dialog *layer) {
	if i := slices.Index(s.dialogs, dialog); i >= 0 {
		s.requestFrame(answered)
		s.dialogs = slices.Delete(s.dialogs, i, i+1)
		s.aside = append(s.aside, dialog)
	}
}

// restoreDialog brings a dialog from the background to the top, in place of a dialog with the same title; it reports whether
// there was one.
func (s *Shell) restoreDialog(title string) bool {
	i := slices.IndexFunc(s.aside, func(l *layer) bool { return l.Title() == title })
	if i < 0 {
		return false
	}
	s.requestFrame(answered)
	s.dialogs = append(s.dialogs, s.aside[i])
	s.aside = slices.Delete(s.aside, i, i+1)
	return true
}

// sendToBackground sends a message to the dialogs in the background. It closes dialogs that no longer wait, and reports their
// outcomes.
func (s *Shell) sendToBackground(msg Msg) {
	for _, dialog := range slices.Clone(s.aside) {
		done, cmd := dialog.Update(msg)
		leaver, can := dialog.Dialog.(Leaver)
		switch {
		case done:
			s.closeDialog(dialog)
		case can && !leaver.Waits():
			severity, text := leaver.Outcome()
			s.closeDialog(dialog)
			s.record(LogEntry{At: s.options.Now(), What: text})
			s.toast(severity, text)
		}
		s.runCmd(cmd)
	}
}

// backgroundEntries appends entries that bring back the dialogs in the background.
func (s *Shell) backgroundEntries(entries []paletteEntry) []paletteEntry {
	for _, dialog := range s.aside {
		title := dialog.Title()
		entries = append(entries, paletteEntry{title: "Back to " + title, help: "It is being applied", kind: "wait",
			run: func() Cmd {
				s.restoreDialog(title)
				return nil
			}})
	}
	return entries
}
