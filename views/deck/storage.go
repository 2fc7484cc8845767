package deck

import (
	"fmt"
	"slices"

	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
)

// Unrecorded reports whether this run is not recorded, or recording has stopped.
func (d *Deck) Unrecorded() bool { return d.Recorder == nil || d.Recorder.Status().Err != nil }

// unsavedChanges returns how many changes would be lost if the console ended now.
func (d *Deck) unsavedChanges() int {
	if d.Unsaved == nil {
		return 0
	}
	return d.Unsaved()
}

// failureSegments returns the segments for a failure and its reason.
func failureSegments(glyphs *themes.Glyphs, what string, why error) []ui.Segment {
	return []ui.Segment{
		{Text: string(glyphs.Failed) + what, Style: bad},
		{Text: widget.Cut(why.Error(), 60), Style: bad, Rank: 4},
	}
}

// StorageNotes returns sentences about problems of the history file; none if there are no problems.
func (d *Deck) StorageNotes() []string {
	var notes []string
	add := func(note string) {
		if note != "" && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	if d.DB == nil {
		return nil // NoDB is the reason
	}
	add(d.Unwritable)
	if d.Recorder != nil {
		status := d.Recorder.Status()
		if status.Retention != nil { // the session's page shows why recording has stopped
			add(status.Retention.Error())
		}
		if status.Locked != nil {
			add(status.Locked.Error())
		}
		add(status.Removed)
	}
	rescue := d.DB.Rescue()
	if rescue.Gone != nil {
		add(rescue.Gone.Error())
	}
	add(rescue.Moved)
	return notes
}

// recordingSegments returns how long recording has run, or why it does not, and the numbers of waiting and lost samples.
func (d *Deck) recordingSegments(glyphs *themes.Glyphs) []ui.Segment {
	var unsaved []ui.Segment
	if n := d.unsavedChanges(); n > 0 {
		unsaved = []ui.Segment{{Text: fmt.Sprintf("%d unsaved", n), Style: bad}}
	}
	if d.Recorder == nil {
		segments := []ui.Segment{{Text: "not recorded", Style: muted, Rank: 2}} // the History screen shows the reason
		if d.Unwritable != "" {
			segments = []ui.Segment{{Text: string(glyphs.Warning) + " not recorded", Style: warn, Rank: 1}}
		}
		return append(segments, unsaved...)
	}
	status, rescue := d.Recorder.Status(), d.DB.Rescue()
	if status.Err != nil {
		return slices.Insert(failureSegments(glyphs, " recording stopped", status.Err), 1, unsaved...)
	}
	if rescue.Gone != nil {
		what := " history file is gone"
		if rescue.Damaged {
			what = " history file is damaged"
		}
		return slices.Insert(failureSegments(glyphs, what, rescue.Gone), 1, unsaved...)
	}
	elapsed := d.WallTime().Sub(status.Began)
	segments := []ui.Segment{{
		Text: string(glyphs.Recording) + " REC " + Clock(max(elapsed, 0)), Style: bad, Rank: 1,
	}}
	if rescue.Moved != "" { // the History screen shows the new path
		text := "file was gone, saved again"
		if rescue.Damaged {
			text = "file was damaged, saved again"
		}
		segments = append(segments, ui.Segment{Text: text, Style: warn, Rank: 2})
	}
	if status.Locked != nil {
		segments = append(segments,
			ui.Segment{Text: string(glyphs.Warning) + " history file is locked", Style: warn, Rank: 1},
			ui.Segment{Text: widget.Cut(status.Locked.Error(), 60), Style: warn, Rank: 4})
	}
	if status.Waiting > 10 {
		segments = append(segments, ui.Segment{Text: fmt.Sprintf("%d waiting", status.Waiting), Style: warn, Rank: 2})
	}
	if status.Lost > 0 {
		segments = append(segments, ui.Segment{Text: fmt.Sprintf("%d lost", status.Lost), Style: bad})
	}
	segments = append(segments, unsaved...)
	if status.Removed != "" {
		segments = append(segments, ui.Segment{Text: "history trimmed", Style: muted, Rank: 4})
	}
	if status.Retention != nil {
		segments = append(segments, ui.Segment{Text: widget.Cut(status.Retention.Error(), 60), Style: warn, Rank: 4})
	}
	return segments
}
