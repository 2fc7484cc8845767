package pdh

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/perf"
)

func TestLogWriterGolden(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	zone := time.FixedZone("Pacific Daylight Time", -7*3600)
	w := NewWriter(&text, `LAB\1`, zone, `\Network Interface(Ethernet 7 "A")\Bytes Received/sec`, "\\Odd(\r\n\x1b)\\C")
	start := time.Date(2018, 8, 14, 20, 5, 1, 123_900_000, time.UTC)
	if err := errors.Join(
		w.Write(start, []float64{12.5, math.NaN()}),
		w.Write(start.Add(time.Second), []float64{1e15, -0.000001}),
		w.Write(start.Add(2*time.Second), []float64{math.Inf(1), 0}),
		w.Flush(),
	); err != nil {
		t.Fatal(err)
	}
	want := `"(PDH-CSV 4.0) (Pacific Daylight Time)(420)","\\LAB1\Network Interface(Ethernet 7 ""A"")\Bytes Received/sec","\\LAB1\Odd(???)\C"` + "\r\n" +
		`"08/14/2018 13:05:01.123","12.5"," "` + "\r\n" +
		`"08/14/2018 13:05:02.123","1000000000000000","-0.000001"` + "\r\n" +
		`"08/14/2018 13:05:03.123"," ","0"` + "\r\n"
	if text.String() != want {
		t.Errorf("the log is\n%s\nwant\n%s", text.String(), want)
	}
}

func TestLogWriterErrors(t *testing.T) {
	t.Parallel()
	if err := NewWriter(io.Discard, "A", time.UTC, `\S\C`).Write(time.Unix(0, 0), nil); err == nil {
		t.Error("a row without values was accepted")
	}
	full := errors.New("the disk is full")
	w := NewWriter(failingWriter{full}, "A", time.UTC, `\S\C`)
	if err := errors.Join(w.Write(time.Unix(0, 0), []float64{1}), w.Flush()); !errors.Is(err, full) {
		t.Errorf("a full disk: %v", err)
	}
}

type failingWriter struct{ err error }

func (f failingWriter) Write([]byte) (int, error) { return 0, f.err }

