package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"cxdeck/driver/script"
)

var (
	// ErrNobody reports that no process listens for a history file.
	ErrNobody = errors.New("no process listens for this history file")
	// ErrNotAccepted reports that a request has not been run, and may be sent to the next owner.
	ErrNotAccepted = errors.New("the owner of the host has ended")
	// ErrLost reports that the owner ended while a request ran.
	ErrLost = errors.New("the cxdeck that has the host ended before it answered: cxdeck exec journal shows whether the change was made")
	// ErrSilent reports that the owner does not take a request: it is stopped, or hangs.
	ErrSilent = errors.New("it does not answer; cxdeck exec journal shows whether it made the change after all")
	// ErrProtocol reports that the owner speaks another version of the protocol.
	ErrProtocol = errors.New("the running cxdeck has another version")
)

// cancelTime limits the wait for a cancelled request.
const cancelTime = 2 * time.Second

// Client is a connection to the owner of a host. One goroutine uses it.
type Client struct {
	net net.Conn
	// Owner is the owner's hello.
	Owner Hello

	// patience is the time that Dial was given, and that the owner has to take a request; 0 is no limit.
	patience time.Duration
	writing  sync.Mutex
}

// Dial connects to the owner of a history file. It returns ErrNobody if there is no owner; one may start at any time. The owner has as
// long to take each request as ctx leaves for its hello.
func Dial(ctx context.Context, history string, hello Hello) (*Client, error) {
	var patience time.Duration
	if deadline, limited := ctx.Deadline(); limited {
		patience = time.Until(deadline)
	}
	for _, address := range Addresses(history) {
		info, err := os.Lstat(address)
		if err != nil || !isSocket(info) {
			continue
		}
		connection, err := (&net.Dialer{}).DialContext(ctx, "unix", address)
		if err != nil {
			continue // the owner is about to listen, has ended, or was killed
		}
		uid, _, known := peerOf(connection.(*net.UnixConn))
		if known && uid != os.Geteuid() {
			_ = connection.Close() // nothing was sent
			return nil, fmt.Errorf("the socket %s belongs to another user: choose another history file with --db", address)
		}
		c, err := exchangeHello(ctx, connection, hello)
		if err == nil {
			c.patience = patience
		}
		return c, err
	}
	return nil, ErrNobody
}

func exchangeHello(ctx context.Context, connection net.Conn, hello Hello) (*Client, error) {
	defer context.AfterFunc(ctx, func() { _ = connection.SetDeadline(time.Now()) })()
	hello.Protocol, hello.PID = Protocol, os.Getpid()
	c := &Client{net: connection}
	var got message
	err := c.send(&message{Hello: &hello})
	if err == nil {
		got, err = c.receive()
	}
	switch {
	case err != nil, got.Hello == nil:
		c.Close()
		return nil, ErrNobody
	case got.Hello.Protocol != Protocol:
		c.Close()
		return nil, fmt.Errorf("%w: it is %s with process number %d, and this is %s; use the same", ErrProtocol, got.Hello.Version,
			got.Hello.PID, hello.Version)
	}
	c.Owner = *got.Hello
	return c, nil
}

// Close ends the connection.
func (c *Client) Close() { _ = c.net.Close() } // no data is buffered

func (c *Client) receive() (message, error) {
	f, err := readFrame(c.net)
	if err != nil {
		return message{}, err
	}
	return decode(f)
}

func (c *Client) send(m *message) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return c.write(frameMessage, text)
}

func (c *Client) write(kind byte, payload []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	return writeFrame(c.net, kind, payload)
}

// ClientIO are the client's streams, files and answers for a request.
type ClientIO struct {
	Out, Err io.Writer
	// Ask reads the answer to a printed question; nil where no answer is possible.
	Ask func(ctx context.Context) string
	// Read, Write and Folder access files, see Files.
	Read   func(path string, limit int64) ([]byte, error)
	Write  func(files []script.File, replace bool) error
	Folder func(name string) (string, error)
}

