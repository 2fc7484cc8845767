package counters

import (
	"strconv"

	"cxdeck/ui"
	"cxdeck/views/counters/preset"
	"cxdeck/views/counters/timeline"
	"cxdeck/views/deck"
)

// Actions implements ui.View. The status line shows the first ones.
func (s *Screen) Actions() []ui.Action {
	list := make([]ui.Action, 0, 48)
	// By importance: the replay, the counters, the time, saving and exporting, the drawing.
	list = append(list, s.replayActions()...)
	list = append(list, s.goBackActions()...)
	list = append(list, s.noteAction(), s.rangeAction())
	list = append(list, s.deck.CloseReplayAction(ID, "X"))
	list = append(list, s.choiceActions()...)
	list = append(list, s.whatChangedAction(), s.compareAction())
	list = append(list, s.timeActions()...)
	list = append(list, s.keepActions()...)
	list = append(list, s.drawingActions()...)
	list = append(list, s.curveActions()...)
	list = append(list, s.whyAction())
	return append(list, s.presetActions()...)
}

// disabledUnless returns the reason why an action is disabled; empty if it is possible.
func disabledUnless(possible bool, why string) string {
	if possible {
		return ""
	}
	return why
}

// redrawAfter makes the Run of an action that changes the drawing, which is part of the layout.
func (s *Screen) redrawAfter(change func()) func() ui.Cmd {
	return func() ui.Cmd {
		change()
		s.changes++
		return ui.Batch(s.saveLayoutSoon(), s.readPast())
	}
}

// moveInTime makes the Run of an action that changes the visible time, which is not part of the layout.
func (s *Screen) moveInTime(change func()) func() ui.Cmd {
	return func() ui.Cmd {
		change()
		s.changes++
		return s.readPast()
	}
}

// choiceActions returns the actions that choose counters.
func (s *Screen) choiceActions() []ui.Action {
	noSchema := disabledUnless(s.schema != nil && len(s.schema.Series) > 0, "the source has not listed its counters yet")
	return []ui.Action{
		{ID: "counters.add", Keys: []string{"a"}, Name: "add", Disabled: noSchema,
			Help: "Add counters: choose sets, counters and instances, or search", Run: s.openAdd},
		{ID: "counters.presets", Keys: []string{"P"}, Name: "presets", Disabled: disabledUnless(s.index.index != nil, "the counters are being listed"),
			Help: "Load a preset of counters: throughput, drops, pause, RSS, RDMA, congestion, PCIe, teams", Run: s.openPresets},
	}
}

// presetActions returns an action for each preset, for the palette.
func (s *Screen) presetActions() []ui.Action {
	presets := preset.All()
	list := make([]ui.Action, len(presets))
	unlisted := disabledUnless(s.index.index != nil, "the counters are being listed")
	for i := range presets {
		list[i] = ui.Action{ID: "counters.preset." + strconv.Itoa(i+1), Name: presets[i].Title,
			Help: presets[i].Help, Hidden: true, Disabled: unlisted, Run: func() ui.Cmd { return s.usePreset(i) }}
	}
	return list
}

// curveActions returns the actions for the selected curve.
func (s *Screen) curveActions() []ui.Action {
	noCurve := disabledUnless(s.selected() >= 0, "no counter is chosen; a adds some")
	object := ""
	if i := s.selected(); i >= 0 {
		object = s.curves[i].counter + " " + s.curves[i].instance
	}
	highlight := "highlight"
	if i := s.selected(); i >= 0 && i == s.highlighted() {
		highlight = "no highlight"
	}
	return []ui.Action{
		{ID: "counters.highlight", Keys: []string{"enter"}, Name: highlight, Object: object, Disabled: noCurve,
			Help: "Highlight the selected curve, and show its unit on the axis", Run: s.redrawAfter(s.toggleHighlight)},
		{ID: "counters.remove", Keys: []string{"d", "delete"}, Name: "remove", Object: object, Disabled: noCurve,
			Help: "Remove the selected counter", Run: s.removeSelected},
		{ID: "counters.clear", Keys: []string{"E"}, FormerKeys: []string{"D"}, Name: "clear", Hidden: true, Disabled: disabledUnless(len(s.curves) > 0, "nothing is shown"),
			Help: "Remove all counters", Run: s.clearCurves},
		{ID: "counters.up", Keys: []string{"up", "k"}, Name: "up", Hidden: true, Disabled: noCurve,
			Help: "Select the counter above", Run: s.moveInTime(func() { s.legend.List.Move(-1) })},
		{ID: "counters.down", Keys: []string{"down", "j"}, Name: "down", Hidden: true, Disabled: noCurve,
			Help: "Select the counter below", Run: s.moveInTime(func() { s.legend.List.Move(1) })},
	}
}

