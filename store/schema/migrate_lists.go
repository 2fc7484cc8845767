package schema

import (
	"context"
	"database/sql"
	"math"

	"cxdeck/perf"
	"cxdeck/store/codec"
	"cxdeck/store/series"
	"cxdeck/store/sqlite"
)

// ListVersion is the schema version that introduced lists of series; before it, each session had one row per series.
const ListVersion = 3

// makeLists turns the series table of version 2 into lists, and drops it.
func makeLists(ctx context.Context, tx *sql.Tx) error {
	sessions, err := sqlite.Integers(ctx, tx, "SELECT id FROM session")
	if err != nil {
		return err
	}
	for _, session := range sessions {
		list, err := seriesOfVersion2(ctx, tx, session)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			continue
		}
		if _, err := series.Store(ctx, tx, session, list); err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, "DROP TABLE series")
	return err
}

// seriesOfVersion2 reads the series of a session as version 2 kept them. If a session of a tampered file has an impossible
// number, it returns no series: that session can't be opened before or after the migration, but the others can.
func seriesOfVersion2(ctx context.Context, tx *sql.Tx, session int64) (list []perf.Series, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT set_name, instance, counter, kind, unit, cell, scale, width, line, total
		FROM series WHERE session = ? ORDER BY number LIMIT ?`, session, series.MaxSeries)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var s perf.Series
		var kind, cell, width, line int64
		if err := rows.Scan(&s.Set, &s.Instance, &s.Counter, &kind, &s.Unit, &cell, &s.Scale, &width, &line, &s.Sum); err != nil {
			return nil, err
		}
		if kind < 0 || kind > math.MaxUint8 || width < 0 || width > math.MaxUint8 || cell < 0 || cell >= codec.MaximumCells {
			return nil, nil
		}
		s.Kind, s.Cell, s.Width, s.Line = perf.Kind(kind), int(cell), uint8(width), uint64(line)
		list = append(list, s)
	}
	return list, rows.Err()
}
