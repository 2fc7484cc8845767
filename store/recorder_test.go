package store

import (
	"slices"
	"testing"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
)

func TestWhatIsPushedIsReplayed(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{Version: "test"})
	recorder := begin(t, db)
	schema := schemaOf(t, 1, 40)
	recorder.Schema(schema, &perf.Inventory{Host: "lab"})
	traffic := newTraffic(1, 40)
	var pushed []perf.Column
	for n := range 300 {
		traffic.step()
		one := column(n, slices.Clone(traffic.cells)...)
		pushed = append(pushed, *one)
		recorder.Column(one)
	}
	recorder.Events([]eventlog.Event{{Sequence: 1, Time: start.Add(5 * time.Second), Key: "mlx5.link-down", Message: "down"}})
	closeRecorder(t, recorder)

	sessions, err := db.Sessions(t.Context())
	if err != nil || len(sessions) != 1 {
		t.Fatalf("sessions: %v, %v", sessions, err)
	}
	s := sessions[0]
	if s.Samples != 300 || s.Series != 40 || s.Events != 1 || s.Running || !s.Started.Equal(start) ||
		!s.Ended.Equal(start.Add(299*time.Second)) || s.Source.Seed != 1<<63+7 {
		t.Errorf("session: %+v", s)
	}
	source := replayOf(t, db, s.ID)
	if got := source.Inventory().Host; got != "lab" {
		t.Errorf("inventory of host %q", got)
	}
	equalColumns(t, play(t, source, time.Second), pushed)
	if got := source.(perf.Eventer).Events(); len(got) != 1 || got[0].Message != "down" {
		t.Errorf("events: %v", got)
	}
}

func equalColumns(t testing.TB, got, want []perf.Column) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d columns came back of %d", len(got), len(want))
	}
	for i := range want {
		if !got[i].Time.Equal(want[i].Time) || got[i].Missed != want[i].Missed || !slices.Equal(got[i].Cells, want[i].Cells) {
			t.Fatalf("column %d: got %v, want %v", i, got[i], want[i])
		}
	}
}

// Frames that are in the file stay in memory until their window is full, and must not count as what waits: the writer
// takes nothing from the queue while too much does, and a window of a very wide host is more than that.
func TestSavedFramesDoNotHoldTheWriterUp(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	log := writerOf(t, db)
	log.add([]item{{schema: schemaOf(t, 1, 100), inventory: &perf.Inventory{}}})
	traffic := newTraffic(1, 100)
	for n := range windowSamples + 10 {
		traffic.step()
		log.addColumn(column(n, traffic.cells...))
		if log.size() == 0 || !log.dirty() {
			t.Fatalf("sample %d does not wait", n)
		}
		if n%7 != 0 {
			continue
		}
		if err := log.commit(db.writer, start); err != nil {
			t.Fatal(err)
		}
		if log.size() != 0 || log.dirty() {
			t.Fatalf("after sample %d was saved, %d bytes wait", n, log.size())
		}
	}
}
