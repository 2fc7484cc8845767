package counters

import (
	"context"

	"cxdeck/perf"
	"cxdeck/ui"
	"cxdeck/views/counters/search"
)

// indexCache keeps the newest index; building is the schema whose index is being built, nil for none.
type indexCache struct {
	index    *search.Index
	building *perf.Schema
}

// indexMsg contains a finished index.
type indexMsg struct{ index *search.Index }

func (c *indexCache) take(msg indexMsg) {
	if c.building == msg.index.Schema {
		c.index, c.building = msg.index, nil
	}
}

// buildIndex builds the index of the newest schema, unless it exists; outside the terminal loop if the schema is long.
func (s *Screen) buildIndex() ui.Cmd {
	schema := s.schema
	if schema == nil || s.index.building == schema || s.index.index != nil && s.index.index.Schema == schema {
		return nil
	}
	if len(schema.Series) <= maxListedAtOnce {
		s.index.index = search.NewIndex(schema)
		return nil
	}
	s.index.building = schema
	return ui.Background("list the counters", func(context.Context) ui.Msg { return indexMsg{search.NewIndex(schema)} })
}

// maxListedAtOnce is the maximum number of series that are listed in the terminal loop: it takes at most two milliseconds.
const maxListedAtOnce = 5000
