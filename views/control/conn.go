package control

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// conn is the owner's connection to a client.
type conn struct {
	net net.Conn
	pid int
	// turns is the server's; a request holds one while it runs.
	turns chan struct{}
	// busy is set while the client is included in Server.busy, running while its request runs; Server.mu guards both.
	busy, running bool

	frames       chan received // messages of the client, except cancels
	disconnected chan struct{} // closed when it sends no more
	done         chan struct{} // closed when the server reads no more frames

	writing sync.Mutex // one frame at a time

	mu     sync.Mutex
	cancel context.CancelFunc // of the request that runs
}

// received is a frame, with its message if it contains one.
type received struct {
	frame   frame
	message message
}

// errGone reports a client that has left or did not answer in time.
var errGone = errors.New("the requesting cxdeck exec has ended, or does not answer")

// receive reads frames until the client leaves or breaks the protocol, which ends its request.
func (c *conn) receive() {
	defer func() {
		close(c.disconnected)
		c.abort()
	}()
	for {
		f, err := readFrame(c.net)
		if err != nil {
			return
		}
		got := received{frame: f}
		if f.kind == frameMessage {
			if got.message, err = decode(f); err != nil {
				return
			}
		}
		if got.message.Cancel {
			c.abort()
			continue
		}
		select {
		case c.frames <- got:
		case <-c.done:
			return
		}
	}
}

func (c *conn) cancelWith(cancel context.CancelFunc) {
	c.mu.Lock()
	c.cancel = cancel
	c.mu.Unlock()
	select {
	case <-c.disconnected: // it left before there was anything to cancel
		c.abort()
	default:
	}
}

func (c *conn) abort() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cancel != nil {
		c.cancel()
	}
}

// next reads the client's next message, within a time limit.
func (c *conn) next(ctx context.Context, limit time.Duration) (received, error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case got := <-c.frames:
		return got, nil
	case <-c.disconnected:
	case <-timer.C:
	case <-ctx.Done():
		return received{}, ctx.Err()
	}
	return received{}, errGone
}

func (c *conn) send(m *message) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return c.write(frameMessage, text)
}

func (c *conn) write(kind byte, payload []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	if err := c.net.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return err
	}
	return writeFrame(c.net, kind, payload)
}

// outside gives up the request's turn while do waits for the client, so that other requests can run.
func (c *conn) outside(do func()) {
	<-c.turns
	defer func() { c.turns <- struct{}{} }()
	do()
}

// afterOut is the error stream; it flushes the output first, to keep the order.
type afterOut struct {
	out *bufio.Writer
	err io.Writer
}

// Write sends a text.
func (a afterOut) Write(text []byte) (int, error) {
	if err := a.out.Flush(); err != nil {
		return 0, err
	}
	return a.err.Write(text)
}

// output is one of the client's streams.
type output struct {
	conn *conn
	kind byte
}

// Write sends a text in pieces. The request of a client that reads nothing is cancelled.
func (o output) Write(text []byte) (int, error) {
	for sent := 0; sent < len(text); {
		part := text[sent:min(sent+maxData, len(text))]
		var err error
		o.conn.outside(func() { err = o.conn.write(o.kind, part) })
		if err != nil {
			o.conn.abort()
			return sent, errGone
		}
		sent += len(part)
	}
	return len(text), nil
}
