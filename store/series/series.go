package series

import (
	"bufio"
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"

	"cxdeck/perf"
	"cxdeck/store/codec"
	"cxdeck/store/document"
	"cxdeck/store/fault"
)

// A list gives the cells of a session their meaning. Its text is the number of series as an unsigned varint, then for each the
// set, instance, counter, unit and sum, each as its length and its bytes, then the kind, cell, scale, width and line. Numbers
// are unsigned varints; the bits of a scale are reversed, which keeps numbers of few digits short. The text is stored deflated,
// once for all sessions with the same series.

// The limits of a list.
const (
	MaxSeries = 1 << 20
	maxName   = 1 << 20 // bytes of one text in it
)

// Text returns the text of a list.
func Text(series []perf.Series) []byte {
	var text bytes.Buffer
	_ = writeText(&text, series) // a buffer takes everything
	return text.Bytes()
}

// writeText writes the text of a list, a series at a time: the text of a large lab has many megabytes.
func writeText(to io.Writer, series []perf.Series) error {
	packed := binary.AppendUvarint(nil, uint64(len(series)))
	for _, s := range series {
		for _, name := range [...]string{s.Set, s.Instance, s.Counter, string(s.Unit), s.Sum} {
			packed = binary.AppendUvarint(packed, uint64(len(name)))
			packed = append(packed, name...)
		}
		for _, number := range [...]uint64{
			uint64(s.Kind), uint64(s.Cell), bits.Reverse64(math.Float64bits(s.Scale)), uint64(s.Width), s.Line,
		} {
			packed = binary.AppendUvarint(packed, number)
		}
		if _, err := to.Write(packed); err != nil {
			return err
		}
		packed = packed[:0]
	}
	_, err := to.Write(packed)
	return err
}

// listReader reads a list while it is inflated, so that a tampered list can't take memory for its text or for series that it
// does not have.
type listReader struct {
	from *bufio.Reader
	name []byte
	// names has each distinct text once, because most repeat.
	names map[string]string
	err   error
}

// Unpack reads a stored list.
func Unpack(packed []byte) ([]perf.Series, error) {
	r := listReader{
		from:  bufio.NewReader(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), document.MaxText)),
		names: map[string]string{},
	}
	count := r.number(MaxSeries)
	var series []perf.Series
	for range count {
		s := perf.Series{Set: r.text(), Instance: r.text(), Counter: r.text(), Unit: perf.Unit(r.text()), Sum: r.text()}
		s.Kind = perf.Kind(r.number(math.MaxUint8))
		s.Cell = int(r.number(codec.MaximumCells))
		s.Scale = math.Float64frombits(bits.Reverse64(r.number(math.MaxUint64)))
		s.Width = uint8(r.number(math.MaxUint8))
		s.Line = r.number(math.MaxUint64)
		if last := len(series) - 1; last >= 0 && series[last].Counter == s.Counter && series[last].Instance == s.Instance &&
			series[last].Set == s.Set {
			r.fail(errTwice) // a few deflated bytes may repeat one series a million times
		}
		if r.err != nil {
			break
		}
		series = append(series, s)
	}
	if r.err != nil {
		return nil, fmt.Errorf("read a list of series: %w: %w", fault.ErrDamaged, r.err)
	}
	return series, nil
}

var errTwice = errors.New("a series is listed twice")

