// Package find searches all recorded sessions: for a text in events, changes, notes and tags, or for the times at which a
// condition on counters held. The History screen and the command line show the results.
package find

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/store/fault"
	"cxdeck/store/query"
	"cxdeck/views/condition"
)

// Held is the kind of an entry for a period in which a condition held; package store has the other kinds.
const Held = "condition"

// Entry is one result of a search.
type Entry struct {
	query.Found
	// To is the end of the time in which a condition held, and Path the counter that it held on; zero for other kinds.
	To   time.Time
	Path string
}

// Options are the parameters of a search.
type Options struct {
	// Limit is the maximum number of returned entries.
	Limit int
	// InBytes parses and formats rates in bytes.
	InBytes bool
	// Progress is called after each session that was searched for a condition; it may be nil.
	Progress func(done, all int)
}

// InvalidError reports a text that is not a valid search.
type InvalidError struct{ err error }

// Error returns why the text is invalid.
func (e *InvalidError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *InvalidError) Unwrap() error { return e.err }

var errControl = errors.New("a search must not contain control characters")

// Search finds a text or a condition in all sessions, the newest entry first. more is set if there are more entries than the
// limit. It returns an *InvalidError for an invalid search.
func Search(ctx context.Context, db *store.DB, text string, options Options) (list []Entry, more bool, err error) {
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }) {
		return nil, false, &InvalidError{errControl}
	}
	if condition.Is(text) {
		list, err = searchCondition(ctx, db, text, options)
	} else {
		list, err = searchText(ctx, db, text, options.Limit+1)
	}
	if err != nil {
		return nil, false, err
	}
	slices.SortStableFunc(list, newestFirst)
	more = len(list) > options.Limit
	return list[:min(options.Limit, len(list))], more, nil
}

func newestFirst(a, b Entry) int { return b.Time.Compare(a.Time) }

func searchText(ctx context.Context, db *store.DB, text string, limit int) ([]Entry, error) {
	found, err := query.Search(ctx, db, text, limit)
	var file *fault.FileError
	if errors.As(err, &file) || err != nil && ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		return nil, &InvalidError{err}
	}
	list := make([]Entry, len(found))
	for i := range found {
		list[i].Found = found[i]
	}
	return list, nil
}

// unfitError is the reason why a session can't be searched for a condition.
type unfitError struct{ error }

// searchCondition finds the periods in which a condition held in any session. It skips sessions that can't be searched for it, for
// example without such a counter; if no session can, it returns the reason.
func searchCondition(ctx context.Context, db *store.DB, text string, options Options) (list []Entry, err error) {
	wanted, err := condition.Parse(text)
	if err != nil {
		return nil, &InvalidError{err}
	}
	sessions, err := db.Sessions(ctx)
	if err != nil {
		return nil, err
	}
	searched := 0
	var after time.Time // older periods are not among the newest entries
	var unfit, missing unfitError
	for i := range sessions {
		if options.Progress != nil {
			options.Progress(i, len(sessions))
		}
		if sessions[i].Samples == 0 {
			continue
		}
		found, err := heldIn(ctx, db, sessions[i].ID, &wanted, options.InBytes, options.Limit+1, after)
		switch {
		case errors.As(err, &unfit):
			if errors.Is(unfit.error, condition.ErrTooMany) {
				return nil, &InvalidError{unfit.error}
			}
			if missing.error == nil || !errors.Is(unfit.error, condition.ErrNoCounter) { // a more specific reason
				missing = unfit
			}
			continue
		case err != nil:
			return nil, err
		}
		searched++
		list = append(list, found...)
		if slices.SortStableFunc(list, newestFirst); len(list) > options.Limit {
			list = list[:options.Limit+1]
			after = list[options.Limit].Time
		}
	}
	if options.Progress != nil {
		options.Progress(len(sessions), len(sessions))
	}
	if searched == 0 && missing.error != nil {
		return nil, &InvalidError{missing.error}
	}
	return list, nil
}

