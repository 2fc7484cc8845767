package rollup

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
	// levelsFor limits one run of the keeper, so that the limits of age and size are checked in between.
	levelsFor = 30 * time.Second
	// levelsAgain is the time until an ended session with nothing to do is checked again.
	levelsAgain = time.Hour
	// aroundMarks is the time before and after a mark or a change in which samples are kept.
	aroundMarks = 10 * time.Minute
	// maxChangeBlocks is the number of blocks of minutes of a session that keep their samples because of changes, the newest: two days, some
	// 300 MB of the default lab.
	maxChangeBlocks = 48
)

// Keeper aggregates and reduces the sessions of a history.
type Keeper struct {
	// Reader reads the history; Write runs one change of it in a transaction of its own.
	Reader *sql.DB
	Write  func(ctx context.Context, change func(tx *sql.Tx) error) error
	// Resize changes the recorded size of a session by this many bytes.
	Resize func(ctx context.Context, tx *sql.Tx, session, bytes int64) error
	// Sessions lists the sessions of the history.
	Sessions func(ctx context.Context) ([]sessions.Session, error)
	// Now is the machine's clock.
	Now func() time.Time
	// KeepSamples and KeepMinutes limit how long samples and minutes are kept, in recorded time; 0 means forever.
	KeepSamples, KeepMinutes time.Duration

	// next is the time at which a session must be checked again.
	next map[int64]time.Time
}

// Run aggregates samples by minute and hour, and removes samples and minutes that are older than KeepSamples and KeepMinutes. It
// works in small steps, a quarter of the time, for at most levelsFor; more reports that there is more to do.
func (k *Keeper) Run(ctx context.Context) (more bool, err error) {
	list, err := k.Sessions(ctx)
	if err != nil {
		return false, err
	}
	if k.next == nil {
		k.next = map[int64]time.Time{}
	}
	until := time.Now().Add(levelsFor)
	for _, session := range list {
		if session.Samples <= shortSession || k.Now().Before(k.next[session.ID]) {
			continue
		}
		cells := &Cells{}
		for {
			began := time.Now()
			done, err := k.Step(ctx, session, cells)
			if errors.Is(err, errOvertaken) || errors.Is(err, fault.ErrNoSession) {
				break
			}
			if err != nil {
				return false, fmt.Errorf("aggregate session %d: %w", session.ID, err)
			}
			if !done {
				if !session.Running {
					k.next[session.ID] = k.Now().Add(levelsAgain)
				}
				break
			}
			if err := pauseAfter(ctx, began); err != nil {
				return false, err
			}
			if time.Now().After(until) {
				return true, nil
			}
		}
	}
	return false, nil
}

// All does all work on a session that is not being recorded, without pauses. It calls remaining before each step with the
// number of windows of samples that are not aggregated yet.
func (k *Keeper) All(ctx context.Context, session sessions.Session, remaining func(windows int64)) error {
	if session.Running || session.Samples <= shortSession {
		return nil
	}
	cells := &Cells{}
	for {
		windows, err := k.Waiting(ctx, session.ID)
		if err != nil {
			return err
		}
		remaining(windows)
		done, err := k.Step(ctx, session, cells)
		if errors.Is(err, errOvertaken) || errors.Is(err, fault.ErrNoSession) || err == nil && !done {
			return ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("aggregate session %d: %w", session.ID, err)
		}
	}
}

// Waiting returns the number of windows of a session with samples that are not aggregated by minute.
func (k *Keeper) Waiting(ctx context.Context, session int64) (windows int64, err error) {
	next, err := nextMinutes(ctx, k.Reader, session)
	if err != nil {
		return 0, err
	}
	err = k.Reader.QueryRowContext(ctx, "SELECT count(*) FROM clock WHERE session = ? AND id >= ?", session, next.Window).Scan(&windows)
	return windows, err
}

// Step does the next piece of work on a session; it is false when there is none.
func (k *Keeper) Step(ctx context.Context, session sessions.Session, cells *Cells) (done bool, err error) {
	done, err = k.rollUp(ctx, session, cells)
	if done || err != nil || session.Pinned {
		return done, err
	}
	return k.reduce(ctx, session)
}

