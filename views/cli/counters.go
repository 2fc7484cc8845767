package cli

import (
	"context"
	"errors"
	"io"
	"time"

	"golang.org/x/term"

	"cxdeck/perf"
	"cxdeck/perf/report"
	"cxdeck/perf/window"
	"cxdeck/views/cli/process"
	"cxdeck/views/exec"
)

func runCounters(s *session) error {
	source, err := s.openSource()
	if err != nil {
		return err
	}
	defer source.Close() //nolint:errcheck // nothing was written to it
	if noter, ok := source.(perf.Noter); ok {
		for _, note := range noter.Notes() {
			process.Complain(s.streams.Err, errors.New(note))
		}
	}
	series, err := exec.ChooseSeries(source.Schema(), source.Inventory(), s.arguments)
	if err != nil {
		return err
	}
	if s.options.list {
		return s.listCounters(source.Schema(), series)
	}
	writer, err := report.New(report.Format(s.options.format), s.streams.Out, source.Schema(), series, report.Options{
		Host: source.Info().Host, Zone: time.Local, InBytes: s.options.inBytes, Width: s.outputWidth(), Count: s.options.count,
	})
	if err != nil {
		return err
	}
	err = s.printSamples(source, series, writer)
	return errors.Join(err, writer.Close())
}

// outputWidth returns the width of the output's terminal in columns; 0 if it is not a terminal.
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

func (s *session) listCounters(schema *perf.Schema, series []int) error {
	if len(s.arguments) == 0 {
		series = series[:0]
		for i := range schema.Series {
			series = append(series, i)
		}
	}
	return report.WriteList(s.streams.Out, schema, series)
}

// printSamples prints a row for each interval of the source's time. Except for a recording, it takes a sample before the first
// row, for the rates, and does not print it.
func (s *session) printSamples(source perf.Source, series []int, writer report.Writer) error {
	info := source.Info()
	interval, recording := s.options.interval, info.Kind == perf.LogSource || info.Kind == perf.SessionSource
	if recording && !s.options.intervalGiven {
		interval = 0 // all rows
	}
	var (
		column perf.Column
		rates  = window.New(max(interval, time.Second))
		values = make([]float64, len(series))
		pace   = s.newPace(info.Kind)
		rows   int
	)
	if watcher, ok := source.(perf.Watcher); ok {
		watcher.Watch(series)
	}
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
			for i, index := range series {
				values[i] = notANumber
				if value, ok := rates.Last(index); ok {
					values[i] = value
				}
			}
			if cells, ok := writer.(report.CellWriter); ok {
				cells.Cells(&column)
			}
			if err := writer.Row(column.Time, values); err != nil {
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
