package ui

import (
	"context"
	"fmt"
)

// feed is a channel whose tokens announce new data. There may be several, and they may be added and removed while the console
// runs: opening a recorded session adds one.
type feed struct {
	name   string
	tokens <-chan struct{}
	stop   chan struct{} // closed when the feed is replaced
}

// feedMsg is a token of a feed; ended reports that its channel was closed.
type feedMsg struct {
	feed  *feed
	ended bool
}

type followMsg struct {
	name string
	feed <-chan struct{}
}

// Follow makes each token of a channel a DataMsg. It replaces a channel followed under the same name; nil only ends that. Closing
// the channel ends it too.
func Follow(name string, feed <-chan struct{}) Cmd { return emit(followMsg{name, feed}) }

// feedName returns the name of the i-th of Options.Feeds.
func feedName(i int) string { return fmt.Sprintf("feed %d", i) }

func (s *Shell) follow(name string, tokens <-chan struct{}) {
	if old := s.feeds[name]; old != nil {
		close(old.stop)
		delete(s.feeds, name)
	}
	if tokens == nil {
		return
	}
	f := &feed{name: name, tokens: tokens, stop: make(chan struct{})}
	s.feeds[name] = f
	s.awaitFeed(f)
}

// awaitFeed waits for one token. It waits for the next one only after this one was handled, so that a slow loop is never
// flooded.
func (s *Shell) awaitFeed(f *feed) {
	s.jobs = append(s.jobs, job{name: f.name, kind: feedJob, run: func(ctx context.Context) Msg {
		select {
		case _, open := <-f.tokens:
			return feedMsg{f, !open}
		case <-f.stop:
		case <-ctx.Done():
		}
		return nil
	}})
}

func (s *Shell) handleFeed(msg feedMsg) {
	if s.feeds[msg.feed.name] != msg.feed {
		return
	}
	if msg.ended {
		delete(s.feeds, msg.feed.name)
		return
	}
	s.awaitFeed(msg.feed)
	s.data()
}
