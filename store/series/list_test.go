package series

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"cxdeck/perf"
	"cxdeck/store/codec"
	"cxdeck/store/document"
	"cxdeck/store/fault"
)

func packedList(t testing.TB, series []perf.Series) []byte {
	t.Helper()
	packed, err := document.Deflate(Text(series))
	if err != nil {
		t.Fatal(err)
	}
	return packed
}

func TestListIsUnpacked(t *testing.T) {
	t.Parallel()
	for _, series := range [][]perf.Series{
		nil,
		manySeries(3000),
		{{
			Set: "Größe\r\n\x00", Instance: strings.Repeat("x", 70_000), Counter: `\,"`, Kind: math.MaxUint8, Unit: "µs",
			Cell: codec.MaximumCells, Scale: -math.MaxFloat64, Width: math.MaxUint8, Line: math.MaxUint64, Sum: "all",
		}, {Counter: "a", Scale: 0.001}, {Counter: "b", Scale: math.Inf(1)}},
	} {
		got, err := Unpack(packedList(t, series))
		if err != nil || !slices.Equal(got, series) {
			t.Errorf("%d series became %d, %v", len(series), len(got), err)
		}
	}
}

func TestListWithADuplicateSeriesIsRejected(t *testing.T) {
	t.Parallel()
	for _, names := range []string{"aa", "aab", "abb", "baab"} {
		var series []perf.Series
		for _, name := range names {
			series = append(series, perf.Series{Set: "s", Counter: string(name)})
		}
		if got, err := Unpack(packedList(t, series)); !errors.Is(err, fault.ErrDamaged) {
			t.Errorf("%s became %v, %v", names, got, err)
		}
	}
}

// allocated returns the bytes that work allocates.
func allocated(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// bomb returns a deflated text: head, and then more count times.
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

// Rows that would inflate to much more than any history has are rejected before they take memory. The test runs alone, because
// it measures the memory of the whole program.
func TestInflatingIsBounded(t *testing.T) {
	const limit = 128 << 20
	read := map[string]func() error{
		"a list of empty series": func() error {
			_, err := Unpack(bomb(t, "\x80\x80\x40", "\x00", 11<<20))
			return err
		},
		"a list of a long name": func() error {
			_, err := Unpack(bomb(t, "\x01\xff\xff\xff\x7f", "a", 20<<20))
			return err
		},
		"an inventory of empty rows": func() error {
			_, err := UnpackInventory(bomb(t, `{"Nodes":[{}`, ",{}", 5<<20), 1)
			return err
		},
		"an inventory of wrong rows": func() error {
			_, err := UnpackInventory(bomb(t, `{"Nodes":[0`, ",0", 7<<20), 1)
			return err
		},
		"a long inventory": func() error {
			_, err := UnpackInventory(bomb(t, `{"Host":"`, "a", 64<<20), 1)
			return err
		},
	}
	for name, read := range read {
		var err error
		size := allocated(func() { err = read() })
		if !errors.Is(err, fault.ErrDamaged) || size > limit {
			t.Errorf("%s: %v, %d MB", name, err, size>>20)
		}
	}
}

func FuzzList(f *testing.F) {
	f.Add(Text(manySeries(5)))
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Add([]byte{0xff, 0xff, 0x3f, 0xff})
	f.Fuzz(func(t *testing.T, text []byte) {
		packed, err := document.Deflate(text)
		if err != nil {
			t.Fatal(err)
		}
		series, err := Unpack(packed)
		if err != nil {
			return
		}
		again, err := Unpack(packedList(t, series))
		if err != nil || !slices.EqualFunc(again, series, sameSeries) {
			t.Fatalf("%v became %v, %v", series, again, err)
		}
	})
}

// sameSeries is ==, but NaN scales are equal.
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
		packed, err := document.Deflate(text)
		if err != nil {
			t.Fatal(err)
		}
		inventory, err := UnpackInventory(packed, series)
		if err != nil {
			return
		}
		for i, node := range inventory.Nodes {
			if node.Parent >= i || slices.ContainsFunc(node.Receive, func(at int) bool { return at < 0 || at >= series }) {
				t.Fatalf("row %d has an index outside its list: %+v", i, node)
			}
		}
	})
}

// manySeries returns count series of all kinds in turn.
func manySeries(count int) []perf.Series {
	list := make([]perf.Series, count)
	for i := range list {
		list[i] = perf.Series{
			Set: "Network Interface", Instance: fmt.Sprintf("Ethernet %d", i/8), Counter: fmt.Sprintf("Counter %d", i%8),
			Kind: perf.Kind(i % 5), Unit: perf.Bytes, Cell: i, Line: 100_000_000_000,
		}
	}
	return list
}
