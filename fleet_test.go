package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFleetInARealPrometheus has a real Prometheus scrape several cxdeck serve, one of a host with damaged frames. The console lists
// that host first, and three keys lead to the reason. CXDECK_FLEET is the number of hosts.
func TestFleetInARealPrometheus(t *testing.T) {
	prometheus, err := exec.LookPath("prometheus")
	if err != nil {
		t.Skip("prometheus is missing; install the package prometheus")
	}
	hosts := 3
	if text := os.Getenv("CXDECK_FLEET"); text != "" {
		if hosts, err = strconv.Atoi(text); err != nil || hosts < 2 {
			t.Fatalf("CXDECK_FLEET must be an integer from 2, not %q", text)
		}
	} else if testing.Short() {
		t.Skip("it starts several processes")
	}
	directory, bad := t.TempDir(), hosts-1
	db := filepath.Join(directory, "bad.db")
	if out, err := exec.Command(binary, "exec", "--db", db, "fault", "set", "Ethernet 8", "bad-cable", "0.01").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var targets []string
	for i := range hosts {
		arguments := []string{"serve", "--listen", "127.0.0.1:0", "--interval", "1s", "--seed", strconv.Itoa(i + 2)}
		if i == bad {
			arguments = []string{"serve", "--listen", "127.0.0.1:0", "--interval", "1s", "--db", db}
		}
		command := exec.Command(binary, arguments...)
		command.Env = environment(directory)
		out, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = command.Process.Signal(syscall.SIGTERM)
			if err := command.Wait(); err != nil {
				t.Errorf("serve ends with %v", err)
			}
		})
		line, _ := bufio.NewReader(out).ReadString('\n')
		_, address, _ := strings.Cut(line, "http://")
		address, _, found := strings.Cut(address, "/metrics")
		if !found {
			t.Fatalf("serve says %q", line)
		}
		targets = append(targets, fmt.Sprintf("{targets: ['%s'], labels: {host: node-%02d}}", address, i))
	}
	address := freeAddress(t)
	config := filepath.Join(directory, "prometheus.yml")
	text := "global: {scrape_interval: 4s}\nscrape_configs:\n  - job_name: cxdeck\n    static_configs: [" + strings.Join(targets, ", ") + "]\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	server := exec.Command(prometheus, "--config.file="+config, "--storage.tsdb.path="+filepath.Join(directory, "data"), "--web.listen-address="+address)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Signal(syscall.SIGTERM); _ = server.Wait() })
	worst := fmt.Sprintf("node-%02d", bad)
	awaitCounters(t, "prometheus:http://"+address, worst)
	c := startTerminal(t, 160, 45, directory, "--source", "prometheus:http://"+address, "--interval", "2s")
	first := func(screen string) bool {
		_, rows, found := strings.Cut(screen, "Host / port")
		if lines := strings.SplitN(rows, "\n", 3); found && len(lines) == 3 {
			return strings.Contains(lines[1], worst)
		}
		return false
	}
	c.waitText(fmt.Sprintf("Total (%d hosts)", hosts))
	// On a busy machine another host may become the worst between the look and the key: one whose scrape has failed.
	for tries := 0; ; tries++ {
		c.waitFor(worst+" in the first row", first)
		c.press("enter")
		answer := c.waitFor("an answer to Enter", func(screen string) bool {
			return strings.Contains(screen, "Why node-") || !strings.Contains(screen, "Host / port")
		})
		if strings.Contains(answer, "Why "+worst) && strings.Contains(answer, "damaged") {
			break
		}
		if tries == 5 {
			t.Fatalf("Enter on %s does not say that it has damaged frames:\n%s", worst, answer)
		}
		c.press("\x1b", "1")
	}
	c.press("\x1b")
	c.waitGone("Why node-")
	c.press("2")
	c.waitText("go back")
	c.waitText("Bytes Sent/sec") // the curves, whose hosts are asked for
	c.press("{")
	c.waitFor("the past, or why there is none", func(screen string) bool {
		return strings.Contains(screen, "⟲ past") || strings.Contains(screen, "can't be read")
	})
	c.waitText("⟲ past")
	c.press("X")
	c.waitFor("the present", func(screen string) bool {
		return !strings.Contains(screen, "⟲ past") && strings.Contains(screen, "go back")
	})
	if os.Getenv("CXDECK_FLEET") != "" {
		readVictoriaMetrics(t, directory, config, worst)
	}
}

// readVictoriaMetrics has a VictoriaMetrics, if there is one, scrape the same hosts, and reads them from it.
func readVictoriaMetrics(t *testing.T, directory, config, host string) {
	t.Helper()
	program, err := exec.LookPath("victoria-metrics")
	if err != nil {
		t.Log("victoria-metrics is missing; install the package victoria-metrics")
		return
	}
	address := freeAddress(t)
	server := exec.Command(program, "-promscrape.config="+config, "-storageDataPath="+filepath.Join(directory, "victoria"), "-httpListenAddr="+address, "-search.latencyOffset=1s")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Signal(syscall.SIGTERM); _ = server.Wait() })
	awaitCounters(t, "prometheus:http://"+address+"/prometheus", host)
}

// freeAddress returns an address of this machine that nothing listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer free.Close() // the server listens on it
	return free.Addr().String()
}

// awaitCounters waits until a source has two scrapes of a host.
func awaitCounters(t *testing.T, source, host string) {
	t.Helper()
	for waited := 0; ; waited++ {
		out, _ := exec.Command(binary, "counters", "--source", source, "--interval", "1s", "-n", "1", `\Mellanox WinOF-2 Port Traffic(`+host+`: Ethernet 8)\Packets Received Errors`).CombinedOutput()
		if lines := strings.Count(string(out), "\n"); lines > 1 && !strings.Contains(string(out), "cxdeck:") {
			return
		}
		time.Sleep(500 * time.Millisecond)
		if waited > 120 {
			t.Fatalf("%s has no counters of %s: %s", source, host, out)
		}
	}
}
