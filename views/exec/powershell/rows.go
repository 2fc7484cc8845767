package powershell

import "cxdeck/views/exec"

// Reads returns the row of a cmdlet that only reads the host.
func Reads(name string, run func(*Invocation) (exec.Answer, error)) exec.Command {
	return exec.Command{Name: name, Max: exec.Any, Run: Handler(name, run)}
}

// Changes returns the row of a cmdlet that changes the host.
func Changes(name string, run func(*Invocation) (exec.Answer, error)) exec.Command {
	c := Reads(name, run)
	c.Changes = true
	return c
}

// Interrupts returns the row of a cmdlet that changes the host and stops traffic.
func Interrupts(name string, run func(*Invocation) (exec.Answer, error)) exec.Command {
	c := Changes(name, run)
	c.Interrupts = true
	return c
}

// AsksFirst returns the row of a command that asks before it changes the host.
func AsksFirst(c exec.Command) exec.Command {
	c.Asks = true
	return c
}
