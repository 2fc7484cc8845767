package sessions

import (
	"fmt"
	"time"

	"cxdeck/perf"
	"cxdeck/store"
)

// recorded is a session that is open for reading, with the times of its first and last samples.
type recorded struct {
	store.Session
	source   perf.Source
	from, to time.Time
}

// open opens a session that has samples. Close its source at the end.
func (c *Call) open(id int64) (*recorded, error) {
	session, err := c.DB.Session(c.Ctx, id)
	if err != nil {
		return nil, err
	}
	if session.Samples == 0 {
		return nil, fmt.Errorf("session %d has no samples: it ended before the first was saved", id)
	}
	source, err := c.DB.Replay(c.Ctx, id)
	if err != nil {
		return nil, err
	}
	r := &recorded{Session: session, source: source}
	r.from, r.to = source.(perf.Seeker).Span()
	return r, nil
}
