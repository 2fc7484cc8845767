package sessions

import (
	"errors"
	"fmt"
	"io"

	"cxdeck/driver"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/registry/regfile"
	"cxdeck/driver/wording"
	"cxdeck/store"
	"cxdeck/views/exec"
)

// changes returns the session's applied, readable changes in the range, oldest first.
func (e *exporter) changes() (list []driver.Entry, err error) {
	all, err := e.call.DB.SessionJournal(e.call.Ctx, e.ID)
	if err != nil {
		return nil, err
	}
	for _, entry := range all {
		if entry.Unread == "" && entry.Err == "" && (!e.given || !entry.Time.Before(e.first) && !entry.Time.After(e.last)) {
			list = append(list, entry)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("session %d has no changes to write", e.ID)
	}
	return list, nil
}

// script writes the commands of the changes. # begins a comment in PowerShell and in cxdeck exec.
func (e *exporter) script(w io.Writer) (string, error) {
	changes, err := e.changes()
	if err != nil {
		return "", err
	}
	WriteScript(w, fmt.Sprintf("%s of %s in session %d, oldest first.", wording.Count(len(changes), "change"), e.Host, e.ID), changes)
	return "the commands of " + wording.Count(len(changes), "change"), nil
}

// WriteScript writes a script that repeats changes on a real host or with cxdeck exec, under a heading of one line.
func WriteScript(w io.Writer, heading string, changes []driver.Entry) {
	fmt.Fprintf(w, "# %s\n# cxdeck exec < THIS FILE repeats them.\n", exec.Clean(heading)) //nolint:errcheck // Flush reports it
	for i := range changes {
		entry := &changes[i]
		fmt.Fprintf(w, "\n# %s  %s\n", wording.Stamp(entry.Time), exec.Clean(entry.Plan.Title)) //nolint:errcheck // as above
		for n, commands := range entry.Commands() {
			if len(commands) == 0 {
				fmt.Fprintf(w, "# no command for: %s\n", exec.Clean(entry.Plan.Operations[n].Describe())) //nolint:errcheck // as above
			}
			for _, command := range commands {
				fmt.Fprintln(w, exec.Clean(command)) //nolint:errcheck // as above
			}
		}
	}
}

var errNoHost = errors.New("the session has no host that this cxdeck can read, and a registry file requires its adapters: export as .ps1 or .txt")

// registry writes the registry values of the changes as a .reg file.
func (e *exporter) registry(w io.Writer) (string, error) {
	changes, err := e.changes()
	if err != nil {
		return "", err
	}
	var plan driver.Plan
	writing, others := 0, 0
	for i := range changes {
		before := len(plan.Operations)
		for _, o := range changes[i].Plan.Operations {
			if _, ok := o.(edit.Operation); ok {
				plan.Operations = append(plan.Operations, o)
			} else {
				others++
			}
		}
		if len(plan.Operations) > before {
			writing++
		}
	}
	if len(plan.Operations) == 0 {
		return "", fmt.Errorf("session %d has no changes of the registry: export as .ps1 or .txt", e.ID)
	}
	host, err := e.host()
	if err != nil {
		return "", err
	}
	plan.Title = "changes of a session"
	file, left, err := host.RegistryFile(plan)
	if err != nil {
		return "", err
	}
	data, err := regfile.Encode(file)
	if err != nil {
		return "", err
	}
	what := "the registry values of " + wording.Count(writing, "change")
	if others += len(left); others > 0 {
		have, them := "have", "them"
		if others == 1 {
			have, them = "has", "it"
		}
		what += fmt.Sprintf("; %s %s no registry value, and .ps1 has %s", wording.Count(others, "operation"), have, them)
	}
	_, err = w.Write(data)
	return what, err
}

// host returns the session's host at the end of the range, or else the newest saved one: both have the adapters.
func (e *exporter) host() (*driver.Host, error) {
	if e.call.Restore == nil {
		return nil, errNoHost
	}
	state, _, ok, err := e.call.DB.Snapshot(e.call.Ctx, e.ID, e.last)
	if err == nil && !ok {
		var current store.HostState
		current, ok, err = e.call.DB.Host(e.call.Ctx, e.Source.LabHash, e.Source.Seed)
		state = current.Data
	}
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errNoHost
	}
	host, err := e.call.Restore(e.Source.LabHash, e.Source.Seed, state)
	if err != nil {
		return nil, fmt.Errorf("the host of session %d: %w", e.ID, err)
	}
	return host, nil
}
