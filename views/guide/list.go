package guide

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver/guide"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/exec/guides"
)

// Guides are the guides of a console.
type Guides struct {
	// Open returns the course of a guide on the host, with answers as words: processors=4.
	Open func(ctx context.Context, name string, answers []string) (*guides.Course, error)
	// Run runs a line of exec that changes the host: it shows the effects, asks, and shows the answer.
	Run func(words []string) ui.Cmd
	// CannotChange is the reason why the host can't be changed now, empty when it can; Unavailable why there are no guides.
	CannotChange, Unavailable func() string

	// OpenForm opens a form on its screen; answers are its first ones, nil for those that it has by itself.
	OpenForm func(name string, answers guide.Answers) ui.Cmd

	// last is the guide that was opened last, and typedFor the answers that were given to guides, as words.
	last     string
	typedFor map[string][]string
	// lacks are the guides whose result the host does not have; nil before they were looked for. only lists no others.
	lacks map[string]bool
	only  bool
}

// Actions returns the action that lists the guides, the ones of a screen's topics first.
func (g *Guides) Actions(screen string) []ui.Action {
	return []ui.Action{{ID: "shell.guides", Keys: []string{"G"}, Name: "guides", Hidden: true, Disabled: g.Unavailable(),
		Help: "List the guides: procedures of the manuals, step by step", Run: func() ui.Cmd { return g.openList(screen) }}}
}

// groupsOf are the topics of a screen, which the list shows first.
var groupsOf = map[string][]string{
	"overview": {"ports", "installation"}, "counters": {"performance", "diagnosis"}, "registry": {"performance", "ports"}, "teams": {"teaming"},
	"sriov": {"virtualization"}, "qos": {"qos", "rdma"}, "events": {"diagnosis"}, "history": {"diagnosis"}, "lab": {"ports", "boot"},
	"diagnose": {"diagnosis"},
}

// listDialog lists the guides that match what is typed.
type listDialog struct {
	*Guides
	// busy is set while the host is asked what it lacks.
	busy bool
	// topics are the ones that come first.
	topics []string
	input  *widget.Input
	table  widget.Table
	shown  []*guide.Guide
}

func (g *Guides) openList(screen string) ui.Cmd {
	d := &listDialog{Guides: g, topics: groupsOf[screen], input: widget.NewInput("", "type part of a name", 0), table: widget.Table{ID: "guide.list", Focused: true, SortColumn: -1,
		Columns: []widget.TableColumn{{Title: "Topic", Width: 14}, {Title: "Guide", Width: 30, Grow: 1, Rank: 1}, {Title: "For", Width: 14}, {Title: "Steps", Width: 5}, {Title: "", Width: 4}}}}
	d.search()
	if at := slices.IndexFunc(d.shown, func(shown *guide.Guide) bool { return shown.Name == g.last }); at >= 0 {
		d.table.List.Select(at)
	}
	return ui.OpenDialog(d)
}

// search lists the guides that match, the ones of the front screen's topics first.
func (d *listDialog) search() {
	typed := strings.Fields(strings.ToLower(strings.TrimPrefix(d.input.Value(), "/"))) // as in the searches that / begins
	d.shown = d.shown[:0]
	for _, g := range guide.All() {
		if d.only && !d.lacks[g.Name] {
			continue
		}
		text := strings.ToLower(strings.Join([]string{g.Name, g.Title, g.Group, g.Goal}, " "))
		if !slices.ContainsFunc(typed, func(word string) bool { return !strings.Contains(text, word) }) {
			d.shown = append(d.shown, g)
		}
	}
	slices.SortStableFunc(d.shown, func(a, b *guide.Guide) int {
		rank := func(g *guide.Guide) int {
			if at := slices.Index(d.topics, g.Group); at >= 0 {
				return at
			}
			return len(d.topics)
		}
		return rank(a) - rank(b)
	})
	d.table.List.SetLength(len(d.shown))
	d.table.List.Select(0)
}

func (d *listDialog) Title() string { return "Guides" }

// Typing implements ui.Typer: letters go to the search.
func (d *listDialog) Typing() bool { return true }

// besides is the number of rows beside the list: the search, its line, the head and the goal.
const besides = 6

func (d *listDialog) Size(width, height int) (int, int) {
	return min(width, 100), min(height, max(len(guide.All()), 8)+besides)
}

// lacksMsg brings the guides whose result the host does not have.
type lacksMsg struct {
	dialog *listDialog
	lacks  map[string]bool
}

// toggleLacks lists only the guides whose checks afterwards are not met on the host, or all again.
func (d *listDialog) toggleLacks() ui.Cmd {
	if d.only = !d.only; !d.only || d.busy {
		d.search()
		return nil
	}
	d.busy = true
	return ui.Background("ask the host what it lacks", func(ctx context.Context) ui.Msg {
		lacks := map[string]bool{}
		for _, g := range guide.All() {
			course, err := d.Open(ctx, g.Name, nil)
			if err != nil || len(g.After) == 0 { // it is for another driver, or only reads
				continue
			}
			for _, v := range course.Check(ctx, g.After) {
				lacks[g.Name] = lacks[g.Name] || v.State == guides.Unmet
			}
		}
		return lacksMsg{d, lacks}
	})
}

func (d *listDialog) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case lacksMsg:
		if msg.dialog == d {
			d.busy, d.lacks = false, msg.lacks
			d.search()
		}
	case ui.KeyMsg:
		switch msg.Name {
		case "enter":
			return d.open(d.table.List.Cursor())
		case "up", "down", "pgup", "pgdown":
			d.table.List.Key(msg.Name)
		case "tab":
			return false, d.toggleLacks()
		default:
			if d.input.Key(msg.Name, msg.Runes) {
				d.search()
			}
		}
	case ui.PasteMsg:
		d.input.Paste(msg.Text)
		d.search()
	case ui.HitMsg:
		if step := msg.Button.WheelRows(); step != 0 {
			d.table.List.Scroll(step)
		} else if msg.ID == d.table.ID && msg.Button == ui.Press && msg.Index < len(d.shown) {
			if d.table.List.Select(msg.Index); msg.Double {
				return d.open(msg.Index)
			}
		}
	}
	return false, nil
}

func (d *listDialog) open(at int) (bool, ui.Cmd) {
	if at < 0 || at >= len(d.shown) {
		return false, nil
	}
	return true, d.openPage(d.shown[at])
}

func (d *listDialog) Draw(area widget.Area) {
	search, list := area.SplitTop(2)
	d.input.Draw(search, true, themes.Style{})
	if list.Height > 2*besides && len(d.shown) > 0 {
		var below widget.Area
		list, below = list.SplitTop(list.Height - 3)
		for y, text := range widget.Wrap(d.shown[max(d.table.List.Cursor(), 0)].Goal, below.Width-1) {
			below.Print(0, y+1, text, themes.Style{})
		}
	}
	switch {
	case d.busy:
		list.Print(0, 0, "The host is asked what it lacks ...", themes.Style{Role: themes.Muted})
		return
	case len(d.shown) == 0:
		list.Print(0, 0, "No guide matches.", themes.Style{Role: themes.Muted})
		return
	}
	d.table.Draw(list, func(at int, cells []widget.TableCell) {
		g := d.shown[at]
		cells[0] = widget.TableCell{Text: g.Group, Style: themes.Style{Role: themes.Muted}}
		cells[1] = widget.TableCell{Text: g.Title}
		cells[2] = widget.TableCell{Text: guides.FamilyText(g.Families), Style: themes.Style{Role: themes.Muted}}
		cells[3] = widget.TableCell{Text: fmt.Sprint(len(g.Steps))}
		if g.Form() != "" {
			cells[4] = formMark
		}
	})
}

func (d *listDialog) Hints() []ui.Hint {
	scope := "what the host lacks"
	if d.only {
		scope = "all guides"
	}
	return []ui.Hint{{Key: "enter", Name: "open"}, {Key: "tab", Name: scope}, {Key: "esc", Name: "close"}}
}