// whyAction asks the Diagnose screen about the selected counter.
func (s *Screen) whyAction() ui.Action {
	i, m := s.selected(), s.deck.Monitor()
	if i < 0 || m == nil {
		return s.deck.WhyAction("counters", deck.Why{})
	}
	c, value := &s.curves[i], ""
	if i < len(s.picture.rows) {
		value = s.picture.rows[i].cells[columnLast]
	}
	return s.deck.WhyAction("counters", deck.WhyCounter(m.Inventory(), c.set, c.instance, c.counter, value))
}

// stackedModeName names stacked areas in the action of the mode key.
const stackedModeName = "stacked"

// nextModeName returns the name of the next mode: lines, stacked areas, bars, report.
func (s *Screen) nextModeName() string {
	if s.mode == modeLine && !s.stacked {
		return stackedModeName
	}
	return modeNames[(s.mode+1)%modeCount]
}

func (s *Screen) nextMode() {
	if s.mode == modeLine && !s.stacked {
		s.stacked = true
		return
	}
	s.mode, s.stacked = (s.mode+1)%modeCount, false
}

// drawingActions returns the actions that change the drawing.
func (s *Screen) drawingActions() []ui.Action {
	lineOnly := disabledUnless(s.mode == modeLine, "only lines support it; m goes back to lines")
	noCurve := disabledUnless(s.selected() >= 0, "no counter is chosen; a adds some")
	return []ui.Action{
		{ID: "counters.mode", Keys: []string{"m"}, FormerKeys: []string{"s"}, Name: "as " + s.nextModeName(),
			Help: "Change between lines, stacked areas (curves of one unit), bars (Performance Monitor's histogram) and a report",
			Run:  s.redrawAfter(s.nextMode)},
		{ID: "counters.small", Keys: []string{"o"}, Name: textIf(s.small, "one chart", "small multiples"), Disabled: lineOnly,
			Help: "Draw one small chart for each adapter, queue or priority, or all curves in one",
			Run:  s.redrawAfter(func() { s.small = !s.small })},
		{ID: "counters.scale", Keys: []string{"Y"}, FormerKeys: []string{"S"}, Name: "scale",
			Help: "Change the top of the axis: automatic, the line rate as 100%, fitted, the session's peak, manual",
			Run:  s.nextScale},
		{ID: "counters.log", Keys: []string{"L"}, FormerKeys: []string{"l"}, Name: textIf(s.log, "linear", "log"), Disabled: disabledUnless(!s.stacked || s.mode != modeLine,
			"stacked areas have no logarithmic scale; m changes to bars"),
			Help: "Change between a linear and a logarithmic value axis",
			Run:  s.redrawAfter(func() { s.log = !s.log })},
		{ID: "counters.manual", Keys: []string{"="}, Name: "set scale", Hidden: true,
			Help: "Type the value at the top of the axis", Run: s.askScale},
		{ID: "counters.rate", Keys: []string{"v"}, Name: textIf(s.noRate() == "" && s.curves[s.selected()].rated(), "as total", "as rate"),
			Hidden: s.noRate() != "", Disabled: s.noRate(),
			Help: "Show a cumulative counter as its increase per second, or as its total", Run: s.toggleRate},
		{ID: "counters.larger", Keys: []string{"+"}, Name: "factor x10", Hidden: true, Disabled: noCurve,
			Help: "Draw the selected curve ten times as high", Run: s.redrawAfter(func() { s.setCurveScale(10) })},
		{ID: "counters.smaller", Keys: []string{"-"}, Name: "factor /10", Hidden: true, Disabled: noCurve,
			Help: "Draw the selected curve a tenth as high", Run: s.redrawAfter(func() { s.setCurveScale(0.1) })},
		{ID: "counters.bytes", Keys: []string{"b"}, Name: textIf(s.deck.InBytes, "bits", "bytes"),
			Help: "Show rates in bits or bytes per second", Run: s.redrawAfter(func() { s.deck.InBytes = !s.deck.InBytes })},
	}
}

