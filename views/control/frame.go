package control

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Protocol is the version of the protocol. Both sides must have the same.
const Protocol = 2

// The kinds of frames.
const (
	frameMessage byte = 'm' // JSON
	frameOut     byte = 'o' // standard output
	frameErr     byte = 'e' // standard error
	frameData    byte = 'd' // a part of a file
)

// The bounds of a frame's payload in bytes. Messages carry the words of a command, which a shell bounds at 2 MiB.
const (
	maxMessage = 2 << 20
	maxData    = 64 << 10
)

// frameHeader is the length of a frame's header: its kind, and the length of its payload.
const frameHeader = 5

// errProtocol reports a peer that violates the protocol.
var errProtocol = errors.New("the peer sent something that is not part of the protocol")

type frame struct {
	kind    byte
	payload []byte
}

// writeFrame writes a frame in one piece.
func writeFrame(w io.Writer, kind byte, payload []byte) error {
	if len(payload) > limitOf(kind) {
		return fmt.Errorf("a frame of %d bytes is too long", len(payload))
	}
	whole := make([]byte, frameHeader, frameHeader+len(payload))
	whole[0] = kind
	binary.BigEndian.PutUint32(whole[1:], uint32(len(payload)))
	_, err := w.Write(append(whole, payload...))
	return err
}

// readFrame reads a frame. A payload takes memory only as it arrives, regardless of the length in its header.
func readFrame(r io.Reader) (frame, error) {
	var header [frameHeader]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return frame{}, err
	}
	length := binary.BigEndian.Uint32(header[1:])
	if limit := limitOf(header[0]); limit == 0 || length > uint32(limit) {
		return frame{}, errProtocol
	}
	var payload bytes.Buffer
	if _, err := io.CopyN(&payload, r, int64(length)); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return frame{}, err
	}
	return frame{header[0], payload.Bytes()}, nil
}

func limitOf(kind byte) int {
	switch kind {
	case frameMessage:
		return maxMessage
	case frameOut, frameErr, frameData:
		return maxData
	}
	return 0
}

// message is a frame of JSON; exactly one of its fields is set.
type message struct {
	Hello   *Hello   `json:"hello,omitempty"`
	Request *Request `json:"request,omitempty"`
	// Queued reports that the owner has the request, Accepted that it runs it now.
	Queued   bool   `json:"queued,omitempty"`
	Accepted bool   `json:"accepted,omitempty"`
	Query    *query `json:"query,omitempty"`
	Reply    *reply `json:"reply,omitempty"`
	Exit     *Exit  `json:"exit,omitempty"`
	Cancel   bool   `json:"cancel,omitempty"`
	// Closing reports that the owner ends and takes no more requests.
	Closing bool `json:"closing,omitempty"`
}

func (m *message) fields() int {
	count := 0
	for _, set := range []bool{m.Hello != nil, m.Request != nil, m.Queued, m.Accepted, m.Query != nil, m.Reply != nil, m.Exit != nil, m.Cancel, m.Closing} {
		if set {
			count++
		}
	}
	return count
}

// decode reads the message of a frame.
func decode(f frame) (message, error) {
	var m message
	if f.kind != frameMessage || json.Unmarshal(f.payload, &m) != nil || m.fields() != 1 {
		return message{}, errProtocol
	}
	return m, nil
}

// The kinds of owners.
const (
	// Console is an owner that runs until its operator ends it.
	Console = "console"
	// Exec is an owner that ends with its command.
	Exec = "exec"
)

// Hello is the first message of each side.
type Hello struct {
	Protocol int    `json:"protocol"`
	Version  string `json:"version"`
	PID      int    `json:"pid"`
	// Owner is the kind of owner; empty from a client.
	Owner string `json:"owner,omitempty"`
	// LabHash, Seed and LabName describe the owner's host.
	LabHash string `json:"lab_hash,omitempty"`
	Seed    uint64 `json:"seed,omitempty"`
	LabName string `json:"lab_name,omitempty"`
	// Source is the source that an owner without a lab host watches.
	Source string `json:"source,omitempty"`
}

// Request is one command.
type Request struct {
	Words []string `json:"words"`
	// Place precedes the sentence about a failure.
	Place string `json:"place,omitempty"`
	// Complete asks for words that could follow instead of running the command; they are printed as JSON.
	Complete bool `json:"complete,omitempty"`
	JSON     bool `json:"json,omitempty"`
	ReadOnly bool `json:"read_only,omitempty"`
	InBytes  bool `json:"in_bytes,omitempty"`
	Zone     Zone `json:"zone"`
	// KeepGoing continues a script after a line that failed.
	KeepGoing bool `json:"keep_going,omitempty"`
	// Environment has the environment variables of the client's run, by their names in capitals.
	Environment map[string]string `json:"environment,omitempty"`
	// CanAsk is set if an operator can answer questions.
	CanAsk bool `json:"can_ask,omitempty"`
	// PID is the client's process number, from the system or else from the client; the owner sets it.
	PID int `json:"-"`
}

// Exit is the result of a command.
type Exit struct {
	Status int `json:"status"`
}

// query is a request of the owner to its client while a command runs; exactly one field is set.
type query struct {
	Ask    bool       `json:"ask,omitempty"`
	Read   *readFile  `json:"read,omitempty"`
	Write  *writeFile `json:"write,omitempty"`
	Folder *string    `json:"folder,omitempty"`
}

// readFile asks for a file; it follows the reply.
type readFile struct {
	Path  string `json:"path"`
	Limit int64  `json:"limit"`
}

// writeFile asks to write files; their contents follow the query, one behind the other.
type writeFile struct {
	Files   []fileSize `json:"files"`
	Replace bool       `json:"replace,omitempty"`
}

type fileSize struct {
	Path string `json:"path"`
	Size int64  `json:"size"`
}

// reply answers a query.
type reply struct {
	Text  string     `json:"text,omitempty"`
	Size  int64      `json:"size,omitempty"` // of the data that follows
	Error *fileError `json:"error,omitempty"`
}

// fileError is an error about a file on its way to the owner.
type fileError struct {
	Operation string `json:"operation,omitempty"`
	Path      string `json:"path,omitempty"`
	Text      string `json:"text"`
	Kind      string `json:"kind,omitempty"`
}

// fileErrorKinds returns the kinds of errors that a command distinguishes, by their names in messages.
func fileErrorKinds() map[string]error {
	return map[string]error{"exist": fs.ErrExist, "not-exist": fs.ErrNotExist, "permission": fs.ErrPermission}
}

func packError(err error) *fileError {
	if err == nil {
		return nil
	}
	packed := &fileError{Text: err.Error()}
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		packed.Operation, packed.Path, packed.Text = pathError.Op, pathError.Path, pathError.Err.Error()
	}
	for kind, is := range fileErrorKinds() {
		if errors.Is(err, is) {
			packed.Kind = kind
		}
	}
	return packed
}

// remoteError is an error of the client with its text and its kind.
type remoteError struct {
	text string
	kind error
}

// Error returns the client's text.
func (e *remoteError) Error() string { return e.text }

// Unwrap returns the kind, which may be nil.
func (e *remoteError) Unwrap() error { return e.kind }

func (e *fileError) unpack() error {
	if e == nil {
		return nil
	}
	var err error = &remoteError{e.Text, fileErrorKinds()[e.Kind]}
	if e.Path != "" {
		err = &fs.PathError{Op: e.Operation, Path: e.Path, Err: err}
	}
	return err
}
