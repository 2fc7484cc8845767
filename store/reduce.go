package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"cxdeck/store/fault"
	"cxdeck/store/parts"
	"cxdeck/store/sessions"
	"cxdeck/store/sqlite"
)

const (
	// levelsFor bounds how long the keeper sums up and reduces at a time, before it looks at the limits of size again.
	levelsFor = 30 * time.Second
	// levelsAgain is when an ended session is looked at again in which there was nothing to do.
	levelsAgain = time.Hour
	// aroundMarks is how much before and after a mark keeps its samples.
	aroundMarks = 10 * time.Minute
)

// levelsState is what the keeper remembers of the sessions that it sums up.
type levelsState struct {
	// next is when a session is to be looked at again.
	next map[int64]time.Time
}

// keepLevels sums up samples by minute and hour, and removes samples and minutes that are older than they are to be kept. It
// works in small steps, a quarter of the time, for a while; more says that there is more to do.
func (db *DB) keepLevels(ctx context.Context, state *levelsState) (more bool, err error) {
	sessions, err := db.Sessions(ctx)
	if err != nil {
		return false, err
	}
	if state.next == nil {
		state.next = map[int64]time.Time{}
	}
	until := time.Now().Add(levelsFor)
	for _, session := range sessions {
		if session.Samples <= shortSession || db.now().Before(state.next[session.ID]) {
			continue
		}
		cells := &cellsOf{}
		for {
			began := time.Now()
			done, err := db.keepLevelsOf(ctx, session, cells)
			if errors.Is(err, errOvertaken) || errors.Is(err, fault.ErrNoSession) {
				break
			}
			if err != nil {
				return false, fmt.Errorf("sum up session %d: %w", session.ID, err)
			}
			if !done {
				if !session.Running {
					state.next[session.ID] = db.now().Add(levelsAgain)
				}
				break
			}
			if err := restAfter(ctx, began); err != nil {
				return false, err
			}
			if time.Now().After(until) {
				return true, nil
			}
		}
	}
	return false, nil
}

// keepLevelsOf does the next piece of work on a session; it is false when there is none.
func (db *DB) keepLevelsOf(ctx context.Context, session sessions.Session, cells *cellsOf) (done bool, err error) {
	done, err = db.rollUp(ctx, session, cells)
	if done || err != nil || session.Pinned {
		return done, err
	}
	return db.reduce(ctx, session)
}

// reduce removes the samples of the oldest block of minutes that is old enough, or the minutes of a block of hours.
func (db *DB) reduce(ctx context.Context, session sessions.Session) (done bool, err error) {
	if db.options.KeepSamples <= 0 && db.options.KeepMinutes <= 0 {
		return false, nil
	}
	blocks, err := parts.Blocks(ctx, db.reader, session.ID, math.MinInt64, math.MaxInt64)
	if err != nil || len(blocks) == 0 {
		return false, db.explain(err)
	}
	age, err := db.ageBehind(ctx, session, blocks)
	if err != nil {
		return false, db.explain(err)
	}
	marks, err := db.Marks(ctx, session.ID)
	if err != nil {
		return false, err
	}
	b, ok := db.chooseReduction(blocks, age, marks, session.Running)
	if !ok {
		return false, nil
	}
	err = db.write(ctx, func(tx *sql.Tx) error {
		if b.Step == parts.MinuteStep {
			return db.removeSamples(ctx, tx, session.ID, b, blocks)
		}
		return db.removeMinutes(ctx, tx, session.ID, b)
	})
	return err == nil, err
}

// ageBehind is how old the end of the newest block is: what was recorded after it, and how long ago the session ended. Time in
// which nothing was recorded does not count, so that a clock that jumps ahead costs no samples.
func (db *DB) ageBehind(ctx context.Context, session sessions.Session, blocks []parts.Block) (time.Duration, error) {
	var recorded sql.NullInt64
	err := db.reader.QueryRowContext(ctx, "SELECT sum(ended - started) FROM clock WHERE session = ? AND id >= ?", session.ID,
		blocks[len(blocks)-1].Next.Window).Scan(&recorded)
	age := time.Duration(recorded.Int64)
	if !session.Running {
		age += max(0, db.now().Sub(session.Saved))
	}
	return age, err
}

