package counters

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/perf/monitor"
	"cxdeck/perf/pdh"
	"cxdeck/perf/regular"
	"cxdeck/perf/window"
	"cxdeck/ui"
	"cxdeck/views/counters/timeline"
)

// exportJob holds the settings of an export, copied from the screen when the operator requests it.
type exportJob struct {
	path    string
	replace bool
	host    string
	frame   timeline.Frame
	end     time.Time
	columns []exportColumn
	monitor *monitor.Monitor
}

// exportColumn is one counter.
type exportColumn struct {
	path string
	rateCurve
}

// exportedMsg is the result of an export.
type exportedMsg struct {
	job  exportJob
	path string
	rows int
	err  error
}

// askExport asks for the name of the file, and exports.
func (s *Screen) askExport() ui.Cmd {
	name := "counters-" + s.time.Last(s.picture.newest).In(s.location).Format("20060102-150405") + ".csv"
	job := exportJob{
		host: s.status.Info.Host, frame: s.picture.frame, end: s.time.Last(s.picture.newest), monitor: s.monitor,
	}
	for i := range s.curves {
		if c := &s.curves[i]; !c.missing() {
			job.columns = append(job.columns, exportColumn{perf.JoinPath(c.set, c.instance, c.title()), c.reading()})
		}
	}
	return ui.PromptWork("Export the displayed curves as CSV", "File", filepath.Join(s.directory, name),
		func(path string) string {
			if strings.TrimSpace(path) == "" {
				return "type the name of a file"
			}
			return ""
		},
		"export counters", func(ctx context.Context, path string) (ui.Msg, error) {
			job.path = strings.TrimSpace(path)
			path, rows, err := job.write(ctx)
			if err != nil && !errors.Is(err, fs.ErrExist) {
				return nil, fmt.Errorf("nothing was exported to %s: %w", job.path, regular.Reason(err))
			}
			return exportedMsg{job, path, rows, err}, nil
		})
}

// export writes outside the terminal loop.
func (s *Screen) export(job exportJob) ui.Cmd {
	return ui.Background("export counters", func(ctx context.Context) ui.Msg {
		path, rows, err := job.write(ctx)
		return exportedMsg{job, path, rows, err}
	})
}

// takeExported reports the outcome of an export; before it replaces an existing file it asks.
func (s *Screen) takeExported(msg exportedMsg) ui.Cmd {
	switch {
	case errors.Is(msg.err, fs.ErrExist) && !msg.job.replace:
		return ui.Confirm("The file "+msg.job.path+" exists. Replace it?", "Replace", func() ui.Cmd {
			job := msg.job
			job.replace = true
			return s.export(job)
		})
	case msg.err != nil:
		return ui.Toast(ui.Failure, "Nothing was exported to "+msg.job.path+": "+regular.Reason(msg.err).Error())
	}
	return ui.Batch(
		ui.Toast(ui.Success, fmt.Sprintf("%s of %s saved in %s.", wording.Count(msg.rows, "sample"), wording.Count(len(msg.job.columns), "counter"), msg.path)),
		ui.Log(s.deck.Live.Status().Now, "Exported counters to "+msg.path, nil))
}

// write writes the file with mode 0600, and returns its absolute path and its number of rows. It writes to a temporary file
// and renames that at the end, so that a failed export leaves no incomplete file.
func (j exportJob) write(ctx context.Context) (path string, rows int, err error) {
	if path, err = filepath.Abs(j.path); err != nil {
		return "", 0, err
	}
	if err := regular.Check(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return path, 0, err // don't replace a device or a directory
	}
	if !j.replace {
		// The empty file reserves the name until the finished file replaces it.
		mark, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return path, 0, err
		}
		if err := mark.Close(); err != nil {
			return path, 0, err
		}
		defer func() {
			if rows == 0 {
				_ = os.Remove(path)
			}
		}()
	}
	path = regular.Target(path)
	file, err := os.CreateTemp(filepath.Dir(path), ".cxdeck-export-*")
	if err != nil {
		return path, 0, err
	}
	defer os.Remove(file.Name()) //nolint:errcheck // after the rename there is no such file
	rows, err = j.writeRows(ctx, file)
	err = errors.Join(err, file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		rows = 0
	}
	return path, rows, err
}

// writeRows writes a log in the format of Performance Monitor, with times in UTC.
func (j exportJob) writeRows(ctx context.Context, out io.Writer) (rows int, err error) {
	curves := make([][]perf.Point, len(j.columns))
	paths := make([]string, len(j.columns))
	var times []int64
	for i, column := range j.columns {
		if curves[i], err = j.points(ctx, column.series); err != nil {
			return 0, err
		}
		curves[i] = column.rates(curves[i])
		paths[i] = column.path
		for _, point := range curves[i] {
			times = append(times, point.Time)
		}
	}
	slices.Sort(times)
	times = slices.Compact(times)
	if len(times) == 0 {
		return 0, errors.New("there are no samples in the period shown")
	}
	log := pdh.NewWriter(out, j.host, time.UTC, paths...)
	values := make([]float64, len(curves))
	for _, at := range times {
		for i := range curves {
			values[i] = math.NaN()
			if len(curves[i]) > 0 && curves[i][0].Time == at {
				values[i], curves[i] = curves[i][0].Value, curves[i][1:]
			}
		}
		if err := log.Write(time.Unix(0, at), values); err != nil {
			return 0, err
		}
	}
	return len(times), log.Flush()
}

// points returns the samples of one counter in the visible period; for the time before the window's samples, it returns
// averages over longPiece.
func (j exportJob) points(ctx context.Context, series int) ([]perf.Point, error) {
	points, ok, err := j.monitor.ReadRange(ctx, series, j.frame.From, j.end, nil)
	if err != nil {
		return nil, fmt.Errorf("read the recording: %w", err)
	}
	if ok {
		return points, nil
	}
	recent := j.monitor.Window()
	full := recent.Points(series, j.frame.From, j.end, nil)
	edge := j.end
	if len(full) > 0 {
		edge = time.Unix(0, full[0].Time)
	}
	n := int(edge.Sub(j.frame.From) / longPiece)
	if n < 1 {
		return full, nil
	}
	buckets := make([]window.Bucket, n)
	from := edge.Add(-time.Duration(n) * longPiece)
	recent.Buckets([]int{series}, from, edge, buckets)
	var early []perf.Point
	for i, b := range buckets {
		if b.Average == b.Average {
			early = append(early, perf.Point{Time: from.Add(time.Duration(i) * longPiece).UnixNano(), Value: b.Average})
		}
	}
	return append(early, full...), nil
}

// longPiece is the length of the pieces that the window keeps for 24 hours.
const longPiece = 30 * time.Second
