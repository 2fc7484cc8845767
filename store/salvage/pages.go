package salvage

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"cxdeck/perf/regular"
)

// The format of a database is described at https://www.sqlite.org/fileformat2.html.

// The kinds of pages of a tree.
const (
	indexInterior = 0x02
	TableInterior = 0x05
	indexLeaf     = 0x0a
	TableLeaf     = 0x0d
)

// The kinds of pages in the map of an auto-vacuum database.
const (
	mapRoot      = 1
	MapFree      = 2
	MapOverflow1 = 3
	MapOverflow2 = 4
	mapTree      = 5
)

// DefaultPage is the page size of this program's databases, in bytes.
const DefaultPage = 4096

// errPage reports that a page or a part of it can't be read.
var errPage = errors.New("a page is damaged")

// File reads the pages of a database and of the log beside it.
type File struct {
	data, log *os.File // log is nil when there is none
	size      int      // bytes of a page
	usable    int      // bytes of a page without the reserved ones at its end
	Count     int      // pages
	// logged is the offset of the newest copy of a page in the log.
	logged map[int]int64
	// mapped reports that the database has a map of its pages.
	mapped bool
	// Version is the schema version; 0 when it can't be read.
	Version int
}

// Open opens a database that may be damaged anywhere.
func Open(path string) (*File, error) {
	data, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	p := &File{data: data, logged: map[int]int64{}}
	if log, err := regular.Open(path + "-wal"); err == nil {
		p.log = log
	}
	info, err := data.Stat()
	if err == nil {
		err = p.begin(info.Size())
	}
	if err != nil {
		_ = p.Close() // nothing was written
		return nil, err
	}
	return p, nil
}

func (p *File) Close() error {
	if p.log != nil {
		return errors.Join(p.data.Close(), p.log.Close())
	}
	return p.data.Close()
}

// begin reads the header of the file and the list of pages in the log.
func (p *File) begin(size int64) error {
	var header [HeaderSize]byte
	_, err := p.data.ReadAt(header[:], 0)
	if p.size = int(binary.BigEndian.Uint16(header[headerPageSize:])); p.size == 1 {
		p.size = 65536
	}
	if err != nil || string(header[:len(HeaderMagic)]) != HeaderMagic || !pageSize(p.size) {
		p.size = DefaultPage
	}
	p.usable = p.size
	p.Count = int(min((size+int64(p.size)-1)/int64(p.size), math.MaxInt32))
	p.readLog()
	if first, err := p.page(1); err == nil && string(first[:len(HeaderMagic)]) == HeaderMagic {
		p.usable = p.size - int(first[headerReserved])
		p.Version = int(binary.BigEndian.Uint32(first[HeaderVersion:]))
		p.mapped = binary.BigEndian.Uint32(first[headerLargestRoot:]) != 0
	} else {
		p.mapped = p.hasPageMap()
	}
	if p.usable < 480 { // the format's own limit
		return fmt.Errorf("%w: the header", errPage)
	}
	return nil
}

// MaxValue limits the size of one row, in bytes, so that a tampered file can't take all memory.
const MaxValue = 32 << 20

// The header of a file: its size, its first bytes, and offsets in it.
const (
	HeaderSize        = 100
	HeaderMagic       = "SQLite format 3\x00"
	HeaderVersion     = 60
	headerPageSize    = 16
	headerReserved    = 20
	headerLargestRoot = 52
)

func pageSize(n int) bool { return n >= 512 && n <= 65536 && n&(n-1) == 0 }

// hasPageMap reports whether the second page looks like a pointer map, for a file whose header can't be read.
func (p *File) hasPageMap() bool {
	second, err := p.page(2)
	if err != nil {
		return false
	}
	for at := 0; at+5 <= min(p.usable, 5*(p.Count-2)); at += 5 {
		if kind := second[at]; kind < mapRoot || kind > mapTree {
			return false
		}
	}
	return true
}

// The parts of a log.
const (
	logHeader   = 32
	frameHeader = 24
	logMagic    = 0x377f0682 // or one more, for checksums of big-endian words
)

