package main

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
)

// answer is the result of a command without a terminal.
type answer struct {
	code        int
	out, errors string
}

// ask runs the program without a terminal.
func ask(t *testing.T, home string, arguments ...string) answer {
	t.Helper()
	var out, errs bytes.Buffer
	command := exec.CommandContext(t.Context(), binary, arguments...)
	command.Env = environment(home)
	command.Stdout, command.Stderr = &out, &errs
	_ = command.Run()
	return answer{command.ProcessState.ExitCode(), out.String(), errs.String()}
}

// mustComplain fails the test unless the command failed with an exit code, and one line with these words.
func (a answer) mustComplain(t *testing.T, code int, words ...string) {
	t.Helper()
	if a.code != code {
		t.Errorf("exit code %d, want %d", a.code, code)
	}
	if strings.Count(a.errors, "\n") != 1 || !strings.HasPrefix(a.errors, "cxdeck: ") {
		t.Errorf("not one sentence: %q", a.errors)
	}
	for _, word := range words {
		if !strings.Contains(a.errors, word) {
			t.Errorf("%q does not say %q", a.errors, word)
		}
	}
}
