package history

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
)

// stripParts is the number of parts of a strip: two per cell with braille.
const stripParts = 2 * stripWidth

// strip holds the traffic and drops of all ports in each part of a session, NaN for unknown values.
type strip struct {
	traffic, drops [stripParts]float64
	// samples is the number of the session's samples when the strip was read.
	samples int64
}

// stripMsg contains the strip of a session, or the error.
type stripMsg struct {
	id    int64
	strip strip
	err   error
}

// readNextStrip reads the strip of the first visible row without one, one session at a time.
func (v *View) readNextStrip() ui.Cmd {
	if v.stripping || v.deck.DB == nil {
		return nil
	}
	first, behind := v.Table.List.Visible()
	for _, row := range v.rows[min(first, len(v.rows)):min(behind, len(v.rows))] {
		s := &v.sessions[row]
		if known, ok := v.strips[s.ID]; s.Samples < 2 || ok && !known.isOld(s) {
			continue
		}
		v.stripping = true
		db, id := v.deck.DB, s.ID
		return ui.Background(fmt.Sprintf("Read the course of session %d", id), func(ctx context.Context) ui.Msg {
			strip, err := readStrip(ctx, db, id)
			return stripMsg{id, strip, err}
		})
	}
	return nil
}

// isOld reports whether the session has grown by a tenth since the strip was read.
func (s *strip) isOld(session *store.Session) bool { return session.Samples > s.samples+s.samples/10+1 }

// takeStrip keeps a strip, and reads the next one. A session that can't be read gets an empty strip.
func (v *View) takeStrip(msg stripMsg) ui.Cmd {
	v.stripping = false
	if msg.err != nil {
		msg.strip = emptyStrip(math.MaxInt64 / 2)
	}
	v.strips[msg.id] = msg.strip
	return v.readNextStrip()
}

func emptyStrip(samples int64) (s strip) {
	for i := range stripParts {
		s.traffic[i], s.drops[i] = math.NaN(), math.NaN()
	}
	s.samples = samples
	return s
}

// readStrip reads only the columns at the ends of the parts: the difference of two columns includes every burst between them,
// and a long session takes no longer than a short one.
func readStrip(ctx context.Context, db *store.DB, id int64) (strip, error) {
	session, err := db.Session(ctx, id)
	if err != nil {
		return strip{}, err
	}
	source, err := db.Replay(ctx, id)
	if err != nil {
		return strip{}, err
	}
	defer source.Close() //nolint:errcheck // nothing was written
	seeker := source.(perf.Seeker)
	from, to := seeker.Span()
	s := emptyStrip(session.Samples)
	var before, column perf.Column
	for part := range stripParts + 1 {
		at := from.Add(to.Sub(from) / stripParts * time.Duration(part))
		if part == stripParts {
			at = to
		}
		if err := seeker.Seek(at); err != nil {
			return s, err
		}
		err := source.Next(ctx, 0, &column)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return s, err
		}
		switch inventory, schema := source.Inventory(), source.Schema(); {
		case part == 0:
		case !column.Time.After(before.Time): // fewer samples than parts
			if part > 1 {
				s.traffic[part-1], s.drops[part-1] = s.traffic[part-2], s.drops[part-2]
			}
		default:
			s.traffic[part-1] = total(schema, inventory.Receive, &before, &column) + total(schema, inventory.Send, &before, &column)
			s.drops[part-1] = total(schema, inventory.Drops, &before, &column)
		}
		before.Time = column.Time
		before.Cells = append(before.Cells[:0], column.Cells...)
	}
	return s, nil
}

// total adds up the rates of series between two columns, NaN if all are unknown.
func total(schema *perf.Schema, list []int, before, column *perf.Column) float64 {
	sum := math.NaN()
	for _, index := range list {
		series := &schema.Series[index]
		if series.Cell >= len(before.Cells) { // the schema has grown
			continue
		}
		var value float64
		if series.Scale == perf.FloatCells {
			value = series.CellValue(series.CellOf(column))
		} else {
			value = series.Rate(series.CellOf(before), series.CellOf(column), column.Time.Sub(before.Time))
		}
		switch {
		case math.IsNaN(value):
		case math.IsNaN(sum):
			sum = value
		default:
			sum += value
		}
	}
	return sum
}

// stripCell returns the cell of one curve of a strip; a curve of zeros becomes a muted 0.
func stripCell(glyphs *themes.Glyphs, parts *[stripParts]float64, role themes.Role) widget.TableCell {
	step := 1
	if !glyphs.Braille {
		step = stripParts / stripWidth
	}
	var bands [stripParts]widget.Band
	high, known := 0.0, false
	for i, value := range parts {
		band := &bands[i/step]
		if i%step == 0 || !(band.Max >= value) && !math.IsNaN(value) {
			*band = widget.Band{Min: value, Max: value, Average: value}
		}
		if value >= 0 {
			known, high = true, max(high, value)
		}
	}
	switch {
	case !known:
		return widget.TableCell{}
	case high == 0:
		return widget.TableCell{Text: "0", Style: themes.Style{Role: themes.Muted}}
	}
	return widget.TableCell{Text: widget.Sparkline(bands[:stripParts/step], high, glyphs), Style: themes.Style{Role: role}}
}
