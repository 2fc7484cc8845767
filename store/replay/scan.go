package replay

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"sort"
	"time"

	"cxdeck/perf"
	"cxdeck/store/codec"
	"cxdeck/store/parts"
)

// scan reads a session in one transaction, and lists its parts only once.
type scan struct {
	p       *replay
	tx      *sql.Tx
	schema  *perf.Schema
	windows []parts.Part
	blocks  []parts.Block
	frames  [][]byte
	// lists are the parts of the session by the requested length of rows.
	lists  map[int64]partList
	reader cellReader
}

// partList is the parts of a session. If they are ordered, each ends before the next begins; they overlap when the clock was
// set back.
type partList struct {
	parts   []parts.Part
	ordered bool
}

// ScanBands begins a scan of the session as it is now.
func (p *replay) ScanBands(ctx context.Context) (perf.BandScan, error) {
	tx, err := p.history.Reader.BeginTx(ctx, nil)
	if err != nil {
		return nil, p.history.Explain(err)
	}
	s := &scan{p: p, tx: tx, schema: p.schema.Load(), lists: map[int64]partList{}, reader: cellReader{tx: tx}}
	if err := s.list(ctx); err != nil {
		tx.Rollback()
		return nil, p.history.Explain(err)
	}
	return s, nil
}

func (s *scan) list(ctx context.Context) (err error) {
	if s.blocks, err = parts.Blocks(ctx, s.tx, s.p.id, math.MinInt64, math.MaxInt64); err != nil {
		return err
	}
	if s.windows, err = parts.Windows(ctx, s.tx, s.p.id, "", ""); err != nil {
		return err
	}
	frames, err := parts.Frames(ctx, s.tx, s.p.id)
	s.frames = frames[:codec.CountReadable(frames)]
	return err
}

// Close ends the scan.
func (s *scan) Close() error { return s.tx.Rollback() }

// ReadBands is ReadBands of the session.
func (s *scan) ReadBands(ctx context.Context, series int, from, to time.Time, step time.Duration, dst []perf.Band) ([]perf.Band, error) {
	if series < 0 || series >= len(s.schema.Series) {
		return dst, fmt.Errorf("session %d has %d series, and none has the number %d", s.p.id, len(s.schema.Series), series)
	}
	bands := newBander(s.schema.Series[series], from, to, dst)
	c := &s.reader
	c.ctx, c.cell, c.into, c.ended = ctx, s.schema.Series[series].Cell, bands, math.MinInt64
	c.groups.Within(ctx)
	list := s.partsOf(int64(step)).in(bands.from, bands.to)
	bands.reserve(countRows(list))
	if err := c.read(list); err != nil {
		return bands.dst, s.p.history.Explain(err)
	}
	if last := len(s.windows) - 1; last >= 0 && s.windows[last].Ended >= bands.to {
		return bands.dst, nil
	}
	return bands.dst, s.p.history.Explain(readFrames(s.frames, c.cell, bands))
}

// ReadGaps is ReadGaps of the session.
func (s *scan) ReadGaps(ctx context.Context, from, to time.Time, dst []int64) ([]int64, error) {
	dst, err := readGaps(ctx, s.tx, s.p.id, from.UnixNano(), to.UnixNano(), dst)
	return dst, s.p.history.Explain(err)
}

// partsOf lists the parts to read for rows of at most step nanoseconds.
func (s *scan) partsOf(step int64) partList {
	key := min(step, parts.HourStep)
	if key < parts.HourStep {
		key = min(key, parts.MinuteStep)
	}
	if key < parts.MinuteStep {
		key = 0
	}
	if list, ok := s.lists[key]; ok {
		return list
	}
	list := partList{parts: parts.Merge(s.windows, parts.Choose(s.blocks, key)), ordered: true}
	for i := range list.parts {
		if i > 0 && list.parts[i].Started <= list.parts[i-1].Ended {
			list.ordered = false
		}
	}
	s.lists[key] = list
	return list
}

// in returns the parts in a period. It includes the part before it if the period begins with the first sample of a part, or
// with a block.
func (l partList) in(from, to int64) []parts.Part {
	if l.ordered {
		first := sort.Search(len(l.parts), func(i int) bool { return l.parts[i].Ended >= from })
		behind := sort.Search(len(l.parts), func(i int) bool { return l.parts[i].Started > to })
		if first > 0 && (first == len(l.parts) || l.parts[first].Step > 0 || l.parts[first].Started >= from) {
			first--
		}
		return l.parts[first:max(first, behind)]
	}
	before := int64(math.MinInt64)
	for i := range l.parts {
		if ended := l.parts[i].Ended; ended < from {
			before = max(before, ended)
		}
	}
	return slices.DeleteFunc(slices.Clone(l.parts), func(p parts.Part) bool { return p.Ended < before || p.Started > to })
}
