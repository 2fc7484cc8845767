// Package simtest runs the real programs of InfiniBand in a simulated network, for tests that hold the model against them.
package simtest

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/netfile"
)

// preload is the library that connects the programs to the simulator.
const preload = "/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so"

// Simulation is a running simulator. Its sockets have one name on a machine, so only one runs at a time.
type Simulation struct {
	// Dir holds the files of the programs: opensm-lfts.dump and others after OpenSM ran.
	Dir     string
	Console io.Writer // the simulator's commands
	said    *bytes.Buffer
	socket  string
}

// Attach returns the programs of a simulator that runs already, on sockets with a name. It skips the test as Start does.
func Attach(t *testing.T, socket string) *Simulation {
	t.Helper()
	skip(t)
	return &Simulation{Dir: t.TempDir(), said: new(bytes.Buffer), socket: socket}
}

func skip(t *testing.T) {
	t.Helper()
	if os.Getenv("CXDECK_IBSIM") == "" {
		t.Skip("set CXDECK_IBSIM=1; it needs opensm, infiniband-diags, ibsim-utils and libumad2sim0")
	}
}

// Start starts ibsim on a fabric; the programs attach to the node of a place. It skips the test when CXDECK_IBSIM is not set.
func Start(t *testing.T, f *infiniband.Fabric, at infiniband.Place) *Simulation {
	t.Helper()
	skip(t)
	s := &Simulation{Dir: t.TempDir(), said: new(bytes.Buffer)}
	net, err := os.Create(filepath.Join(s.Dir, "net"))
	if err != nil {
		t.Fatal(err)
	}
	if err := netfile.Write(net, f, at.Node); err != nil {
		t.Fatal(err)
	}
	if err := net.Close(); err != nil {
		t.Fatal(err)
	}
	//nolint:gosec // a test starts programs of its own choice
	command := exec.CommandContext(t.Context(), "ibsim", "-s", "-N", "4096", "-S", "256", "-P", "16384", net.Name())
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.Console, command.Stdout, command.Stderr = input, s.said, s.said
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = input.Close()
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	time.Sleep(time.Second)
	return s
}

// Command returns a program that runs in the simulation.
func (s *Simulation) Command(name string, arguments ...string) *exec.Cmd {
	c := exec.Command(name, arguments...) //nolint:gosec,noctx // as above; the caller ends it
	c.Dir = s.Dir                         // the simulator's library writes its files there
	c.Env = append(os.Environ(), "LD_PRELOAD="+preload, "OSM_CACHE_DIR="+s.Dir, "OSM_TMP_DIR="+s.Dir)
	if s.socket != "" {
		c.Env = append(c.Env, "IBSIM_SOCKNAME="+s.socket)
	}
	return c
}

// Output runs a program and returns what it printed, without the line of the simulator's library.
func (s *Simulation) Output(t *testing.T, name string, arguments ...string) []byte {
	t.Helper()
	var said bytes.Buffer
	c := s.Command(name, arguments...)
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s\nibsim: %s", name, err, out, said.Bytes(), s.said.Bytes())
	}
	return out
}

// Run runs a program and returns its two streams, without the line of the simulator's library, and its exit code.
func (s *Simulation) Run(t *testing.T, name string, arguments ...string) (standard, complaints string, code int) {
	t.Helper()
	var out, said bytes.Buffer
	c := s.Command(name, arguments...)
	c.Stdout, c.Stderr = &out, &said
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v", name, err)
	}
	if exit != nil {
		code = exit.ExitCode()
	}
	for line := range strings.Lines(said.String()) {
		if !strings.Contains(line, "sim_connect") {
			complaints += line
		}
	}
	return out.String(), complaints, code
}

// Manage starts the real OpenSM and leaves it running, so that it answers programs.
func (s *Simulation) Manage(t *testing.T) {
	t.Helper()
	log := filepath.Join(s.Dir, "log")
	c := s.Command("opensm", "-D", "0x43", "-f", log)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	for range 30 {
		time.Sleep(time.Second)
		// The log says it late; when no port waits for the manager it has done its work.
		links, _, code := s.Run(t, "iblinkinfo")
		if code == 0 && strings.Contains(links, "Active") && !strings.Contains(links, "Initialize") && !strings.Contains(links, "Armed") {
			return
		}
	}
	text, _ := os.ReadFile(log)
	t.Fatalf("opensm has not configured the subnet after 30 s\n%s\n%s", text, s.said)
}

// Configure runs the real OpenSM once with a routing engine.
func (s *Simulation) Configure(t *testing.T, engine string) {
	t.Helper()
	s.Output(t, "opensm", "-o", "-D", "0x43", "-f", filepath.Join(s.Dir, "log"), "-R", engine)
}
