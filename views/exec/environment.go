package exec

import "cxdeck/views/exec/shell"

// Environment returns the environment variables that set and $env:NAME have set, by their names in capitals.
func (r *Runner) Environment() map[string]string { return r.Session.Environment() }

// SetEnvironment sets an environment variable for the following commands of this run; an empty value removes it.
func (r *Runner) SetEnvironment(name, value string) {
	if r.Session == nil {
		r.Session = &shell.Session{}
	}
	r.Session.SetEnvironment(name, value)
}
