package wizard

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// drawn returns the picture of a wizard on a terminal of 80x24.
func drawn(w *Wizard) string {
	canvas := widget.NewCanvas(insideOf(80, 24))
	w.Draw(canvas.All())
	return canvas.Text()
}

// wants fails the test when a wizard does not show a text.
func wants(t *testing.T, w *Wizard, texts ...string) {
	t.Helper()
	screen := drawn(w)
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			t.Fatalf("the wizard lacks %q:\n%s", text, screen)
		}
	}
}

func typeText(w *Wizard, text string) {
	for _, r := range text {
		w.TypeKey(string(r), []rune{r})
	}
}

func TestWizardFlow(t *testing.T) {
	t.Parallel()
	e := &trip{review: fullReview(), unwanted: "Bob"}
	w := New(e.steps, e.check, Draft{})
	if event := w.Next(); event.Kind != NoEvent || w.Step() != "kind" {
		t.Fatalf("without an answer Next led to %+v", event)
	}
	wants(t, w, "✕ Choose one.", "▲ Choose one.")
	w.Key("down")
	w.Key("down")
	if got := w.Values().Text("kind"); got != "tour" {
		t.Errorf("the cursor is on a disabled choice: %q is chosen, want tour", got)
	}
	if w.Next(); w.Step() != "kind" {
		t.Error("Next accepted a disabled choice")
	}
	wants(t, w, "▲ Climb: needs dry rock: it rains")
	w.Key("up")
	if event := w.Next(); event != (Event{Kind: StepShown, ID: "about"}) {
		t.Fatalf("Next led to %+v", event)
	}
	if screen := drawn(w); strings.Contains(screen, "is needed") {
		t.Errorf("a step complains before anything was typed:\n%s", screen)
	}
	typeText(w, "Bob")
	wants(t, w, "✕ Bob is on another trip already.")
	if w.Next(); w.Step() != "about" {
		t.Error("Next went on although the caller's check says that a name is taken")
	}
	w.TypeKey("backspace", nil)
	w.TypeKey("backspace", nil)
	w.Tab(1)
	w.TypeKey("ctrl+u", nil)
	typeText(w, "9")
	wants(t, w, "▲ Food for more than a week is heavy.")
	w.Tab(1)
	w.Tab(1)
	w.Toggle()
	wants(t, w, "[x] on", "Name of the guide")
	w.Toggle()
	if strings.Contains(drawn(w), "Name of the guide") {
		t.Error("a field shows that the answers make pointless")
	}
	w.Jump(3)
	wants(t, w, "▲ Step 3, Beds, comes first: Choose at least one.")
	w.Next()
	w.Toggle()
	if got := w.Values().IDs("beds"); !slices.Equal(got, []string{"hut"}) {
		t.Fatalf("chosen is %v, want the hut", got)
	}
	w.Next()
	w.Next()
	if w.Step() != "review" {
		t.Fatalf("the step is %q, want review", w.Step())
	}
	if event := w.Next(); event != (Event{Kind: ReviewPressed}) {
		t.Errorf("the first button of the review led to %+v", event)
	}
	w.Key("right")
	if event := w.Next(); event != (Event{Kind: ReviewPressed, Index: 1}) {
		t.Errorf("the second button of the review led to %+v", event)
	}
	e.review.Pending = "asking the hut"
	w.Refresh()
	if event := w.Next(); event.Kind != NoEvent {
		t.Error("a plan was applied that is not there yet")
	}
	wants(t, w, "▲ The plan isn't ready: asking the hut.")
	for w.Step() != "kind" {
		if event := w.Back(); event.Kind != StepShown {
			t.Fatalf("Back does not work on %s", w.Step())
		}
	}
	w.Key("up")
	wants(t, w, "(●) Walk", "-3")
	w.Jump(4)
	if w.Step() != "review" {
		t.Errorf("the step is %q, want a jump to review over the one that is skipped", w.Step())
	}
	if w.Back(); w.Step() != "checks" {
		t.Errorf("the step is %q, want checks", w.Step())
	}
	if w.Back(); w.Step() != "about" {
		t.Errorf("Back led to %q, want over the step that is skipped", w.Step())
	}
}