func TestLogRoundTrip(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	var text bytes.Buffer
	paths := []string{`\S(a)\whole`, `\S(b)\Things/sec`, `\S(c)\% Small`}
	w := NewWriter(&text, "LAB", time.FixedZone("IST", 5*3600+1800), paths...)
	start := time.Date(2024, 2, 28, 18, 29, 58, 0, time.UTC)
	var want [][]float64
	for n := range 500 {
		row := []float64{
			float64(random.Int64N(1e15)),
			float64(random.Int64N(1e15)) / 1e6,
			float64(random.Int64N(1e9)) / 1e9,
		}
		if n%7 == 3 {
			row[n%3] = math.NaN()
		}
		want = append(want, row)
		if err := w.Write(start.Add(time.Duration(n)*time.Second), row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	s := openText(t, text.String())
	times, values, missed := logRows(t, s, time.Second)
	if len(values) != len(want) {
		t.Fatalf("%d of %d rows were read", len(values), len(want))
	}
	for n, row := range want {
		if !times[n].Equal(start.Add(time.Duration(n)*time.Second)) || missed[n] != 0 {
			t.Fatalf("row %d is at %v, missed %d", n, times[n], missed[n])
		}
		for c := range row {
			if !near(values[n][c], row[c]) {
				t.Errorf("row %d, %s: %v was read as %v", n, paths[c], row[c], values[n][c])
			}
		}
	}
}

func TestLogKeepsLargeAndSmall(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cell     string
		point    byte
		decimals int
		want     int64
	}{
		{"0.000001", '.', 6, 1}, {"0.0000005", '.', 6, 1}, {"0.00000049999", '.', 6, 0}, {"-0.5", '.', 0, -1},
		{"1000000000000000", '.', 3, 1e18}, {"9999999999999999999999", '.', 3, math.MaxInt64},
		{"-9999999999999999999999", '.', 3, -math.MaxInt64}, {"1e300", '.', 6, math.MaxInt64}, {"  ", '.', 6, perf.Missing},
		{"", '.', 6, perf.Missing}, {"NaN", '.', 6, perf.Missing}, {"+7", '.', 1, 70}, {"1,5", ',', 1, 15}, {"1.5e-2", '.', 3, 15},
		{"123456789.123456789012345678901234567890", '.', 6, 123456789123457},
	} {
		if got, ok := parseScaled([]byte(c.cell), c.point, c.decimals); !ok || got != c.want {
			t.Errorf("%q is %d, %v; want %d", c.cell, got, ok, c.want)
		}
	}
	for _, bad := range []string{"x", "-", ".", "1.2.3", "1-2", "0x10z"} {
		if got, ok := parseScaled([]byte(bad), '.', 6); ok {
			t.Errorf("%q was read as %d", bad, got)
		}
	}
}

// FuzzOpenLog searches for a file that hangs, panics, exceeds a limit, or plays times that do not rise.
func FuzzOpenLog(f *testing.F) {
	f.Add([]byte(plainLog))
	f.Add(inUTF16(plainLog[:200], binary.LittleEndian))
	f.Add([]byte("\"(PDH-CSV 4.0)\";\"\\\\A\\S\\C\"\n2020-01-01 00:00:00;1,5\n\x00\x00"))
	f.Add([]byte("\"(PDH-CSV 4.0) (Z)(0)\",\"\",\"\"\n\"01/02/2020 00:00:01\",\"-1.#IND\"\n\"01/02/2020 00:00:00"))
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := os.CreateTemp(folder, "*.csv")
		if err != nil {
			t.Fatal(err)
		}
		defer os.Remove(file.Name())
		defer file.Close()
		if _, err := file.Write(text); err != nil {
			t.Fatal(err)
		}
		opened, err := Open(file.Name())
		if err != nil {
			if strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' }) {
				t.Errorf("an error shows control characters: %q", err)
			}
			return
		}
		defer opened.Close()
		s := opened.(*source)
		from, to := s.Span()
		if to.Before(from) {
			t.Errorf("the span is %v to %v", from, to)
		}
		for _, series := range s.Schema().Series {
			if strings.ContainsFunc(series.Path(), func(r rune) bool { return r < ' ' }) {
				t.Errorf("path %q", series.Path())
			}
		}
		play := func() {
			var column perf.Column
			var last time.Time
			for n := 0; ; n++ {
				if err := s.Next(context.Background(), time.Second, &column); err != nil {
					return
				}
				if n > 0 && !column.Time.After(last) || n > len(text) || len(column.Cells) != s.Schema().Cells {
					t.Fatalf("row %d at %v after %v has %d cells", n, column.Time, last, len(column.Cells))
				}
				last = column.Time
			}
		}
		play()
		if s.Seek(from.Add(to.Sub(from)/2)) == nil {
			play()
		}
		s.ReadRange(context.Background(), 0, from, to, nil)
	})
}

func BenchmarkLogPlay(b *testing.B) {
	for _, size := range []struct{ rows, columns int }{{1000, 1000}, {100_000, 10}} {
		b.Run(fmt.Sprintf("%dx%d", size.rows, size.columns), func(b *testing.B) {
			text := manyRows(size.rows, size.columns)
			path := filepath.Join(b.TempDir(), "log.csv")
			if err := os.WriteFile(path, text, 0o600); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			rows := 0
			for b.Loop() {
				s, err := Open(path)
				if err != nil {
					b.Fatal(err)
				}
				var column perf.Column
				for err == nil {
					err = s.Next(context.Background(), time.Second, &column)
					rows++
				}
				if !errors.Is(err, io.EOF) {
					b.Fatal(err)
				}
				s.Close()
			}
			b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

func BenchmarkLogOpenAndSeek(b *testing.B) {
	text := manyRows(1000, 1000)
	path := filepath.Join(b.TempDir(), "log.csv")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		b.Fatal(err)
	}
	b.Run("open", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s, err := Open(path)
			if err != nil {
				b.Fatal(err)
			}
			s.Close()
		}
	})
	b.Run("seek", func(b *testing.B) {
		s, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		from, _ := s.(perf.Seeker).Span()
		for b.Loop() {
			if err := s.(perf.Seeker).Seek(from.Add(777 * time.Second)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkLogWrite(b *testing.B) {
	values := make([]float64, 1000)
	paths := make([]string, len(values))
	for n := range values {
		values[n] = float64(n) * 1.25e6
	}
	w := NewWriter(io.Discard, "A", time.UTC, paths...)
	b.ReportAllocs()
	for b.Loop() {
		if err := w.Write(time.Unix(1, 0), values); err != nil {
			b.Fatal(err)
		}
	}
}
