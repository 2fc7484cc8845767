package control

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"net"
	"runtime"
	"testing"
	"time"
)

func TestFramesRoundTrip(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	for _, payload := range [][]byte{nil, []byte("x"), bytes.Repeat([]byte("y"), maxData)} {
		if err := writeFrame(&b, frameOut, payload); err != nil {
			t.Fatal(err)
		}
		got, err := readFrame(&b)
		if err != nil || got.kind != frameOut || !bytes.Equal(got.payload, payload) {
			t.Errorf("%d bytes came back as %d, %v", len(payload), len(got.payload), err)
		}
	}
	if writeFrame(&b, frameData, make([]byte, maxData+1)) == nil {
		t.Error("a frame that is too long was written")
	}
}

// TestFrameMemoryGrowsWithData checks that the length in a header reserves no memory.
func TestFrameMemoryGrowsWithData(t *testing.T) { //nolint:paralleltest // it measures the memory of the process
	header := binary.BigEndian.AppendUint32([]byte{frameMessage}, maxMessage)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 10 {
		if _, err := readFrame(bytes.NewReader(header)); err == nil {
			t.Error("half a frame was read")
		}
	}
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > maxMessage {
		t.Errorf("ten headers allocated %d bytes", taken)
	}
	for _, wrong := range [][]byte{
		binary.BigEndian.AppendUint32([]byte{frameMessage}, maxMessage+1),
		binary.BigEndian.AppendUint32([]byte{frameOut}, maxData+1),
		binary.BigEndian.AppendUint32([]byte{'x'}, 0),
	} {
		if _, err := readFrame(bytes.NewReader(wrong)); !errors.Is(err, errProtocol) {
			t.Errorf("%v: %v", wrong, err)
		}
	}
}

func TestErrorsOfFilesKeepTheirKind(t *testing.T) {
	t.Parallel()
	for _, err := range []error{
		&fs.PathError{Op: "open", Path: "a", Err: fs.ErrExist}, &fs.PathError{Op: "open", Path: "b", Err: fs.ErrNotExist}, errors.New("it is full"),
	} {
		got := packError(err).unpack()
		var of, wanted *fs.PathError
		if got.Error() != err.Error() || errors.As(got, &of) != errors.As(err, &wanted) || errors.Is(got, fs.ErrExist) != errors.Is(err, fs.ErrExist) {
			t.Errorf("%v came as %v", err, got)
		}
	}
}

// FuzzServer sends arbitrary bytes to a server. A request must run only if it is complete, and the connection must end.
func FuzzServer(f *testing.F) {
	hello := message{Hello: &Hello{Protocol: Protocol}}
	request := message{Request: &Request{Words: []string{"adapter", "list"}}}
	var good bytes.Buffer
	for _, m := range []message{hello, request} {
		c := conn{net: &loose{&good}}
		if err := c.send(&m); err != nil {
			f.Fatal(err)
		}
	}
	f.Add(good.Bytes())
	f.Add([]byte("m\x00\x00\x00\x02{}"))
	f.Add([]byte("m\xff\xff\xff\xff"))
	f.Add([]byte("d\x00\x00\x00\x01x"))
	f.Add(append(bytes.Clone(good.Bytes()), "m\x00\x00\x00\x0f{\"cancel\":true}"...))
	f.Fuzz(func(t *testing.T, sent []byte) {
		server := newServer(t.Context(), Hello{Owner: Console}, func(_ context.Context, call *Call) Exit {
			if call.Files == nil || call.Out == nil {
				t.Error("half a call")
			}
			_, _ = call.Out.Write([]byte("x"))
			return Exit{}
		})
		owner, client := net.Pipe()
		go func() {
			buffer := make([]byte, 1<<10)
			for {
				if _, err := client.Read(buffer); err != nil {
					return
				}
			}
		}()
		go func() {
			_, _ = client.Write(sent)
			_ = client.Close()
		}()
		ended := make(chan struct{})
		go func() {
			server.serveClient(owner, 1)
			close(ended)
		}()
		select {
		case <-ended:
		case <-time.After(helloTime + 5*time.Second):
			t.Error("the connection does not end")
		}
	})
}

// loose is a connection that only stores the written bytes.
type loose struct{ *bytes.Buffer }

func (l *loose) Close() error                     { return nil }
func (l *loose) LocalAddr() net.Addr              { return nil }
func (l *loose) RemoteAddr() net.Addr             { return nil }
func (l *loose) SetDeadline(time.Time) error      { return nil }
func (l *loose) SetReadDeadline(time.Time) error  { return nil }
func (l *loose) SetWriteDeadline(time.Time) error { return nil }
