package window

import (
	"slices"
	"sort"

	"cxdeck/perf"
	"cxdeck/perf/chunk"
)

// columns keeps the newest columns of a source in little memory. The last blockLength columns are unpacked in rows, one row per
// column, so that adding a column is a copy. Older ones are packed: the cells are divided into tiles, and each tile packs its
// part of the rows once in blockLength columns, just before they are overwritten. The tiles take turns, so that every column
// costs the same. Memory of old blocks is reused.
type columns struct {
	capacity int
	// next is the number of the next column; the kept columns are [oldest, next). first is the oldest column that was kept when
	// the capacity changed.
	first, next uint64
	// times and gaps are rings of capacity entries: the time of a column, and whether samples before it were missed.
	times []int64
	gaps  []bool
	// cells is the number of cells in a column, stride the number with room in a row.
	cells, stride int
	rows          []int64
	tiles         []tile
	packers       []packer // the working memory of each goroutine that packs tiles
}

// packer is the working memory for packing a tile: columns of its cells, cell by cell.
type packer struct {
	values  []int64
	columns int // the number of values of each cell
	packed  []byte
	read    []int64 // one cell of a batch
}

const (
	// blockLength is the number of columns in a packed block.
	blockLength = 15
	// tileCells is the number of cells that are packed together. Their offsets in a block must fit in 16 bits.
	tileCells = 64
)

// tile is the packed columns of adjacent cells: a ring of blocks.
type tile struct {
	blocks []block
}

// block is blockLength columns of a tile, up to column end-1. An end of 0 means an empty block.
type block struct {
	end    uint64
	places []uint16 // the offset of each cell's samples in data, and of the end
	data   []byte
}

func newColumns(capacity int) *columns {
	return &columns{
		capacity: capacity,
		times:    make([]int64, capacity),
		gaps:     make([]bool, capacity),
	}
}

func (c *columns) oldest() uint64 {
	if c.next <= c.first+uint64(c.capacity) {
		return c.first
	}
	return c.next - uint64(c.capacity)
}

func (c *columns) time(number uint64) int64 { return c.times[number%uint64(c.capacity)] }

func (c *columns) gap(number uint64) bool { return c.gaps[number%uint64(c.capacity)] }

// search returns the first column at or after a time, next when there is none.
func (c *columns) search(time int64) uint64 {
	oldest := c.oldest()
	return oldest + uint64(sort.Search(int(c.next-oldest), func(i int) bool { return c.time(oldest+uint64(i)) >= time }))
}

// clear removes the columns and keeps the memory.
func (c *columns) clear() {
	c.first, c.next = 0, 0
	for i := range c.tiles {
		for j := range c.tiles[i].blocks {
			c.tiles[i].blocks[j].end = 0
		}
	}
}

// push adds a column.
func (c *columns) push(time int64, gap bool, cells []int64) {
	if len(cells) > c.cells {
		c.widen(len(cells))
	}
	slot := c.next % uint64(c.capacity)
	c.times[slot], c.gaps[slot] = time, gap
	row := c.row(c.next)
	for i := copy(row, cells); i < len(row); i++ {
		row[i] = perf.Missing
	}
	c.next++
	for i := int((c.next - 1) % blockLength); i < len(c.tiles); i += blockLength {
		c.packTile(i)
	}
}

// row returns the unpacked row of one of the last blockLength columns.
func (c *columns) row(number uint64) []int64 {
	start := int(number%blockLength) * c.stride
	return c.rows[start : start+c.cells]
}

// widen makes room for more cells; in the columns so far they are Missing.
func (c *columns) widen(cells int) {
	if cells > c.stride {
		stride := (cells + tileCells - 1) / tileCells * tileCells
		if c.stride > 0 {
			stride += stride / 8 / tileCells * tileCells // more interfaces will probably follow
		}
		rows := make([]int64, blockLength*stride)
		for i := range rows {
			rows[i] = perf.Missing
		}
		for i := range blockLength {
			copy(rows[i*stride:], c.rows[i*c.stride:i*c.stride+c.cells])
		}
		c.rows, c.stride = rows, stride
	}
	c.cells = cells
	for len(c.tiles)*tileCells < cells {
		c.tiles = append(c.tiles, tile{blocks: make([]block, c.blocks())})
	}
}

// blocks returns the number of blocks that a tile needs.
func (c *columns) blocks() int { return (c.capacity + blockLength - 1) / blockLength }

