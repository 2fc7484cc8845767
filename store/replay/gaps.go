package replay

import (
	"bytes"
	"context"
	"database/sql"
	"time"

	"cxdeck/perf/chunk"
	"cxdeck/store/codec"
	"cxdeck/store/fault"
	"cxdeck/store/parts"
)

// ReadGaps appends to dst the times of samples that follow missed samples, in nanoseconds. It may be called from any goroutine.
func (p *replay) ReadGaps(ctx context.Context, from, to time.Time, dst []int64) ([]int64, error) {
	dst, err := p.readGaps(ctx, from.UnixNano(), to.UnixNano(), dst)
	return dst, p.history.Explain(err)
}

func (p *replay) readGaps(ctx context.Context, from, to int64, dst []int64) ([]int64, error) {
	tx, err := p.history.Reader.BeginTx(ctx, nil) // in one transaction, a window is in exactly one of the two tables
	if err != nil {
		return dst, err
	}
	defer tx.Rollback()
	return readGaps(ctx, tx, p.id, from, to, dst)
}

func readGaps(ctx context.Context, tx *sql.Tx, session, from, to int64, dst []int64) ([]int64, error) {
	rows, err := tx.QueryContext(ctx, "SELECT samples, times, missed FROM clock WHERE session = ? AND ended >= ? AND started <= ? ORDER BY id", session, from, to)
	if err != nil {
		return dst, err
	}
	defer rows.Close()
	var none gapless
	var times, missed []int64
	for rows.Next() {
		var samples int
		var packedTimes, packedMissed sql.RawBytes
		if err := rows.Scan(&samples, &packedTimes, &packedMissed); err != nil {
			return dst, err
		}
		if samples < 1 || samples > codec.WindowSamples {
			return dst, fault.ErrDamaged
		}
		if none.equals(packedMissed, samples) {
			continue
		}
		if times, err = codec.Unpack(times[:0], packedTimes, samples); err != nil {
			return dst, err
		}
		if missed, err = codec.Unpack(missed[:0], packedMissed, samples); err != nil {
			return dst, err
		}
		for i := range times {
			if missed[i] > 0 && times[i] >= from && times[i] <= to {
				dst = append(dst, times[i])
			}
		}
	}
	if err := rows.Err(); err != nil {
		return dst, err
	}
	frames, err := parts.Frames(ctx, tx, session)
	if err != nil {
		return dst, err
	}
	times, missed, err = codec.AppendTimes(times[:0], missed[:0], frames[:codec.CountReadable(frames)])
	for i := range times {
		if missed[i] > 0 && times[i] >= from && times[i] <= to {
			dst = append(dst, times[i])
		}
	}
	return dst, err
}

// gapless is the packed list of missed samples of a window without any, as most windows have it.
type gapless struct {
	samples int
	packed  []byte
}

func (g *gapless) equals(packed []byte, samples int) bool {
	if g.samples != samples {
		g.samples, g.packed = samples, chunk.Append(g.packed[:0], make([]int64, samples))
	}
	return bytes.Equal(packed, g.packed)
}
