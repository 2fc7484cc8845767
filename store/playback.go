package store

import (
	"context"

	"cxdeck/perf"
	"cxdeck/store/replay"
)

// Replay opens a session as a source: it is also a perf.Seeker, perf.RangeReader and perf.Eventer. A session that is
// still being recorded can be replayed as far as it has been saved.
func (db *DB) Replay(ctx context.Context, id int64) (perf.Source, error) {
	return replay.Open(ctx, replay.History{Reader: db.reader, Session: db.Session, Explain: db.explain}, id)
}
