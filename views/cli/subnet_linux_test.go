package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cxdeck/device/infiniband/simtest"
	"cxdeck/views/cli/process"
)

// startSubnet serves the subnet of a lab until the test ends; it returns the name of its sockets and its first line.
func startSubnet(t *testing.T, words ...string) (socket, line string) {
	t.Helper()
	if !slices.Contains(words, "--lab") {
		words = append(words, "--lab", "manual-ib")
	}
	socket = fmt.Sprintf("cxdeck-cli-%d-%s", os.Getpid(), t.Name())
	read, write := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan int, 1)
	go func() {
		ended <- Main(ctx, Build{Version: "1.2.3"}, append([]string{"serve", "subnet", "--socket", socket}, words...),
			process.Streams{Out: write, Err: write, Environment: func(string) (string, bool) { return "", false }})
		write.Close() // nobody reads on
	}()
	t.Cleanup(func() {
		stop()
		go io.Copy(io.Discard, read) // what is left
		if code := <-ended; code != exitDone {
			t.Errorf("the end: code %d", code)
		}
	})
	text := make([]byte, 400)
	n, err := read.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return socket, string(text[:n])
}

// TestServeSubnet: it says what it serves, and ends by itself after --for.
func TestServeSubnet(t *testing.T) {
	t.Parallel()
	if _, line := startSubnet(t, "--for", "1s"); !strings.Contains(line, "7 nodes") {
		t.Errorf("the line is %q", line)
	}
	for line, want := range map[string]string{
		"serve subnet now":                                  "takes no arguments",
		"serve subnet --for never":                          "--for must be a time up to 24h",
		"serve subnet --for 25h":                            "--for must be a time up to 24h",
		"serve subnet --listen :1":                          "--listen belongs to the counters",
		"serve subnet --source local":                       "needs the lab",
		"serve --socket x":                                  "--socket belongs to serve subnet",
		"serve rules --for 1s":                              "--for belongs to serve subnet",
		"serve subnet --lab manual-ib --socket " + long(90): "1 to 80 characters",
	} {
		if r := runLine(t, strings.Fields(line)...); r.code != exitMistake || !strings.Contains(r.err, want) {
			t.Errorf("%s: code %d, %s", line, r.code, r.err)
		}
	}
	if r := runLine(t, "serve", "subnet", "--lab", "manual-winof2"); r.code != exitMistake && r.code != exitFailed || !strings.Contains(r.err, "no InfiniBand port") {
		t.Errorf("a lab of Ethernet: code %d, %s", r.code, r.err)
	}
}

func long(n int) string { return strings.Repeat("x", n) }

// TestServedSubnetMoves: the real perfquery sees counters that move, and its reset.
func TestServedSubnetMoves(t *testing.T) {
	if os.Getenv("CXDECK_IBSIM") == "" {
		t.Skip("set CXDECK_IBSIM=1; it needs infiniband-diags and libumad2sim0")
	}
	socket, _ := startSubnet(t, "--speed", "10")
	simulation := simtest.Attach(t, socket)
	sent := func(words ...string) uint64 {
		t.Helper()
		text, complaints, code := simulation.Run(t, "perfquery", words...)
		found := regexp.MustCompile(`PortXmitData:\.*(\d+)`).FindStringSubmatch(text)
		if code != 0 || found == nil {
			t.Fatalf("perfquery: code %d\n%s%s", code, text, complaints)
		}
		n, _ := strconv.ParseUint(found[1], 10, 64)
		return n
	}
	for _, words := range [][]string{{"-x", "1", "36"}, {"-x", "8", "1"}, {"-x", "5", "1"}} {
		first := sent(words...)
		var second uint64
		for deadline := time.Now().Add(10 * time.Second); second <= first && time.Now().Before(deadline); {
			time.Sleep(200 * time.Millisecond)
			second = sent(words...)
		}
		if second <= first {
			t.Errorf("perfquery %v: %d, and %d later", words, first, second)
		}
	}
	before := sent("-x", "5", "1")
	if _, complaints, code := simulation.Run(t, "perfquery", "-x", "-R", "5", "1"); code != 0 {
		t.Fatalf("the reset: code %d, %s", code, complaints)
	}
	if after := sent("-x", "5", "1"); after >= before {
		t.Errorf("%d before the reset, and %d after it", before, after)
	}
}

