package control

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"sync"
	"time"
)

// The bounds that keep a hostile, slow or silent client from holding up anything but itself.
const (
	// maxClients is the maximum number of clients at a time; further clients wait to be accepted.
	maxClients = 256
	// maxRunning is the maximum number of requests that run at a time, so that the owner's own work gets its share of the
	// processors. It does not include requests that wait for their client.
	maxRunning       = 8
	helloTime        = 2 * time.Second  // for a client to say hello
	idleTime         = 30 * time.Second // between two requests; a client connects again when it has been longer
	writeTime        = 10 * time.Second // for a client to take a frame
	fileTime         = 30 * time.Second // for a file to be read or written
	askTime          = 10 * time.Minute // for an operator to answer a question
	acceptRetryDelay = 50 * time.Millisecond
	cancelGrace      = 200 * time.Millisecond // for a cancelled request to end
)

// Call is a request that the owner runs.
type Call struct {
	Request
	// Out and Err go to the client.
	Out, Err io.Writer
	// Ask lets the client answer a printed question; nil where it can't.
	Ask func(ctx context.Context) string
	// Files accesses the client's files, by paths relative to its working directory.
	Files *Files
}

// Server serves the clients of an owner.
type Server struct {
	history string
	hello   Hello
	run     func(ctx context.Context, call *Call) Exit
	// cancel ends all requests.
	ctx     context.Context
	cancel  context.CancelFunc
	closed  chan struct{} // closed by Close
	slots   chan struct{}
	turns   chan struct{}
	working sync.WaitGroup

	mu       sync.Mutex // guards the fields below
	listener *net.UnixListener
	clients  map[*conn]struct{}
	closing  bool
	// busy is the number of clients that are about to send their first request, or whose request runs; served is the number
	// of all clients so far, and idleSince the time at which busy became 0.
	busy      int
	served    int
	idleSince time.Time
}

// Listen listens for the owner of a history file, which must hold the file's lock; it replaces the socket of a killed owner.
// The requests of a client run one at a time; run is called from several goroutines, and never after Close has returned.
func Listen(ctx context.Context, history string, hello Hello, run func(ctx context.Context, call *Call) Exit) (*Server, error) {
	listener, err := bind(ctx, history)
	if err != nil {
		return nil, err
	}
	s := newServer(ctx, hello, run)
	s.history, s.listener = history, listener
	s.working.Go(s.accept)
	s.working.Go(s.watch)
	return s, nil
}

// bind creates the socket of a history file, at the first possible address.
func bind(ctx context.Context, history string) (*net.UnixListener, error) {
	err := errors.New("all paths for the socket are too long")
	for _, address := range Addresses(history) {
		if err = makePrivate(history, address); err != nil {
			continue
		}
		if err = removeStale(address); err != nil {
			continue
		}
		var listener net.Listener
		if listener, err = (&net.ListenConfig{Control: restrict}).Listen(ctx, "unix", address); err != nil {
			continue
		}
		if err = os.Chmod(address, 0o600); err != nil {
			_ = listener.Close() // other users might connect
			continue
		}
		return listener.(*net.UnixListener), nil
	}
	return nil, err
}

func newServer(ctx context.Context, hello Hello, run func(ctx context.Context, call *Call) Exit) *Server {
	hello.Protocol, hello.PID = Protocol, os.Getpid()
	s := &Server{hello: hello, run: run, closed: make(chan struct{}), slots: make(chan struct{}, maxClients), turns: make(chan struct{}, maxRunning),
		clients: map[*conn]struct{}{}}
	s.ctx, s.cancel = context.WithCancel(ctx)
	return s
}

// watchInterval is the time between checks that the socket still exists.
const watchInterval = time.Second

// watch recreates the socket after it was removed.
func (s *Server) watch() {
	ticker := time.NewTicker(watchInterval)
	defer ticker.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-s.closed:
			return
		case <-ticker.C:
		}
		if _, err := os.Lstat(s.current().Addr().String()); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		listener, err := bind(s.ctx, s.history)
		if err != nil {
			continue // the directory may be missing; try again at the next check
		}
		s.replace(listener)
	}
}

func (s *Server) current() *net.UnixListener {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listener
}

// replace switches to another socket.
func (s *Server) replace(listener *net.UnixListener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		_ = listener.Close() // it is not in use
		return
	}
	s.listener.SetUnlinkOnClose(false)
	_ = s.listener.Close() // no client can reach it any more
	s.listener = listener
}

