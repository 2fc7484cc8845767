// Package find searches all recorded sessions: for a text in events, changes, notes and tags, or for the times at which a
// condition on counters held. It shows nothing: the History screen and the command line do.
package find

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
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
	// To is the end of the time in which a condition held, zero for other kinds.
	To time.Time
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

// Error says what is wrong with the text.
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
		list, err = searchHeld(ctx, db, text, options)
	} else {
		list, err = searchText(ctx, db, text, options.Limit+1)
	}
	if err != nil {
		return nil, false, err
	}
	slices.SortStableFunc(list, func(a, b Entry) int { return b.Time.Compare(a.Time) })
	more = len(list) > options.Limit
	return list[:min(options.Limit, len(list))], more, nil
}

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

// searchHeld finds when a condition held in any session. Sessions that it does not fit, because they have no such counter for
// one, are passed over, unless all are.
func searchHeld(ctx context.Context, db *store.DB, text string, options Options) (list []Entry, err error) {
	wanted, err := condition.Parse(text)
	if err != nil {
		return nil, &InvalidError{err}
	}
	sessions, err := db.Sessions(ctx)
	if err != nil {
		return nil, err
	}
	searched := 0
	var unfit, missing unfitError
	for i := range sessions {
		if options.Progress != nil {
			options.Progress(i, len(sessions))
		}
		if sessions[i].Samples == 0 {
			continue
		}
		found, err := heldIn(ctx, db, sessions[i].ID, &wanted, options.InBytes)
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
	}
	if options.Progress != nil {
		options.Progress(len(sessions), len(sessions))
	}
	if searched == 0 && missing.error != nil {
		return nil, &InvalidError{missing.error}
	}
	return list, nil
}

// heldIn reads the series of a condition in one session, as many at once as there are processors.
func heldIn(ctx context.Context, db *store.DB, session int64, wanted *condition.Condition, inBytes bool) (list []Entry, err error) {
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
	from, to := source.(perf.Seeker).Span()
	var (
		group    sync.WaitGroup
		mutex    sync.Mutex
		problems []error
		free     = make(chan struct{}, runtime.GOMAXPROCS(0))
	)
	for _, watch := range watches {
		free <- struct{}{}
		group.Go(func() {
			defer func() { <-free }()
			series := &schema.Series[watch.Series]
			held, err := watch.Find(ctx, series, from, to, func(ctx context.Context, from, to time.Time, step time.Duration, dst []perf.Band) ([]perf.Band, error) {
				return source.(perf.BandReader).ReadBands(ctx, watch.Series, from, to, step, dst)
			}, func(ctx context.Context, from, to time.Time) ([]int64, error) {
				return source.(perf.GapReader).ReadGaps(ctx, from, to, nil)
			})
			mutex.Lock()
			defer mutex.Unlock()
			if err != nil {
				problems = append(problems, err)
			}
			for _, period := range held {
				extreme := "up to "
				if watch.Rule.Below {
					extreme = "down to "
				}
				list = append(list, Entry{To: period.To, Found: query.Found{
					Session: session, Time: period.From, Kind: Held, Adapter: series.Instance,
					Text: fmt.Sprintf("%s %s%s for %s", series.Counter, extreme,
						perf.Number(period.Extreme, series.Unit, series.PerSecond(), inBytes), period.To.Sub(period.From)),
				}})
			}
		})
	}
	group.Wait()
	return list, errors.Join(problems...)
}