// TestServedSubnetIsManaged: the real OpenSM brings the subnet of a lab up whose own managers are stopped, with its routes and its tables of QoS,
// and does so again when a link comes back.
func TestServedSubnetIsManaged(t *testing.T) {
	if os.Getenv("CXDECK_IBSIM") == "" {
		t.Skip("set CXDECK_IBSIM=1; it needs opensm, infiniband-diags and libumad2sim0")
	}
	described, err := os.ReadFile(filepath.Join("..", "..", "device", "description", "manual-ib.toml"))
	if err != nil {
		t.Fatal(err)
	}
	lab := filepath.Join(t.TempDir(), "lab.toml")
	stopped := strings.ReplaceAll(string(described), "manager = {", "manager = { stopped = true,")
	if err := os.WriteFile(lab, []byte(stopped), 0o600); err != nil {
		t.Fatal(err)
	}
	socket, _ := startSubnet(t, "--speed", "10", "--lab", lab)
	simulation := simtest.Attach(t, socket)
	options := filepath.Join(simulation.Dir, "options")
	if err := os.WriteFile(options, []byte("qos TRUE\nqos_high_limit 3\nqos_vlarb_low 0:9,1:7\nqos_sl2vl 0,1,2,3\nqos_ca_sl2vl 0,1,1,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	manage := func() {
		t.Helper()
		log := filepath.Join(simulation.Dir, "log")
		text, complaints, code := simulation.Run(t, "timeout", "60", "opensm", "-F", options, "-o", "-e", "-f", log)
		if said, _ := os.ReadFile(log); code != 0 || !strings.Contains(string(said), "SUBNET UP") || strings.Contains(string(said), "ERR ") {
			t.Fatalf("opensm: code %d\n%s%s%s", code, text, complaints, said)
		}
	}
	expect := func(want string, words ...string) {
		t.Helper()
		text, complaints, code := simulation.Run(t, words[0], words[1:]...)
		if code != 0 || !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("%v: code %d, no %s\n%s%s", words, code, want, text, complaints)
		}
	}
	expect(`LinkState:\.+Initialize`, "smpquery", "-D", "portinfo", "0")
	manage()
	links, _, _ := simulation.Run(t, "iblinkinfo")
	if active := strings.Count(links, "Active/"); active != 18 || strings.Contains(links, "Init") {
		t.Errorf("%d ends of links are active, not 18\n%s", active, links)
	}
	for lid := 1; lid <= 9; lid++ { // each is reached along the routes
		expect(`NodeType`, "smpquery", "nodeinfo", strconv.Itoa(lid))
	}
	expect(`VLHighLimit:\.+3`, "smpquery", "-D", "portinfo", "0,1", "1")
	expect(`\|0x0 \|0x1 \|0x2`, "smpquery", "-D", "vlarb", "0,1", "1")
	expect(`\|0x9 \|0x7 \|0x0`, "smpquery", "-D", "vlarb", "0,1", "1")
	expect(`out  1: \| 0\| 1\| 2\| 3\| 0`, "smpquery", "-D", "sl2vl", "0,1", "1")
	expect(`: \| 0\| 1\| 1\| 1\| 0`, "smpquery", "-D", "sl2vl", "0")
	// The ends of a link that was reset wait for the next sweep.
	if _, complaints, code := simulation.Run(t, "ibportstate", "-D", "0,1", "1", "reset"); code != 0 {
		t.Fatalf("the reset: code %d, %s", code, complaints)
	}
	expect(`LinkState:\.+Initialize`, "smpquery", "-D", "portinfo", "0,1", "1")
	manage()
	expect(`LinkState:\.+Active`, "smpquery", "-D", "portinfo", "0,1", "1")
}

