//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestKilledChangeIsAllOrNothing kills commands that change the host, at random times. The stored values match the journal, and an
// interrupted change is reported.
func TestKilledChangeIsAllOrNothing(t *testing.T) {
	t.Parallel()
	const rounds = 8
	home := t.TempDir()
	var script strings.Builder
	for n := range 2000 {
		fmt.Fprintf(&script, "reg set \"Ethernet 7\" *JumboPacket %d\n", 2000+n%1000)
	}
	applied := regexp.MustCompile(`set \*JumboPacket of Ethernet 7 to (\d+)`)
	interrupted := 0
	random := rand.New(rand.NewPCG(3, 3))
	for round := range rounds {
		command := exec.Command(binary, "exec")
		command.Env, command.Stdin = environment(home), strings.NewReader(script.String())
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Duration(150+random.IntN(350))*time.Millisecond, func() { _ = command.Process.Kill() })
		_ = command.Wait()
		got := ask(t, home, "exec", "journal", "--last", "1")
		stored := ask(t, home, "exec", "reg", "get", "Ethernet 7", "*JumboPacket", "--json")
		if got.code != 0 || stored.code != 0 {
			t.Fatalf("round %d: %+v, %+v", round, got, stored)
		}
		cut := strings.Contains(got.errors, "cxdeck ended in the middle of a change")
		if cut {
			interrupted++
			if all, none := strings.Contains(got.errors, "it was applied completely"), strings.Contains(got.errors, "it was not applied"); all == none {
				t.Errorf("round %d: it does not say which: %s", round, got.errors)
			}
		}
		last := applied.FindAllStringSubmatch(got.out, -1)
		if last == nil || cut && strings.Contains(got.out, "none of it") {
			continue
		}
		if want := last[len(last)-1][1]; !strings.Contains(stored.out, `"stored":`+want) {
			t.Errorf("round %d: the journal has %s and the registry %s", round, want, stored.out)
		}
	}
	t.Logf("%d of %d were cut short", interrupted, rounds)
}
