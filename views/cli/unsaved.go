package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/script"
	"cxdeck/perf/regular"
	"cxdeck/ui"
	"cxdeck/views/cli/process"
	"cxdeck/views/deck"
	"cxdeck/views/sessions"
)

// unsavedChanges returns the changes of this run that would be lost if it ended now, oldest first.
func (c *console) unsavedChanges() []driver.Entry {
	if c.deck.Live == nil {
		return nil
	}
	kept := c.written.Load()
	switch {
	case c.saver == nil:
	case c.deck.DB.Rescue().Gone != nil: // the rows went into a removed file
	case !c.saver.Failing.Load():
		return nil // it is written, or is being written
	default:
		kept = max(kept, c.saver.Kept.Load())
	}
	journal := c.deck.Live.Journal()
	var list []driver.Entry
	for _, entry := range journal[min(c.inherited, len(journal)):] {
		if entry.Err == "" && entry.Sequence > kept {
			list = append(list, entry)
		}
	}
	return list
}

// countChanges returns a number of changes with its verb: "2 changes are".
func countChanges(n int) string {
	if n == 1 {
		return "1 change is"
	}
	return fmt.Sprintf("%d changes are", n)
}

// askBeforeLoss asks what to do with unsaved changes; it returns nil if there are none.
func (c *console) askBeforeLoss() ui.Cmd {
	if c.trainer != nil && c.trainer.Course != nil {
		return c.trainer.AskToLeave()
	}
	n := len(c.unsavedChanges())
	if n == 0 {
		return c.askAboutLock()
	}
	object := "them"
	if n == 1 {
		object = "it"
	}
	return ui.Choose("Quit", countChanges(n)+" not saved, and will be lost: quit, write "+object+" to a file, or stay?", []ui.Choice{
		{Key: "q", Label: "Quit", Dangerous: true, Then: ui.Quit},
		{Key: "x", Label: "Write to a file", Then: c.askFile},
		{Key: "n", Label: "Stay"},
	})
}

// askAboutLock asks whether to wait for samples that can't be saved, because another program has locked the history; it returns nil
// while all samples can be saved.
func (c *console) askAboutLock() ui.Cmd {
	if c.deck.Recorder == nil {
		return nil
	}
	status := c.deck.Recorder.Status()
	if status.Locked == nil {
		return nil
	}
	return ui.Choose("Quit", fmt.Sprintf("The samples of the last %s are not saved, and will be lost: %s. Quit or stay?",
		deck.Clock(c.deck.WallTime().Sub(status.Saved)), status.Locked), []ui.Choice{
		{Key: "q", Label: "Quit", Dangerous: true, Then: ui.Quit},
		{Key: "n", Label: "Stay"},
	})
}

// askFile asks for a file for the unsaved changes. The console ends after the file was written.
func (c *console) askFile() ui.Cmd {
	const proposal = "unsaved-changes.txt"
	missing := func(path string) string {
		if strings.TrimSpace(path) == "" {
			return "The name of a file is required."
		}
		return ""
	}
	return ui.PromptWork("Write the unsaved changes", "File for the commands of these changes:", proposal, missing, "write the unsaved changes",
		func(_ context.Context, path string) (ui.Msg, error) {
			changes, host := c.unsavedChanges(), c.deck.Live.Status().Info.Host
			err := deck.WriteFiles([]script.File{{Path: path, Data: changeScript(host, changes)}}, false)
			if errors.Is(err, fs.ErrExist) {
				return nil, fmt.Errorf("%s exists already: choose another name", path)
			}
			if err != nil {
				return nil, fmt.Errorf("the changes are not written to %s: %w", path, regular.Reason(err))
			}
			c.written.Store(changes[len(changes)-1].Sequence)
			c.writtenTo.Store(&path)
			return ui.Quit()(), nil
		})
}

// changeScript returns a script that repeats the changes on a real host or with cxdeck exec.
func changeScript(host string, changes []driver.Entry) []byte {
	var b bytes.Buffer
	sessions.WriteScript(&b, fmt.Sprintf("%s of %s, oldest first. They could not be saved in the history file.",
		strings.TrimSuffix(countChanges(len(changes)), " are"), host), changes)
	return b.Bytes()
}

// loss returns the error of a run whose changes are lost at its end; nil with --ephemeral.
func (c *console) loss() error {
	if to := c.writtenTo.Load(); to != nil {
		process.Complain(c.session.streams.Err, fmt.Errorf("the changes that are not saved in the history were written to %s", *to))
	}
	n := len(c.unsavedChanges())
	if n == 0 || c.session.options.ephemeral {
		return nil
	}
	return fmt.Errorf("%s not saved, and lost", countChanges(n))
}
