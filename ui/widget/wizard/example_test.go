package wizard

import (
	"fmt"

	"cxdeck/ui/widget"
)

// trip is the example of the tests: it plans a hike and has a field of every kind.
type trip struct {
	review   Review
	closed   bool // the hut has closed
	unwanted string
}

func (e *trip) steps(values Values) []Step {
	days := Field{ID: "days", Kind: Number, Label: "Days", Low: 1, High: 14, Required: true,
		Initial: Value{Text: "2"},
		Hint:    "nights count, too"}
	if values.Text("kind") == "walk" {
		days.Disabled = "a walk takes one day"
	}
	hut := Choice{ID: "hut", Label: "Hut on the ridge", Mark: Good, Word: "open", Text: "24 beds",
		Help: "Warm and dry; beds are booked ahead."}
	if e.closed {
		hut.Disabled = "can't be booked: it has closed"
	}
	about := []Field{
		{ID: "name", Kind: Text, Label: "Name", Required: true, Hint: "as on the hut's list", Limit: 40},
		days,
		{ID: "beacon", Kind: MAC, Label: "Beacon address", Hint: "of the radio beacon"},
		{ID: "guide", Kind: Toggle, Label: "With a guide", Hint: "who knows the snow"},
	}
	if values.On("guide") {
		about = append(about, Field{ID: "guide-name", Kind: Text, Label: "Name of the guide",
			Required: true})
	}
	steps := []Step{
		{ID: "kind", Title: "Kind",
			Help: "What kind of trip it is decides what else is asked.\n\nA walk needs no beds.", Fields: []Field{
				{ID: "kind", Kind: OneOf, Label: "Kind of trip", Required: true, Choices: []Choice{
					{ID: "walk", Label: "Walk", Text: "back by night", Help: "Shoes and water are enough."},
					{ID: "tour", Label: "Tour", Text: "from hut to hut",
						Help: "Several days. Every night needs a bed, and the weather must hold for all of them."},
					{ID: "climb", Label: "Climb", Disabled: "needs dry rock: it rains"},
				}},
			}},
		{ID: "about", Title: "Particulars", Help: "Who goes and for how long.", Fields: about,
			Keys: []Key{{ID: "copy", Key: "c", Name: "copy from the last trip"}}},
		{ID: "beds", Title: "Beds", Help: "A bed for each night; two huts, in case that one is full.",
			Fields: []Field{
				{ID: "beds", Kind: ManyOf, Label: "Where to sleep", Required: true, Choices: []Choice{
					hut,
					{ID: "tent", Label: "Tent", Mark: Down, Word: "wet", Text: "3 kg"},
					{ID: "cave", Label: "Cave 日本\x1b[2J", Disabled: "can't be slept in: bears"},
				}},
				{ID: "meals", Kind: Rows, Label: "Meals", Item: "meal", Limit: 4, Columns: []Field{
					{ID: "name", Kind: Text, Label: "Name", Required: true},
					{ID: "at", Kind: Number, Label: "Hour", Low: 0, High: 23, Required: true},
					{ID: "warm", Kind: Toggle, Label: "Warm"},
					{ID: "where", Kind: OneOf, Label: "Where", Initial: Value{Text: "hut"},
						Choices: []Choice{{ID: "hut", Label: "in the hut"}, {ID: "way", Label: "on the way"}}},
				}},
			}},
		{ID: "checks", Title: "Checks", Help: "What the mountain says.", Fields: []Field{
			{ID: "checks", Kind: Facts, Label: "Before you go", Facts: []Fact{
				{Mark: Good, Label: "Weather", Word: "dry", Text: "Clouds from the west in three days."},
				{Mark: Warn, Label: "Avalanches", Word: "level 3",
					Text: "Slopes to the north are loaded; keep off slopes steeper than thirty degrees.",
					Fix: Key{ID: "avoid", Key: "f", Name: "find another way",
						Help: "Find a way around the northern slopes"}},
			}},
		}},
		{ID: "review", Title: "Review", Help: "Nothing is booked before Apply.", Review: &e.review,
			Keys: []Key{{ID: "forecast", Key: "r", Name: "forecast"}}},
	}
	if values.Text("kind") == "walk" {
		steps[2].Skip = "a walk needs no bed"
	}
	return steps
}