func TestWizardRows(t *testing.T) {
	t.Parallel()
	w, _ := tripAt("beds")
	w.Tab(1)
	before := w.Values()
	w.AddRow()
	if w.Next(); w.edit == nil {
		t.Fatal("a row without a name was accepted")
	}
	typeText(w, "Tea")
	w.Tab(1)
	typeText(w, "19")
	wants(t, w, "✕ Meal 1 is at that hour, too.")
	if w.Next(); w.edit == nil {
		t.Fatal("a row that the caller's check rejects was accepted")
	}
	w.TypeKey("backspace", nil)
	w.Tab(1)
	w.Toggle()
	w.Next()
	wants(t, w, "Meals  3 of at most 4", "Tea        1     on    in the hut")
	if len(before.Rows("meals")) != 2 {
		t.Error("a new row changed answers that were handed out before")
	}
	w.EditRow()
	wants(t, w, "Name  Tea", "Hour  1")
	w.TypeKey("ctrl+u", nil)
	if !w.Escape() || w.Values().Rows("meals")[2].Text("name") != "Tea" {
		t.Error("a row that was let go has changed")
	}
	w.Key("up")
	before = w.Values()
	if w.RemoveRow(); before.Rows("meals")[1].Text("name") != "Bread" {
		t.Error("removing a row changed answers that were handed out before")
	}
	if rows := w.Values().Rows("meals"); len(rows) != 2 || rows[1].Text("name") != "Tea" {
		t.Errorf("after removing the second row there are %v", rows)
	}
}

func TestWizardRestoresItsDraft(t *testing.T) {
	t.Parallel()
	e := &trip{}
	w := New(e.steps, e.check, Draft{})
	if !w.Draft().Empty() {
		t.Error("a wizard in which nothing was said has a draft")
	}
	w, _ = tripAt("beds")
	text, err := json.Marshal(w.Draft())
	if err != nil {
		t.Fatal(err)
	}
	var draft Draft
	if err := json.Unmarshal(text, &draft); err != nil {
		t.Fatal(err)
	}
	again := New(e.steps, e.check, draft)
	if drawn(w) != drawn(again) || !reflect.DeepEqual(w.Values(), again.Values()) {
		t.Errorf("the draft came back as\n%s\nwant\n%s", drawn(again), drawn(w))
	}
	e.closed = true // the chosen hut is no longer available: the draft returns to the step of that choice
	draft.Step, draft.Reached = "review", "review"
	draft.Values["beds"] = Value{IDs: []string{"hut", "inn"}}
	again = New(e.steps, e.check, draft)
	if again.Step() != "beds" {
		t.Errorf("the wizard goes on at %q, want beds", again.Step())
	}
	wants(t, again, "✕ Hut on the ridge: can't be booked: it has closed.", "[x] inn")
	for range 2 {
		again.Toggle()
		again.Key("end")
	}
	if got := again.Values().IDs("beds"); len(got) != 0 {
		t.Errorf("what can't be chosen can't be let go either: %v", got)
	}
}

func TestWizardMouse(t *testing.T) {
	t.Parallel()
	w, _ := tripAt("review")
	press := func(text string) Event {
		t.Helper()
		canvas := widget.NewCanvas(insideOf(80, 24))
		w.Draw(canvas.All())
		for y, line := range strings.Split(canvas.Text(), "\n") {
			if at := strings.Index(line, text); at >= 0 {
				hit, _ := canvas.HitAt(widget.Width(line[:at]), y)
				return w.Hit(hit)
			}
		}
		t.Fatalf("there is no %q:\n%s", text, canvas.Text())
		return Event{}
	}
	if event := press("Book, confirm"); event != (Event{Kind: ReviewPressed, Index: 1}) {
		t.Errorf("a button led to %+v", event)
	}
	w.ScrollPage(1)
	press("PowerShell")
	w.ScrollPage(1)
	wants(t, w, "[ PowerShell ]", "New-Bed")
	press("●4")
	if event := press("f Find"); event != (Event{Kind: KeyPressed, ID: "avoid"}) {
		t.Errorf("the key of a check led to %+v", event)
	}
	press("●3")
	press("Tent")
	press("Hut on")
	if got := w.Values().IDs("beds"); !slices.Equal(got, []string{"tent"}) {
		t.Errorf("chosen is %v, want the tent", got)
	}
	press("Bread")
	press("Bread")
	wants(t, w, "meal 2")
	press("Soup")
	wants(t, w, rowOpen)
	w.Escape()
	press("[ Back ]")
	if w.Step() != "about" {
		t.Errorf("the button led to %q, want about", w.Step())
	}
}

