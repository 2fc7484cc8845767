package control

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cxdeck/driver/script"
)

// shortDirectory makes a directory whose path is short enough for a socket.
func shortDirectory(t *testing.T) string {
	t.Helper()
	path, err := os.MkdirTemp("", "c")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(path) })
	return path
}

// listen serves a new history file.
func listen(t *testing.T, run func(ctx context.Context, call *Call) Exit) (server *Server, history string) {
	t.Helper()
	history = filepath.Join(shortDirectory(t), "h.db")
	server, err := Listen(t.Context(), history, Hello{Owner: Console, Version: "1"}, run)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeSoon(server) })
	return server, history
}

func closeSoon(server *Server) {
	select {
	case <-server.closed:
		return
	default:
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	server.Close(ctx)
}

func dial(t *testing.T, history string) *Client {
	t.Helper()
	client, err := Dial(t.Context(), history, Hello{Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// TestCommandUsesTheClient asks, reads, writes and prints through the socket.
func TestCommandUsesTheClient(t *testing.T) {
	t.Parallel()
	large := bytes.Repeat([]byte("0123456789"), 50_000)
	_, history := listen(t, func(ctx context.Context, call *Call) Exit {
		fmt.Fprintf(call.Out, "%q at %s: ", call.Words, call.Place)
		fmt.Fprintf(call.Out, "really? ")
		answer := call.Ask(ctx)
		data, err := call.Files.Read("in", 1<<20)
		if err != nil || !bytes.Equal(data, large) {
			t.Errorf("read %d bytes, %v", len(data), err)
		}
		if _, err := call.Files.Read("none", 10); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a missing file: %v", err)
		}
		if err := call.Files.Write([]script.File{{Path: "a", Data: large}, {Path: "b"}, {Path: "c", Data: []byte("x")}}, true); err != nil {
			t.Error(err)
		}
		folder, err := call.Files.Folder("f")
		fmt.Fprintf(call.Err, "made %s, %v\n", folder, err)
		fmt.Fprintf(call.Out, "answer %s\n", answer)
		return Exit{Status: 2 + map[bool]int{true: 1}[call.KeepGoing]}
	})
	client := dial(t, history)
	var out strings.Builder
	var written []script.File
	exit, err := client.Run(t.Context(), Request{Words: []string{"a b", "ü\x00"}, Place: "line 1", KeepGoing: true}, ClientIO{
		Out: &out, Err: &out,
		Ask: func(context.Context) string {
			if !strings.HasSuffix(out.String(), "really? ") {
				t.Errorf("asked before the question was printed: %q", out.String())
			}
			return "y"
		},
		Read: func(path string, limit int64) ([]byte, error) {
			if path == "in" && limit == 1<<20 {
				return large, nil
			}
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		},
		Write: func(files []script.File, replace bool) error {
			written = files
			return nil
		},
		Folder: func(name string) (string, error) { return "/x/" + name, nil },
	})
	if err != nil || exit.Status != 3 {
		t.Errorf("%+v, %v", exit, err)
	}
	if want := "[\"a b\" \"ü\\x00\"] at line 1: really? made /x/f, <nil>\nanswer y\n"; out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
	if len(written) != 3 || !bytes.Equal(written[0].Data, large) || len(written[1].Data) != 0 || string(written[2].Data) != "x" {
		t.Errorf("%d files were written", len(written))
	}
}

func TestSocketIsPrivate(t *testing.T) {
	t.Parallel()
	server, history := listen(t, func(context.Context, *Call) Exit { return Exit{} })
	address := Addresses(history)[0]
	info, err := os.Lstat(address)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	closeSoon(server)
	if _, err := os.Lstat(address); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the socket was not removed: %v", err)
	}
	if _, err := Dial(t.Context(), history, Hello{}); !errors.Is(err, ErrNobody) {
		t.Error(err)
	}
}

// TestAStaleSocketIsReplaced listens at the socket of a killed owner, and not at another kind of file.
func TestAStaleSocketIsReplaced(t *testing.T) {
	t.Parallel()
	history := filepath.Join(shortDirectory(t), "h.db")
	address := Addresses(history)[0]
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: address, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	left.SetUnlinkOnClose(false)
	if err := left.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Dial(t.Context(), history, Hello{}); !errors.Is(err, ErrNobody) {
		t.Error(err)
	}
	server, err := Listen(t.Context(), history, Hello{}, func(context.Context, *Call) Exit { return Exit{} })
	if err != nil {
		t.Fatal(err)
	}
	dial(t, history)
	closeSoon(server)
	if err := os.WriteFile(address, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(t.Context(), history, Hello{}, nil); err == nil || !strings.Contains(err.Error(), "not a socket") {
		t.Error(err)
	}
	if text, err := os.ReadFile(address); err != nil || string(text) != "mine" {
		t.Errorf("the other file was removed: %v", err)
	}
}

func TestLongPathUsesAnotherDirectory(t *testing.T) {
	t.Parallel()
	history := filepath.Join(shortDirectory(t), strings.Repeat("long", 30), "h.db")
	if err := os.MkdirAll(filepath.Dir(history), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, address := range Addresses(history) {
		if len(address) > maxPath || filepath.Dir(address) == filepath.Dir(history) {
			t.Errorf("%s", address)
		}
	}
	server, err := Listen(t.Context(), history, Hello{}, func(context.Context, *Call) Exit { return Exit{Status: 7} })
	if err != nil {
		t.Fatal(err)
	}
	defer closeSoon(server)
	if exit, err := dial(t, history).Run(t.Context(), Request{}, ClientIO{}); err != nil || exit.Status != 7 {
		t.Errorf("%+v, %v", exit, err)
	}
}

func TestSharedDirectoryIsRefused(t *testing.T) {
	t.Parallel()
	open := filepath.Join(shortDirectory(t), "open")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := checkPrivate(open); err != nil {
		t.Error(err)
	}
	if err := os.Chmod(open, 0o755); err != nil {
		t.Fatal(err)
	}
	link := open + "-link"
	if err := os.Symlink(open, link); err != nil {
		t.Fatal(err)
	}
	if checkPrivate(open) == nil || checkPrivate(link) == nil {
		t.Error("a directory that other users can read is accepted as private")
	}
}

func TestAnotherProtocolIsRefused(t *testing.T) {
	t.Parallel()
	history := filepath.Join(shortDirectory(t), "h.db")
	listener, err := net.Listen("unix", Addresses(history)[0])
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		_, _ = readFrame(connection)
		_ = (&conn{net: connection}).send(&message{Hello: &Hello{Protocol: Protocol + 1, Version: "9", PID: 5}})
	}()
	if _, err := Dial(t.Context(), history, Hello{Version: "1"}); !errors.Is(err, ErrProtocol) || !strings.Contains(err.Error(), "it is 9 with process number 5") {
		t.Error(err)
	}
}

// TestSilentClientsBlockNobody connects all clients but one that send nothing, and some that never read.
func TestSilentClientsBlockNobody(t *testing.T) {
	t.Parallel()
	large := bytes.Repeat([]byte("x"), 8<<20)
	_, history := listen(t, func(_ context.Context, call *Call) Exit {
		if len(call.Words) > 0 {
			_, _ = call.Out.Write(large)
		}
		return Exit{}
	})
	for i := range maxClients - 1 {
		connection, err := net.Dial("unix", Addresses(history)[0])
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		if i < 3*maxRunning {
			c := conn{net: connection}
			_ = c.send(&message{Hello: &Hello{Protocol: Protocol}})
			_ = c.send(&message{Request: &Request{Words: []string{"much"}}})
		}
	}
	begun := time.Now()
	if _, err := dial(t, history).Run(t.Context(), Request{}, ClientIO{}); err != nil {
		t.Error(err)
	}
	if took := time.Since(begun); took > 2*helloTime {
		t.Errorf("it took %s", took)
	}
}

func TestCancelling(t *testing.T) {
	t.Parallel()
	began, cancelled := make(chan struct{}), make(chan struct{}, 2)
	_, history := listen(t, func(ctx context.Context, call *Call) Exit {
		began <- struct{}{}
		<-ctx.Done()
		cancelled <- struct{}{}
		fmt.Fprint(call.Out, "so far")
		return Exit{Status: 1}
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-began
		cancel()
	}()
	var out strings.Builder
	if exit, err := dial(t, history).Run(ctx, Request{}, ClientIO{Out: &out}); err != nil || exit.Status != 1 || out.String() != "so far" {
		t.Errorf("%+v, %v, %q", exit, err, out.String())
	}
	<-cancelled
	leaving := dial(t, history)
	go func() {
		<-began
		leaving.Close()
	}()
	if _, err := leaving.Run(t.Context(), Request{}, ClientIO{}); err == nil {
		t.Error("a client that left was answered")
	}
	<-cancelled // a client that leaves cancels, too
}

// TestRequestsRunOnceOrNotAtAll closes an owner while many clients send requests: each request must either run and be
// answered, or return ErrNotAccepted.
func TestRequestsRunOnceOrNotAtAll(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var ran []string
	server, history := listen(t, func(_ context.Context, call *Call) Exit {
		time.Sleep(time.Millisecond)
		mu.Lock()
		defer mu.Unlock()
		ran = append(ran, call.Words[0])
		return Exit{}
	})
	var clients sync.WaitGroup
	var answered []string
	for i := range 40 {
		client := dial(t, history)
		clients.Go(func() {
			for n := range 200 {
				name := fmt.Sprintf("%d-%d", i, n)
				_, err := client.Run(t.Context(), Request{Words: []string{name}}, ClientIO{})
				if err != nil {
					if !errors.Is(err, ErrNotAccepted) {
						t.Error(err)
					}
					return
				}
				mu.Lock()
				answered = append(answered, name)
				mu.Unlock()
			}
		})
	}
	time.Sleep(50 * time.Millisecond)
	server.Close(t.Context())
	clients.Wait()
	slices.Sort(ran)
	slices.Sort(answered)
	if !slices.Equal(ran, answered) || len(ran) == 0 || len(ran) == 40*200 {
		t.Errorf("%d ran and %d were answered", len(ran), len(answered))
	}
}

func TestSilentClientDoesNotDelayClose(t *testing.T) {
	t.Parallel()
	server, history := listen(t, func(context.Context, *Call) Exit { return Exit{} })
	for range 3 {
		connection, err := net.Dial("unix", Addresses(history)[0])
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
	}
	dial(t, history)
	begun := time.Now()
	server.Close(t.Context())
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
}

// TestRemovedSocketIsRecreated removes the socket of an owner.
func TestRemovedSocketIsRecreated(t *testing.T) {
	t.Parallel()
	_, history := listen(t, func(context.Context, *Call) Exit { return Exit{Status: 3} })
	if err := os.Remove(Addresses(history)[0]); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if client, err := Dial(t.Context(), history, Hello{}); err == nil {
			defer client.Close()
			if exit, err := client.Run(t.Context(), Request{}, ClientIO{}); err != nil || exit.Status != 3 {
				t.Errorf("%+v, %v", exit, err)
			}
			return
		}
	}
	t.Error("the socket was not recreated")
}

func TestZones(t *testing.T) {
	t.Parallel()
	own := LocalZone()
	if own.Location() != time.Local {
		t.Error("the local zone is not time.Local")
	}
	summer := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	if got := (Zone{Name: "Europe/Berlin", Set: true, Short: "CET", Offset: 3600}).Location(); summer.In(got).Hour() != 14 {
		t.Errorf("%s", summer.In(got))
	}
	if got := (Zone{Name: "../../etc/passwd", Set: true, Short: "X", Offset: 7200}).Location(); summer.In(got).Hour() != 14 {
		t.Errorf("%s", summer.In(got))
	}
}
