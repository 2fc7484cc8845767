package level

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"cxdeck/perf"
	"cxdeck/perf/chunk"
	"cxdeck/store/codec"
)

// A block has several rows of a level. Its cells are packed in groups, as samples are, one cell after the other: a tag as an
// unsigned varint, and lists with one number per row, each packed as a member of a group of package codec. The tag has the kind
// of the cell, and flags for the lists that follow:
//
//	last                               always
//	a unit as an unsigned varint       hasUnit: the next two lists are multiples of it
//	how far min is below last, and max above it; of a counter min and max themselves; of a float all bits    hasRange, else 0
//	the sum; of a counter its difference from what last and the time say                                    hasSum, else 0
//	how many samples of the row were not aggregated                                                          hasLack, else 0

const (
	kindBits = 2
	hasUnit  = 1 << iota << (kindBits - 1)
	hasRange
	hasSum
	hasLack
	allFlags = hasUnit | hasRange | hasSum | hasLack
)

// The lists of a cell.
const (
	lastList = iota
	lowList
	highList
	sumList
	lackList
	lists
)

// MaxRows is the maximum number of rows in a block: the 60 minutes of an hour; a block of hours has up to 24.
const MaxRows = 60

// Rows are the times of the rows of a block, and their numbers of samples.
type Rows struct {
	// Started and Ended are the times of the first and last sample of each row.
	Started, Ended []int64
	// Samples is the number of samples in each row, Missed the number of samples missed before its first.
	Samples, Missed []int64
}

// Len returns the number of rows.
func (r *Rows) Len() int { return len(r.Ended) }

// Reset empties the rows.
func (r *Rows) Reset() {
	r.Started, r.Ended, r.Samples, r.Missed = r.Started[:0], r.Ended[:0], r.Samples[:0], r.Missed[:0]
}

// Add appends a row.
func (r *Rows) Add(started, ended, samples, missed int64) {
	r.Started, r.Ended = append(r.Started, started), append(r.Ended, ended)
	r.Samples, r.Missed = append(r.Samples, samples), append(r.Missed, missed)
}

// Append packs the rows at the end of dst.
func (r *Rows) Append(dst []byte) []byte {
	for _, list := range [][]int64{r.Started, r.Ended, r.Samples, r.Missed} {
		block := chunk.Append(nil, list)
		dst = binary.AppendUvarint(dst, uint64(len(block)))
		dst = append(dst, block...)
	}
	return dst
}

var errBlock = fmt.Errorf("%w: a block of a level", chunk.ErrCorrupt)

// Read reads what Append packed.
func (r *Rows) Read(packed []byte) error {
	for _, list := range []*[]int64{&r.Started, &r.Ended, &r.Samples, &r.Missed} {
		size, n := binary.Uvarint(packed)
		if n <= 0 || size > uint64(len(packed)-n) {
			return fmt.Errorf("%w is truncated", errBlock)
		}
		var err error
		if *list, err = chunk.Decode((*list)[:0], packed[n:n+int(size)]); err != nil {
			return err
		}
		packed = packed[n+int(size):]
	}
	count := len(r.Started)
	if len(packed) > 0 || count < 1 || count > MaxRows || len(r.Ended) != count || len(r.Samples) != count || len(r.Missed) != count {
		return fmt.Errorf("%w has invalid rows", errBlock)
	}
	for i := range count {
		if r.Samples[i] < 1 || r.Samples[i] > maxSamples || r.Missed[i] < 0 {
			return fmt.Errorf("%w has an invalid row", errBlock)
		}
		r.Missed[i] = min(r.Missed[i], codec.MaxMissed)
	}
	return nil
}

// maxSamples limits the number of samples in a row that is read back.
const maxSamples = 1 << 32

// Encoder packs the cells of a block. It keeps the packed cells, to find cells with equal values.
type Encoder struct {
	twins [lists]codec.DuplicateFinder
	list  [MaxRows]int64
}

// Reset begins a block.
func (e *Encoder) Reset() {
	for i := range e.twins {
		e.twins[i].Reset()
	}
}

