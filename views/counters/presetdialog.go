package counters

import (
	"strconv"
	"strings"

	"cxdeck/perf/window"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/counters/preset"
)

// presetDialog lists the presets; for a preset without counters in this source it shows the requirement.
type presetDialog struct {
	screen *Screen
	table  widget.Table
	// counts holds the number of matching counters for each preset.
	counts []int
}

// presetKeys are the keys of the presets in the dialog, in the order of the presets.
const presetKeys = "1234567890ab"

const zonePresets = "counters.presets"

// openPresets opens the list of presets.
func (s *Screen) openPresets() ui.Cmd { return ui.OpenDialog(newPresetDialog(s)) }

func newPresetDialog(s *Screen) *presetDialog {
	d := &presetDialog{screen: s, table: widget.Table{
		ID: zonePresets, Focused: true, SortColumn: -1,
		Columns: []widget.TableColumn{{Title: "", Width: 1}, {Title: "Preset", Width: 24}, {Title: "Counters", Width: 8, Right: true, Rank: 1}, {Title: "Shows", Width: 20, Grow: 1, Rank: 2}},
	}}
	presets := preset.All()
	for n := range presets {
		count := 0
		if x := s.index.index; x != nil {
			_, count = presets[n].Match(x, s.presetInstances(&presets[n]), noActivity)
		}
		d.counts = append(d.counts, count)
	}
	d.table.List.SetLength(len(presets))
	return d
}

// noActivity treats every series as idle, to count matches only.
func noActivity(int) window.Bucket { return window.Bucket{} }

func (d *presetDialog) Title() string { return "Presets" }

func (d *presetDialog) Size(width, height int) (int, int) {
	return min(width, 104), min(height, len(preset.All())+3)
}

func (d *presetDialog) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case ui.KeyMsg:
		if n := strings.Index(presetKeys, msg.Name); len(msg.Name) == 1 && n >= 0 && n < len(preset.All()) {
			return true, d.fill(n)
		}
		if msg.Name == "enter" {
			return true, d.fill(d.table.List.Cursor())
		}
		d.table.List.Key(msg.Name)
	case ui.HitMsg:
		if msg.ID == zonePresets && msg.Button == ui.Press {
			return true, d.fill(msg.Index)
		}
	}
	return false, nil
}

func (d *presetDialog) fill(n int) ui.Cmd {
	if n < 0 || n >= len(preset.All()) {
		return nil
	}
	return d.screen.usePreset(n)
}

// usePreset applies the preset that the operator has chosen.
func (s *Screen) usePreset(n int) ui.Cmd {
	s.applyPreset(n)
	s.filled = true
	return s.saveLayoutSoon()
}

func (d *presetDialog) Draw(area widget.Area) {
	presets := preset.All()
	list, note := area.SplitTop(len(presets) + 1)
	d.table.Draw(list, func(row int, cells []widget.TableCell) {
		role := themes.Text
		if d.counts[row] == 0 {
			role = themes.Muted
		}
		count := strconv.Itoa(d.counts[row])
		for n, text := range []string{presetKeys[row : row+1], presets[row].Title, count, presets[row].Help} {
			cells[n] = widget.TableCell{Text: text, Style: themes.Style{Role: role}}
		}
		cells[0].Style.Role = themes.KeyCap
	})
	if n := d.table.List.Cursor(); n >= 0 && d.counts[n] == 0 {
		for y, line := range widget.Wrap("No counters for this preset: it requires "+presets[n].Need+".", max(1, note.Width)) {
			note.Print(0, y+note.Height-2, line, themes.Style{Role: themes.Warn})
		}
	}
}

func (d *presetDialog) Hints() []ui.Hint {
	return []ui.Hint{{Key: "enter", Name: "load"}, {Key: "esc", Name: "close"}}
}