// heldIn searches one session for a condition, several series in parallel. It begins with the newest hours of all series, and goes
// back until it has found limit entries, or all entries that began at or after a time.
func heldIn(
	ctx context.Context, db *store.DB, session int64, wanted *condition.Condition, inBytes bool, limit int, after time.Time,
) (list []Entry, err error) {
	source, err := db.Replay(ctx, session)
	if err != nil {
		return nil, err
	}
	defer source.Close() //nolint:errcheck // nothing was written
	schema := source.Schema()
	watches, err := wanted.Watches(schema, inBytes)
	if err != nil {
		return nil, unfitError{err}
	}
	h := sessionSearch{source: source, session: session, inBytes: inBytes}
	defer func() { err = errors.Join(err, h.close()) }()
	from, to := source.(perf.Seeker).Span()
	finders := make([]*condition.Finder, len(watches))
	err = h.each(ctx, len(watches), func(r *reader, i int) (err error) {
		finders[i], err = watches[i].Start(ctx, &schema.Series[watches[i].Series], from, to, r.bandsOf(watches[i].Series),
			func(ctx context.Context, from, to time.Time) ([]int64, error) {
				return r.scan.ReadGaps(ctx, from, to, nil)
			})
		return err
	})
	if err != nil {
		return nil, err
	}
	for back := firstBack; ; back *= 2 {
		since := to.Add(-back)
		if err := h.find(ctx, watches, finders, since); err != nil {
			return nil, err
		}
		slices.SortStableFunc(h.list, newestFirst)
		if len(h.list) >= limit && !h.list[limit-1].Time.Before(since) || since.Before(after) || since.Before(from) {
			return h.list[:min(limit, len(h.list))], nil
		}
	}
}

// firstBack is the length of the newest part of a session that is searched first; the length is then doubled.
const firstBack = 6 * time.Hour

// reader is the scan of one worker, nil before its first work, and the bands that it read last.
type reader struct {
	scan  perf.BandScan
	bands []perf.Band
}

// bandsOf returns a function that reads the bands of a series.
func (r *reader) bandsOf(series int) condition.Read {
	return func(ctx context.Context, from, to time.Time, step time.Duration) (bands []perf.Band, err error) {
		r.bands, err = r.scan.ReadBands(ctx, series, from, to, step, r.bands[:0])
		return r.bands, err
	}
}

// sessionSearch searches a session for a condition.
type sessionSearch struct {
	source  perf.Source
	session int64
	inBytes bool
	readers []reader // of the workers

	mutex sync.Mutex
	list  []Entry
}

// find searches the parts of the session that may contain periods that began at or after a time, and were not searched yet.
func (h *sessionSearch) find(ctx context.Context, watches []condition.Watch, finders []*condition.Finder, since time.Time) error {
	type job struct {
		condition.Part
		watch int
	}
	var jobs []job
	for i, finder := range finders {
		for _, part := range finder.Parts(since) {
			jobs = append(jobs, job{part, i})
		}
	}
	return h.each(ctx, len(jobs), func(r *reader, i int) error {
		watch := &watches[jobs[i].watch]
		periods, err := jobs[i].Find(ctx, r.bandsOf(watch.Series))
		h.add(watch, &h.source.Schema().Series[watch.Series], periods)
		return err
	})
}

// each calls work for the numbers below count, in parallel on at most maxScans processors.
func (h *sessionSearch) each(ctx context.Context, count int, work func(r *reader, i int) error) error {
	if h.readers == nil {
		h.readers = make([]reader, min(runtime.GOMAXPROCS(0), maxScans))
	}
	var (
		group    sync.WaitGroup
		next     atomic.Int64
		problems = make([]error, len(h.readers))
	)
	for worker := range min(len(h.readers), count) {
		group.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= count || problems[worker] != nil {
					return
				}
				r := &h.readers[worker]
				if r.scan == nil {
					scan, err := h.source.(perf.BandScanner).ScanBands(ctx)
					if err != nil {
						problems[worker] = err
						return
					}
					r.scan = scan
				}
				problems[worker] = work(r, i)
			}
		})
	}
	group.Wait()
	return errors.Join(problems...)
}

// maxScans is the maximum number of parallel scans: other work needs connections to the history, too.
const maxScans = 3

// close closes the scans.
func (h *sessionSearch) close() error {
	var problems []error
	for i := range h.readers {
		if scan := h.readers[i].scan; scan != nil {
			problems = append(problems, scan.Close())
		}
	}
	return errors.Join(problems...)
}

// add adds an entry for each period.
func (h *sessionSearch) add(watch *condition.Watch, series *perf.Series, periods []condition.Period) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, period := range periods {
		extreme := "up to "
		if watch.Rule.Below {
			extreme = "down to "
		}
		text := series.Counter + " " + extreme + perf.Number(period.Extreme, series.Unit, series.PerSecond(), h.inBytes)
		if held := period.To.Sub(period.From); held > 0 { // more than one sample
			text += " for " + held.String()
		}
		h.list = append(h.list, Entry{To: period.To, Path: series.Path(), Found: query.Found{
			Session: h.session, Time: period.From, Kind: Held, Adapter: series.Instance, Text: text,
		}})
	}
}
