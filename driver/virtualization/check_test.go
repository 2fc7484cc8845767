package virtualization

import (
	"strings"
	"testing"
)

// TestStatesThatAMachineCanReach: what runs can be paused or saved, what is paused can be saved, and an error says what
// the machine is.
func TestStatesThatAMachineCanReach(t *testing.T) {
	t.Parallel()
	for _, now := range VMStates() {
		for _, next := range VMStates() {
			err := checkTransition(now, next)
			possible := next == VMOff || next == VMRunning || now == VMRunning || now == VMPaused && next == VMSaved
			if possible != (err == nil) {
				if now == next { // it stays what it is
					continue
				}
				t.Errorf("from %s to %s: %v", now, next, err)
			}
			word := map[VMState]string{VMOff: "it is off", VMSaved: "it is saved"}[now]
			if err != nil && now != next && !strings.Contains(err.Error(), word) {
				t.Errorf("from %s to %s: %v", now, next, err)
			}
		}
	}
}

func TestQuarantineInWords(t *testing.T) {
	t.Parallel()
	for want, o := range map[string]Quarantine{
		"release web/one from quarantine":         {VM: "web", Adapter: "one"},
		"quarantine web/one: its address changes": {VM: "web", Adapter: "one", Reason: "its address changes"},
	} {
		if got := o.Describe(); got != want {
			t.Errorf("it reads %q, want %q", got, want)
		}
	}
}
