// Package adapters shows the settings of the network interfaces of this machine in a dialog, and changes them after a review that waits
// for a confirmation. It is for machines with Linux; a lab has its own screens.
package adapters

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"cxdeck/driver/linuxhost"
	"cxdeck/driver/linuxhost/apply"
	"cxdeck/driver/script"
	"cxdeck/driver/wording"
	"cxdeck/ui"
	"cxdeck/views/deck"
)

// Settings are the settings of this machine with the operator's draft. They belong to the terminal loop; what applies a plan has a
// goroutine of its own, which Close ends.
type Settings struct {
	Deck *deck.Deck
	// Read reads the machine; Open opens it for changes.
	Read func() (*linuxhost.Machine, error)
	Open func() (apply.Closing, error)
	// Try applies a plan.
	Try func(apply.Target, apply.Trial) (apply.Entry, error)
	// Files returns a plan in the format of a path's extension, and a file that undoes it.
	Files func(m *linuxhost.Machine, plan linuxhost.Plan, path string) ([]script.File, error)
	// Journal is the file of the changes.
	Journal string
	// Allowed reports that the operator allowed changes; Privileged that the system does.
	Allowed    bool
	Privileged func() bool

	// draft has the new values, by interface and name.
	draft map[place]string
	// shown is the interface that the dialog shows, and filter its filter: both survive the dialog.
	shown, filter string
	// wanted is what the screen that opened the dialog wants to see, until the first reading.
	wanted deck.SettingsFocus

	running sync.WaitGroup
	stop    chan struct{}
	once    sync.Once
	trying  *trial
}

// place is the setting of an interface.
type place struct{ of, name string }

// confirmWithin is the time within which a change must be confirmed.
const confirmWithin = time.Minute

// Dialog opens the settings.
func (s *Settings) Dialog(at deck.SettingsFocus) ui.Cmd {
	if s.Deck.Replay != nil {
		return ui.Toast(ui.Caution, "A recording has no settings to change; X closes the replay.")
	}
	if at.Filter != "" {
		s.filter = at.Filter
	}
	s.wanted = at
	return ui.OpenDialog(newDialog(s))
}

// Refusal says why nothing can be changed, as a sentence; empty when it can.
func (s *Settings) Refusal() string {
	switch {
	case s.Deck.ReadOnly:
		return "Read-only mode: start cxdeck without --read-only, and with --allow-changes."
	case !s.Allowed:
		return "Nothing is changed here: start cxdeck with --allow-changes to apply a plan."
	case !s.Privileged():
		return "Changes require " + linuxhost.Privilege + "."
	}
	return ""
}

// Plan is the draft as a plan; settings that are gone or refuse their value are left out.
func (s *Settings) plan(m *linuxhost.Machine) (plan linuxhost.Plan, left []string) {
	for n := range m.Interfaces {
		i := &m.Interfaces[n]
		for _, setting := range i.Settings { // in the order of the list
			value, ok := s.draft[place{i.Name, setting.Name}]
			if !ok {
				continue
			}
			steps, err := linuxhost.NewPlan(m, i.Name, []string{setting.Name + "=" + value})
			if err != nil {
				left = append(left, err.Error())
			}
			plan = append(plan, steps...)
		}
	}
	return plan, left
}

// Export writes the draft into new files: the plan, and what undoes it. It changes nothing.
func (s *Settings) Export(path string) ui.Cmd {
	if len(s.draft) == 0 {
		return ui.Toast(ui.Caution, "There are no new values to export: e opens the settings.")
	}
	drafted := Settings{draft: maps.Clone(s.draft)} // the terminal loop goes on editing
	return ui.Background("Export the plan", func(context.Context) ui.Msg {
		m, err := s.Read()
		if err != nil {
			return ui.Toast(ui.Failure, err.Error())()
		}
		plan, left := drafted.plan(m)
		if len(plan) == 0 {
			return ui.Toast(ui.Caution, strings.Join(append([]string{"There is nothing to export"}, left...), "; ")+".")()
		}
		files, err := s.Files(m, plan, path)
		if err == nil {
			err = deck.WriteFiles(files, false)
		}
		if err != nil {
			return ui.Toast(ui.Failure, wording.UpperFirst(err.Error())+".")()
		}
		return ui.Toast(ui.Success, strings.Join(append([]string{fmt.Sprintf("The plan is in %s, and what undoes it in %s", files[0].Path, files[1].Path)}, left...), "; ")+".")()
	})
}

