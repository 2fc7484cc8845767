package cli

import (
	"path/filepath"
	"runtime"

	"cxdeck/driver/linuxhost"
	"cxdeck/views/adapters"
	"cxdeck/views/cli/process"
	"cxdeck/views/machine"
)

// runLocal shows and changes the adapters of this machine. The journal is beside the history, which --db moves.
func runLocal(s *session) error {
	confirm, _ := s.text("confirm")
	return (&machine.Command{
		Out: s.streams.Out, Complain: func(err error) { process.Complain(s.streams.Err, err) }, Answer: s.readAnswer, JSON: s.options.format == "json",
		AllowChanges: s.isOn("allow-changes") && !s.options.readOnly, Keep: s.isOn("yes"), Confirm: confirm,
		Journal: s.journal(), ReadOnly: s.options.readOnly,
	}).Run(s.ctx, s.arguments)
}

// journal returns the file of the changes of this machine.
func (s *session) journal() string {
	return filepath.Join(filepath.Dir(s.options.db), "local-changes.jsonl")
}

// offerSettings lets the console change the settings of this machine, if it is the source.
func (c *console) offerSettings() {
	s := c.session
	if s.options.source != "local" || runtime.GOOS != "linux" && runtime.GOOS != "windows" {
		return
	}
	c.adapters = &adapters.Settings{
		Deck: c.deck, Read: machine.Read, Open: machine.OpenTarget, Try: machine.Try, Files: machine.Files, Journal: s.journal(), Allowed: s.isOn("allow-changes"), Privileged: linuxhost.Privileged,
	}
	c.deck.OpenSettings = c.adapters.Dialog
	c.notify(machine.Notice(s.journal(), machine.Read, s.options.readOnly))
}
