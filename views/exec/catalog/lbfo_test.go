package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"cxdeck/driver/teams/mux"
)

// documents runs lines, and returns their JSON documents.
func (b *bench) documents(t *testing.T, lines ...string) (list []map[string]any) {
	t.Helper()
	b.out.Reset()
	b.errs.Reset()
	b.JSON = true
	b.Out, b.Err = &b.out, &b.errs
	if status := b.script(lines...); status != 0 {
		t.Fatalf("%q ended with %d: %s%s", lines, status, b.out.String(), b.errs.String())
	}
	for decoder := json.NewDecoder(bytes.NewReader(b.out.Bytes())); decoder.More(); {
		var answer map[string]any
		if err := decoder.Decode(&answer); err != nil {
			t.Fatal(err)
		}
		list = append(list, answer["result"].(map[string]any))
	}
	return list
}

// settings returns teaming mode and load balancing algorithm of the team T, from Get-NetLbfoTeam.
func (b *bench) settings(t *testing.T) string {
	t.Helper()
	team := b.documents(t, "Get-NetLbfoTeam T")[0]["teams"].([]any)[0].(map[string]any)
	return fmt.Sprint(team["teaming_mode"], " ", team["load_balancing_algorithm"])
}

// printed returns the commands for a real host from the document of a change.
func printed(document map[string]any) (lines []string) {
	for _, command := range document["change"].(map[string]any)["commands"].([]any) {
		if text := command.(string); !strings.HasPrefix(text, "#") {
			lines = append(lines, text)
		}
	}
	return lines
}

// TestTeamModesAndAlgorithms creates teams of Windows with all modes and algorithms, changes each to each other, and puts a member
// on standby: Get-NetLbfoTeam shows the typed settings, the printed commands create the same team on another host, and undo
// restores the previous one.
func TestTeamModesAndAlgorithms(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	var all []string
	for _, mode := range mux.Modes() {
		for _, algorithm := range mux.Algorithms() {
			all = append(all, mode+" "+algorithm)
		}
	}
	line := func(command, settings string) string {
		mode, algorithm, _ := strings.Cut(settings, " ")
		return command + " -TeamingMode " + mode + " -LoadBalancingAlgorithm " + algorithm
	}
	const create, change = `New-NetLbfoTeam -Name T -TeamMembers "Ethernet 5","Ethernet 6"`, "Set-NetLbfoTeam T"
	typed, copied := newBench(t, nil), newBench(t, nil)
	for i, settings := range all {
		made := typed.documents(t, line(create, settings))
		copied.documents(t, printed(made[0])...)
		if a, b := typed.settings(t), copied.settings(t); a != settings || b != settings {
			t.Fatalf("%s is shown as %s, and as %s where the printed commands were typed", settings, a, b)
		}
		next := all[(i*7+4)%len(all)] // 7 and 15 have no common factor: each comes once
		copied.documents(t, printed(typed.documents(t, line(change, next))[0])...)
		if a, b := typed.settings(t), copied.settings(t); a != next || b != next {
			t.Fatalf("%s after %s is shown as %s, and as %s where the printed commands were typed", next, settings, a, b)
		}
		if strings.HasPrefix(next, mux.SwitchIndependent) {
			typed.documents(t, `Set-NetLbfoTeamMember "Ethernet 6" Standby`)
			if got := typed.settings(t); got != next {
				t.Fatalf("%s with a member that stands by is shown as %s", next, got)
			}
			typed.documents(t, `Set-NetLbfoTeamMember "Ethernet 6" Active`)
			if got := typed.settings(t); got != next {
				t.Fatalf("%s is shown as %s after a member stood by", next, got)
			}
			typed.documents(t, "undo --yes", "undo --yes")
		}
		typed.documents(t, "undo --yes")
		if got := typed.settings(t); got != settings {
			t.Fatalf("undo of %s gives %s instead of %s", next, got, settings)
		}
		typed.documents(t, "Remove-NetLbfoTeam T")
		copied.documents(t, "Remove-NetLbfoTeam T")
		typed.documents(t, "undo --yes")
		if got := typed.settings(t); got != settings {
			t.Fatalf("undo of the removal gives %s instead of %s", got, settings)
		}
		typed.documents(t, "Remove-NetLbfoTeam T", "advance 5s")
		copied.documents(t, "advance 5s")
	}
}

// A team that a reboot stopped has recovered: no member took over from itself.
func TestStoppedTeamIsNoFailoverToItself(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.Out, b.Err = &b.out, &b.errs
	if status := b.script(`team create T aft "Ethernet 9" "Ethernet 10"`, "advance 10s", "host reboot", "advance 90s"); status != 0 {
		t.Fatalf("%d: %s", status, b.errs.String())
	}
	b.out.Reset()
	b.script("team show T")
	got := b.out.String()
	if !strings.Contains(got, "stopped and recovered") || !strings.Contains(got, "Ethernet 9  -   63.") {
		t.Errorf("got\n%s", got)
	}
}
