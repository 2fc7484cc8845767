package cli

import (
	"context"
	"time"

	"cxdeck/perf/diagnosis/observe"
	"cxdeck/views/exec"
	"cxdeck/views/exec/evidence"
)

// runDiagnose diagnoses a source without a host: the interfaces of this machine or a Performance Monitor log. The host of the lab
// has exec diagnose, which also reads settings and states.
func runDiagnose(s *session) error {
	switch {
	case len(s.arguments) > 1:
		return mistake("diagnose accepts one name; quote a name with spaces")
	case s.options.source == "lab":
		return mistake("diagnose requires --source local or --source FILE; cxdeck exec diagnose diagnoses the host of the lab")
	}
	name := ""
	if len(s.arguments) == 1 {
		name = s.arguments[0]
	}
	source, err := s.openSource()
	if err != nil {
		return err
	}
	defer source.Close() //nolint:errcheck // nothing was written to it
	report, err := observe.OfSource(s.ctx, source, func(ctx context.Context, d time.Duration) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(d):
			return nil
		}
	})
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
		return &reportedError{int(max(answer.Exit, exec.Failed))}
	}
	return err
}
