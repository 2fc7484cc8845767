package cli

import (
	"time"

	"cxdeck/device"
	"cxdeck/views/exec"
)

// runExec runs one command, or a script from the standard input.
func runExec(s *session) error {
	if len(s.arguments) == 0 && (s.streams.In == nil || isTerminal(s.streams.In)) {
		return mistake("exec needs a command, or a script on its standard input; cxdeck exec help lists the commands")
	}
	lab, err := s.openLab()
	if err != nil {
		return err
	}
	text, err := s.labText()
	if err != nil {
		return err
	}
	runner := &exec.Runner{
		Host: exec.OnLab(lab, nil), LabText: text, JSON: s.options.json, KeepGoing: s.options.keepGoing,
		ReadOnly: s.options.readOnly, InBytes: s.options.inBytes, Zone: time.Local, Out: s.streams.Out, Err: s.streams.Err,
	}
	var status exec.Status
	if len(s.arguments) > 0 {
		status = runner.Run(s.ctx, s.arguments)
	} else {
		status = runner.Script(s.ctx, s.streams.In)
	}
	if status == exec.Done {
		return nil
	}
	return &toldError{int(status)}
}

// toldError is a failure that the operator was told of already.
type toldError struct{ code int }

func (e *toldError) Error() string { return "a command failed" }

// labText is the description of the lab that is wanted, as it was written.
func (s *session) labText() ([]byte, error) {
	text, err := s.labDescription()
	if text == nil && err == nil {
		text = device.DefaultText()
	}
	return text, err
}
