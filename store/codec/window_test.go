package codec

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"cxdeck/perf"
)

// TestSamplesComeBack encodes random samples of more than two windows, with columns that grow over the bounds of groups, a
// shorter column, and a group without readings: decoded one by one, and folded into groups, they are the same numbers.
func TestSamplesComeBack(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(12, 7))
	const samples = 2*WindowSamples + 7
	var (
		e      Encoder
		frames [][]byte
		rows   [][]int64
		times  []int64
		missed []int64
	)
	widths := []int{1, GroupCells - 1, GroupCells, GroupCells + 1, 3*GroupCells + 5}
	cells, now, short := []int64{}, int64(start), 0
	for i := range samples {
		for width := widths[min(i/30, len(widths)-1)]; len(cells) < width; {
			cells = append(cells, 0)
		}
		for cell := range cells {
			if cell/GroupCells == 1 { // the second group has no reading
				cells[cell] = perf.Missing
			} else if random.IntN(3) == 0 {
				cells[cell] += random.Int64N(1<<40) - 1<<39
			}
		}
		now += random.Int64N(2e9) - 5e8
		sent, row := cells, slices.Clone(cells)
		if i == samples-3 { // the cells that a shorter column lacks are missing
			short = len(cells) - 9
			sent = cells[:short]
			for cell := short; cell < len(row); cell++ {
				row[cell] = perf.Missing
			}
		}
		frames = append(frames, e.Append(nil, sent, now, i%4-1))
		rows, times, missed = append(rows, row), append(times, now), append(missed, int64(max(i%4-1, 0)))
	}
	if short == 0 {
		t.Fatal("no column was shorter")
	}
	for first := 0; first < samples; first += WindowSamples {
		end := min(first+WindowSamples, samples)
		window := frames[first:end]
		if n := CountReadable(window); n != len(window) {
			t.Fatalf("%d of %d frames are readable", n, len(window))
		}
		gotTimes, gotMissed, err := AppendTimes(nil, nil, window)
		if err != nil || !slices.Equal(gotTimes, times[first:end]) || !slices.Equal(gotMissed, missed[first:end]) {
			t.Fatalf("times of the window at %d: %v", first, err)
		}
		var d Decoder
		var column perf.Column
		for i, frame := range window {
			if err := d.Next(frame, &column); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(column.Cells, rows[first+i]) || !column.Time.Equal(time.Unix(0, times[first+i])) ||
				column.Missed != int(missed[first+i]) {
				t.Fatalf("sample %d comes back as another", first+i)
			}
		}
		checkFold(t, window, rows[first:end], times[first:end])
	}
}

// checkFold compares the groups of a window with its samples.
func checkFold(t *testing.T, window [][]byte, rows [][]int64, times []int64) {
	t.Helper()
	var fold Folder
	w, err := fold.Start(window)
	if err != nil {
		t.Fatal(err)
	}
	if w.Samples != len(window) || w.Cells != len(rows[len(rows)-1]) || w.Started != slices.Min(times) || w.Ended != slices.Max(times) {
		t.Errorf("a window of %d samples with %d cells from %d to %d", w.Samples, w.Cells, w.Started, w.Ended)
	}
	seen := map[int]bool{}
	if err := fold.Groups(w, func(group int, data []byte) error {
		seen[group] = true
		data = slices.Clone(data)
		for at := range min(GroupCells, w.Cells-group*GroupCells) {
			m, err := MemberOf(data, at)
			if err != nil {
				return err
			}
			if m.Block == nil {
				continue
			}
			values, err := Unpack([]int64{77}, m.Block, w.Samples)
			if err != nil {
				return err
			}
			for i, value := range values[1:] {
				cell, want := group*GroupCells+at, perf.Missing
				if cell < len(rows[i]) {
					want = rows[i][cell]
				}
				if value != want {
					t.Fatalf("cell %d of row %d is %d, not %d", cell, i, value, want)
				}
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for group := range (w.Cells + GroupCells - 1) / GroupCells {
		if seen[group] == (group == 1) {
			t.Errorf("group %d of %d cells has a row: %v", group, w.Cells, seen[group])
		}
	}
	stop := errors.New("stop")
	if w, err := fold.Start(window); err != nil || !errors.Is(fold.Groups(w, func(int, []byte) error { return stop }), stop) {
		t.Errorf("the error of the receiver is lost: %v", err)
	}
}

// TestLimitsOfFrames: the bounds of a frame's head, of its cells and of a window are valid, and one more is not.
func TestLimitsOfFrames(t *testing.T) {
	t.Parallel()
	head := func(missed, cells uint64, rest ...byte) []byte {
		b := binary.AppendVarint(nil, start)
		return append(binary.AppendUvarint(binary.AppendUvarint(b, missed), cells), rest...)
	}
	for _, c := range []struct {
		name  string
		frame []byte
		sound bool
	}{
		{"most missed samples", head(MaxMissed, 1), true},
		{"one missed sample too many", head(MaxMissed+1, 1), false},
		{"most cells", head(0, MaximumCells), true},
		{"one cell too many", head(0, MaximumCells+1), false},
		{"the last cell", head(0, 4, 3, 2), true},
		{"a cell beyond the last", head(0, 4, 4, 2), false},
		{"two cells, the second the last", head(0, 4, 1, 2, 1, 2), true},
		{"two cells, the second beyond", head(0, 4, 1, 2, 2, 2), false},
	} {
		if sound := CountReadable([][]byte{c.frame}) == 1; sound != c.sound {
			t.Errorf("%s: readable %v", c.name, sound)
		}
		var fold Folder
		w, err := fold.Start([][]byte{c.frame})
		if err == nil && w.Cells < 10 {
			err = fold.Groups(w, func(int, []byte) error { return nil })
		}
		if (err == nil) != c.sound {
			t.Errorf("%s: folded with %v", c.name, err)
		}
	}
	narrow, wide := head(0, 3), head(0, 4)
	if n := CountReadable([][]byte{wide, wide, narrow}); n != 2 {
		t.Errorf("%d frames are readable before a column that became shorter", n)
	}
	var fold Folder
	for n, sound := range map[int]bool{0: false, 1: true, WindowSamples: true, WindowSamples + 1: false} {
		if _, err := fold.Start(slices.Repeat([][]byte{wide}, n)); (err == nil) != sound {
			t.Errorf("a window of %d samples: %v", n, err)
		}
	}
}
