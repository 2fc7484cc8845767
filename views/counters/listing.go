package counters

import (
	"context"

	"cxdeck/perf"
	"cxdeck/ui"
	"cxdeck/views/counters/search"
)

// indexCache keeps the newest index, and whether one is being made.
type indexCache struct {
	index  *search.Index
	making *perf.Schema
}

// indexMsg brings an index.
type indexMsg struct{ index *search.Index }

func (c *indexCache) take(msg indexMsg) {
	if c.making == msg.index.Schema {
		c.index, c.making = msg.index, nil
	}
}

// readIndex makes the index of the newest schema outside the terminal loop, unless it is there.
func (s *Screen) readIndex() ui.Cmd {
	schema := s.schema
	if schema == nil || s.index.making == schema || s.index.index != nil && s.index.index.Schema == schema {
		return nil
	}
	if len(schema.Series) <= listAtOnce {
		s.index.index = search.NewIndex(schema)
		return nil
	}
	s.index.making = schema
	return ui.Background("list the counters", func(context.Context) ui.Msg { return indexMsg{search.NewIndex(schema)} })
}

// listAtOnce is how many series are listed in the terminal loop: that takes less than a millisecond or two.
const listAtOnce = 5000
