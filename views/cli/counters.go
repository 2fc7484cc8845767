package cli

import (
	"context"
	"errors"
	"io"
	"time"

	"golang.org/x/term"

	"cxdeck/perf"
)

func runCounters(s *session) error {
	source, err := s.openSource()
	if err != nil {
		return err
	}
	defer source.Close() //nolint:errcheck // nothing was written to it
	series, err := chooseSeries(source, s.arguments)
	if err != nil {
		return err
	}
	if s.options.list {
		return s.listCounters(source.Schema(), series)
	}
	report, err := perf.NewReport(perf.ReportFormat(s.options.format), s.streams.Out, source.Schema(), series, perf.ReportOptions{
		Host: source.Info().Host, Zone: time.Local, InBytes: s.options.inBytes, Width: s.outputWidth(),
	})
	if err != nil {
		return err
	}
	err = s.printSamples(source, series, report)
	return errors.Join(err, report.Close())
}

// outputWidth is the width of the terminal that is printed to, 0 when it is none.
func (s *session) outputWidth() int {
	if s.streams.Terminal == nil {
		return 0
	}
	width, _, err := term.GetSize(int(s.streams.Terminal.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// chooseSeries are the series that the patterns match, in the order of the patterns, each once; without a pattern, the
// throughput and drops of all ports.
func chooseSeries(source perf.Source, patterns []string) ([]int, error) {
	schema := source.Schema()
	var chosen []int
	seen := map[int]bool{}
	add := func(series ...int) {
		for _, one := range series {
			if !seen[one] {
				seen[one] = true
				chosen = append(chosen, one)
			}
		}
	}
	if len(patterns) == 0 {
		for _, node := range source.Inventory().Nodes {
			if node.Kind == perf.PortNode {
				add(node.Receive...)
				add(node.Send...)
				add(node.Drops...)
			}
		}
		if len(chosen) == 0 {
			for i := range schema.Series {
				add(i)
			}
		}
		if len(chosen) == 0 {
			return nil, errors.New("the source has no counters to print")
		}
		return chosen, nil
	}
	for _, pattern := range patterns {
		matched, err := schema.Match(pattern)
		var none *perf.NoMatchError
		if errors.As(err, &none) {
			return nil, &mistakeError{err.Error()}
		}
		if err != nil {
			return nil, mistake("%v", err)
		}
		add(matched...)
	}
	return chosen, nil
}

func (s *session) listCounters(schema *perf.Schema, series []int) error {
	if len(s.arguments) == 0 {
		series = series[:0]
		for i := range schema.Series {
			series = append(series, i)
		}
	}
	return perf.WriteList(s.streams.Out, schema, series)
}

// printSamples prints a row for each interval of the source's time. Rates need a sample before the first row, which is
// taken and not printed; a recording needs none.
func (s *session) printSamples(source perf.Source, series []int, report perf.Report) error {
	info := source.Info()
	interval, recording := s.options.interval, info.Kind == perf.LogSource || info.Kind == perf.SessionSource
	if recording && !s.options.intervalGiven {
		interval = 0 // every row there is
	}
	var (
		column perf.Column
		rates  = perf.NewWindow(max(interval, time.Second))
		values = make([]float64, len(series))
		pace   = s.newPace(info.Kind)
		rows   int
	)
	for first := true; ; first = false {
		err := source.Next(s.ctx, interval, &column)
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, context.Canceled):
			return nil
		case err != nil:
			return err
		}
		rates.Push(source.Schema(), &column)
		if !first || recording {
			for i, one := range series {
				values[i] = notANumber
				if value, ok := rates.Last(one); ok {
					values[i] = value
				}
			}
			if err := report.Row(column.Time, values); err != nil {
				return err
			}
			if rows++; rows == s.options.count {
				return nil
			}
		}
		if !pace.wait(s.ctx, column.Time, interval) {
			return nil
		}
	}
}