// accept accepts clients, up to maxClients at a time.
func (s *Server) accept() {
	for {
		select {
		case s.slots <- struct{}{}:
		case <-s.ctx.Done():
			return
		}
		listener := s.current()
		connection, err := listener.AcceptUnix()
		if err != nil {
			<-s.slots
			if s.ctx.Err() != nil || errors.Is(err, net.ErrClosed) && s.current() == listener {
				return
			}
			time.Sleep(acceptRetryDelay) // for example, the limit of open files is reached
			continue
		}
		uid, pid, known := peerOf(connection)
		if known && uid != os.Geteuid() && uid != 0 {
			_ = connection.Close() // another user's
			<-s.slots
			continue
		}
		s.working.Go(func() {
			defer func() { <-s.slots }()
			s.serveClient(connection, pid)
		})
	}
}

// serveClient serves one client until it leaves.
func (s *Server) serveClient(connection net.Conn, pid int) {
	c := &conn{net: connection, pid: pid, turns: s.turns, frames: make(chan received), disconnected: make(chan struct{}), done: make(chan struct{})}
	defer connection.Close() //nolint:errcheck // nothing more is written
	defer close(c.done)
	if !s.admitRequest(c) {
		_ = c.send(&message{Closing: true})
		return
	}
	defer s.leave(c)
	go c.receive()
	if !s.exchangeHellos(c) {
		return
	}
	for s.next(c) {
	}
}

// exchangeHellos reports whether the client has sent a hello with the same version of the protocol.
func (s *Server) exchangeHellos(c *conn) bool {
	first, err := c.next(s.ctx, helloTime)
	if err != nil || first.message.Hello == nil || c.send(&message{Hello: &s.hello}) != nil {
		return false
	}
	if c.pid == 0 {
		c.pid = first.message.Hello.PID
	}
	return first.message.Hello.Protocol == Protocol
}

// next waits for a request and runs it; false ends the connection.
func (s *Server) next(c *conn) bool {
	limit := helloTime
	if !c.busy {
		limit = idleTime
	}
	got, err := c.next(s.ctx, limit)
	if err != nil || got.message.Request == nil {
		return false
	}
	if !s.begin(c) {
		_ = c.send(&message{Closing: true})
		return false
	}
	defer s.markIdle(c)
	if c.send(&message{Queued: true}) != nil {
		return false
	}
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-s.ctx.Done():
		_ = c.send(&message{Closing: true})
		return false
	case <-c.disconnected:
		return false
	}
	if c.send(&message{Accepted: true}) != nil {
		return false
	}
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	c.cancelWith(cancel)
	defer c.cancelWith(nil)
	out := bufio.NewWriterSize(output{c, frameOut}, maxData)
	call := &Call{Request: *got.message.Request, Out: out, Err: afterOut{out, output{c, frameErr}}, Files: &Files{c, ctx}}
	call.PID = c.pid
	if call.CanAsk {
		call.Ask = func(ctx context.Context) string {
			_ = out.Flush() // after a failure the question gets no answer
			return c.ask(ctx)
		}
	}
	exit := s.run(ctx, call)
	return out.Flush() == nil && c.send(&message{Exit: &exit}) == nil
}

func (s *Server) admitRequest(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return false
	}
	s.clients[c] = struct{}{}
	s.served++
	s.busy++
	c.busy = true
	return true
}

func (s *Server) begin(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return false
	}
	if !c.busy {
		s.busy++
		c.busy = true
	}
	c.running = true
	return true
}

// markIdle records that a client has no running request.
func (s *Server) markIdle(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.running = false
	if c.busy {
		s.busy--
		c.busy = false
		s.idleSince = time.Now()
	}
	if s.closing {
		_ = c.net.SetReadDeadline(time.Now()) // take no further request
	}
}

func (s *Server) leave(c *conn) {
	s.markIdle(c)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.clients, c)
}

// Finish waits until no request has run for a quiet time, or until the limit: clients that waited for this owner need not
// wait for the next one. It returns at once if there was no client.
func (s *Server) Finish(quiet, limit time.Duration) {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(quiet / 4) {
		s.mu.Lock()
		over := s.served == 0 || s.busy == 0 && time.Since(s.idleSince) >= quiet
		s.mu.Unlock()
		if over {
			return
		}
	}
}

// Close accepts no more requests and waits until the running ones have ended; when ctx ends they are cancelled.
func (s *Server) Close(ctx context.Context) {
	s.mu.Lock()
	s.closing = true
	close(s.closed)
	_ = s.listener.Close() // which removes the socket
	for c := range s.clients {
		if !c.running {
			_ = c.net.SetReadDeadline(time.Now()) // ends the wait for its hello or its next request
		}
	}
	s.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		s.working.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
		s.cancel()
		select {
		case <-ended:
			return
		case <-time.After(cancelGrace):
		}
		s.mu.Lock()
		for c := range s.clients {
			_ = c.net.SetDeadline(time.Now())
		}
		s.mu.Unlock()
		<-ended
	}
	s.cancel()
}