// Append adds a cell to a group. Cells come in order.
func (e *Encoder) Append(group []byte, cell int, c *Column, rows *Rows) []byte {
	var flags uint64
	var divisor uint64
	for i, last := range c.Last {
		low, high := c.packedBounds(i)
		if low != 0 || high != 0 {
			flags |= hasRange
		}
		divisor = commonDivisor(commonDivisor(divisor, uint64(low)), uint64(high))
		if c.Sum[i] != c.expectedSum(i, rows) {
			flags |= hasSum
		}
		if c.Count[i] != c.expectedCount(i, rows, last) {
			flags |= hasLack
		}
	}
	if flags&hasRange == 0 || divisor <= 1 || c.Kind != Counter {
		divisor = 1
	} else {
		flags |= hasUnit
	}
	group = binary.AppendUvarint(group, uint64(c.Kind)|flags)
	group = e.twins[lastList].Append(group, cell, c.Last)
	if flags&hasUnit != 0 {
		group = binary.AppendUvarint(group, divisor)
	}
	fill := func(list int, value func(i int) int64) {
		values := e.list[:len(c.Last)]
		for i := range values {
			values[i] = value(i)
		}
		group = e.twins[list].Append(group, cell, values)
	}
	if flags&hasRange != 0 {
		fill(lowList, func(i int) int64 { low, _ := c.packedBounds(i); return low / int64(divisor) })
		fill(highList, func(i int) int64 { _, high := c.packedBounds(i); return high / int64(divisor) })
	}
	if flags&hasSum != 0 {
		fill(sumList, func(i int) int64 { return c.Sum[i] - c.expectedSum(i, rows) })
	}
	if flags&hasLack != 0 {
		fill(lackList, func(i int) int64 { return c.expectedCount(i, rows, c.Last[i]) - c.Count[i] })
	}
	return group
}

// packedBounds returns min and max as they are packed, before the division by the unit.
func (c *Column) packedBounds(i int) (low, high int64) {
	switch {
	case c.Kind == Value && c.Count[i] > 0:
		return c.Last[i] - c.Min[i], c.Max[i] - c.Last[i]
	case c.Kind == Float && c.Count[i] > 0:
		return c.Min[i] - c.Last[i], c.Max[i] - c.Last[i]
	case c.Kind == Counter:
		return c.Min[i], c.Max[i]
	}
	return 0, 0
}

// expectedSum returns the sum that follows from the last readings alone: for a counter, the change over the time of the row.
func (c *Column) expectedSum(i int, rows *Rows) int64 {
	switch {
	case c.Kind == Float && c.Count[i] > 0:
		return floatBits(float(c.Last[i]) * float64(c.Count[i]))
	case c.Kind != Counter || i == 0 || c.Last[i] == perf.Missing || c.Last[i-1] == perf.Missing:
		return 0
	}
	change, elapsed := c.Last[i]-c.Last[i-1], rows.Ended[i]-rows.Ended[i-1]
	if elapsed <= 0 || c.Count[i] <= 0 || c.Count[i] > maxExpected {
		return 0
	}
	size := uint64(change)
	if change < 0 {
		size = -size
	}
	hi, lo := bits.Mul64(size, uint64(c.Count[i])*1e12)
	if hi >= uint64(elapsed) {
		return 0
	}
	quotient, rest := bits.Div64(hi, lo, uint64(elapsed))
	if rest >= uint64(elapsed)-rest {
		quotient++
	}
	if change < 0 {
		return -int64(quotient)
	}
	return int64(quotient)
}

// maxExpected is the largest count for which the product in expectedSum does not overflow.
const maxExpected = 1 << 23

// expectedCount returns the number of summed samples if all samples of the row have a reading.
func (c *Column) expectedCount(i int, rows *Rows, last int64) int64 {
	if last == perf.Missing {
		return 0
	}
	return rows.Samples[i]
}