// readLog finds the committed pages of the log, up to the first wrong checksum.
func (p *File) readLog() {
	var header [logHeader]byte
	if p.log == nil {
		return
	}
	if _, err := p.log.ReadAt(header[:], 0); err != nil {
		return
	}
	magic := binary.BigEndian.Uint32(header[:])
	if magic&^1 != logMagic || !pageSize(int(binary.BigEndian.Uint32(header[8:]))) {
		return
	}
	var order binary.ByteOrder = binary.LittleEndian
	if magic&1 != 0 {
		order = binary.BigEndian
	}
	sum := logSum{order: order}
	if sum.add(header[:24]); !sum.is(header[24:]) {
		return
	}
	if size := int(binary.BigEndian.Uint32(header[8:])); size != p.size {
		p.Count = p.Count * p.size / size
		p.size, p.usable = size, size
	}
	frame := make([]byte, frameHeader+p.size)
	waiting := map[int]int64{}
	for at := int64(logHeader); ; at += int64(len(frame)) {
		if _, err := p.log.ReadAt(frame, at); err != nil {
			return
		}
		if string(frame[8:16]) != string(header[16:24]) {
			return // of an earlier use of the log
		}
		sum.add(frame[:8])
		if sum.add(frame[frameHeader:]); !sum.is(frame[16:]) {
			return
		}
		number := int(binary.BigEndian.Uint32(frame))
		waiting[number] = at + frameHeader
		if pages := int(binary.BigEndian.Uint32(frame[4:])); pages > 0 { // the end of a transaction
			p.Count = pages
			for number, at := range waiting {
				p.logged[number] = at
			}
			clear(waiting)
		}
	}
}

// logSum is the running checksum of a log.
type logSum struct {
	order  binary.ByteOrder
	s0, s1 uint32
}

func (s *logSum) add(data []byte) {
	for ; len(data) >= 8; data = data[8:] {
		s.s0 += s.order.Uint32(data) + s.s1
		s.s1 += s.order.Uint32(data[4:]) + s.s0
	}
}

func (s *logSum) is(stored []byte) bool {
	return binary.BigEndian.Uint32(stored) == s.s0 && binary.BigEndian.Uint32(stored[4:]) == s.s1
}

// page reads a page; the first is 1.
func (p *File) page(number int) ([]byte, error) {
	if number < 1 || number > p.Count {
		return nil, fmt.Errorf("%w: there is no page %d", errPage, number)
	}
	data := make([]byte, p.size)
	from, at := p.data, int64(number-1)*int64(p.size)
	if logged, ok := p.logged[number]; ok {
		from, at = p.log, logged
	}
	if n, err := from.ReadAt(data, at); err != nil && (n == 0 || !errors.Is(err, io.EOF)) {
		return nil, fmt.Errorf("%w: page %d: %w", errPage, number, err)
	}
	return data, nil
}

// mapEntry returns the page and the offset of a page's entry in the pointer map.
func (p *File) mapEntry(number int) (page, at int) {
	each := p.usable/5 + 1
	page = (number-2)/each*each + 2
	return page, 5 * (number - page - 1)
}

// Owner returns the kind and the parent of a page, from the pointer map.
func (p *File) Owner(number int) (kind byte, parent int, ok bool) {
	if !p.mapped || number < 3 {
		return 0, 0, false
	}
	page, at := p.mapEntry(number)
	if at < 0 || at+5 > p.usable {
		return 0, 0, false // a page of the map itself
	}
	data, err := p.page(page)
	if err != nil || data[at] < mapRoot || data[at] > mapTree {
		return 0, 0, false
	}
	return data[at], int(binary.BigEndian.Uint32(data[at+1:])), true
}

// node is a page of a tree.
type node struct {
	Kind  byte
	data  []byte
	Cells []int // where they begin
	Right int   // the last child of an interior page
}

func (n *node) Leaf() bool { return n.Kind == TableLeaf || n.Kind == indexLeaf }

// Node reads a page of a tree. Cells at impossible offsets become 0, which Cell rejects.
func (p *File) Node(number int) (*node, error) {
	data, err := p.page(number)
	if err != nil {
		return nil, err
	}
	at := 0
	if number == 1 {
		at = HeaderSize
	}
	n := &node{Kind: data[at], data: data}
	begin := at + 8
	switch n.Kind {
	case TableLeaf, indexLeaf:
	case TableInterior, indexInterior:
		n.Right = int(binary.BigEndian.Uint32(data[at+8:]))
		begin = at + 12
	default:
		return nil, fmt.Errorf("%w: page %d is not part of a tree", errPage, number)
	}
	count := int(binary.BigEndian.Uint16(data[at+3:]))
	if begin+2*count > p.usable {
		return nil, fmt.Errorf("%w: page %d has %d cells", errPage, number, count)
	}
	for i := range count {
		cell := int(binary.BigEndian.Uint16(data[begin+2*i:]))
		if cell < begin+2*count || cell >= p.usable {
			cell = 0 // Cell reports it as damaged
		}
		n.Cells = append(n.Cells, cell)
	}
	return n, nil
}

