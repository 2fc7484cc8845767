package control

import (
	"io"
	"sync"
)

// spool buffers the owner's output for a slow reader, so that the owner never waits.
type spool struct {
	mu      sync.Mutex
	changed *sync.Cond
	waiting []printed
	idle    bool // nothing is being written
	closed  bool
}

type printed struct {
	to   io.Writer
	text []byte
}

func newSpool() *spool {
	s := &spool{idle: true}
	s.changed = sync.NewCond(&s.mu)
	go s.write()
	return s
}

func (s *spool) put(to io.Writer, text []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = append(s.waiting, printed{to, text})
	s.changed.Broadcast()
}

func (s *spool) write() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		for len(s.waiting) == 0 {
			if s.closed {
				return
			}
			s.changed.Wait()
		}
		batch := s.waiting
		s.waiting, s.idle = nil, false
		s.mu.Unlock()
		for _, p := range batch {
			_, _ = p.to.Write(p.text) // the writer keeps its own error
		}
		s.mu.Lock()
		s.idle = true
		s.changed.Broadcast()
	}
}

// flush waits until all is written.
func (s *spool) flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.waiting) > 0 || !s.idle {
		s.changed.Wait()
	}
}

// close writes the rest and ends the spool.
func (s *spool) close() {
	s.flush()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.changed.Broadcast()
}
