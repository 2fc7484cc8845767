package apply

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/driver/linuxhost"
)

// closable is a fake machine that has nothing to close.
type closable struct{ *fake }

func (closable) Close() {}

// watched is a guard that runs beside the test.
type watched struct {
	in     io.WriteCloser
	out    *bufio.Reader
	ended  chan error
	locked bool
}

// watch starts a guard for a change of a machine with an entry that waits.
func watch(t *testing.T, f *fake, journal string, within time.Duration) *watched {
	t.Helper()
	entry, err := AppendJournal(journal, Entry{Changes: plan(), Outcome: Waiting})
	if err != nil {
		t.Fatal(err)
	}
	read, write := io.Pipe()
	answers, answer := io.Pipe()
	w := &watched{in: write, out: bufio.NewReader(answers), ended: make(chan error, 1)}
	go func() {
		err := Watch(read, answer, time.After, func() (Closing, error) { return closable{f}, nil }, func(string) (func(), error) {
			w.locked = true
			return func() { w.locked = false }, nil
		})
		_ = answer.Close()
		w.ended <- err
	}()
	request, err := json.Marshal(GuardRequest{journal, entry, within})
	if err != nil {
		t.Fatal(err)
	}
	w.say(t, string(request))
	if answer := w.answer(t); answer != wordReady {
		t.Fatalf("the guard says %q", answer)
	}
	return w
}

func (w *watched) say(t *testing.T, word string) {
	t.Helper()
	if _, err := io.WriteString(w.in, word+"\n"); err != nil {
		t.Error(err)
	}
}

func (w *watched) answer(t *testing.T) string {
	t.Helper()
	line, err := w.out.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	return strings.TrimSpace(line)
}

// TestGuard: the old values come back when the program ends without a word before or after its claim, and when it does not answer in time;
// nothing happens when it has released the guard or written an outcome.
func TestGuard(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		within time.Duration
		act    func(t *testing.T, w *watched, journal string)
		want   string // the value of each setting
		reason string // in the journal; empty when the guard has written nothing
	}{
		"killed while it applies": {time.Minute, func(_ *testing.T, w *watched, _ string) { _ = w.in.Close() }, "1", "the program ended"},
		"killed while it waits": {time.Minute, func(t *testing.T, w *watched, _ string) {
			w.say(t, wordWaiting)
			_ = w.in.Close()
		}, "1", "the program ended"},
		"killed after its claim": {time.Minute, func(t *testing.T, w *watched, _ string) {
			w.say(t, wordWaiting)
			w.say(t, wordClaim)
			if answer := w.answer(t); answer != wordClaimed {
				t.Errorf("the answer to a claim is %q", answer)
			}
			_ = w.in.Close()
		}, "1", "the program ended"},
		"does not answer": {-grace, func(t *testing.T, w *watched, _ string) {
			w.say(t, wordWaiting)
			if answer := w.answer(t); answer != wordRestored {
				t.Errorf("after its time it says %q", answer)
			}
		}, "1", "the program did not answer"},
		"released": {time.Minute, func(t *testing.T, w *watched, _ string) {
			w.say(t, wordRelease)
		}, "2", ""},
		"killed behind its outcome": {time.Minute, func(t *testing.T, w *watched, journal string) {
			if err := AmendJournal(journal, Entry{Number: 1, Changes: plan(), Outcome: Kept}); err != nil {
				t.Error(err)
			}
			_ = w.in.Close()
		}, "2", ""},
	} {
		f := &fake{values: map[string]string{"a": "2", "b": "2", "c": "2"}}
		journal := filepath.Join(t.TempDir(), "changes.jsonl")
		w := watch(t, f, journal, c.within)
		if !w.locked {
			t.Errorf("%s: the guard holds no lock", name)
		}
		c.act(t, w, journal)
		go func() { _, _ = io.Copy(io.Discard, w.out) }()
		if err := <-w.ended; err != nil || w.locked {
			t.Errorf("%s: %v, locked %v", name, err, w.locked)
		}
		for setting, value := range f.values {
			if value != c.want {
				t.Errorf("%s: %s is %s", name, setting, value)
			}
		}
		entries, _, err := ReadJournal(journal)
		if err != nil || len(entries) != 1 || (c.reason != "") != (entries[0].Outcome == Reverted) || !strings.Contains(entries[0].Reason, c.reason) {
			t.Errorf("%s: the journal has %+v, %v", name, entries, err)
		}
	}
}

// TestGuardThatFails: the journal says what the guard could not restore, and a request of anybody else is refused.
func TestGuardThatFails(t *testing.T) {
	t.Parallel()
	f := &fake{values: map[string]string{"a": "2", "b": "2", "c": "2"}, fails: "b"}
	journal := filepath.Join(t.TempDir(), "changes.jsonl")
	w := watch(t, f, journal, time.Minute)
	_ = w.in.Close()
	if answer := w.answer(t); !strings.HasPrefix(answer, wordFailed+" b of eth0 could not be restored to 1") {
		t.Errorf("it says %q", answer)
	}
	if err := <-w.ended; err == nil || f.values["a"] != "1" {
		t.Error(err, f.values)
	}
	if entries, _, err := ReadJournal(journal); err != nil || entries[0].Outcome != Failed || !strings.Contains(entries[0].Reason, "the program ended") {
		t.Errorf("%+v, %v", entries, err)
	}
	for _, text := range []string{"", "{}", "{damaged", "{\"entry\":{\"number\":0}}\n"} {
		if err := Watch(strings.NewReader(text), io.Discard, nil, nil, nil); err == nil {
			t.Errorf("%q is a request", text)
		}
	}
}

// TestAbandoned: a change without an outcome is found and undone first, also the undoing of another one, and no entry twice.
func TestAbandoned(t *testing.T) {
	t.Parallel()
	entries := []Entry{{Number: 1, Outcome: Kept, Changes: plan()}, {Number: 2, Outcome: Waiting, Undoes: 1, Changes: plan().Inverse()}}
	if e, ok := Abandoned(entries); !ok || e.Number != 2 {
		t.Errorf("%+v", e)
	}
	e, ok := Undoable(entries)
	if !ok || e.Number != 2 {
		t.Errorf("%+v", e)
	}
	half := (&fake{values: map[string]string{"a": "2", "b": "1", "c": "1"}}).Machine()
	if p := UndoPlan(half, e); len(p) != 2 || p[0].Name != "b" || p[1].Name != "c" {
		t.Errorf("the rest is %+v", p)
	}
	entries = append(entries, Entry{Number: 3, Outcome: Kept, Undoes: 2})
	if e, ok := Abandoned(entries); ok {
		t.Errorf("%+v is undone", e)
	}
	if e, _ := Undoable(entries); e.Number != 1 || len(UndoPlan(&linuxhost.Machine{}, e)) != 3 {
		t.Errorf("%+v", e)
	}
}
