package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"cxdeck/store"
	"cxdeck/store/fault"
	"cxdeck/views/cli/answer"
	"cxdeck/views/cli/process"
	"cxdeck/views/sessions"
)

func runSessions(s *session) error {
	if len(s.arguments) == 0 {
		return mistake("sessions requires a subcommand: %s", strings.Join(s.command.words(), ", "))
	}
	verb, ok := sessions.Find(s.arguments[0])
	if !ok {
		return mistake("unknown command \"sessions %s\"%s", s.arguments[0], hint(s.arguments[0], s.command.words()))
	}
	if verb.Changes && s.options.readOnly {
		return fmt.Errorf("read-only mode is on: sessions %s would change the history; omit --read-only to do it", verb.Name)
	}
	call := &sessions.Call{
		Ctx: s.ctx, Arguments: s.arguments[1:], JSON: s.options.format == "json", Out: s.streams.Out, Version: s.version,
		Progress: s.progress, Count: s.options.count, InBytes: s.options.inBytes,
		Restore: s.lab().Snapshots(), Writing: s.ending.Writing,
	}
	if format, given := s.text("format"); given {
		call.Format = format
	}
	if call.Format != "" && !verb.Forms {
		if err := checkChoice("--format of sessions "+verb.Name, call.Format, printFormats()); err != nil {
			return err
		}
	}
	call.From, _ = s.text("from")
	call.To, _ = s.text("to")
	call.From2, _ = s.text("from2")
	call.To2, _ = s.text("to2")
	if (call.From != "" || call.To != "") && !verb.Ranges {
		return mistake("sessions %s has no --from and --to: it does not work on a range of a session", verb.Name)
	}
	if (call.From2 != "" || call.To2 != "") && verb.Name != "compare" {
		return mistake("--from2 and --to2 belong to sessions compare, not to sessions %s", verb.Name)
	}
	if change, given := s.text("change"); given {
		number, err := strconv.ParseUint(change, 10, 64)
		switch {
		case verb.Name != "changed":
			return mistake("--change belongs to sessions changed, not to sessions %s", verb.Name)
		case err != nil || number == 0:
			return mistake("--change must be the number of a change, not %q; sessions show lists them", change)
		}
		call.Change = number
	}
	if err := verb.Check(call.Arguments); err != nil {
		return err
	}
	open := s.openFile
	switch {
	case verb.Creates:
		open = s.openOrCreate
	case verb.Limits:
		open = s.openLimited
	}
	inUse := "sessions " + verb.Name + " requires exclusive use; end the other cxdeck first"
	if !verb.Creates { // History does not import
		inUse += ", or use its History screen"
	}
	db, err := open(verb.Changes, inUse)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // writes are committed
	call.DB = db
	err = verb.Do(call)
	return sessionHint(err)
}

// printFormats returns the values of --format for verbs that print.
func printFormats() []string { return []string{"table", "json"} }

// openFile opens an existing history. inUse is the advice in the error if the history must be changed and is in use.
func (s *session) openFile(changes bool, inUse string) (*store.DB, error) {
	if changes {
		if _, err := os.Stat(s.options.db); errors.Is(err, fs.ErrNotExist) {
			return nil, &fault.FileError{Path: s.options.db, Reason: fault.ErrNoFile, Err: err}
		}
	}
	return s.openOrCreate(changes, inUse)
}

// openLimited is openFile with the limits of the configuration.
func (s *session) openLimited(changes bool, inUse string) (*store.DB, error) {
	if _, err := os.Stat(s.options.db); errors.Is(err, fs.ErrNotExist) {
		return nil, &fault.FileError{Path: s.options.db, Reason: fault.ErrNoFile, Err: err}
	}
	keep := s.options.settings.History
	samples, minutes := keep.Keep()
	return s.openHistory(inUse, store.Options{
		ReadOnly: !changes, MaximumAge: time.Duration(keep.MaximumAge), MaximumBytes: int64(keep.MaximumUse), KeepSamples: samples, KeepMinutes: minutes,
	})
}

// openOrCreate is openFile, but creates a missing history if it is to be changed.
func (s *session) openOrCreate(changes bool, inUse string) (*store.DB, error) {
	return s.openHistory(inUse, store.Options{ReadOnly: !changes})
}

func (s *session) openHistory(inUse string, options store.Options) (*store.DB, error) {
	changes := !options.ReadOnly
	options.Version, options.Progress = s.version, s.salvageProgress()
	db, err := store.Open(s.ctx, s.options.db, options)
	var file *fault.FileError
	if changes && errors.As(err, &file) && errors.Is(err, fault.ErrInUse) {
		return nil, fmt.Errorf("%s is in use by a running cxdeck%s: %s", file.Path, processNumber(file.PID), inUse)
	}
	if err == nil && db.Notice() != "" {
		process.Complain(s.streams.Err, errors.New(db.Notice()))
	}
	return db, err
}

func processNumber(pid int) string {
	if pid == 0 {
		return ""
	}
	return fmt.Sprintf(" (process number %d)", pid)
}

// runSQL answers a query on the history.
func runSQL(s *session) error {
	if len(s.arguments) != 1 {
		return mistake("sql takes one query in quotes: cxdeck sql 'SELECT id, host FROM session'")
	}
	db, err := s.openFile(false, "")
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // nothing was written
	query := answer.Query{SQL: s.arguments[0], Format: s.options.format, Count: s.options.count}
	more, err := query.Answer(s.ctx, db, s.streams.Out)
	if err == nil && more {
		process.Complain(s.streams.Err, fmt.Errorf("there are more than %d rows: --count N prints more, --format csv all", answer.MaxTableRows))
	}
	return err
}
