package apply

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"cxdeck/driver/linuxhost"
)

// The guard of a change is a second process. The program tells it what it is about to change, and the guard restores the old values when
// the program ends without a word or does not answer after the time for the confirmation. One of them owns the change at any time: the
// guard until the program has claimed it, then the program, and the guard again if the program ends before it releases the guard.
//
// The words are lines. The program sends the request, "waiting" when the change waits for its confirmation, "claim" to decide itself and
// "release" at the end. The guard answers "ready" to the request and "claimed" to the claim, or one line that begins with "restored" or
// "failed" when it has acted already.
const (
	wordReady    = "ready"
	wordWaiting  = "waiting"
	wordClaim    = "claim"
	wordClaimed  = "claimed"
	wordRelease  = "release"
	wordRestored = "restored"
	wordFailed   = "failed"
)

// grace is the time that the program has after the end of the confirmation before its guard acts.
const grace = 5 * time.Second

// answerLimit is the time for an answer of the guard; one that is stopped by a signal is killed then.
const answerLimit = 30 * time.Second

// After sends the time on its channel after a duration, as time.After does.
type After func(time.Duration) <-chan time.Time

// GuardRequest is what a guard needs to know.
type GuardRequest struct {
	Journal string `json:"journal"`
	Entry   Entry  `json:"entry"`
	// Within is the time for the confirmation in nanoseconds.
	Within time.Duration `json:"within"`
}

// Guard is the program's end of its guard.
type Guard struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     chan string
	after   After
}

// StartGuard starts a guard, and waits until it is ready.
func StartGuard(command *exec.Cmd, request GuardRequest, after After) (*Guard, error) {
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	g := &Guard{command, in, readLines(out), after}
	text, err := json.Marshal(request)
	if err == nil {
		err = g.send(string(text))
	}
	if err == nil {
		if answer, ok := g.answer(); answer != wordReady {
			err = errors.New(strings.TrimSpace(strings.TrimPrefix(answer, wordFailed)))
			if !ok || answer == "" {
				err = errors.New("it does not answer")
			}
		}
	}
	if err != nil {
		g.end()
		return nil, err
	}
	return g, nil
}

// readLines sends the lines of a reader until its end.
func readLines(r io.Reader) chan string {
	lines := make(chan string, 1)
	go func() {
		defer close(lines)
		for scanner := newScanner(r); scanner.Scan(); {
			lines <- scanner.Text()
		}
	}()
	return lines
}

// newScanner returns a scanner of lines as long as those of the journal.
func newScanner(r io.Reader) *bufio.Scanner {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 2*lineLimit)
	return scanner
}

func (g *Guard) send(word string) error {
	_, err := io.WriteString(g.in, word+"\n")
	return err
}

// answer returns the next line of the guard; not ok when the guard has ended, or is killed because it does not answer.
func (g *Guard) answer() (line string, ok bool) {
	select {
	case line, ok = <-g.out:
		return line, ok
	case <-g.after(answerLimit):
		_ = g.command.Process.Kill() // it may have ended
		return "", false
	}
}

// wait begins the time for the confirmation.
func (g *Guard) wait() {
	if g != nil {
		_ = g.send(wordWaiting) // the program still owns the change when the guard has gone
	}
}

// claim takes the change over. It returns false when the guard has acted, with the error of restoring.
func (g *Guard) claim() (owned bool, err error) {
	if g == nil {
		return true, nil
	}
	_ = g.send(wordClaim) // a guard that has acted has left its answer
	line, ok := g.answer()
	word, reason, _ := strings.Cut(line, " ")
	switch {
	case ok && word == wordRestored:
		return false, nil
	case ok && word == wordFailed:
		return false, errors.New(reason)
	}
	return true, nil
}

// release ends the guard.
func (g *Guard) release() {
	if g != nil {
		_ = g.send(wordRelease) // it may have ended
		g.end()
	}
}

// end closes the pipes, and waits for the end of the process.
func (g *Guard) end() {
	_ = g.in.Close()
	for ok := true; ok; _, ok = g.answer() {
	}
	_ = g.command.Wait() // its work is in the journal
}

// Watch is the guard: it reads the program's words, and answers. hold takes the guard's lock beside a journal.
func Watch(in io.Reader, out io.Writer, after After, open func() (Closing, error), hold func(journal string) (release func(), err error)) error {
	lines := readLines(in)
	var request GuardRequest
	text := <-lines
	if err := json.Unmarshal([]byte(text), &request); err != nil || request.Entry.Number <= 0 {
		return errors.New("this command is started by cxdeck itself, beside a change of this machine")
	}
	say := func(word string, reason any) {
		_, _ = fmt.Fprintln(out, strings.TrimSpace(fmt.Sprint(word, " ", reason)))
	} // the program may be gone
	release, err := hold(request.Journal)
	if err != nil {
		say(wordFailed, err)
		return err
	}
	defer release()
	target, err := open()
	if err != nil {
		say(wordFailed, err)
		return err
	}
	defer target.Close()
	say(wordReady, "")
	reason := await(lines, after, request.Within+grace, func() { say(wordClaimed, "") })
	if reason == "" {
		return nil
	}
	entry, restored, err := restore(target, request.Journal, request.Entry.Number, reason)
	switch {
	case err != nil:
		say(wordFailed, oneLine(err))
	case restored:
		say(wordRestored, "")
	default: // the program had finished
		say(entry.Outcome, "")
	}
	return err
}

// await follows the program's words. It returns why the old values must be restored; empty when the program has done its work.
func await(lines chan string, after After, within time.Duration, claimed func()) string {
	var deadline <-chan time.Time
	for {
		select {
		case <-deadline:
			return "it was not confirmed, and the program did not answer"
		case word, ok := <-lines:
			switch {
			case !ok:
				return "the program ended before it was confirmed"
			case word == wordWaiting:
				deadline = after(within)
			case word == wordClaim:
				deadline = nil
				claimed()
			case word == wordRelease:
				return ""
			}
		}
	}
}

// restore restores the old values of an entry that has no outcome yet, and writes its outcome.
func restore(t Target, journal string, number int, reason string) (entry Entry, restored bool, err error) {
	entries, _, err := ReadJournal(journal)
	if err != nil {
		return Entry{}, false, err
	}
	for _, e := range entries {
		if e.Number == number {
			entry = e
		}
	}
	if entry.Outcome != Waiting {
		return entry, false, nil
	}
	failure := Revert(t, linuxhost.Remaining(t.Machine(), entry.Changes))
	entry.Outcome, entry.Reason = Reverted, reason
	if failure != nil {
		entry.Outcome, entry.Reason = Failed, reason+"; "+oneLine(failure)
	}
	return entry, true, errors.Join(failure, AmendJournal(journal, entry))
}

// oneLine writes a joined error as one line.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }
