package pdh

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"cxdeck/perf"
)

// cellForms write a number like the tools that make logs: typeperf with six or nine decimals, relog and Performance Monitor
// with 17 digits, spreadsheets without trailing zeros or with an exponent.
var cellForms = []func(float64) string{
	func(v float64) string { return strconv.FormatFloat(v, 'f', 6, 64) },
	func(v float64) string { return strconv.FormatFloat(v, 'f', 9, 64) },
	func(v float64) string { return strconv.FormatFloat(v, 'g', 17, 64) },
	func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) },
	func(v float64) string { return strconv.FormatFloat(v, 'e', 12, 64) },
	func(v float64) string { return strconv.FormatFloat(math.Round(v), 'f', -1, 64) },
	func(v float64) string { return strconv.FormatFloat(math.Round(v*2)/2, 'f', 9, 64) },
}

// TestLogKeepsTheDigitsOfACell reads logs of random numbers in the forms of all tools, and writes them again: every number is
// unchanged, with its shortest digits.
func TestLogKeepsTheDigitsOfACell(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	counters := []string{"Bytes Received/sec", "% Processor Time", "Current Bandwidth", "Packets Received Errors", "Avg. Disk sec/Read"}
	for round := range 200 {
		form := cellForms[round%len(cellForms)]
		var log strings.Builder
		log.WriteString(`"(PDH-CSV 4.0) (UTC)(0)"`)
		size := make([]float64, len(counters))
		for n, counter := range counters {
			size[n] = math.Pow(10, float64(random.IntN(17)-4))
			fmt.Fprintf(&log, `,"\\HOST\Set(a)\%s"`, counter)
		}
		log.WriteString("\r\n")
		var cells [][]string
		for row := range 20 {
			fmt.Fprintf(&log, `"08/14/2018 13:%02d:01.000"`, row)
			line := make([]string, len(counters))
			for n := range line {
				line[n] = form((random.Float64() - 0.1) * size[n])
				fmt.Fprintf(&log, `,"%s"`, line[n])
			}
			log.WriteString("\r\n")
			cells = append(cells, line)
		}
		source := openText(t, log.String())
		var out bytes.Buffer
		var paths []string
		for n := range source.schema.Series {
			paths = append(paths, source.schema.Series[n].Path())
		}
		writer := NewWriter(&out, "HOST", time.UTC, paths...)
		var column perf.Column
		for row := range cells {
			if err := source.Next(context.Background(), time.Minute, &column); err != nil {
				t.Fatal(err)
			}
			values := make([]float64, len(paths))
			for n := range values {
				values[n], _ = source.schema.Series[n].Value(nil, &column)
				want, err := strconv.ParseFloat(cells[row][n], 64)
				if err != nil || values[n] != want {
					t.Fatalf("round %d: the cell %s of %s is read as %v", round, cells[row][n], paths[n], values[n])
				}
			}
			if err := writer.Write(column.Time, values); err != nil {
				t.Fatal(err)
			}
		}
		if err := writer.Flush(); err != nil {
			t.Fatal(err)
		}
		written, err := csv.NewReader(&out).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for row := range cells {
			for n, cell := range cells[row] {
				if got := written[row+1][n+1]; parsed(got) != parsed(cell) || len(digitsOf(got)) > len(digitsOf(cell)) {
					t.Fatalf("round %d: the cell %s is written as %s", round, cell, got)
				}
			}
		}
	}
}

func parsed(cell string) float64 {
	value, _ := strconv.ParseFloat(cell, 64)
	return value
}

// digitsOf returns the significant digits of a number.
func digitsOf(cell string) string {
	cell, _, _ = strings.Cut(strings.ToLower(cell), "e")
	whole, behind, _ := strings.Cut(strings.TrimPrefix(cell, "-"), ".")
	return strings.TrimLeft(whole+strings.TrimRight(behind, "0"), "0")
}

// TestLogNumbersMayGrow reads numbers a thousand times larger than all sampled numbers.
func TestLogNumbersMayGrow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ early, late string }{
		{"0.5", "499.1234567891234"}, {"1000", "999999.9999999"}, {"999.123456789", "700123.123456789012"},
		{"14.500000000", "14.500000000"}, {"1000000000000.5", "999000000000000.5"}, {"0.00072339578410299404", "1234567890.5"},
	} {
		var log strings.Builder
		log.WriteString("\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\H\\S(a)\\C\"\r\n")
		for row := range surveyRows {
			fmt.Fprintf(&log, "\"08/14/2018 13:%02d:00.000\",\"%s\"\r\n", row%60, c.early)
			if row == 59 {
				break
			}
		}
		fmt.Fprintf(&log, "\"08/14/2018 14:00:00.000\",\"%s\"\r\n", c.late)
		source := openText(t, log.String())
		_, values, _ := logRows(t, source, time.Minute)
		got := values[len(values)-1][0]
		if want := parsed(c.late); math.Abs(got-want) > 1e-6*math.Abs(want) {
			t.Errorf("after %s, %s is read as %v", c.early, c.late, got)
		}
		if got := values[0][0]; got != parsed(c.early) {
			t.Errorf("%s is read as %v", c.early, got)
		}
	}
}

// TestStoredNumbersAreRoundedAndLimited compares numbers of every size with decimal arithmetic: rounded half up after the last
// stored decimal, and limited to the largest number.
func TestStoredNumbersAreRoundedAndLimited(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 8))
	half := big.NewRat(1, 2)
	for range 20_000 {
		whole := fmt.Sprint(random.Uint64() >> random.IntN(64))
		if random.IntN(10) == 0 {
			whole += whole
		}
		text := whole
		if n := random.IntN(14); n > 0 {
			text += "." + fmt.Sprintf("%020d", random.Uint64())[:n]
		}
		decimals := []int{0, 3, 6, 9}[random.IntN(4)]
		exact, _ := new(big.Rat).SetString(text)
		exact.Mul(exact, new(big.Rat).SetInt64(int64(math.Pow10(decimals))))
		exact.Add(exact, half)
		want := new(big.Int).Quo(exact.Num(), exact.Denom())
		if !want.IsInt64() {
			want.SetInt64(math.MaxInt64)
		}
		for sign, value := range map[string]int64{"": want.Int64(), "-": -want.Int64(), "+": want.Int64()} {
			if got, ok := parseScaled([]byte(sign+text), '.', decimals); !ok || got != value {
				t.Fatalf("%s%s with %d decimals is %d, want %d", sign, text, decimals, got, value)
			}
		}
	}
}

// TestSurveyCoversTheWholeLog reads a log with fractions only far from both ends: they are stored with all digits.
func TestSurveyCoversTheWholeLog(t *testing.T) {
	t.Parallel()
	const rows = 20_000
	var log strings.Builder
	log.WriteString("\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\H\\S(a)\\C\"\r\n")
	cell := func(row int) string {
		if row > rows/3 && row < rows*3/4 {
			return "0.123456789"
		}
		return "1"
	}
	start := time.Date(2018, 8, 14, 0, 0, 0, 0, time.UTC)
	for row := range rows {
		fmt.Fprintf(&log, "\"%s\",\"%s\"\r\n", start.Add(time.Duration(row)*time.Second).Format("01/02/2006 15:04:05.000"), cell(row))
	}
	if log.Len() < 2*surveyBytes {
		t.Fatalf("the log has only %d bytes", log.Len())
	}
	_, values, _ := logRows(t, openText(t, log.String()), time.Second)
	for row := range values {
		if values[row][0] != parsed(cell(row)) {
			t.Fatalf("row %d: %s is read as %v", row, cell(row), values[row][0])
		}
	}
}
