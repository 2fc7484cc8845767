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

// Survey sizes: what is read of a log when it is opened, so that opening takes the same time for every size of file.
const (
	surveyBytes = 256 << 10 // of its first rows
	surveyRows  = 64
	surveySpots = 16 // single rows spread over the rest
	surveyTail  = 64 << 10
	surveyLast  = 4 // rows of the tail
)

// logSurvey holds properties of a log estimated from sampled rows.
type logSurvey struct {
	order dateOrder
	// point is the decimal mark: a point, or a comma where Windows spoke another language.
	point byte
	// decimals are how many decimals of each column are kept: its stored number is its value times ten to this power;
	// floatDecimals where more were seen than that has room for.
	decimals []int8
	// biggest is the largest value of each column that was seen.
	biggest []float64
	// first and last are times of the log's clock; tail is what the last row says, which may be an hour before.
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
	for spot := int64(1); spot < surveySpots && end-body > 2*surveyBytes; spot++ {
		row, err := sampleRow(lines, body, body+(end-body)*spot/surveySpots)
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

// sampleRows copies whole rows from a place on.
func sampleRows(lines *lineReader, from int64, most, count int) (rows [][]byte, err error) {
	lines.moveTo(from)
	delimiter := lines.delimiter
	for size := 0; size < most && len(rows) < count; {
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

// sampleRow copies the first whole row behind a place.
func sampleRow(lines *lineReader, body, place int64) ([][]byte, error) {
	lines.moveTo(place - (place-body)%int64(lines.encoding.width()))
	if _, _, err := lines.next(); err != nil && !errors.Is(err, errLongLine) {
		return nil, ignoreEOF(err)
	}
	return sampleRows(lines, lines.offset(), 1, 1)
}

// ignoreEOF makes nothing of the end of the file: it may have grown shorter since it was opened.
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

// findOrder decides how days are written. What could be both is taken as Performance Monitor writes it, month first.
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

// findPoint decides which of point and comma marks the decimals: the last where both are in a number, or the one that
// is followed by other than three digits, for then it can't group them.
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

// findScales chooses how many decimals of each column are kept: as many as leave room for values a thousand times as
// large as the samples, but at least six for rates and for what has a fraction, and three for what is whole. So small
// numbers keep six digits behind the point, and whole ones may grow to 9e15. Where more digits were seen than that, as
// in what relog writes, the numbers are kept as floats.
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

// floatDecimals marks a column whose numbers are kept as floats.
const floatDecimals = -1

// decimalsOf counts the digits behind the decimal mark, without the zeros at their end; a number with an exponent has as
// many as no fixed number of decimals holds.
func decimalsOf(cell []byte, point byte) int {
	if bytes.IndexByte(cell, 'e') >= 0 || bytes.IndexByte(cell, 'E') >= 0 {
		return len(powers)
	}
	_, behind, _ := bytes.Cut(cell, []byte{point})
	return len(bytes.TrimRight(behind, "0 "))
}

// parse reads a cell of a column as it is stored.
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
