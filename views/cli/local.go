package cli

import (
	"path/filepath"

	"cxdeck/views/machine"
)

// runLocal shows and changes the adapters of this machine. The journal is beside the history, which --db moves.
func runLocal(s *session) error {
	confirm, _ := s.text("confirm")
	return (&machine.Command{
		Out: s.streams.Out, Complain: func(err error) { complain(s.streams.Err, err) }, Answer: s.readAnswer, JSON: s.options.format == "json",
		AllowChanges: s.isOn("allow-changes") && !s.options.readOnly, Keep: s.isOn("yes"), Confirm: confirm,
		Journal: filepath.Join(filepath.Dir(s.options.db), "local-changes.jsonl"),
	}).Run(s.ctx, s.arguments)
}
