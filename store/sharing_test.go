package store

import (
	"testing"

	"cxdeck/perf"
)

func TestSessionsWithTheSameSeriesShareThem(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	lists := func(want int, when string) {
		t.Helper()
		var got int
		if err := db.reader.QueryRow("SELECT count(*) FROM series_list").Scan(&got); err != nil || got != want {
			t.Errorf("%s: %d lists, %v; want %d", when, got, err, want)
		}
	}
	first, second := record(t, db, 3), record(t, db, 3)
	lists(1, "two sessions with the same series")
	recorder := begin(t, db)
	for generation := range uint64(20) { // a cable is unplugged and plugged in
		schema := schemaOf(t, generation+1, 300)
		schema.Series[7].Line = generation % 2
		recorder.Schema(schema, &perf.Inventory{})
		recorder.Column(column(int(generation), make([]int64, 300)...))
	}
	closeRecorder(t, recorder)
	lists(2, "a session whose series changed")
	if got := replayOf(t, db, 3).Schema(); got.Generation != 20 || got.Series[7].Line != 1 {
		t.Errorf("generation %d, line %d", got.Generation, got.Series[7].Line)
	}
	for _, step := range []struct {
		id   int64
		left int
	}{{3, 1}, {first, 1}, {second, 0}} {
		if err := db.Delete(t.Context(), step.id); err != nil {
			t.Fatal(err)
		}
		lists(step.left, "after a session was deleted")
	}
}
