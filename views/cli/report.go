package cli

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/views/cli/process"
	"cxdeck/views/moment"
	"cxdeck/views/report"
)

// runReport prints the report of a session.
func runReport(s *session) error {
	if len(s.arguments) > 1 {
		return mistake("report takes one session: unexpected argument %q", s.arguments[1])
	}
	if file, ok := s.streams.Out.(*process.StickyWriter).Stream().(*os.File); ok && process.IsTerminal(file) && s.options.format == "html" {
		return mistake("report writes a file: use cxdeck report > report.html, or --format markdown to read it here")
	}
	var id int64
	if len(s.arguments) > 0 {
		var err error
		if id, err = strconv.ParseInt(s.arguments[0], 10, 64); err != nil {
			return mistake("%q is not the number of a session; sessions list prints the numbers", s.arguments[0])
		}
	}
	db, err := s.openFile(false, "")
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // nothing was written
	if len(s.arguments) == 0 {
		if id, err = s.newestSession(db); err != nil {
			return err
		}
	}
	options := report.Options{Session: id, Zone: time.Local, InBytes: s.options.inBytes, Version: s.version, Now: time.Now(), Restore: s.lab().Snapshots()}
	if options.From, options.To, err = s.reportedRange(db, id); err != nil {
		return sessionHint(err)
	}
	document, err := report.Gather(s.ctx, db, options, s.progress("Reading the session"))
	switch {
	case err != nil:
		return sessionHint(err)
	case s.options.format == "markdown":
		return document.Markdown(s.streams.Out)
	}
	return document.HTML(s.streams.Out)
}

// newestSession returns the newest session with samples.
func (s *session) newestSession(db *store.DB) (int64, error) {
	all, err := db.Sessions(s.ctx)
	if err != nil {
		return 0, err
	}
	for i := range all {
		if all[i].Samples > 0 {
			return all[i].ID, nil
		}
	}
	return 0, fmt.Errorf("there is no session with samples in %s yet: start cxdeck, and it records one", db.Path())
}

// reportedRange returns --from and --to as times of the session; both are zero if neither was given.
func (s *session) reportedRange(db *store.DB, id int64) (from, to time.Time, err error) {
	begin, hasFrom := s.text("from")
	end, hasTo := s.text("to")
	if !hasFrom && !hasTo {
		return from, to, nil
	}
	source, err := db.Replay(s.ctx, id)
	if err != nil {
		return from, to, err
	}
	defer source.Close() //nolint:errcheck // nothing was written
	first, last := source.(perf.Seeker).Span()
	if from, to, err = moment.Range(begin, end, first.Local(), last.Local()); err != nil {
		return from, to, mistake("%v", err)
	}
	return from, to, nil
}
