package guides

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"cxdeck/driver/guide"
	"cxdeck/views/exec"
)

// Progress is how far a guide has come on a host.
type Progress struct {
	// Began is the host's time at the first step.
	Began   time.Time     `json:"began"`
	Answers guide.Answers `json:"answers"`
	// Done are the steps that were carried out, in order.
	Done []Done `json:"done"`
}

// Done is a step that was carried out.
type Done struct {
	// Step is its index in the guide.
	Step int       `json:"step"`
	Time time.Time `json:"time"`
	// Ticked reports that the operator says so, without a line.
	Ticked bool  `json:"ticked,omitempty"`
	Lines  []Ran `json:"lines,omitempty"`
	// Changes are the sequence numbers of its changes in the journal.
	Changes []uint64 `json:"changes,omitempty"`
	// Failed is the reason why the step ended before its last line; it is tried again.
	Failed string `json:"failed,omitempty"`
}

// Ran is a line that ran, with its answer.
type Ran struct {
	Line   string `json:"line"`
	Output string `json:"output"`
	// Commands are the lines that do the same on a real host; empty if it has none, and in the progress of older versions.
	Commands []string `json:"commands,omitempty"`
	// sentence reports that Line says what is done by hand: "Set the switch port" is not the program set.
	sentence bool
}

const (
	// maxOutput is the part of an answer that is kept, in bytes, maxProgress the size of the progress of all guides of a host.
	maxOutput   = 16 << 10
	maxProgress = 1 << 20
)

// all is the progress of the guides of a host, by name.
type all map[string]*Progress

// read returns the progress of all guides of the host.
func read(ctx context.Context, drafts exec.DraftStore) (all, error) {
	data, err := drafts.Guides(ctx)
	if err != nil || len(data) == 0 {
		return all{}, err
	}
	list := all{}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("the progress of the guides can't be read: %w; guide reset --all forgets it", err)
	}
	for name, p := range list {
		if p == nil {
			delete(list, name)
		}
	}
	return list, nil
}

// save stores the progress of all guides.
func (a all) save(ctx context.Context, drafts exec.DraftStore) error {
	data, err := json.Marshal(a)
	if err == nil && len(data) > maxProgress {
		err = fmt.Errorf("the progress of all guides has %d kB, and can have %d: guide reset NAME forgets a guide's", len(data)>>10, maxProgress>>10)
	}
	if err != nil {
		return err
	}
	return drafts.SaveGuides(ctx, data)
}

// fits reports whether the steps that are done exist in the guide: a file of an older version may name others.
func (p *Progress) fits(g *guide.Guide) bool {
	return !slices.ContainsFunc(p.Done, func(d Done) bool { return d.Step < 0 || d.Step >= len(g.Steps) })
}

// isDone reports whether a step was carried out.
func (p *Progress) isDone(step int) bool {
	for i := range p.Done {
		if p.Done[i].Step == step && p.Done[i].Failed == "" {
			return true
		}
	}
	return false
}

// next returns the index of the first step that applies and was not carried out; ok is false when all were.
func (p *Progress) next(g *guide.Guide) (step int, ok bool) {
	for i := range g.Steps {
		if p.Answers.Applies(g.Steps[i].When) && !p.isDone(i) {
			return i, true
		}
	}
	return 0, false
}
