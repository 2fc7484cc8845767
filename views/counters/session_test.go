package counters

import (
	"context"
	"testing"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/views/deck"
)

// recorded records a session of 30 minutes of one port, with an event after 20 minutes.
func recorded(t *testing.T, db *store.DB) int64 {
	t.Helper()
	ctx := context.Background()
	source := newMadeUp(t, 1)
	recorder, err := db.Begin(ctx, source.Info(), samplePeriod)
	if err != nil {
		t.Fatal(err)
	}
	recorder.Schema(source.Schema(), source.Inventory())
	column := &perf.Column{}
	column.Grow(source.schema.Cells)
	for n := range 1800 {
		column.Time = began.Add(time.Duration(n) * samplePeriod)
		column.Cells[0] += int64(rateOf(0, n))
		column.Cells[1], column.Cells[2] = 0, column.Cells[0]/5
		recorder.Column(column)
		if n == 1200 {
			recorder.Events([]eventlog.Event{{Sequence: 1, Time: column.Time, Adapter: "Port 1", Message: "the cable was pulled"}})
		}
	}
	session := recorder.Status().Session
	if err := recorder.Close(ctx); err != nil {
		t.Fatal(err)
	}
	return session
}

func TestOpenRecordedSession(t *testing.T) {
	t.Parallel()
	db := openDB(t)
	id := recorded(t, db)
	p := newPlay(t, 2, 30)
	p.deck.DB = db
	p.Press("f", "left")
	replay, err := deck.LoadReplay(context.Background(), db, id, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.deck.ShowReplay(replay)
	p.Shell.Send(ui.DataMsg{})
	p.WaitIdle()
	p.Want("paused", "14:29:59  x1", "missing") // the counters of port 2 are kept
	p.WantNot("frozen", "at 14:00:29")
	p.Press("]", "]")
	p.Want("duration 30 min", "the cable was pulled")
	if n := p.screen.picture.rows[0].statistics.Count; n < 1700 {
		t.Errorf("statistics are over %d samples", n)
	}
	p.Press("K")
	if now := p.screen.status.Now; !now.Equal(began.Add(20 * time.Minute)) {
		t.Errorf("after K the recording is at %s", now)
	}
	p.Press("J")
	p.Want("Next event: no event or change is known after this time")
	p.deck.CloseReplay()
	p.Shell.Send(ui.DataMsg{})
	p.WaitIdle()
	p.WantNot("paused", "missing")
	p.Want("14:00:29")
}
