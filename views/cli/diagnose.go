package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"cxdeck/driver/health/findings"
	"cxdeck/perf"
	"cxdeck/perf/diagnosis/observe"
	"cxdeck/store/fault"
	"cxdeck/views/cli/process"
	"cxdeck/views/exec"
	"cxdeck/views/exec/evidence"
)

// runDiagnose diagnoses a source without a host: a recorded session, the interfaces of this machine or a Performance Monitor log.
// The host of the lab has exec diagnose, which also reads settings and states.
func runDiagnose(s *session) error {
	report, name, err := s.diagnoseSource()
	if err != nil {
		return err
	}
	answer, err := evidence.Diagnosis(report, nil, name)
	if err != nil {
		return err
	}
	if s.options.format == "json" {
		err = exec.WriteDocument(s.streams.Out, "diagnose", &answer)
	} else {
		err = answer.Text(s.streams.Out)
	}
	if err == nil && answer.Failed {
		return &process.ReportedError{Code: int(max(answer.Exit, exec.Failed))}
	}
	return err
}

// diagnoseSource returns the findings of the source or the session in the arguments, and the name of an object in them.
func (s *session) diagnoseSource() (report *findings.Report, name string, err error) {
	arguments := s.arguments
	_, given := s.text("source")
	var id int64
	recorded := !given && (s.options.source == "lab" || len(arguments) > 0 && isNumber(arguments[0]))
	if recorded && len(arguments) > 0 {
		if id, err = strconv.ParseInt(arguments[0], 10, 64); err != nil {
			return nil, "", mistake("%q is not the number of a session; sessions list prints the numbers, and cxdeck exec diagnose "+
				"diagnoses the host of the lab", arguments[0])
		}
		arguments = arguments[1:]
	}
	switch {
	case len(arguments) > 1:
		return nil, "", mistake("diagnose accepts one name; quote a name with spaces")
	case len(arguments) == 1:
		name = arguments[0]
	}
	if recorded {
		report, err = s.diagnoseSession(id)
		return report, name, err
	}
	if s.options.source == "lab" {
		return nil, "", mistake("diagnose requires a session, --source local or --source FILE; cxdeck exec diagnose diagnoses the host of the lab")
	}
	for _, flag := range [...]string{"from", "to"} {
		if _, given := s.text(flag); given {
			return nil, "", mistake("--%s belongs to the diagnosis of a session: cxdeck diagnose ID", flag)
		}
	}
	source, err := s.openSource()
	if err != nil {
		return nil, "", err
	}
	defer source.Close() //nolint:errcheck // nothing was written to it
	report, err = observe.OfSource(s.ctx, source, func(ctx context.Context, d time.Duration) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(d):
			return nil
		}
	})
	if errors.Is(err, observe.ErrNoTopology) {
		err = fmt.Errorf("%s has %w", s.options.source, err)
	}
	return report, name, err
}

// diagnoseSession returns the findings of a recorded session, or of its range between --from and --to; 0 is the newest session.
func (s *session) diagnoseSession(id int64) (*findings.Report, error) {
	db, err := s.openFile(false, "")
	if err != nil {
		return nil, err
	}
	defer db.Close() //nolint:errcheck // nothing was written
	if id == 0 {
		if id, err = s.newestSession(db); err != nil {
			return nil, err
		}
	}
	from, to, err := s.reportedRange(db, id)
	if err != nil {
		return nil, sessionHint(err)
	}
	source, err := db.Replay(s.ctx, id)
	if err != nil {
		return nil, sessionHint(err)
	}
	defer source.Close() //nolint:errcheck // nothing was written
	if from.IsZero() {
		from, to = source.(perf.Seeker).Span()
	}
	report, err := observe.OfRange(s.ctx, source, from, to)
	if errors.Is(err, observe.ErrNoTopology) {
		err = fmt.Errorf("session %d has %w", id, err)
	}
	return report, err
}

// sessionHint adds to the error for an unknown session where the sessions are listed.
func sessionHint(err error) error {
	if errors.Is(err, fault.ErrNoSession) {
		return fmt.Errorf("%w; sessions list prints the sessions", err)
	}
	return err
}

// isNumber reports that a text consists of digits.
func isNumber(text string) bool {
	_, err := strconv.ParseUint(text, 10, 63)
	return err == nil
}
