package history

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
)

// searchProgress is the dialog of a running search; Esc cancels the search.
type searchProgress struct {
	text   string
	cancel context.CancelFunc
	// done and all are numbers of sessions; all is 0 for a search of words, which has no progress.
	done, all atomic.Int64
	// over is set when the search has ended, cancelled when the operator has cancelled it.
	over, cancelled bool
}

// searchTick redraws the progress of a search.
type searchTick struct{}

// searchRefresh is the time between two redraws.
const searchRefresh = 100 * time.Millisecond

// note implements find.Options.Progress.
func (p *searchProgress) note(done, all int) {
	p.done.Store(int64(done))
	p.all.Store(int64(all))
}

func (p *searchProgress) Title() string { return searchTitle }

func (p *searchProgress) Size(width, _ int) (int, int) { return min(width, 60), 2 }

// Opened implements ui.Opener.
func (p *searchProgress) Opened() ui.Cmd { return ui.After(searchRefresh, searchTick{}) }

// Closed implements ui.Closer: closing the dialog with Esc cancels the search.
func (p *searchProgress) Closed() ui.Cmd {
	if p.over {
		return nil
	}
	p.cancelled = true
	p.cancel()
	return ui.Toast(ui.Note, "The search is cancelled.")
}

func (p *searchProgress) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case foundMsg:
		p.over = msg.of == p
		return p.over, nil
	case searchTick:
		return false, ui.After(searchRefresh, searchTick{})
	}
	return false, nil
}

func (p *searchProgress) Draw(area widget.Area) {
	area.PrintCut(0, 0, area.Width, p.text, themes.Style{Role: themes.Accent})
	all := p.all.Load()
	if all == 0 {
		area.Print(0, 1, "searching", themes.Style{Role: themes.Muted})
		return
	}
	done := p.done.Load()
	count := fmt.Sprintf("%d of %d sessions", done, all)
	x := area.Print(0, 1, count+"  ", themes.Style{Role: themes.Muted})
	bar := area.Sub(x, 1, area.Width-x, 1)
	g := area.Glyphs()
	bar.Horizontal(0, g.Horizontal, themes.Style{Role: themes.Border})
	for i := range int(int64(bar.Width) * done / all) {
		bar.Set(i, 0, g.Line, themes.Style{Role: themes.Accent})
	}
}

func (p *searchProgress) Hints() []ui.Hint { return []ui.Hint{{Key: "esc", Name: "cancel"}} }
