package pdh

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"cxdeck/perf"
)

// The limits of the survey, so that opening takes the same time for files of any size.
const (
	surveyBytes  = 256 << 10 // bytes of its first rows
	surveyRows   = 64
	surveyProbes = 16 // single rows spread over the rest
	surveyTail   = 64 << 10
	surveyLast   = 4 // rows of the tail
)

// logSurvey holds properties of a log estimated from sampled rows.
type logSurvey struct {
	order dateOrder
	// point is the decimal mark: a point, or a comma in other languages of Windows.
	point byte
	// decimals is the number of stored decimals of each column: its stored number is the value times ten to this power. It is
	// floatDecimals for columns with too many digits.
	decimals []int8
	// biggest is the largest sampled value of each column.
	biggest []float64
	// first and last are times by the log's clock; tail is the time in the last row, which may be an hour before last.
	first, last, tail int64
	// spacing is the usual time between rows.
	spacing time.Duration
}

// survey samples the rows between body and end.
func survey(file io.ReaderAt, encoding textEncoding, body, end int64, header *header) (*logSurvey, error) {
	lines := &lineReader{file: file, encoding: encoding, delimiter: header.delimiter, block: blockSize(end)}
	early, err := sampleRows(lines, body, surveyBytes, surveyRows)
	if err != nil {
		return nil, err
	}
	rows := slices.Clone(early)
	for probe := int64(1); probe < surveyProbes && end-body > 2*surveyBytes; probe++ {
		row, err := sampleRow(lines, body, body+(end-body)*probe/surveyProbes)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row...)
	}
	late, err := sampleTail(lines, body, end)
	if err != nil {
		return nil, err
	}
	rows = append(rows, late...)
	s := &logSurvey{point: '.', decimals: make([]int8, len(header.series)), biggest: make([]float64, len(header.series))}
	s.findOrder(rows, header.delimiter)
	s.findPoint(rows, header.delimiter)
	s.findScales(rows, header)
	if !s.findTimes(early, late, header.delimiter) {
		if len(early) > 0 {
			return nil, fmt.Errorf("invalid time %.40q; times look like 08/14/2018 13:05:01.123", timeCell(early[0], header.delimiter))
		}
		return nil, errors.New("the log has no rows yet; open it again when the first samples are in it")
	}
	return s, nil
}

// sampleRows copies complete rows from an offset on, up to maxBytes or count rows.
func sampleRows(lines *lineReader, from int64, maxBytes, count int) (rows [][]byte, err error) {
	lines.moveTo(from)
	delimiter := lines.delimiter
	for size := 0; size < maxBytes && len(rows) < count; {
		line, whole, err := lines.next()
		if errors.Is(err, io.EOF) || err == nil && !whole && len(rows) > 0 || errors.Is(err, errLongLine) {
			break
		}
		if err != nil {
			return nil, err
		}
		if line = rowOf(line, delimiter); len(line) > 0 {
			rows = append(rows, bytes.Clone(line))
			size += len(line)
		}
	}
	return rows, nil
}

// sampleRow copies the first complete row after an offset.
func sampleRow(lines *lineReader, body, place int64) ([][]byte, error) {
	lines.moveTo(place - (place-body)%int64(lines.encoding.width()))
	if _, _, err := lines.next(); err != nil && !errors.Is(err, errLongLine) {
		return nil, ignoreEOF(err)
	}
	return sampleRows(lines, lines.offset(), 1, 1)
}

// ignoreEOF returns nil for io.EOF: the file may have become shorter since it was opened.
func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// sampleTail copies the last rows.
func sampleTail(lines *lineReader, body, end int64) ([][]byte, error) {
	for size := int64(surveyTail); ; size *= 2 {
		from := max(body, end-size)
		from -= (from - body) % int64(lines.encoding.width())
		lines.moveTo(from)
		if from > body {
			if _, _, err := lines.next(); err != nil && !errors.Is(err, errLongLine) {
				return nil, ignoreEOF(err)
			}
		}
		rows, err := sampleRows(lines, lines.offset(), math.MaxInt, math.MaxInt)
		if err != nil || len(rows) > 1 || from == body || size > 2*logLineLimit {
			return rows[max(0, len(rows)-surveyLast):], err
		}
	}
}

func timeCell(row []byte, delimiter byte) []byte {
	c := cells{delimiter: delimiter}
	c.reset(row)
	cell, _, _ := c.next()
	return cell
}

// findOrder finds the order of dates. Ambiguous dates are read as Performance Monitor writes them, month first.
func (s *logSurvey) findOrder(rows [][]byte, delimiter byte) {
	for _, row := range rows {
		cell := timeCell(row, delimiter)
		parts, ok := splitTime(cell)
		switch {
		case !ok:
		case parts[0] > 31:
			s.order = yearFirst
			return
		case parts[0] > 12, bytes.IndexByte(cell, '.') > 0 && bytes.IndexByte(cell, '.') < 3,
			bytes.IndexByte(cell, '-') > 0 && parts[1] <= 12:
			s.order = dayFirst
			return
		case parts[1] > 12:
			return
		}
	}
}