// cell is a decoded cell: child of an interior page, key, and payload of a leaf.
type cell struct {
	child   int
	Key     int64
	payload []byte
}

// Cell reads a cell of a page.
func (p *File) Cell(n *node, index int) (c cell, err error) {
	at := n.Cells[index]
	if at == 0 {
		return c, errPage
	}
	rest := n.data[at:p.usable]
	if !n.Leaf() {
		if len(rest) < 4 {
			return c, errPage
		}
		c.child = int(binary.BigEndian.Uint32(rest))
		rest = rest[4:]
	}
	if n.Kind == TableInterior {
		c.Key, _, err = varint(rest)
		return c, err
	}
	size, rest, err := varint(rest)
	if err != nil || size < 0 || size > MaxValue {
		return c, errPage
	}
	if n.Kind == TableLeaf {
		if c.Key, rest, err = varint(rest); err != nil {
			return c, err
		}
	}
	c.payload, err = p.payload(n, rest, int(size))
	return c, err
}

// payload reads the payload of a cell, with its overflow pages. With an error it returns the part before the damage.
func (p *File) payload(n *node, rest []byte, size int) ([]byte, error) {
	maxLocal := (p.usable-12)*64/255 - 23
	if n.Kind == TableLeaf {
		maxLocal = p.usable - 35
	}
	local := size
	if size > maxLocal {
		minLocal := (p.usable-12)*32/255 - 23
		if local = minLocal + (size-minLocal)%(p.usable-4); local > maxLocal {
			local = minLocal
		}
	}
	if local > len(rest) {
		return nil, errPage
	}
	if local == size {
		return rest[:size], nil
	}
	if len(rest) < local+4 {
		return nil, errPage
	}
	payload := append([]byte(nil), rest[:local]...)
	certain := size // bytes from pages that the map does not assign to another use
	next := int(binary.BigEndian.Uint32(rest[local:]))
	for len(payload) < size {
		if kind, _, ok := p.Owner(next); ok && kind != MapOverflow1 && kind != MapOverflow2 {
			certain = min(certain, len(payload))
		}
		page, err := p.page(next)
		if err != nil {
			return payload[:min(certain, len(payload))], err
		}
		next = int(binary.BigEndian.Uint32(page))
		payload = append(payload, page[4:4+min(size-len(payload), p.usable-4)]...)
	}
	if certain < size && next != 0 { // a chain that ends with the payload is right, and the map is damaged
		return payload[:certain], errPage
	}
	return payload, nil
}

// varint reads a number as SQLite packs it: up to nine bytes, the most significant first.
func varint(data []byte) (value int64, rest []byte, err error) {
	var n uint64
	for i, b := range data[:min(9, len(data))] {
		if i == 8 {
			return int64(n<<8 | uint64(b)), data[9:], nil
		}
		if n = n<<7 | uint64(b&0x7f); b < 0x80 {
			return int64(n), data[i+1:], nil
		}
	}
	return 0, nil, errPage
}

// recordValues reads the values of a row: int64, float64, string, []byte or nil. With an error it returns the values
// before the damage.
func recordValues(payload []byte) ([]any, error) {
	size, _, err := varint(payload)
	if err != nil || size < 1 || size > int64(len(payload)) {
		return nil, errPage
	}
	_, kinds, _ := varint(payload[:size])
	body := payload[size:]
	var values []any
	for len(kinds) > 0 {
		var kind int64
		if kind, kinds, err = varint(kinds); err != nil {
			return nil, err
		}
		width := kindWidth(kind)
		if width < 0 || width > len(body) {
			return values, errPage
		}
		values = append(values, kindValue(kind, body[:width]))
		body = body[width:]
	}
	return values, nil
}

// kindWidth returns the size of a value in bytes; -1 for an unknown kind.
func kindWidth(kind int64) int {
	switch {
	case kind >= 12 && kind < MaxValue*2+14:
		return int(kind-12) / 2
	case kind >= 0 && kind <= 9:
		return [...]int{0, 1, 2, 3, 4, 6, 8, 8, 0, 0}[kind]
	}
	return -1
}

func kindValue(kind int64, data []byte) any {
	switch kind {
	case 0:
		return nil
	case 7:
		return math.Float64frombits(binary.BigEndian.Uint64(data))
	case 8, 9:
		return kind - 8
	}
	if kind >= 12 {
		if kind%2 == 0 {
			return append([]byte{}, data...)
		}
		return string(data)
	}
	n := int64(0)
	for i, b := range data {
		if i == 0 {
			n = int64(int8(b)) // the sign
		} else {
			n = n<<8 | int64(b)
		}
	}
	return n
}
