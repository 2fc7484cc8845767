package codec

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"cxdeck/perf"
)

// start is the time of the first sample, in nanoseconds since 1970.
const start = 1_772_000_000_000_000_000

// A truncated frame or group gives an error. A frame that is cut between two cells is valid, and has fewer changes.
func TestTruncatedDataGivesErrors(t *testing.T) {
	t.Parallel()
	cells := []int64{5, 0, 1 << 40, -3}
	frame := func(cells []int64) []byte { return new(Encoder).Append(nil, cells, start, 300) }
	complete := map[int]bool{}
	for n := range len(cells) + 1 {
		fewer := slices.Clone(cells)
		clear(fewer[n:])
		complete[len(frame(fewer))] = true
	}
	whole := frame(cells)
	for n := range len(whole) + 1 {
		if sound := CountReadable([][]byte{whole[:n]}) == 1; sound != complete[n] {
			t.Errorf("%d bytes of a frame of %d: readable %v", n, len(whole), sound)
		}
	}
	var tw DuplicateFinder
	tw.Reset()
	random := rand.New(rand.NewPCG(1, 1))
	one, alike := make([]int64, WindowSamples), make([]int64, WindowSamples)
	for i := range one {
		one[i] = random.Int64()
		alike[i] = one[i] + 1000
	}
	group := tw.Append(tw.Append(tw.Append(nil, 0, one), 1, []int64{1}), 2, alike)
	if m, err := MemberOf(group, 2); err != nil || m.Block != nil || m.Like != 0 {
		t.Fatalf("the last cell is no reference to the first: %v", err)
	}
	for n := range group {
		if m, err := MemberOf(group[:n], 2); err == nil {
			t.Errorf("%d bytes of a group of %d: %+v", n, len(group), m)
		}
	}
}

func FuzzFrames(f *testing.F) {
	var e Encoder
	first := e.Append(nil, []int64{1, 2, 3, 0}, start, 0)
	second := e.Append(nil, []int64{1, 9, 3, perf.Missing}, start+1e9, 1)
	f.Add(first, second)
	f.Add(second, first)
	f.Add([]byte{}, []byte{0, 0, 4, 3, 2})
	f.Add(binary.AppendUvarint([]byte{0, 0}, 1<<40), []byte{0xff})
	f.Fuzz(func(t *testing.T, one, two []byte) {
		frames := [][]byte{one, two}
		sound := CountReadable(frames)
		var d Decoder
		var rows []perf.Column
		for _, frame := range frames[:sound] {
			var column perf.Column
			if err := d.Next(frame, &column); err != nil {
				t.Fatalf("a sound frame: %v", err)
			}
			rows = append(rows, column)
		}
		if sound == 0 || len(rows[sound-1].Cells) > 4096 {
			return
		}
		// Frames that can be decoded fold into the same numbers.
		var fold Folder
		w, err := fold.Start(frames[:sound])
		if err != nil {
			t.Fatalf("fold sound frames: %v", err)
		}
		if err := fold.Groups(w, func(group int, data []byte) error {
			for at := range min(GroupCells, w.Cells-group*GroupCells) {
				m, err := MemberOf(data, at)
				if err != nil {
					return err
				}
				if m.Block == nil {
					continue
				}
				values, err := Unpack(nil, m.Block, w.Samples)
				if err != nil {
					return err
				}
				for row, value := range values {
					cell, want := group*GroupCells+at, perf.Missing
					if cell < len(rows[row].Cells) {
						want = rows[row].Cells[cell]
					}
					if value != want {
						return fmt.Errorf("cell %d of row %d: %d, want %d", cell, row, value, want)
					}
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzGroup(f *testing.F) {
	var tw DuplicateFinder
	tw.Reset()
	group := tw.Append(nil, 0, []int64{1, 2, 3})
	f.Add(tw.Append(group, 1, []int64{7, 7, 7}), 1, 3)
	f.Add([]byte{0xff, 0xff}, 5, 120)
	f.Add([]byte{1, 0}, 0, 1)
	f.Fuzz(func(t *testing.T, group []byte, at, samples int) {
		if at < 0 || at >= GroupCells || samples < 1 || samples > WindowSamples {
			return
		}
		m, err := MemberOf(group, at)
		if err != nil || m.Block == nil {
			return
		}
		if values, err := Unpack(nil, m.Block, samples); err == nil && len(values) != samples {
			t.Fatalf("%d values of %d", len(values), samples)
		}
	})
}