// packTile packs the rows of a tile as the block that ends with the newest column.
func (c *columns) packTile(number int) {
	p := c.packer(0)
	length := int(min(c.next, blockLength))
	p.reset(c.width(number), length)
	c.copyRows(p, number, c.next-uint64(length), c.next)
	p.pack(c.tiles[number].blockBefore(c.next), c.next, 0, length)
}

// width returns the number of cells in a tile.
func (c *columns) width(number int) int { return min(tileCells, c.cells-number*tileCells) }

// packer returns the working memory with an index.
func (c *columns) packer(index int) *packer {
	for len(c.packers) <= index {
		c.packers = append(c.packers, packer{})
	}
	return &c.packers[index]
}

// copyRows copies the unpacked columns [from, to) of a tile to the packer.
func (c *columns) copyRows(p *packer, number int, from, to uint64) {
	start, width := number*tileCells, c.width(number)
	for i := range int(to - from) {
		for j, value := range c.row(from + uint64(i))[start : start+width] {
			p.values[j*p.columns+i] = value
		}
	}
}

// reset makes room for the columns of a number of cells.
func (p *packer) reset(width, columns int) {
	p.columns = columns
	p.values = slices.Grow(p.values[:0], width*columns)[:width*columns]
}

// pack packs columns of the packer, beginning with the column at from, as the block that ends before column end.
func (p *packer) pack(into *block, end uint64, from, length int) {
	width := len(p.values) / p.columns
	if cap(into.places) < width+1 {
		into.places = make([]uint16, 0, width+1)
	}
	into.places = append(into.places[:0], 0)
	p.packed = p.packed[:0]
	for cell := range width {
		p.packed = chunk.Append(p.packed, p.values[cell*p.columns+from:][:length])
		into.places = append(into.places, uint16(len(p.packed)))
	}
	if cap(into.data) < len(p.packed) {
		// A little more, so that a busier minute does not need an allocation.
		into.data = make([]byte, 0, len(p.packed)+len(p.packed)/8)
	}
	into.data = append(into.data[:0], p.packed...)
	into.end = end
}

// blockBefore returns the block that ends, or would end, before a column.
func (t *tile) blockBefore(end uint64) *block {
	return &t.blocks[(end-1)/blockLength%uint64(len(t.blocks))]
}

// read appends a cell of the columns [from, to) to dst; the columns must be kept ones.
func (c *columns) read(cell int, from, to uint64, dst []int64) []int64 {
	open := from
	if c.next > blockLength {
		open = min(to, c.next-blockLength)
	}
	if cell >= c.cells {
		for ; from < to; from++ {
			dst = append(dst, perf.Missing)
		}
		return dst
	}
	tile, turn := &c.tiles[cell/tileCells], uint64(cell/tileCells%blockLength)
	for from < open {
		// Blocks of a tile end with the columns whose number leaves the tile's turn as remainder.
		end := from + (turn+blockLength-from%blockLength)%blockLength + 1
		upto := min(end, open)
		dst = tile.blockBefore(end).read(cell%tileCells, from, upto, end, dst)
		from = upto
	}
	for ; from < to; from++ {
		dst = append(dst, c.rows[int(from%blockLength)*c.stride+cell])
	}
	return dst
}

// read appends one cell of the columns [from, to) of the block that should end before end. Columns that the block does not have
// are Missing.
func (b *block) read(cell int, from, to, end uint64, dst []int64) []int64 {
	if b.end == end && cell+1 < len(b.places) {
		before := len(dst)
		all, err := chunk.Decode(dst, b.data[b.places[cell]:b.places[cell+1]])
		start := end - uint64(len(all)-before)
		if err == nil && start <= from {
			count := copy(all[before:], all[before+int(from-start):before+int(to-start)])
			return all[:before+count]
		}
	}
	for ; from < to; from++ {
		dst = append(dst, perf.Missing)
	}
	return dst
}

// resize changes the number of kept columns; the newest ones stay.
func (c *columns) resize(capacity int) {
	if capacity == c.capacity {
		return
	}
	times, gaps := make([]int64, capacity), make([]bool, capacity)
	oldest := c.oldest()
	if c.next > uint64(capacity) {
		oldest = max(oldest, c.next-uint64(capacity))
	}
	for number := oldest; number < c.next; number++ {
		times[number%uint64(capacity)], gaps[number%uint64(capacity)] = c.time(number), c.gap(number)
	}
	c.capacity, c.first, c.times, c.gaps = capacity, oldest, times, gaps
	for i := range c.tiles {
		old := c.tiles[i].blocks
		c.tiles[i].blocks = make([]block, c.blocks())
		for _, b := range old {
			if b.end > oldest {
				*c.tiles[i].blockBefore(b.end) = b
			}
		}
	}
}