// TestServedRecords: the real saquery and ibping are answered.
func TestServedRecords(t *testing.T) {
	if os.Getenv("CXDECK_IBSIM") == "" {
		t.Skip("set CXDECK_IBSIM=1; it needs infiniband-diags and libumad2sim0")
	}
	socket, _ := startSubnet(t, "--speed", "10")
	simulation := simtest.Attach(t, socket)
	for line, want := range map[string]string{
		"saquery 5":        `NodeDescription\.+HV-02 HCA-1`,
		"saquery -s":       `IsSM ports(?s:.*)EndPortLid\.+6`,
		"saquery PIR 1/36": `PortNum\.+36(?s:.*)LinkState:\.+Active`,
		"saquery SMIR 1":   `EndPortLid|LID\.+1`,
		"saquery LFTR 1/0": `(?m)^\s+6\s+3$`,
		"saquery LR 5/1":   `ToLID\.+4`,
		"saquery --mgid ff12:401b:ffff::ffff:ffff MCMR": `mlid\.+0xc000`,
		"ibping -c 2 5": `Pong from HV-02(?s:.*)2 received, 0% packet loss`,
	} {
		words := strings.Fields(line)
		if text, complaints, code := simulation.Run(t, words[0], words[1:]...); code != 0 || !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("%s: code %d\n%s%s", line, code, text, complaints)
		}
	}
}

// TestServedPortsAreSet: the real ibportstate disables and enables a link of the lab, the subnet reroutes, and a slower speed takes effect.
func TestServedPortsAreSet(t *testing.T) {
	if os.Getenv("CXDECK_IBSIM") == "" {
		t.Skip("set CXDECK_IBSIM=1; it needs infiniband-diags and libumad2sim0")
	}
	socket, _ := startSubnet(t, "--speed", "10")
	simulation := simtest.Attach(t, socket)
	run := func(words ...string) string {
		t.Helper()
		text, complaints, code := simulation.Run(t, words[0], words[1:]...)
		if code != 0 {
			t.Fatalf("%v: code %d\n%s%s", words, code, text, complaints)
		}
		return text
	}
	wait := func(want string, words ...string) {
		t.Helper()
		text := ""
		for deadline := time.Now().Add(15 * time.Second); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
			if text = run(words...); regexp.MustCompile(want).MatchString(text) {
				return
			}
		}
		t.Fatalf("%v does not show %s:\n%s", words, want, text)
	}
	// Both links between the switches carry paths: without one all take the other.
	run("ibportstate", "1", "36", "disable")
	wait(`PhysLinkState:\.+Disabled`, "smpquery", "portinfo", "1", "36")
	for deadline := time.Now().Add(15 * time.Second); ; time.Sleep(50 * time.Millisecond) { // the lab's manager sweeps in its next step
		if _, _, code := simulation.Run(t, "smpquery", "nodeinfo", "5"); code == 0 {
			break
		} else if time.Now().After(deadline) {
			t.Fatal("LID 5 is not reached without the link")
		}
	}
	if text := run("ibroute", "-n", "1"); regexp.MustCompile(`(?m)^0x[0-9a-f]+ 036`).MatchString(text) {
		t.Errorf("a path still leads to the disabled port:\n%s", text)
	}
	run("ibportstate", "1", "36", "enable")
	wait(`LinkState:\.+Active`, "smpquery", "portinfo", "1", "36")
	run("ibportstate", "1", "36", "width", "1")
	run("ibportstate", "1", "36", "reset")
	wait(`LinkWidthActive:\.+1X`, "smpquery", "portinfo", "1", "36")
}