func TestWizardValues(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"24-8A-07-11-22-33": true, "24:8a:07:11:22:33": true, "248a.0711.2233": true, "248A07112233": true,
		"24-8A-07-11-22": false, "24-8A-07-11-22-3": false, "24-8A:07-11-22-33": false, "24-8A-07-11-22-3G": false,
		"":                  false,
		"2-48A-07-11-22-33": false,
	} {
		address, ok := Values{"mac": {Text: " " + text + " "}}.MAC("mac")
		if ok != want || ok && address != [6]byte{0x24, 0x8a, 0x07, 0x11, 0x22, 0x33} {
			t.Errorf("%q is read as %x, %v", text, address, ok)
		}
	}
	for _, c := range []struct {
		text     string
		required bool
		wrong    bool
	}{{"1", true, false}, {"14", true, false}, {"0", true, true}, {"15", true, true}, {"x", false, true}, {"", true,
		true}, {"", false, false}} {
		field := Field{Kind: Number, Low: 1, High: 14, Required: c.required}
		if got := field.check(Value{Text: c.text}); (len(got) > 0) != c.wrong {
			t.Errorf("%q, required %v: %v", c.text, c.required, got)
		}
	}
}

// TestWizardSurvivesRandomUse presses keys and the mouse at random while the size and the world change: nothing
// panics, every picture is valid, and the open step is one of the active steps.
func TestWizardSurvivesRandomUse(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	keys := []string{"up", "down", "left", "right", "home", "end", "j", "k", "h", "l", "G", "x"}
	typed := []string{"a", "7", "日", "\x1b", "backspace", "ctrl+u", "ctrl+w", "left"}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 5))
		glyphs, err := themes.GlyphsByName(themes.GlyphNames()[seed%3])
		if err != nil {
			t.Fatal(err)
		}
		e := &trip{review: fullReview(), unwanted: "a"}
		w := New(e.steps, e.check, Draft{Step: "gone"})
		canvas := widget.NewCanvas(0, 0)
		for step := range 250 {
			switch r.IntN(16) {
			case 0:
				w.Next()
			case 1:
				w.Back()
			case 2:
				w.Jump(r.IntN(7) - 1)
			case 3, 4:
				w.Tab(1 - 2*r.IntN(2))
			case 5:
				w.Toggle()
			case 6:
				w.AddRow()
			case 7:
				w.EditRow()
			case 8:
				w.RemoveRow()
			case 9:
				w.Escape()
			case 10:
				e.closed = !e.closed
				w.Refresh()
			case 11:
				w.ScrollPage(r.IntN(5) - 2)
				w.TurnTab(1)
			case 12:
				key := typed[r.IntN(len(typed))]
				w.TypeKey(key, []rune(key))
			case 13:
				if hit, ok := canvas.HitAt(r.IntN(120), r.IntN(40)); ok {
					w.Hit(hit)
				}
			case 14:
				w = New(e.steps, e.check, w.Draft())
			default:
				w.Key(keys[r.IntN(len(keys))])
			}
			canvas.Resize(r.IntN(150), r.IntN(50))
			canvas.SetGlyphs(glyphs)
			w.Draw(canvas.All())
			if wrong := broken(canvas); wrong != "" {
				t.Fatalf("seed %d, step %d: %s", seed, step, wrong)
			}
			if w.step().Skip != "" || w.form.focus != "" && w.form.field() == nil {
				t.Fatalf("seed %d, step %d: at %q, focus %q", seed, step, w.Step(), w.form.focus)
			}
			for _, row := range w.Values().Rows("meals") {
				if row.Text("name") == "" {
					t.Fatalf("seed %d, step %d: a row without a name was accepted", seed, step)
				}
			}
		}
	}
}

