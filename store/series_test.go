package store

import (
	"bytes"
	"compress/flate"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"cxdeck/perf"
	"cxdeck/store/codec"
)

func packedList(t testing.TB, series []perf.Series) []byte {
	t.Helper()
	packed, err := deflate(listText(series))
	if err != nil {
		t.Fatal(err)
	}
	return packed
}

func TestListComesBack(t *testing.T) {
	t.Parallel()
	for _, series := range [][]perf.Series{
		nil,
		schemaOf(t, 1, 3000).Series,
		{{
			Set: "Größe\r\n\x00", Instance: strings.Repeat("x", 70_000), Counter: `\,"`, Kind: math.MaxUint8, Unit: "µs",
			Cell: codec.MaximumCells, Scale: -math.MaxFloat64, Width: math.MaxUint8, Line: math.MaxUint64, Sum: "all",
		}, {Counter: "a", Scale: 0.001}, {Counter: "b", Scale: math.Inf(1)}},
	} {
		got, err := unpackList(packedList(t, series))
		if err != nil || !slices.Equal(got, series) {
			t.Errorf("%d series became %d, %v", len(series), len(got), err)
		}
	}
}

func TestListThatNamesASeriesTwiceIsRefused(t *testing.T) {
	t.Parallel()
	for _, names := range []string{"aa", "aab", "abb", "baab"} {
		var series []perf.Series
		for _, name := range names {
			series = append(series, perf.Series{Set: "s", Counter: string(name)})
		}
		if got, err := unpackList(packedList(t, series)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s became %v, %v", names, got, err)
		}
	}
}

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
	for generation := range uint64(20) { // a cable that is pulled and put in again
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

// allocated is how much memory the work takes.
func allocated(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// bomb is a deflated text of a beginning and then very much of one thing.
func bomb(t *testing.T, head, more string, count int) []byte {
	t.Helper()
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte(head))
	block := []byte(strings.Repeat(more, 1024))
	for range count / 1024 {
		w.Write(block)
	}
	w.Close()
	return packed.Bytes()
}

// Rows that would inflate to much more than any history has are refused before they take memory. The test runs alone,
// because it looks at the memory of the whole program.
func TestInflatingIsBounded(t *testing.T) {
	const most = 128 << 20
	read := map[string]func() error{
		"a list of empty series": func() error {
			_, err := unpackList(bomb(t, "\x80\x80\x40", "\x00", 11<<20))
			return err
		},
		"a list of a long name": func() error {
			_, err := unpackList(bomb(t, "\x01\xff\xff\xff\x7f", "a", 20<<20))
			return err
		},
		"an inventory of empty rows": func() error {
			_, err := unpackInventory(bomb(t, `{"Nodes":[{}`, ",{}", 5<<20), 1)
			return err
		},
		"an inventory of wrong rows": func() error {
			_, err := unpackInventory(bomb(t, `{"Nodes":[0`, ",0", 7<<20), 1)
			return err
		},
		"a long inventory": func() error {
			_, err := unpackInventory(bomb(t, `{"Host":"`, "a", 64<<20), 1)
			return err
		},
	}
	for name, read := range read {
		var err error
		size := allocated(func() { err = read() })
		if !errors.Is(err, ErrDamaged) || size > most {
			t.Errorf("%s: %v, %d MB", name, err, size>>20)
		}
	}
}

func FuzzList(f *testing.F) {
	f.Add(listText(schemaOf(f, 1, 5).Series))
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Add([]byte{0xff, 0xff, 0x3f, 0xff})
	f.Fuzz(func(t *testing.T, text []byte) {
		packed, err := deflate(text)
		if err != nil {
			t.Fatal(err)
		}
		series, err := unpackList(packed)
		if err != nil {
			return
		}
		again, err := unpackList(packedList(t, series))
		if err != nil || !slices.EqualFunc(again, series, sameSeries) {
			t.Fatalf("%v became %v, %v", series, again, err)
		}
	})
}

// sameSeries is ==, but for a scale that is not a number.
func sameSeries(a, b perf.Series) bool {
	if math.IsNaN(a.Scale) && math.IsNaN(b.Scale) {
		a.Scale, b.Scale = 0, 0
	}
	return a == b
}

func FuzzInventory(f *testing.F) {
	f.Add([]byte(`{"Host":"a","Nodes":[{"Parent":-1,"Receive":[0]},{"Parent":0}],"Drops":[1]}`), 2)
	f.Add([]byte(`{"Nodes":[{"Parent":5}]}`), 1)
	f.Fuzz(func(t *testing.T, text []byte, series int) {
		packed, err := deflate(text)
		if err != nil {
			t.Fatal(err)
		}
		inventory, err := unpackInventory(packed, series)
		if err != nil {
			return
		}
		for i, node := range inventory.Nodes {
			if node.Parent >= i || slices.ContainsFunc(node.Receive, func(at int) bool { return at < 0 || at >= series }) {
				t.Fatalf("row %d leads outside: %+v", i, node)
			}
		}
	})
}
