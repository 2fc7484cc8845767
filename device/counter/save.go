package counter

import (
	"encoding/binary"
	"errors"
	"io"
)

// AppendCells appends the saved form of cells. Most are small, and many are 0 together.
func AppendCells(out []byte, cells []uint64) []byte {
	for i := 0; i < len(cells); i++ {
		out = binary.AppendUvarint(out, cells[i])
		if cells[i] != 0 {
			continue
		}
		first := i
		for i+1 < len(cells) && cells[i+1] == 0 {
			i++
		}
		out = binary.AppendUvarint(out, uint64(i-first)) // the number of further zeros
	}
	return out
}

// ReadCells reads cells that AppendCells saved.
func ReadCells(in io.ByteReader, cells []uint64) error {
	for i := 0; i < len(cells); i++ {
		n, err := binary.ReadUvarint(in)
		if err != nil {
			return err
		}
		if cells[i] = n; n != 0 {
			continue
		}
		more, err := binary.ReadUvarint(in)
		if err != nil {
			return err
		}
		if more > uint64(len(cells)-i-1) {
			return errors.New("there are more saved counters than cells")
		}
		clear(cells[i : i+int(more)+1])
		i += int(more)
	}
	return nil
}