func textIf(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

// timeActions returns the actions that change the visible time and the cursor.
func (s *Screen) timeActions() []ui.Action {
	oldest, newest := s.picture.oldest, s.picture.newest
	from, to, recorded := s.seekable()
	if recorded {
		oldest = from
	}
	noSample := disabledUnless(!s.picture.empty && !newest.IsZero(), "there is no sample yet")
	return []ui.Action{
		{ID: "counters.freeze", Keys: []string{"f"}, Name: textIf(s.time.Frozen, "resume", "freeze"), Disabled: noSample,
			Help: "Pause the graph and its statistics, or resume; sampling and recording never stop",
			Run:  s.moveInTime(func() { s.time.Freeze(newest) })},
		{ID: "counters.zoom-in", Keys: []string{"["}, Name: "zoom in", Disabled: disabledUnless(s.time.Span > 0, "this is the shortest window"),
			Help: "Shorten the time span: down to one minute", Run: s.redrawAfter(func() { s.time.Zoom(-1) })},
		{ID: "counters.zoom-out", Keys: []string{"]"}, Name: "zoom out", Disabled: disabledUnless(s.time.Span < len(timeline.Spans)-1, "this is the longest window"),
			Help: "Lengthen the time span: up to 24 hours", Run: s.redrawAfter(func() { s.time.Zoom(1) })},
		{ID: "counters.cursor-left", Keys: []string{"left"}, Name: "cursor", Disabled: noSample,
			Help: "Move the cursor to the left; it reads all values at its time",
			Run:  s.moveInTime(func() { s.time.MoveCursor(-1, s.cursorStep(), oldest, newest) })},
		{ID: "counters.cursor-right", Keys: []string{"right"}, Name: "cursor right", Hidden: true, Disabled: noSample,
			Help: "Move the cursor to the right",
			Run:  s.moveInTime(func() { s.time.MoveCursor(1, s.cursorStep(), oldest, newest) })},
		{ID: "counters.back", Keys: []string{"shift+left", "pgup"}, Name: "scroll back", Hidden: true, Disabled: noSample,
			Help: "Go back by half a window", Run: s.moveInTime(func() { s.time.Scroll(-0.5, oldest, newest) })},
		{ID: "counters.forward", Keys: []string{"shift+right", "pgdown"}, Name: "scroll forward", Hidden: true, Disabled: noSample,
			Help: "Go forward by half a window", Run: s.moveInTime(func() { s.time.Scroll(0.5, oldest, newest) })},
		{ID: "counters.oldest", Keys: []string{"home"}, Name: "oldest", Hidden: true, Disabled: noSample,
			Help: "Go to the oldest sample; in a recording, to its start", Run: s.moveOr(recorded, from, func() {
				s.time.MoveEnd(oldest.Add(timeline.Spans[s.time.Span].Length), oldest, newest)
			})},
		{ID: "counters.newest", Keys: []string{"end"}, Name: "newest", Hidden: true, Disabled: noSample,
			Help: "Follow the newest samples; in a recording, go to its end",
			Run:  s.moveOr(recorded, to, func() { s.time.MoveEnd(newest, oldest, newest) })},
		{ID: "counters.time", Keys: []string{"@"}, FormerKeys: []string{"g"}, Name: "go to time", Hidden: !recorded && s.deck.OpenPast == nil, Disabled: noSample,
			Help: "Go to a time: moves the cursor, seeks in a recording, or goes back in time on the host of a fleet", Run: s.askTime},
		{ID: "counters.mark-before", Keys: []string{"K"}, FormerKeys: []string{"N"}, Name: "event before", Hidden: true, Disabled: s.noMark(-1),
			Help: "Go to the previous event or change: moves the cursor, or seeks in a recording", Run: func() ui.Cmd { return s.goToMark(-1) }},
		{ID: "counters.mark-after", Keys: []string{"J"}, FormerKeys: []string{"n"}, Name: "next event", Hidden: true, Disabled: s.noMark(1),
			Help: "Go to the next event or change", Run: func() ui.Cmd { return s.goToMark(1) }},
		{ID: "counters.release", Keys: []string{"esc"}, Name: "go back", Hidden: true,
			Disabled: disabledUnless(s.canRelease(), "there is no range, cursor or highlight to clear"),
			Help:     "Clear the marked range, then the cursor, then the highlight, then follow the newest samples", Run: s.moveInTime(s.release)},
	}
}

// keepActions returns the actions for thresholds, exports and saved layouts.
func (s *Screen) keepActions() []ui.Action {
	noCurve := disabledUnless(s.selected() >= 0, "no counter is chosen; a adds some")
	if noCurve == "" && s.curves[s.selected()].missing() {
		noCurve = "the source has no such counter now"
	}
	if noCurve == "" && s.curves[s.selected()].rated() {
		noCurve = "a threshold watches the counter itself; v shows it"
	}
	object := ""
	if i := s.selected(); i >= 0 {
		object = s.curves[i].path
	}
	return []ui.Action{
		{ID: "counters.threshold", Keys: []string{"t"}, Name: "threshold", Object: object, Disabled: noCurve,
			Help: "Set a threshold on the selected counter: colour it, raise an event and run a program when it goes beyond a level", Run: s.openThreshold},
		{ID: "counters.export", Keys: []string{"x"}, FormerKeys: []string{"e"}, Name: "export", Disabled: disabledUnless(s.curves.present() > 0, "nothing is shown to export"),
			Help: "Export the displayed curves as CSV for Performance Monitor", Run: s.askExport},
		{ID: "counters.layouts", Keys: []string{"ctrl+o"}, Name: "layouts", Disabled: s.noDB(),
			Help: "Restore, save or delete a layout of counters", Run: s.openLayouts},
		{ID: "counters.save", Keys: []string{"ctrl+s"}, Name: "save layout", Hidden: true, Changes: true, Disabled: s.noDB(),
			Help: "Save this layout of counters under a name", Run: s.askLayoutName},
	}
}

// noDB returns why nothing can be saved.
func (s *Screen) noDB() string {
	switch {
	case s.deck.DB != nil:
		return ""
	case s.deck.NoDB != "":
		return s.deck.NoDB
	default:
		return "there is no history file, so nothing can be saved"
	}
}