// fail keeps the first failure.
func (r *listReader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// number reads the next number; a failure stays in err.
func (r *listReader) number(limit uint64) uint64 {
	if r.err != nil {
		return 0
	}
	n, err := binary.ReadUvarint(r.from)
	if err == nil && n > limit {
		err = fmt.Errorf("%d is above the maximum of %d", n, limit)
	}
	if r.err = err; err != nil {
		return 0
	}
	return n
}

func (r *listReader) text() string {
	n := int(r.number(maxName))
	if r.err != nil {
		return ""
	}
	if cap(r.name) < n {
		r.name = make([]byte, n)
	}
	r.name = r.name[:n]
	if _, r.err = io.ReadFull(r.from, r.name); r.err != nil {
		return ""
	}
	if known, ok := r.names[string(r.name)]; ok {
		return known
	}
	name := string(r.name)
	r.names[name] = name
	return name
}

// Store assigns a list to a session, and drops the previous one when no other session uses it. It returns the bytes
// that were added to the file.
func Store(ctx context.Context, tx *sql.Tx, session int64, series []perf.Series) (bytes int64, err error) {
	digest := sha256.New()
	if err := writeText(digest, series); err != nil {
		return 0, err
	}
	hash := digest.Sum(nil)
	var id, old, length int64
	err = tx.QueryRowContext(ctx, "SELECT id, length(data) FROM series_list WHERE hash = ?", hash).Scan(&id, &length)
	if errors.Is(err, sql.ErrNoRows) || err == nil && length == 0 { // of a damaged list only the hash was saved
		var packed []byte
		if packed, err = document.DeflateFrom(func(to io.Writer) error { return writeText(to, series) }); err != nil {
			return 0, err
		}
		bytes = int64(len(packed))
		err = tx.QueryRowContext(ctx, `INSERT INTO series_list (hash, data) VALUES (?, ?)
			ON CONFLICT (hash) DO UPDATE SET data = excluded.data RETURNING id`, hash, packed).Scan(&id)
	}
	if err != nil {
		return 0, err
	}
	if err := tx.QueryRowContext(ctx, "SELECT list FROM session WHERE id = ?", session).Scan(&old); err != nil {
		return 0, err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE session SET list = ? WHERE id = ?", id, session); err != nil {
		return 0, err
	}
	return bytes, Drop(ctx, tx, old)
}

// Drop removes a list that no session uses.
func Drop(ctx context.Context, tx *sql.Tx, id int64) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM series_list WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM session WHERE list = ?1)", id)
	return err
}

// ReadSchema reads the newest schema of a session; earlier ones are prefixes of it. It returns known when that is the
// newest.
func ReadSchema(ctx context.Context, pool *sql.DB, session int64, known *perf.Schema) (*perf.Schema, error) {
	// One statement reads all of it in the same state.
	var number, count, cells sql.NullInt64
	var list int64
	var packed sql.RawBytes
	rows, err := pool.QueryContext(ctx, `SELECT generation.number, generation.series, generation.cells, session.list, series_list.data
		FROM session LEFT JOIN series_list ON series_list.id = session.list
		LEFT JOIN generation ON generation.id = (SELECT MAX(id) FROM generation WHERE session = ?1)
		WHERE session.id = ?1`, session)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	if !rows.Next() {
		return nil, errors.Join(rows.Err(), fmt.Errorf("session %d: %w", session, fault.ErrNoSession))
	}
	if err := rows.Scan(&number, &count, &cells, &list, &packed); err != nil {
		return nil, err
	}
	if known != nil && known.Generation == uint64(number.Int64) {
		return known, nil
	}
	if cells.Int64 < 0 || cells.Int64 > codec.MaximumCells {
		return nil, fmt.Errorf("the schema of session %d is impossible: %w", session, fault.ErrDamaged)
	}
	var series []perf.Series
	if list != 0 {
		if series, err = Unpack(packed); err != nil {
			return nil, fmt.Errorf("session %d: %w", session, err)
		}
	}
	if int64(len(series)) != count.Int64 {
		return nil, fmt.Errorf("session %d has %d series instead of %d: %w", session, len(series), count.Int64, fault.ErrDamaged)
	}
	schema, err := perf.NewSchema(uint64(number.Int64), int(cells.Int64), series)
	if err != nil {
		return nil, fmt.Errorf("the schema of session %d: %w: %w", session, fault.ErrDamaged, err)
	}
	return schema, nil
}