// Run lets the owner run a request. ErrNotAccepted means that it was not run, ErrLost and ErrSilent that the outcome is unknown. When
// ctx ends the request is cancelled.
func (c *Client) Run(ctx context.Context, request Request, ends ClientIO) (Exit, error) {
	if err := ctx.Err(); err != nil {
		return Exit{}, err
	}
	request.CanAsk = ends.Ask != nil
	text, err := json.Marshal(&message{Request: &request})
	if err != nil {
		return Exit{}, err
	}
	if len(text) > maxMessage {
		return Exit{}, fmt.Errorf("the command is longer than %d bytes", maxMessage)
	}
	if err := c.submit(ctx, text); err != nil {
		return Exit{}, err
	}
	defer context.AfterFunc(ctx, func() {
		_ = c.send(&message{Cancel: true})                    // its result follows
		_ = c.net.SetReadDeadline(time.Now().Add(cancelTime)) // don't wait for an owner that hangs
	})()
	out := newSpool()
	defer out.close()
	exit, err := c.follow(ctx, out, ends)
	switch {
	case err == nil:
		return exit, nil
	case ctx.Err() != nil:
		return exit, ctx.Err()
	}
	return exit, ErrLost
}

// submit sends a request, and waits until the owner runs it. The owner takes it at once, unless it hangs; its turn may come much later.
func (c *Client) submit(ctx context.Context, request []byte) error {
	if c.patience > 0 {
		_ = c.net.SetDeadline(time.Now().Add(c.patience))
	}
	hurry := func() { _ = c.net.SetDeadline(time.Now().Add(cancelTime)) } // what runs already answers with its result
	stop := context.AfterFunc(ctx, hurry)
	defer func() {
		stop()
		_ = c.net.SetDeadline(time.Time{})
	}()
	err := c.write(frameMessage, request)
	for _, answer := range []func(m *message) bool{func(m *message) bool { return m.Queued }, func(m *message) bool { return m.Accepted }} {
		var got message
		if err == nil {
			got, err = c.receive()
		}
		switch {
		case err == nil && answer(&got):
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, os.ErrDeadlineExceeded):
			return ErrSilent
		default:
			return ErrNotAccepted
		}
		if stop() { // not yet ended: the wait for its turn has no limit
			_ = c.net.SetDeadline(time.Time{})
			stop = context.AfterFunc(ctx, hurry)
		}
	}
	return nil
}

// follow handles the owner's messages until the request has ended.
func (c *Client) follow(ctx context.Context, out *spool, ends ClientIO) (Exit, error) {
	for {
		f, err := readFrame(c.net)
		if err != nil {
			return Exit{}, err
		}
		switch f.kind {
		case frameOut:
			out.put(ends.Out, f.payload)
			continue
		case frameErr:
			out.put(ends.Err, f.payload)
			continue
		}
		m, err := decode(f)
		switch {
		case err != nil:
			return Exit{}, err
		case m.Exit != nil:
			return *m.Exit, nil
		case m.Query == nil:
			return Exit{}, errProtocol
		}
		if err := c.answer(ctx, m.Query, out, ends); err != nil {
			return Exit{}, err
		}
	}
}

// answer answers a query of the owner: a question, or access to files.
func (c *Client) answer(ctx context.Context, q *query, out *spool, ends ClientIO) error {
	var r reply
	var data []byte
	var err error
	switch {
	case q.Ask:
		out.flush()
		if ends.Ask != nil {
			r.Text = ends.Ask(ctx)
		}
	case q.Read != nil:
		data, err = ends.Read(q.Read.Path, q.Read.Limit)
		r.Size, r.Error = int64(len(data)), packError(err)
	case q.Folder != nil:
		r.Text, err = ends.Folder(*q.Folder)
		r.Error = packError(err)
	case q.Write != nil:
		files, err := c.contents(q.Write.Files)
		if err != nil {
			return err
		}
		r.Error = packError(ends.Write(files, q.Write.Replace))
	default:
		return errProtocol
	}
	if err := c.send(&message{Reply: &r}); err != nil {
		return err
	}
	for ; len(data) > 0; data = data[min(maxData, len(data)):] {
		if err := c.write(frameData, data[:min(maxData, len(data))]); err != nil {
			return err
		}
	}
	return nil
}

// contents receives the contents of files of the announced sizes.
func (c *Client) contents(sizes []fileSize) ([]script.File, error) {
	var files []script.File
	for _, size := range sizes {
		file := script.File{Path: size.Path}
		for int64(len(file.Data)) < size.Size {
			f, err := readFrame(c.net)
			switch {
			case err != nil:
				return nil, err
			case f.kind != frameData, len(f.payload) == 0:
				return nil, errProtocol
			}
			file.Data = append(file.Data, f.payload...)
		}
		files = append(files, file)
	}
	return files, nil
}