// chooseReduction finds the oldest block that is to lose what it was made of. age is the age of the end of the newest one.
func (db *DB) chooseReduction(blocks []parts.Block, age time.Duration, marks []sessions.Mark, running bool) (chosen parts.Block, ok bool) {
	whole := map[int64]bool{} // blocks of hours of which samples are kept
	ages := map[int64]time.Duration{}
	newest := true
	for _, b := range slices.Backward(blocks) {
		if b.Step == parts.MinuteStep {
			if _, known := ages[b.Parent]; !known {
				ages[b.Parent] = age
			}
			switch {
			case b.Finer && (running && newest || db.options.KeepSamples <= 0 || age < db.options.KeepSamples || marked(b, marks)):
				whole[b.Parent] = true
			case b.Finer:
				chosen, ok = b, true
				whole[b.Parent] = true // until the next time
			}
			newest = false
			age += time.Duration(b.Ended - b.Started)
			continue
		}
		// The minutes of this block have been looked at: they are listed behind it.
		if b.Finer && !whole[b.ID] && db.options.KeepMinutes > 0 && ages[b.ID] >= db.options.KeepMinutes {
			chosen, ok = b, true
		} else if !b.Finer {
			age += time.Duration(b.Ended - b.Started)
		}
	}
	return chosen, ok
}

// marked says whether there is a mark in the time of a block or near it.
func marked(b parts.Block, marks []sessions.Mark) bool {
	return slices.ContainsFunc(marks, func(m sessions.Mark) bool {
		return m.From.Add(-aroundMarks).UnixNano() <= b.Ended && m.To.Add(aroundMarks).UnixNano() >= b.Started
	})
}

// removeSamples leaves the minutes of a block in the place of its samples.
func (db *DB) removeSamples(ctx context.Context, tx *sql.Tx, session int64, b parts.Block, blocks []parts.Block) error {
	if n, err := sqlite.Affected(tx.ExecContext(ctx, "UPDATE level SET finer = 0 WHERE id = ? AND finer = 1", b.ID)); err != nil || n != 1 {
		return errors.Join(err, errOvertaken)
	}
	windows, err := sqlite.Integers(ctx, tx, "SELECT id FROM clock WHERE session = ? AND id >= ? AND id <= ?", session, b.First.Window, b.Next.Window)
	if err != nil {
		return err
	}
	windows = slices.DeleteFunc(windows, func(window int64) bool { return !summedUp(window, b, blocks) })
	removed := int64(0)
	for _, window := range windows {
		bytes, err := parts.RemoveWindow(ctx, tx, window)
		if err != nil {
			return err
		}
		removed += bytes
	}
	return db.addBytes(ctx, tx, session, -removed)
}

// summedUp says whether nothing of a window is needed any more when a block loses its samples: the windows at both ends of it may
// have samples of other blocks, or of none yet.
func summedUp(window int64, b parts.Block, blocks []parts.Block) bool {
	if window > b.First.Window && window < b.Next.Window {
		return true
	}
	end := parts.Place{}
	for _, other := range blocks {
		if other.First.Window > window || !(parts.Place{Window: window}).Before(other.Next) {
			continue
		}
		if other.Finer && other.Step == parts.MinuteStep && other.ID != b.ID {
			return false
		}
		if end.Before(other.Next) {
			end = other.Next
		}
	}
	return end.Window > window
}

// removeMinutes leaves the hours of a block in the place of its minutes.
func (db *DB) removeMinutes(ctx context.Context, tx *sql.Tx, session int64, b parts.Block) error {
	if n, err := sqlite.Affected(tx.ExecContext(ctx, "UPDATE level SET finer = 0 WHERE id = ? AND finer = 1", b.ID)); err != nil || n != 1 {
		return errors.Join(err, errOvertaken)
	}
	children, err := sqlite.Integers(ctx, tx, "SELECT id FROM level WHERE session = ? AND step = ? AND parent = ?", session, parts.MinuteStep, b.ID)
	if err != nil {
		return err
	}
	removed := int64(0)
	for _, child := range children {
		bytes, err := parts.RemoveBlock(ctx, tx, child)
		if err != nil {
			return err
		}
		removed += bytes
	}
	return db.addBytes(ctx, tx, session, -removed)
}
