//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// victims has the processes to kill in a round, and the changes that were reported as done before.
type victims struct {
	mu       sync.Mutex
	running  map[*os.Process]bool
	reported []string
	stopping atomic.Bool
}

// change makes different changes with exec until the round ends. Changes that exec reported with exit code 0 must exist afterwards,
// whichever process is killed.
func (v *victims) change(t *testing.T, home, connection string, value *atomic.Int64) {
	for !v.stopping.Load() {
		n := value.Add(1)
		var out bytes.Buffer
		command := exec.Command(binary, "exec", "reg", "set", connection, "*JumboPacket", fmt.Sprint(n))
		command.Env, command.Stdout = environment(home), &out
		if err := command.Start(); err != nil {
			t.Error(err)
			return
		}
		v.mu.Lock()
		v.running[command.Process] = true
		v.mu.Unlock()
		err := command.Wait()
		v.mu.Lock()
		delete(v.running, command.Process)
		if err == nil || strings.Contains(out.String(), ": done.") { // killed after it reported success
			v.reported = append(v.reported, fmt.Sprintf("Set *JumboPacket of %s to %d", connection, n))
		}
		v.mu.Unlock()
	}
}

// kill ends all running exec at once.
func (v *victims) kill() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for process := range v.running {
		_ = process.Kill()
	}
}

// awaitReport waits until a change was reported, or patience is over.
func (v *victims) awaitReport(patience time.Duration) {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		v.mu.Lock()
		enough := len(v.reported) > 0
		v.mu.Unlock()
		if enough {
			return
		}
	}
}

// TestReportedChangesSurviveAKill kills the recording console, the exec processes that change its host, or both, at random times.
// Every change that was reported as done is in the journal afterwards, and the host can be read.
func TestReportedChangesSurviveAKill(t *testing.T) {
	t.Parallel()
	rounds := 3
	if os.Getenv("CXDECK_LONG") != "" {
		rounds = 50
	}
	home := shortHome(t)
	random := rand.New(rand.NewPCG(5, 8))
	var value atomic.Int64
	value.Store(1000)
	reported := 0
	for round := range rounds {
		v := &victims{running: map[*os.Process]bool{}}
		c := startTerminal(t, 120, 40, home)
		c.waitText("REC", "Gb/s")
		var changing sync.WaitGroup
		for _, connection := range []string{"Ethernet 7", "Ethernet 8", "Ethernet 9"} {
			changing.Go(func() { v.change(t, home, connection, &value) })
		}
		time.Sleep(time.Duration(100+random.IntN(900)) * time.Millisecond)
		v.awaitReport(10 * time.Second) // a slow machine may not have started one exec by now
		switch round % 3 {
		case 0:
			c.signal(syscall.SIGKILL)
		case 1:
			v.kill()
		default:
			v.kill()
			c.signal(syscall.SIGKILL)
		}
		time.Sleep(time.Duration(random.IntN(300)) * time.Millisecond) // without a console, exec owns the host
		v.stopping.Store(true)
		v.kill()
		changing.Wait()
		_ = c.cmd.Process.Kill() // it may have ended
		<-c.done
		reported += len(v.reported)
		mustHave(t, home, round, v.reported)
	}
	t.Logf("%d kills, %d changes were reported as done", rounds, reported)
	if reported < rounds {
		t.Errorf("%d changes in %d rounds: the test tries too little", reported, rounds)
	}
	if got := ask(t, home, "exec", "undo", "--yes"); got.code != 0 {
		t.Errorf("the host takes nothing back: %+v", got)
	}
}

// mustHave fails the test if the host can't be read, or its journal lacks a change.
func mustHave(t *testing.T, home string, round int, reported []string) {
	t.Helper()
	got := ask(t, home, "exec", "journal", "--last", "1000", "--json")
	if got.code != 0 || strings.Contains(got.errors, "can't be read") || strings.Contains(got.errors, "new one begins") {
		t.Fatalf("round %d: %+v", round, got)
	}
	var document struct {
		Result struct {
			Changes []struct {
				Title, Error, Unread string
			}
		}
	}
	if err := json.Unmarshal([]byte(got.out), &document); err != nil {
		t.Fatal(err)
	}
	applied := map[string]int{}
	for _, change := range document.Result.Changes {
		if change.Error == "" && change.Unread == "" {
			applied[change.Title]++
		}
	}
	for _, title := range reported {
		if applied[title] != 1 {
			t.Errorf("round %d: %q was reported as done, and the journal has it %d times", round, title, applied[title])
		}
	}
	if hosts := ask(t, home, "host", "list"); hosts.code != 0 || strings.Contains(hosts.out, "no:") || strings.Contains(hosts.out, "kept") {
		t.Errorf("round %d: %+v", round, hosts)
	}
}
