package ibsim

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"
	"syscall"

	"cxdeck/device/infiniband/agent"
)

// DefaultName is the usual beginning of the sockets' names, as in the simulator; IBSIM_SOCKNAME tells programs of another one.
const DefaultName = "sim"

// maxName is the longest beginning of the sockets' names.
const maxName = 80

// Server accepts programs over UNIX sockets in the abstract name space. It takes messages of its own user and of root alone.
type Server struct {
	name   string
	subnet Subnet
	log    *slog.Logger
	socket *net.UnixConn

	mu      sync.Mutex
	clients map[uint32]*connected
	running sync.WaitGroup
}

type connected struct {
	client
	socket *net.UnixConn
}

// Listen opens the socket for control messages. Requests wait until Run.
func Listen(name string, subnet Subnet, log *slog.Logger) (*Server, error) {
	if name == "" || len(name) > maxName {
		return nil, &NameError{fmt.Sprintf("the name must have 1 to %d characters", maxName)}
	}
	s := &Server{name: name, subnet: subnet, log: log, clients: map[uint32]*connected{}}
	var err error
	s.socket, err = open(name + ":ctl")
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, &NameError{name + " is in use: end the other server or simulator, or choose another name"}
	}
	return s, err
}

// address returns an address in the abstract name space. The library counts the zero at the end to the name.
func address(name string) *net.UnixAddr {
	return &net.UnixAddr{Name: "@" + name + "\x00", Net: "unixgram"}
}

// open opens a socket whose messages carry their sender's user.
func open(name string) (*net.UnixConn, error) {
	socket, err := net.ListenUnixgram("unixgram", address(name))
	if err != nil {
		return nil, err
	}
	raw, err := socket.SyscallConn()
	if err == nil {
		var failed error
		err = raw.Control(func(fd uintptr) { failed = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_PASSCRED, 1) })
		err = errors.Join(err, failed)
	}
	if err != nil {
		return nil, errors.Join(err, socket.Close())
	}
	return socket, nil
}

// read reads a message of the user; others are dropped.
func read(socket *net.UnixConn, buffer []byte) (message []byte, from string, err error) {
	control := make([]byte, syscall.CmsgSpace(syscall.SizeofUcred))
	for {
		n, size, flags, sender, err := socket.ReadMsgUnix(buffer, control)
		if err != nil {
			return nil, "", err
		}
		if flags&syscall.MSG_TRUNC != 0 || sender == nil || !trusted(control[:size]) {
			continue
		}
		return buffer[:n], sender.Name, nil
	}
}

// trusted reports whether a message comes from the user who runs the server, or from root.
func trusted(control []byte) bool {
	messages, err := syscall.ParseSocketControlMessage(control)
	if err != nil {
		return false
	}
	for i := range messages {
		if credentials, err := syscall.ParseUnixCredentials(&messages[i]); err == nil {
			return credentials.Uid == 0 || int(credentials.Uid) == os.Getuid()
		}
	}
	return false
}

// Run answers programs until the context ends.
func (s *Server) Run(ctx context.Context) error {
	stop := context.AfterFunc(ctx, s.Close)
	defer s.running.Wait()
	defer s.Close()
	defer stop()
	buffer := make([]byte, 512)
	for {
		message, from, err := read(s.socket, buffer)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the socket %s can't be read: %w", s.name, err)
		}
		control, err := readControl(message)
		if err != nil {
			s.log.Debug("ibsim: an invalid control message was dropped")
			continue
		}
		s.control(ctx, &control)
		if len(from) > 1 {
			_, _ = s.socket.WriteToUnix(control.bytes(), address(from[1:])) // the program has ended
		}
	}
}

// Close closes all sockets.
func (s *Server) Close() {
	_ = s.socket.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range s.clients {
		s.remove(id)
	}
}

// remove closes the socket of a program. The caller holds the lock.
func (s *Server) remove(id uint32) {
	if c, ok := s.clients[id]; ok {
		_ = c.socket.Close()
		delete(s.clients, id)
	}
}

// control answers a control message in place.
func (s *Server) control(ctx context.Context, message *control) {
	network, own, err := s.subnet.Network(ctx)
	if err != nil {
		message.kind = controlError
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if message.kind == controlConnect {
		asked := readConnection(message.data)
		at, err := attach(network, own, asked.node)
		if err != nil {
			s.log.Info("ibsim: a program asked for an unknown node", "node", asked.node)
			message.kind = controlError
			return
		}
		id, ok := s.add(ctx, client{asked.process, at})
		if !ok {
			message.kind = controlError
			return
		}
		clear(message.data[12:])
		message.client = id
		binary.NativeEndian.PutUint32(message.data[:], id)
		copy(message.data[12:12+nameSize-1], network.Of(at).Name)
		return
	}
	c, ok := s.clients[message.client]
	switch {
	case !ok:
		message.kind = controlError
	case message.kind == controlDisconnect:
		s.remove(message.client)
	default:
		answerControl(network, c.client, message)
	}
}

// add opens the socket of a program. It removes programs that ended without a word. The caller holds the lock.
func (s *Server) add(ctx context.Context, c client) (id uint32, ok bool) {
	for other, old := range s.clients {
		if old.process == c.process || syscall.Kill(int(old.process), 0) == syscall.ESRCH {
			s.remove(other)
		}
	}
	for id = range uint32(maxClients) {
		if s.clients[id] != nil {
			continue
		}
		socket, err := open(fmt.Sprintf("%s:out%d", s.name, id))
		if err != nil {
			s.log.Warn("ibsim: no socket for a program", "error", err.Error())
			return 0, false
		}
		added := &connected{c, socket}
		s.clients[id] = added
		s.running.Go(func() { s.answer(ctx, added) })
		return id, true
	}
	s.log.Warn("ibsim: too many programs", "max", maxClients)
	return 0, false
}

// answer answers the datagrams of a program until its socket is closed.
func (s *Server) answer(ctx context.Context, c *connected) {
	back := address(fmt.Sprintf("%s:in%d", s.name, c.process))
	buffer := make([]byte, 2*requestSize)
	for {
		message, _, err := read(c.socket, buffer)
		if err != nil {
			return
		}
		asked, err := readDatagram(message)
		if err != nil {
			s.log.Debug("ibsim: an invalid datagram was dropped", "process", c.process)
			continue
		}
		if answer := s.answerRequest(ctx, c.client, asked); answer != nil {
			_, _ = c.socket.WriteToUnix(answer, back) // the program has ended
		}
	}
}

// answerRequest returns the message to send back, nil for a datagram that is dropped.
func (s *Server) answerRequest(ctx context.Context, c client, r *datagram) []byte {
	network, _, err := s.subnet.Network(ctx)
	if err != nil {
		return r.lost()
	}
	a := agent.Agent{Network: network, From: c.at}
	answer, change, err := a.Answer(r.target, r.packet)
	switch {
	case errors.Is(err, agent.ErrMalformed):
		return nil
	case err != nil:
		return r.lost()
	case change != nil && change.Clear != nil:
		if err := s.subnet.Clear(ctx, change.Clear); err != nil {
			s.log.Warn("ibsim: counters were not cleared", "error", err.Error())
			return r.lost()
		}
	case change != nil:
		if err := s.subnet.SetPort(ctx, change.Port); err != nil {
			s.log.Warn("ibsim: a port was not set", "error", err.Error())
			return r.lost()
		}
	}
	return r.answered(network.End(c.at).LID, answer)
}