// TestWizardSurvivesMissingStepsAndFields checks that a wizard without steps or fields is drawn and stays on its step.
func TestWizardSurvivesMissingStepsAndFields(t *testing.T) {
	t.Parallel()
	for _, steps := range [][]Step{nil, {{}}, {{Skip: "no"}}, {{Fields: []Field{{}, {Kind: 99},
		{Kind: OneOf}, {Kind: Rows}}}}} {
		w := New(func(Values) []Step { return steps }, nil, Draft{Step: "x"})
		for i := range 6 {
			w.Tab(1)
			w.Toggle()
			w.AddRow()
			w.Key("down")
			for _, event := range []Event{w.Next(), w.Jump(i - 1), w.Back()} {
				if event != (Event{}) || w.Step() != "" || !w.Asking() {
					t.Errorf("%+v went with %+v to %q", steps, event, w.Step())
				}
			}
			canvas := widget.NewCanvas(insideOf(80, 24))
			w.Draw(canvas.All())
			if wrong := broken(canvas); wrong != "" {
				t.Errorf("%+v: %s", steps, wrong)
			}
		}
	}
}

func BenchmarkWizard(b *testing.B) {
	canvas := widget.NewCanvas(insideOf(120, 40))
	for _, scene := range []string{"2-about", "4-new-meal", "6-review"} {
		b.Run(scene, func(b *testing.B) {
			w := scenes()[scene]()
			b.ReportAllocs()
			for b.Loop() {
				canvas.Clear()
				w.Draw(canvas.All())
			}
		})
	}
	b.Run("refresh", func(b *testing.B) {
		w, _ := tripAt("beds")
		for i := range 20 {
			w.said[fmt.Sprint(i)] = Value{}
		}
		b.ReportAllocs()
		for b.Loop() {
			w.Refresh()
		}
	})
}

// FuzzWizardDraft opens the wizard with any contents of a draft file: it is drawn, and saves the same draft.
func FuzzWizardDraft(f *testing.F) {
	w, _ := tripAt("beds")
	seed, err := json.Marshal(w.Draft())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Add([]byte(`{"values":{"kind":{"text":"walk\u001b[2J"},"beds":{"ids":["x","x",""]},"meals":{"rows":[null,{}]}},"step":"beds","reached":"?"}`))
	f.Add([]byte(`{"values":{"meals":{"rows":[{"at":{"rows":[{}]}},{"at":{"text":"999999999999999999999"}}]},"days":{"on":true}},"step":"review"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var draft Draft
		if json.Unmarshal(text, &draft) != nil {
			return
		}
		e := &trip{review: fullReview()}
		w := New(e.steps, e.check, draft)
		canvas := widget.NewCanvas(insideOf(80, 24))
		w.Draw(canvas.All())
		if wrong := broken(canvas); wrong != "" {
			t.Fatal(wrong)
		}
		if again := New(e.steps, e.check, w.Draft()); !reflect.DeepEqual(again.Draft(), w.Draft()) {
			t.Fatalf("the draft came back as %+v, want %+v", again.Draft(), w.Draft())
		}
		for range 40 {
			w.Tab(1)
			w.Key("down")
			w.Toggle()
			w.Next()
		}
		w.Draw(canvas.All())
	})
}

func TestWizardShowsTheWholeReason(t *testing.T) {
	t.Parallel()
	w, _ := tripAt("kind")
	w.Key("down")
	canvas := widget.NewCanvas(32, 16)
	w.Draw(canvas.All())
	if text := canvas.Text(); !strings.Contains(text, "needs dry rock: it …") || !strings.Contains(text,
		"needs dry rock: it rains.") {
		t.Errorf("the reason why a choice is disabled is cut:\n%s", text)
	}
}
