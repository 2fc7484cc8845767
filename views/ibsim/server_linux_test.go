package ibsim

import (
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/agent"
	"cxdeck/device/infiniband/mad"
	"cxdeck/device/infiniband/simtest"
	"cxdeck/views/exec/subnet"
	"cxdeck/views/exec/subnet/programs"
)

// still is a subnet whose time stands still.
type still struct {
	network *mad.Network
	own     []infiniband.Place
}

func (s *still) Network(context.Context) (*mad.Network, []infiniband.Place, error) {
	return s.network, s.own, nil
}

func (s *still) Clear(_ context.Context, c *agent.Clear) error {
	attribute := mad.PortCounters
	if c.Extended {
		attribute = mad.ExtendedCounters
	}
	s.network.ClearCounters(infiniband.Place{Node: c.Place.Node, Port: max(c.Place.Port, 1) % 255}, attribute, c.Place.Port, c.Mask)
	return nil
}

func (s *still) SetPort(_ context.Context, p *agent.Port) error {
	p.Apply(s.network)
	return nil
}

// newStill is the subnet of manual-ib after 20 seconds.
func newStill(t *testing.T) *still {
	t.Helper()
	labs := description.NamedLabs()
	i := slices.IndexFunc(labs, func(l description.NamedLab) bool { return l.Name == "manual-ib" })
	d, err := description.ParseText(labs[i].Text())
	if err != nil {
		t.Fatal(err)
	}
	d.InfiniBand.Flows[0].Level = 3 // perfquery -X shows it
	lab, err := device.New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	lab.Advance(20 * time.Second)
	s, own := lab.Subnet()
	return &still{&mad.Network{Fabric: s.Fabric, Managers: s.Managers, Profile: mad.Hardware()}, own}
}