func (e *trip) check(values Values) []Message {
	var messages []Message
	if name := values.Text("name"); name == e.unwanted && name != "" {
		messages = append(messages, Message{Field: "name", Severity: Error,
			Text: name + " is on another trip already."})
	}
	if n, _ := values.Number("days"); n > 7 {
		messages = append(messages, Message{Field: "days", Severity: Warning,
			Text: "Food for more than a week is heavy."})
	}
	if len(values.IDs("beds")) == 1 {
		messages = append(messages, Message{Field: "beds", Severity: Info,
			Text: "Two are better: one may be full."})
	}
	hours := map[string]int{}
	for i, row := range values.Rows("meals") {
		if first := hours[row.Text("at")]; first > 0 {
			messages = append(messages, Message{Field: "meals", Row: i + 1, Severity: Error,
				Text: fmt.Sprintf("Meal %d is at that hour, too.", first)})
		}
		hours[row.Text("at")] = i + 1
	}
	return messages
}

// fullReview is a review with everything on it.
func fullReview() Review {
	return Review{
		Lines: []Line{
			{Change: Adds, Text: "Bed for Ada in the hut on the ridge, 2 nights"},
			{Change: Changes, Text: "Guide", From: "nobody", To: "Grace"},
			{Change: Removes, Text: "Reservation of the tent"},
			{Change: Does, Text: "Call the hut",
				Note: "It takes about 2 minutes; nobody else can call meanwhile."},
		},
		Warnings: []Message{{Severity: Warning,
			Text: "The path to the hut is narrow, and there may be others on it who come the other way."}},
		Forecast: []Fact{{Mark: Good, Label: "Arrival", Word: "18:40", Text: "half an hour before dark"}},
		Commands: []Commands{
			{Title: "book", Lines: []string{"book bed hut --nights 2 --name Ada",
				"book guide Grace --for Ada --from 2026-03-28 --to 2026-03-30 --language English"}},
			{Title: "PowerShell", Lines: []string{"New-Bed -Hut Ridge -Nights 2"}},
		},
		Buttons: []widget.Button{{Label: "Book"}, {Label: "Book, confirm in 30 s", Dangerous: true}},
	}
}

// tripAt returns the example at a step, with answers to all earlier steps.
func tripAt(step string) (*Wizard, *trip) {
	e := &trip{review: fullReview(), unwanted: "Bob"}
	w := New(e.steps, e.check, Draft{Step: step, Reached: step, Values: Values{
		"kind":  {Text: "tour"},
		"name":  {Text: "Ada"},
		"days":  {Text: "9"},
		"guide": {On: true}, "guide-name": {Text: "Grace"},
		"beds": {IDs: []string{"hut"}},
		"meals": {Rows: []Values{{"name": {Text: "Soup 日本"}, "at": {Text: "19"}, "warm": {On: true},
			"where": {Text: "hut"}},
			{"name": {Text: "Bread"}, "at": {Text: "12"}, "where": {Text: "way"}}}},
	}})
	return w, e
}

// scenes are the pictures of the example.
func scenes() map[string]func() *Wizard {
	at := func(step string, change func(*Wizard)) func() *Wizard {
		return func() *Wizard {
			w, _ := tripAt(step)
			if change != nil {
				change(w)
			}
			return w
		}
	}
	progress := &Progress{Title: "Book a trip", Operations: []Operation{
		{Text: "Bed in the hut on the ridge", Stage: RolledBack},
		{Text: "Guide", Stage: Done}, {Text: "Call the hut", Stage: Failed,
			Note: "Nobody answers; call again after six."},
		{Text: "Reservation of the tent", Stage: Running}, {Text: "Say goodbye", Stage: Waiting},
	}}
	return map[string]func() *Wizard{
		"1-kind": at("kind", nil),
		"2-about": at("about", func(w *Wizard) {
			w.form.focus = "name"
			w.TypeKey("ctrl+u", nil)
			w.Next()
		}),
		"3-beds":     at("beds", func(w *Wizard) { w.Key("down") }),
		"4-new-meal": at("beds", func(w *Wizard) { w.Tab(1); w.AddRow(); w.Tab(1); w.Paste("19") }),
		"5-checks":   at("checks", nil),
		"6-review":   at("review", nil),
		"7-skipped": func() *Wizard {
			e := &trip{}
			return New(e.steps, e.check, Draft{Values: Values{"kind": {Text: "walk"}}})
		},
		"8-progress": at("review", func(w *Wizard) { w.ShowProgress(progress) }),
		"9-result": at("review", func(w *Wizard) {
			w.ShowProgress(progress)
			w.ShowResult(Result{Mark: Bad, Word: "failed",
				Text: "The hut could not be called. Everything was undone.", Again: true,
				Facts: []Fact{{Mark: Good, Label: "Guide", Word: "free again"}},
				Next:  []Key{{ID: "call", Key: "c", Help: "Call the hut by hand"}}})
		}),
	}
}