// findPoint decides whether point or comma is the decimal mark: in a number with both it is the last one; otherwise it is a
// mark that is not followed by exactly three digits, and so can't group digits.
func (s *logSurvey) findPoint(rows [][]byte, delimiter byte) {
	c := cells{delimiter: delimiter}
	doubtful := byte(0)
	for _, row := range rows {
		c.reset(row)
		for {
			cell, ok, err := c.next()
			if err != nil || !ok {
				break
			}
			point, comma := bytes.LastIndexByte(cell, '.'), bytes.LastIndexByte(cell, ',')
			last := max(point, comma)
			switch {
			case c.index == 0 || last < 0:
			case point >= 0 && comma >= 0 || len(cell)-last-1 != 3:
				s.point = cell[last]
				return
			case doubtful == 0:
				doubtful = cell[last]
			}
		}
	}
	if doubtful != 0 {
		s.point = doubtful
	}
}

// findScales chooses the number of stored decimals of each column: six for rates and fractions, nine for small fractions, three
// for integers, and fewer if values a thousand times the samples would overflow. So integers may grow to 9e15. A column with
// more digits, as relog writes them, is stored as floats.
func (s *logSurvey) findScales(rows [][]byte, header *header) {
	needed := make([]int, len(header.series))
	c := cells{delimiter: header.delimiter}
	for _, row := range rows {
		c.reset(row)
		for {
			cell, ok, err := c.next()
			if err != nil || !ok || c.index > len(header.series) {
				break
			}
			if c.index == 0 {
				continue
			}
			n := c.index - 1
			const decimals = 3
			if stored, ok := parseScaled(cell, s.point, decimals); ok && stored != perf.Missing {
				s.biggest[n] = max(s.biggest[n], math.Abs(float64(stored))/1e3)
				needed[n] = max(needed[n], decimalsOf(cell, s.point))
			}
		}
	}
	for n := range s.decimals {
		_, perSecond := header.series[n].Unit.Counted()
		switch {
		case perSecond || strings.HasSuffix(strings.ToLower(header.series[n].Counter), "/sec"):
			s.decimals[n] = 6
		case needed[n] == 0:
			s.decimals[n] = 3
		case s.biggest[n] < 1000:
			s.decimals[n] = 9
		default:
			s.decimals[n] = 6
		}
		for s.decimals[n] > 0 && s.biggest[n]*1000 > float64(largest)/float64(powers[s.decimals[n]]) {
			s.decimals[n] -= 3
		}
		if needed[n] > int(s.decimals[n]) {
			s.decimals[n] = floatDecimals
		}
	}
}

// floatDecimals marks a column whose numbers are stored as floats.
const floatDecimals = -1

// decimalsOf returns the number of digits after the decimal mark, without trailing zeros. For a number with an exponent it
// returns more than any fixed number of decimals.
func decimalsOf(cell []byte, point byte) int {
	if bytes.IndexByte(cell, 'e') >= 0 || bytes.IndexByte(cell, 'E') >= 0 {
		return len(powers)
	}
	_, behind, _ := bytes.Cut(cell, []byte{point})
	return len(bytes.TrimRight(behind, "0 "))
}

// parse returns the stored form of a cell of a column.
func (s *logSurvey) parse(cell []byte, column int) (int64, bool) {
	if s.decimals[column] == floatDecimals {
		return parseFloat(cell, s.point)
	}
	return parseScaled(cell, s.point, int(s.decimals[column]))
}

// findTimes finds the span of the log and the usual time between rows.
func (s *logSurvey) findTimes(early, late [][]byte, delimiter byte) bool {
	var times []int64
	for _, row := range early {
		if t, ok := parseTime(timeCell(row, delimiter), s.order); ok {
			times = append(times, t)
		}
	}
	if len(times) == 0 || len(early) > 0 && len(times) < (len(early)+1)/2 {
		return false
	}
	s.first, s.last, s.tail = times[0], slices.Max(times), times[len(times)-1]
	for _, row := range late {
		if t, ok := parseTime(timeCell(row, delimiter), s.order); ok {
			s.last, s.tail = max(s.last, t), t
		}
	}
	var steps []int64
	for n := 1; n < len(times); n++ {
		if step := times[n] - times[n-1]; step > 0 {
			steps = append(steps, step)
		}
	}
	s.spacing = time.Second
	if len(steps) > 0 {
		slices.Sort(steps)
		s.spacing = time.Duration(steps[len(steps)/2])
	}
	return true
}