// serve starts a server, and returns the name of its sockets.
func serve(t *testing.T, s Subnet) (name string) {
	t.Helper()
	name = fmt.Sprintf("cxdeck-%d-%s", os.Getpid(), t.Name())
	server, err := Listen(name, s, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(name, s, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a second server: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return name
}

// program is a client of the protocol.
type program struct {
	*testing.T
	name          string
	control, data *net.UnixConn
	id            uint32
}

// open opens a socket of the program.
func (p *program) open(name string) *net.UnixConn {
	p.Helper()
	socket, err := net.ListenUnixgram("unixgram", address(name))
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() { _ = socket.Close() })
	return socket
}

// ask sends a message and returns the answer, nil after 300 ms without one.
func (p *program) ask(socket *net.UnixConn, to string, message []byte) []byte {
	p.Helper()
	if _, err := socket.WriteToUnix(message, address(to)); err != nil {
		p.Fatal(err)
	}
	_ = socket.SetReadDeadline(time.Now().Add(300 * time.Millisecond))
	buffer := make([]byte, 512)
	n, err := socket.Read(buffer)
	if err != nil {
		return nil
	}
	return buffer[:n]
}

// connect connects the program of a process at a node.
func (p *program) connect(process uint32, node string) (accepted bool) {
	p.Helper()
	message := control{kind: controlConnect}
	binary.NativeEndian.PutUint32(message.data[:], process)
	copy(message.data[12:], node)
	answer, err := readControl(p.ask(p.control, p.name+":ctl", message.bytes()))
	p.id = binary.NativeEndian.Uint32(answer.data[:])
	return err == nil && answer.kind == controlConnect
}

func newProgram(t *testing.T, name string) *program {
	t.Helper()
	p := &program{T: t, name: name}
	p.control = p.open(fmt.Sprintf("%s:ctl%d", name, os.Getpid()))
	p.data = p.open(fmt.Sprintf("%s:in%d", name, os.Getpid()))
	return p
}

// TestServer connects as a program does, asks, sends rubbish, and is refused where it must be.
func TestServer(t *testing.T) {
	t.Parallel()
	name := serve(t, newStill(t))
	p := newProgram(t, name)
	if answer := p.ask(p.control, name+":ctl", []byte("rubbish")); answer != nil {
		t.Errorf("rubbish got % x", answer)
	}
	if p.connect(uint32(os.Getpid()), "nobody") {
		t.Error("a program is on a node that does not exist")
	}
	for _, node := range []string{"", "LNX-01 HCA-1", "H-0002c90300b10030"} {
		if !p.connect(uint32(os.Getpid()), node) {
			t.Fatalf("no program on %q", node)
		}
	}
	message := control{client: p.id, kind: controlGUID}
	if answer, err := readControl(p.ask(p.control, name+":ctl", message.bytes())); err != nil || binary.BigEndian.Uint64(answer.data[:]) != 0x0002c90300b10030 {
		t.Errorf("the GUID: %v % x", err, answer.data[:8])
	}
	message = control{client: 77, kind: controlGUID}
	if answer, _ := readControl(p.ask(p.control, name+":ctl", message.bytes())); answer.kind != controlError {
		t.Error("a stranger got an answer")
	}
	out := fmt.Sprintf("%s:out%d", name, p.id)
	if answer := p.ask(p.data, out, make([]byte, 100)); answer != nil {
		t.Errorf("rubbish got % x", answer)
	}
	raw := make([]byte, requestSize)
	copy(raw[madAt:], []byte{1, 1, 1, 1})
	binary.BigEndian.PutUint16(raw[madAt+16:], uint16(mad.NodeDescription))
	binary.BigEndian.PutUint16(raw, 1)
	if answer := p.ask(p.data, out, raw); answer == nil || !strings.HasPrefix(string(answer[madAt+64:]), "IB1\x00") {
		t.Errorf("the description: % x", answer)
	}
	binary.BigEndian.PutUint16(raw, 999)
	if answer := p.ask(p.data, out, raw); answer == nil || answer[19] != timedOut {
		t.Errorf("no such LID: % x", answer)
	}
	message = control{client: p.id, kind: controlDisconnect}
	p.ask(p.control, name+":ctl", message.bytes())
	if _, err := p.data.WriteToUnix(raw, address(out)); err == nil {
		t.Error("the socket of a program that left is open")
	}
}

// TestManyPrograms: programs that end without a word make room.
func TestManyPrograms(t *testing.T) {
	t.Parallel()
	name := serve(t, newStill(t))
	p := newProgram(t, name)
	for i := range 2 * maxClients {
		if !p.connect(uint32(1<<22+1+i), "") { // processes above the system's highest number
			t.Fatalf("program %d is refused", i)
		}
	}
}

// TestRealPrograms: the real programs print of the lab's subnet what ours print.
func TestRealPrograms(t *testing.T) {
	s := newStill(t)
	simulation := simtest.Attach(t, "cxdeck-real")
	server, err := Listen("cxdeck-real", s, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go server.Run(ctx) // the programs tell
	at, err := attach(s.network, s.own, "")
	if err != nil {
		t.Fatal(err)
	}
	equal, runs := 0, 0
	for line := range strings.Lines(realRuns) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		runs++
		standard, _, exit := simulation.Run(t, words[0], words[1:]...)
		ours := programs.Run(subnet.Computer{Network: s.network, Adapters: []subnet.Adapter{{Name: "ibsim0", Node: at.Node}}, Now: time.Now(), PID: 1}, words[0], words[1:])
		a, b := withoutDate(standard), withoutDate(ours.Standard)
		if a == b && exit == ours.Code {
			equal++
			continue
		}
		t.Errorf("%s: exit code %d, and %d here\nreal:\n%s\nours:\n%s", strings.TrimSpace(line), exit, ours.Code, firstDifference(a, b), firstDifference(b, a))
	}
	t.Logf("%d of %d runs equal", equal, runs)
}

// withoutDate removes the date of the heading.
func withoutDate(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.Contains(line, "generated on") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// firstDifference returns three lines of a text from where it differs from another one.
func firstDifference(text, other string) string {
	a, b := strings.Split(text, "\n"), strings.Split(other, "\n")
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return strings.Join(a[i:min(i+3, len(a))], "\n")
}

// realRuns are the runs that are compared.
const realRuns = `
ibnetdiscover
ibnetdiscover -p
ibnetdiscover -l
ibnetdiscover -g
iblinkinfo
iblinkinfo -l
iblinkinfo --switches-only
sminfo
sminfo 6
ibaddr
ibhosts
ibswitches
ibrouters
ibroute 1
ibroute -n 4
ibroute -M 1
ibtracert 8 5
ibtracert -n 2 7
smpquery nodeinfo 1
smpquery nodedesc 5
smpquery -D nodeinfo 0,1
smpquery -D nodeinfo 0,1,36
smpquery -D nodeinfo 0,1,9
smpquery portinfo 1 35
smpquery portinfo 5 1
smpquery switchinfo 1
smpquery switchinfo 5
smpquery pkeys 1 0
smpquery pkeys 8
smpquery sl2vl 1 1
smpquery vlarb 1 1
smpquery guids 5
smpquery -c nodeinfo 4 0,30
smpquery mepi 1 1
smpdump 1 0x15 2
smpdump -D 0,1 0x11
perfquery
perfquery 1 36
perfquery -x 1 36
perfquery -a 1
perfquery -x -a 4
perfquery -l 1 35-36
perfquery -a 5
perfquery -X 1 36
perfquery -S 1 36
perfquery -X 1 1
perfquery -S 4 2
perfquery -X -a 4
perfquery -E 1 36
perfquery --vlxmitcounters 1 36
perfquery -D 1 36
perfquery 1 99
ibqueryerrors --skip-sl
smpquery -G nodeinfo 0x2c90300b10021
smpquery -G nodeinfo 0x1234
perfquery -G 0x2c90300b10021 1
ibroute -G 0x2c90300a10020
ibtracert -G 0x2c90300b10031 0x2c90300b10021
saquery -p --slid 8 --dlid 5
saquery -p --slid 6 --dlid 6
`
