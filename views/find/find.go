// Package find searches all recorded sessions: for a text in events, changes, notes and tags, or for the times at which a
// condition on counters held. It shows nothing: the History screen and the command line do.
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

// Held is the kind of an entry at which a condition began to hold; the other kinds are the store's.
const Held = "condition"

// Entry is one thing that a search has found.
type Entry struct {
	query.Found
	// To is the end of the time in which a condition held, and Path the counter that it held on; zero for other kinds.
	To   time.Time
	Path string
}

// Options are the parameters of a search.
type Options struct {
	// Limit is how many entries it returns.
	Limit int
	// InBytes reads and writes rates in bytes.
	InBytes bool
	// Progress is called after each session in which a condition was looked for; it may be nil.
	Progress func(done, all int)
}

// InvalidError is a text that can't be searched for.
type InvalidError struct{ err error }

// Error returns what is wrong with the text.
func (e *InvalidError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *InvalidError) Unwrap() error { return e.err }

var errControl = errors.New("a search has no control characters")

// Search finds a text or a condition in all sessions, the newest entry first. more says that there is more than the limit.
// A text that can't be searched for is an InvalidError.
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

// unfitError is why a condition can't be looked for in a session.
type unfitError struct{ error }

// searchCondition finds when a condition held in any session. Sessions that it does not fit, because they have no such counter for
// one, are passed over, unless all are.
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
	var after time.Time // what began before is not among the newest entries
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
			if missing.error == nil || !errors.Is(unfit.error, condition.ErrNoCounter) { // the better reason
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

// heldIn looks for a condition in one session, in as many of its series at once as there are processors: in the newest hours of all
// of them first, until limit entries are found that began in a time that all were looked at in. Entries that began before after are not
// wanted.
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
	h := holder{source: source, session: session, inBytes: inBytes}
	defer func() { err = errors.Join(err, h.close()) }()
	from, to := source.(perf.Seeker).Span()
	finders := make([]*condition.Finder, len(watches))
	err = h.each(ctx, len(watches), func(scan perf.BandScan, i int) (err error) {
		finders[i], err = watches[i].Start(ctx, &schema.Series[watches[i].Series], from, to, readOf(scan, watches[i].Series),
			func(ctx context.Context, from, to time.Time) ([]int64, error) {
				return scan.ReadGaps(ctx, from, to, nil)
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

// firstBack is how much of a session is looked at for the newest entries, before twice as much is.
const firstBack = 6 * time.Hour

func readOf(scan perf.BandScan, series int) condition.Read {
	return func(ctx context.Context, from, to time.Time, step time.Duration, dst []perf.Band) ([]perf.Band, error) {
		return scan.ReadBands(ctx, series, from, to, step, dst)
	}
}

// holder looks for a condition in a session.
type holder struct {
	source  perf.Source
	session int64
	inBytes bool
	// scans are the scans of the workers, which begin with their first work.
	scans []perf.BandScan

	mutex sync.Mutex
	list  []Entry
}

// find looks at the parts of the session that hold what began at or after a time and was not looked at yet.
func (h *holder) find(ctx context.Context, watches []condition.Watch, finders []*condition.Finder, since time.Time) error {
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
	return h.each(ctx, len(jobs), func(scan perf.BandScan, i int) error {
		watch := &watches[jobs[i].watch]
		periods, err := jobs[i].Find(ctx, readOf(scan, watch.Series))
		h.add(watch, &h.source.Schema().Series[watch.Series], periods)
		return err
	})
}

// each does some pieces of work, as many at once as there are processors and connections to the history.
func (h *holder) each(ctx context.Context, count int, work func(scan perf.BandScan, i int) error) error {
	if h.scans == nil {
		h.scans = make([]perf.BandScan, min(runtime.GOMAXPROCS(0), maxScans))
	}
	var (
		group    sync.WaitGroup
		next     atomic.Int64
		problems = make([]error, len(h.scans))
	)
	for worker := range min(len(h.scans), count) {
		group.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= count || problems[worker] != nil {
					return
				}
				if h.scans[worker] == nil {
					scan, err := h.source.(perf.BandScanner).ScanBands(ctx)
					if err != nil {
						problems[worker] = err
						return
					}
					h.scans[worker] = scan
				}
				problems[worker] = work(h.scans[worker], i)
			}
		})
	}
	group.Wait()
	return errors.Join(problems...)
}

// maxScans is how many scans of a history there are at a time: others need connections, too.
const maxScans = 3

// close ends the scans.
func (h *holder) close() error {
	var problems []error
	for _, scan := range h.scans {
		if scan != nil {
			problems = append(problems, scan.Close())
		}
	}
	return errors.Join(problems...)
}

// add makes entries of periods.
func (h *holder) add(watch *condition.Watch, series *perf.Series, periods []condition.Period) {
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