// reduce removes the samples of the oldest block of minutes, or the minutes of the oldest block of hours, if they are beyond
// their age limit.
func (k *Keeper) reduce(ctx context.Context, session sessions.Session) (done bool, err error) {
	if k.KeepSamples <= 0 && k.KeepMinutes <= 0 {
		return false, nil
	}
	blocks, err := parts.Blocks(ctx, k.Reader, session.ID, math.MinInt64, math.MaxInt64)
	if err != nil || len(blocks) == 0 {
		return false, err
	}
	age, err := k.ageOfNewestBlock(ctx, session, blocks)
	if err != nil {
		return false, err
	}
	marks, err := sessions.Marks(ctx, k.Reader, session.ID)
	if err != nil {
		return false, err
	}
	b, ok := k.chooseReduction(blocks, age, marks, nil, session.Running)
	if !ok {
		return false, nil
	}
	changes, err := changesOf(ctx, k.Reader, session.ID)
	if err != nil {
		return false, err
	}
	if len(changes) > 0 {
		if b, ok = k.chooseReduction(blocks, age, marks, changes, session.Running); !ok {
			return false, nil
		}
	}
	err = k.Write(ctx, func(tx *sql.Tx) error {
		if b.Step == parts.MinuteStep {
			return k.removeSamples(ctx, tx, session.ID, b, blocks)
		}
		return k.removeMinutes(ctx, tx, session.ID, b)
	})
	return err == nil, err
}

// ageOfNewestBlock returns the age of the end of the newest block: the recorded time after it, and the time since the session
// ended. Time without samples is not included, so that a clock that jumps ahead removes no samples.
func (k *Keeper) ageOfNewestBlock(ctx context.Context, session sessions.Session, blocks []parts.Block) (time.Duration, error) {
	var recorded sql.NullInt64
	err := k.Reader.QueryRowContext(ctx, "SELECT sum(ended - started) FROM clock WHERE session = ? AND id >= ?", session.ID,
		blocks[len(blocks)-1].Next.Window).Scan(&recorded)
	age := time.Duration(recorded.Int64)
	if !session.Running {
		age += max(0, k.Now().Sub(session.Saved))
	}
	return age, err
}

// chooseReduction finds the oldest block whose finer rows are due for removal. age is the age of the end of the newest block.
func (k *Keeper) chooseReduction(blocks []parts.Block, age time.Duration, marks, changes []sessions.Mark, running bool) (chosen parts.Block, ok bool) {
	whole := map[int64]bool{} // blocks of hours of which samples are kept
	ages := map[int64]time.Duration{}
	newest, changed := true, 0
	for _, b := range slices.Backward(blocks) {
		if b.Step == parts.MinuteStep {
			if _, known := ages[b.Parent]; !known {
				ages[b.Parent] = age
			}
			switch {
			case b.Finer && (running && newest || k.KeepSamples <= 0 || age < k.KeepSamples || nearMark(b, marks)):
				whole[b.Parent] = true
			case b.Finer && changed < maxChangeBlocks && nearMark(b, changes):
				changed++
				whole[b.Parent] = true
			case b.Finer:
				chosen, ok = b, true
				whole[b.Parent] = true // until its samples are removed
			}
			newest = false
			age += time.Duration(b.Ended - b.Started)
			continue
		}
		// The minutes of this block were checked already: they are listed behind it.
		if b.Finer && !whole[b.ID] && k.KeepMinutes > 0 && ages[b.ID] >= k.KeepMinutes {
			chosen, ok = b, true
		} else if !b.Finer {
			age += time.Duration(b.Ended - b.Started)
		}
	}
	return chosen, ok
}

// changesOf returns the times of the changes that were made in a session, as marks.
func changesOf(ctx context.Context, reader *sql.DB, session int64) (list []sessions.Mark, err error) {
	rows, err := reader.QueryContext(ctx, `SELECT json_extract(entry, '$.time') FROM journal
		WHERE session = ? AND json_valid(entry) AND coalesce(json_extract(entry, '$.error'), '') = ''`, session)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text sql.NullString
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		if at, err := time.Parse(time.RFC3339Nano, text.String); err == nil { // an entry of a later version may have no such time
			list = append(list, sessions.Mark{From: at, To: at})
		}
	}
	return list, rows.Err()
}

// nearMark reports whether a mark is within aroundMarks of a block.
func nearMark(b parts.Block, marks []sessions.Mark) bool {
	return slices.ContainsFunc(marks, func(m sessions.Mark) bool {
		return m.From.Add(-aroundMarks).UnixNano() <= b.Ended && m.To.Add(aroundMarks).UnixNano() >= b.Started
	})
}

// removeSamples removes the samples of a block of minutes; the minutes stay.
func (k *Keeper) removeSamples(ctx context.Context, tx *sql.Tx, session int64, b parts.Block, blocks []parts.Block) error {
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
	return k.Resize(ctx, tx, session, -removed)
}

// summedUp reports whether a window can be removed together with the samples of a block. The windows at both ends of the block
// may have samples of other blocks, or samples that are not aggregated yet.
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

// removeMinutes removes the minutes of a block of hours; the hours stay.
func (k *Keeper) removeMinutes(ctx context.Context, tx *sql.Tx, session int64, b parts.Block) error {
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
	return k.Resize(ctx, tx, session, -removed)
}
