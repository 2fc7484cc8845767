package machine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"cxdeck/driver/linuxhost"
	"cxdeck/driver/linuxhost/apply"
	"cxdeck/driver/wording"
	"cxdeck/store/lock"
)

// guardCommand is the hidden command of the process that restores the old values of a change when the program that waits for its
// confirmation is killed.
const guardCommand = "__guard"

// guardSuffix follows the journal's name in the name of the guard's lock; the program's lock is beside the journal itself.
const guardSuffix = ".guard"

// Try applies a plan as apply.Try does. It holds the journal's lock, so that one change of this machine waits at a time, and starts a
// process that restores the old values if this one is killed.
func Try(t apply.Target, trial apply.Trial) (apply.Entry, error) {
	var err error
	if trial.Journal, err = filepath.Abs(trial.Journal); err != nil {
		return apply.Entry{}, err
	}
	if err := os.MkdirAll(filepath.Dir(trial.Journal), 0o700); err != nil {
		return apply.Entry{}, err
	}
	held, err := lock.Take(trial.Journal, trial.Now)
	var used *lock.InUseError
	if errors.As(err, &used) {
		return apply.Entry{}, fmt.Errorf("nothing was changed: another change of this machine waits for its confirmation in process %d", used.PID)
	} else if err != nil {
		return apply.Entry{}, err
	}
	trial.Guard = func(request apply.GuardRequest) (*apply.Guard, error) {
		command, err := guardProcess()
		if err != nil {
			return nil, err
		}
		return apply.StartGuard(command, request, time.After)
	}
	entry, err := apply.Try(t, trial)
	return entry, errors.Join(err, held.Release())
}

// guardProcess returns the command of the guard: this program, away from the terminal and its signals.
func guardProcess() (*exec.Cmd, error) {
	path, err := self()
	if err != nil {
		return nil, err
	}
	// The guard outlives the program, and any context of it.
	command := exec.CommandContext(context.Background(), path, guardCommand) //nolint:gosec // the path is this program's own
	command.SysProcAttr = detached()
	return command, nil
}

// IsGuard reports that a process with these arguments, its name among them, is a guard.
func IsGuard(arguments []string) bool { return len(arguments) == 2 && arguments[1] == guardCommand }

// RunGuard is the guard, and returns its exit code. It ends with the change, or after it has restored the old values. Only SIGKILL ends it
// before.
func RunGuard() int {
	signal.Ignore(syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGPIPE)
	err := apply.Watch(os.Stdin, os.Stdout, time.After, OpenTarget, func(journal string) (func(), error) {
		held, err := lock.Take(journal+guardSuffix, time.Now())
		if err != nil {
			return nil, fmt.Errorf("the old values of another change are being restored: %w", err)
		}
		return func() { _ = held.Release() }, nil // the process ends
	})
	if err != nil {
		return 1 // the program that started it reports the error
	}
	return 0
}

// Notice is Abandoned as a text, also where the journal can't be read.
func Notice(journal string, read func() (*linuxhost.Machine, error), readOnly bool) string {
	notice, err := Abandoned(journal, read, readOnly)
	if err != nil {
		return "the journal of this machine's changes can't be read: " + err.Error()
	}
	return notice
}

// Abandoned returns a sentence about a change that a killed program left without a confirmation; empty for none. A change whose old
// values hold again, because the machine was restarted or somebody restored them, is closed in the journal, so that the sentence is
// said once; with readOnly it is not.
func Abandoned(journal string, read func() (*linuxhost.Machine, error), readOnly bool) (string, error) {
	entries, _, err := apply.ReadJournal(journal)
	if err != nil {
		return "", err
	}
	entry, ok := apply.Abandoned(entries)
	if !ok || lock.Held(journal) || lock.Held(journal+guardSuffix) {
		return "", nil
	}
	m, err := read()
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("change %d of %s", entry.Number, entry.Time.Local().Format(time.DateTime))
	rest := linuxhost.Remaining(m, entry.Changes)
	if len(rest) > 0 {
		return fmt.Sprintf("%s was never confirmed, because cxdeck was killed, and %s of it %s in place: cxdeck local undo --allow-changes restores the old values, and cxdeck local keep --allow-changes keeps the new ones",
			name, wording.Count(len(rest), "setting"), map[bool]string{true: "is", false: "are"}[len(rest) == 1]), nil
	}
	if !readOnly {
		held, err := lock.Take(journal, time.Now())
		if err != nil {
			return "", nil //nolint:nilerr // another program is at the journal, and says it
		}
		entry.Outcome, entry.Reason = apply.Reverted, "cxdeck was killed before it was confirmed, and the old values held at the next start"
		if err := errors.Join(apply.AmendJournal(journal, entry), held.Release()); err != nil {
			return "", err
		}
	}
	return name + " was never confirmed, because cxdeck was killed; the old values hold again", nil
}

// Keep keeps the change that a killed program left without a confirmation.
func Keep(journal string) (apply.Entry, error) {
	entries, _, err := apply.ReadJournal(journal)
	if err != nil {
		return apply.Entry{}, err
	}
	entry, ok := apply.Abandoned(entries)
	if !ok {
		return entry, errors.New("no change waits for a confirmation")
	}
	held, err := lock.Take(journal, time.Now())
	if err != nil {
		return entry, fmt.Errorf("change %d waits in another cxdeck, and the journal is %w: answer the question there", entry.Number, err)
	}
	if lock.Held(journal + guardSuffix) {
		return entry, errors.Join(fmt.Errorf("the old values of change %d are being restored by another cxdeck", entry.Number), held.Release())
	}
	entry.Outcome, entry.Reason = apply.Kept, "it was confirmed after cxdeck had been killed"
	return entry, errors.Join(apply.AmendJournal(journal, entry), held.Release())
}
