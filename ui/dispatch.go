package ui

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// key passes a key to the first that handles it: actions that always work, the dialog on top, a screen that takes text, the
// screen's actions, the shell's own actions, and last the screen itself.
func (s *Shell) key(key KeyMsg) {
	s.dropFailures()
	if action, ok := findAction(s.globals, key.Name); ok && alwaysWorks(action) {
		s.perform(action)
		return
	}
	if key.Name == "esc" && s.options.Actions != nil {
		if action, ok := findAction(s.options.Actions(s.Active()), key.Name); ok && action.Disabled == "" {
			s.perform(action) // running work is stopped before leaving
			return
		}
	}
	if dialog := s.dialog(); dialog != nil && waiting(dialog) && s.keyWhileWaiting(key) {
		return
	}
	if dialog := s.dialog(); dialog != nil {
		if !s.keyBelowText(dialog, key) {
			s.keyToDialog(dialog, key)
		}
		return
	}
	view := s.view()
	if view == nil {
		return
	}
	if typist, ok := view.(Typist); ok && typist.Typing() {
		s.runCmd(view.Update(key))
		return
	}
	action, ok := findAction(view.Actions(), key.Name)
	if !ok {
		action, ok = findAction(s.commonActions(), key.Name)
	}
	if ok {
		if key.Name == "esc" && action.Disabled != "" {
			return // there is nothing to leave with Esc
		}
		s.perform(action)
		return
	}
	if action, ok := movedAction(view.Actions(), key.Name); ok {
		s.requestFrame(answered)
		s.toast(Note, sentence(action.Name)+" is now "+keyLabel(action.Keys[0], s.glyphs())+".")
		return
	}
	s.runCmd(view.Update(key))
}

func (s *Shell) keyToDialog(dialog *layer, key KeyMsg) {
	if key.Name != "esc" {
		s.sendToDialog(dialog, key)
		return
	}
	if escaper, ok := dialog.Dialog.(Escaper); ok && escaper.Escape() {
		return
	}
	s.closeDialog(dialog)
}

// maxPaste limits the text of one paste, in bytes.
const maxPaste = 64 << 10

// paste passes pasted text to a dialog or screen that takes text; otherwise it is ignored, because it would act like keys.
func (s *Shell) paste(msg PasteMsg) {
	if len(msg.Text) > maxPaste {
		msg.Text = strings.ToValidUTF8(msg.Text[:maxPaste], "")
	}
	if dialog := s.dialog(); dialog != nil {
		s.sendToDialog(dialog, msg)
		return
	}
	if typist, ok := s.view().(Typist); ok && typist.Typing() {
		s.runCmd(s.view().Update(msg))
	}
}

// perform is the one place where an action runs, whether by key, mouse or palette. Only here it is rejected, or confirmed
// first.
func (s *Shell) perform(action Action) {
	s.requestFrame(answered)
	s.trail.add(s.options.Now(), strings.TrimSpace(action.ID+" "+action.Object))
	switch why := action.refusal(s.options.ReadOnly); {
	case why != "":
		s.toast(Caution, why)
	case action.Dangerous:
		s.runCmd(Confirm(action.question(), sentence(action.Name), action.Run))
	case action.Run != nil:
		s.runCmd(action.Run())
	}
}

// refusal returns the reason why an action is not possible; empty when it is.
func (a *Action) refusal(readOnly bool) string {
	switch {
	case a.Disabled != "":
		return sentence(a.Name) + ": " + a.Disabled
	case a.Changes && readOnly:
		return fmt.Sprintf("Read-only mode: %s is not available. Start cxdeck without --read-only to use it.", quoted(a.Name))
	}
	return ""
}

// question returns the question before a dangerous action; the default names the action and its object.
func (a Action) question() string {
	switch {
	case a.Question != "":
		return a.Question
	case a.Object != "":
		return sentence(a.Name) + " " + a.Object + "?"
	default:
		return sentence(a.Name) + "?"
	}
}

// sentence returns a phrase with its first letter in upper case. A first word with a sign, a digit or an upper-case letter inside is a name,
// such as "lab.toml", and keeps its case.
func sentence(phrase string) string {
	word, _, _ := strings.Cut(phrase, " ")
	if strings.ContainsFunc(strings.TrimRight(word, ",.:;?!"), func(r rune) bool {
		return unicode.IsUpper(r) || unicode.IsDigit(r) || strings.ContainsRune(`_*.\=$`, r)
	}) {
		return phrase
	}
	return upperFirst(phrase)
}

// upperFirst returns a text with its first letter in upper case.
func upperFirst(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(r)) + text[size:]
}

func quoted(phrase string) string { return "“" + phrase + "”" }

// alwaysWorks reports whether an action of the shell works even under a dialog and while text is typed.
func alwaysWorks(action Action) bool {
	return slices.Contains([]string{actionQuitNow, actionSuspend, actionRepaint}, action.ID)
}