// prune removes what the machine has already from the draft.
func (s *Settings) prune(m *linuxhost.Machine) {
	for at, value := range s.draft {
		i, ok := m.Interface(at.of)
		if !ok {
			delete(s.draft, at)
			continue
		}
		if setting, ok := i.Setting(at.name); !ok || setting.Value == value {
			delete(s.draft, at)
		}
	}
}

// trial is a plan that is applied and waits for the operator's answer.
type trial struct {
	title    string
	commands []string // that do the same
	answer   chan bool
	applied  chan struct{} // closed when it waits for the answer
	done     chan struct{} // closed with entry and err
	until    time.Time
	entry    apply.Entry
	err      error
}

// begin applies a plan in a goroutine that outlives the dialogs.
func (s *Settings) begin(title string, plan linuxhost.Plan, commands []string, undoes int, within time.Duration) *trial {
	t := &trial{title: title, commands: commands, answer: make(chan bool, 1), applied: make(chan struct{}), done: make(chan struct{})}
	s.once.Do(func() { s.stop = make(chan struct{}) })
	stop := s.stop
	s.trying = t
	s.running.Go(func() {
		defer close(t.done)
		target, err := s.Open()
		if err != nil {
			t.err = err
			return
		}
		defer target.Close()
		request := apply.Trial{Plan: plan, Undoes: undoes, Journal: s.Journal, Within: within}
		if within > 0 {
			request.Keep = func() bool {
				timer := time.NewTimer(within)
				defer timer.Stop()
				t.until = time.Now().Add(within)
				close(t.applied)
				select {
				case keep := <-t.answer:
					return keep
				case <-timer.C:
				case <-stop: // the console ends, perhaps because the terminal is gone
				}
				return false
			}
		}
		request.Now = time.Now()
		t.entry, t.err = s.Try(target, request)
	})
	return t
}

// Close restores what nobody has confirmed, and waits for it.
func (s *Settings) Close() {
	s.once.Do(func() { s.stop = make(chan struct{}) })
	close(s.stop)
	s.running.Wait()
}

// busy reports that a plan is being applied, or waits for its answer.
func (s *Settings) busy() bool {
	if s.trying == nil {
		return false
	}
	select {
	case <-s.trying.done:
		return false
	default:
		return true
	}
}

// await waits until a trial asks for its answer, or has ended.
func await(t *trial) ui.Cmd {
	return ui.Background(t.title, func(ctx context.Context) ui.Msg {
		select {
		case <-t.applied:
			return ui.OpenDialog(newQuestion(t))()
		case <-t.done:
			return t.report()()
		case <-ctx.Done():
			return nil
		}
	})
}

// finish waits for the end of a trial.
func finish(t *trial) ui.Cmd {
	return ui.Background(t.title, func(ctx context.Context) ui.Msg {
		select {
		case <-t.done:
			return t.report()()
		case <-ctx.Done():
			return nil
		}
	})
}

// endedMsg reports the end of a trial to the dialogs.
type endedMsg struct{ trial *trial }

// report reports the end of a trial.
func (t *trial) report() ui.Cmd {
	ended := func() ui.Msg { return endedMsg{t} }
	switch {
	case errors.Is(t.err, apply.ErrUnconfirmed):
		return ui.Batch(ended, ui.Toast(ui.Caution, "Not confirmed: the old values are restored and read back."), ui.Log(t.entry.Time, t.title+": reverted", t.commands))
	case t.err != nil:
		return ui.Batch(ended, ui.Toast(ui.Failure, strings.ReplaceAll(t.err.Error(), "\n", "; ")))
	}
	return ui.Batch(ended, ui.Toast(ui.Success, t.title+": done and read back; u undoes it"), ui.Log(t.entry.Time, t.title, t.commands))
}

// undoable returns the newest change of the journal that can be undone.
func (s *Settings) undoable() (apply.Entry, error) {
	entries, _, err := apply.ReadJournal(s.Journal)
	if err != nil {
		return apply.Entry{}, err
	}
	entry, ok := apply.Undoable(entries)
	if !ok {
		return entry, errors.New("there is no change to undo")
	}
	return entry, nil
}

// interrupts lists what a plan interrupts, each sentence once.
func interrupts(plan linuxhost.Plan) (list []string) {
	for i := range plan {
		if text := plan[i].Interrupts(); text != "" {
			if text = "This " + text + "."; !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	return list
}