// commonDivisor returns the greatest common divisor of two numbers; 0 means none yet.
func commonDivisor(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Groups returns the group of another cell of a block, to which a packed cell may refer.
type Groups func(group int) ([]byte, error)

// packed is a cell in its packed form.
type packed struct {
	kind    Kind
	flags   uint64
	unit    int64
	members [lists]codec.Member
}

// next reads the next cell of a group.
func next(group []byte) (p packed, rest []byte, err error) {
	tag, n := binary.Uvarint(group)
	if n <= 0 || tag>>kindBits > allFlags>>kindBits || tag&(1<<kindBits-1) > uint64(Float) {
		return p, nil, fmt.Errorf("%w has an invalid cell", errBlock)
	}
	p.kind, p.flags, p.unit = Kind(tag&(1<<kindBits-1)), tag&allFlags, 1
	group = group[n:]
	take := func(list int) {
		if err == nil {
			p.members[list], group, err = codec.NextMember(group)
		}
	}
	take(lastList)
	if err == nil && p.flags&hasUnit != 0 {
		unit, n := binary.Uvarint(group)
		if n <= 0 || unit > maxThousandths {
			return p, nil, fmt.Errorf("%w has an invalid unit", errBlock)
		}
		p.unit, group = int64(unit), group[n:]
	}
	if p.flags&hasRange != 0 {
		take(lowList)
		take(highList)
	}
	if p.flags&hasSum != 0 {
		take(sumList)
	}
	if p.flags&hasLack != 0 {
		take(lackList)
	}
	return p, group, err
}

// cellOf finds a cell in its group.
func cellOf(group []byte, cell int) (p packed, err error) {
	for range cell%codec.GroupCells + 1 {
		if p, group, err = next(group); err != nil {
			return p, err
		}
	}
	return p, nil
}

// Readable reports whether all cells of a group can be read.
func Readable(group []byte) bool {
	for len(group) > 0 {
		p, rest, err := next(group)
		if err != nil {
			return false
		}
		for _, m := range p.members {
			if m.Block == nil {
				continue
			}
			if values, err := chunk.Decode(nil, m.Block); err != nil || len(values) > MaxRows {
				return false
			}
		}
		group = rest
	}
	return true
}

// Decode reads a cell of a group into the column. When it refers to another cell, groups returns the group of that cell.
func (c *Column) Decode(group []byte, cell int, rows *Rows, groups Groups) error {
	p, err := cellOf(group, cell)
	if err != nil {
		return err
	}
	return c.unpack(&p, cell, rows, groups)
}

// Each reads the cells [first, end) of a group that begins with cell first, one after the other into the column.
func (c *Column) Each(group []byte, first, end int, rows *Rows, groups Groups, visit func(cell int)) error {
	for cell := first; cell < end && len(group) > 0; cell++ {
		p, rest, err := next(group)
		if err != nil {
			return err
		}
		if err := c.unpack(&p, cell, rows, groups); err != nil {
			return err
		}
		visit(cell)
		group = rest
	}
	return nil
}

// EachLast reads the last readings of the cells [first, end) of a group that begins with cell first. The list is valid only
// during visit.
func EachLast(group []byte, first, end, rows int, groups Groups, visit func(cell int, last []int64)) error {
	var values []int64
	for cell := first; cell < end && len(group) > 0; cell++ {
		p, rest, err := next(group)
		if err != nil {
			return err
		}
		if values, err = p.list(values[:0], lastList, cell, rows, groups); err != nil {
			return err
		}
		visit(cell, values)
		group = rest
	}
	return nil
}

func (c *Column) unpack(p *packed, cell int, rows *Rows, groups Groups) (err error) {
	count := rows.Len()
	c.Reset(p.kind, count)
	if c.Last, err = p.list(c.Last[:0], lastList, cell, count, groups); err != nil {
		return err
	}
	if p.flags&hasRange != 0 {
		if c.Min, err = p.list(c.Min[:0], lowList, cell, count, groups); err != nil {
			return err
		}
		if c.Max, err = p.list(c.Max[:0], highList, cell, count, groups); err != nil {
			return err
		}
	}
	if p.flags&hasSum != 0 {
		if c.Sum, err = p.list(c.Sum[:0], sumList, cell, count, groups); err != nil {
			return err
		}
	}
	if p.flags&hasLack != 0 {
		if c.Count, err = p.list(c.Count[:0], lackList, cell, count, groups); err != nil {
			return err
		}
	}
	for i, last := range c.Last {
		c.Count[i] = c.expectedCount(i, rows, last) - c.Count[i]
		if c.Count[i] < 0 || c.Count[i] > rows.Samples[i] {
			return fmt.Errorf("%w: a row covers more samples than there are", errBlock)
		}
		switch {
		case c.Kind == Counter:
			c.Min[i], c.Max[i] = c.Min[i]*p.unit, c.Max[i]*p.unit
		case c.Count[i] == 0:
			c.Min[i], c.Max[i] = 0, 0
		case c.Kind == Value:
			c.Min[i], c.Max[i] = last-c.Min[i], last+c.Max[i]
		default:
			c.Min[i], c.Max[i] = last+c.Min[i], last+c.Max[i]
		}
		c.Sum[i] += c.expectedSum(i, rows)
	}
	return nil
}

// list reads one list of a cell.
func (p *packed) list(dst []int64, list, cell, rows int, groups Groups) ([]int64, error) {
	m := p.members[list]
	if m.Block != nil {
		return codec.Unpack(dst, m.Block, rows)
	}
	if m.Like >= cell {
		return dst, fmt.Errorf("%w has a cell that refers to a later one", errBlock)
	}
	group, err := groups(m.Like / codec.GroupCells)
	if err != nil {
		return dst, fmt.Errorf("%w: the group of cell %d: %w", chunk.ErrCorrupt, m.Like, err)
	}
	twin, err := cellOf(group, m.Like)
	if err != nil {
		return dst, err
	}
	if twin.members[list].Block == nil {
		return dst, errTwice
	}
	before := len(dst)
	dst, err = codec.Unpack(dst, twin.members[list].Block, rows)
	codec.Shift(dst[before:], m.First)
	return dst, err
}

var errTwice = errors.Join(errBlock, errors.New("a cell refers to a cell that refers to another"))
