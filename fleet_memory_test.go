package main

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// fleetSize is the size of the fleet of TestMemoryOfAFleet.
const (
	fleetHosts, fleetSeries = 1000, 100
	fleetMemory             = 200_000 // kB
)

// TestMemoryOfAFleet shows 1,000 hosts with 100 series each, half of them of cxdeck serve and half of node_exporter, until the window of the
// console is full, on Overview and then on Counters. It is not run by default, because it loads a machine for minutes:
// CXDECK_FLEET_MEMORY=1 go test . -run TestMemoryOfAFleet -v
func TestMemoryOfAFleet(t *testing.T) {
	if os.Getenv("CXDECK_FLEET_MEMORY") == "" {
		t.Skip("set CXDECK_FLEET_MEMORY to run it")
	}
	hosts := append(ownSeries(t), nodeSeries()...)
	targets, samples := make([]string, fleetHosts), make([][]string, fleetHosts) // the labels of each, ready to send
	for host := range targets {
		kind := hosts[host%2]
		targets[host] = fmt.Sprintf(`"host":"node-%04d","instance":"10.0.%d.%d:%d","job":"%s"},"value":[`, host, host/250, host%250, kind.port, kind.job)
		for _, series := range kind.series {
			samples[host] = append(samples[host], `{"metric":{"__name__":"`+series+","+targets[host])
		}
	}
	var looks atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		at, _ := strconv.ParseFloat(r.Form.Get("time"), 64)
		text := []byte(`{"status":"success","data":{"resultType":"vector","result":[`)
		add := func(metric string, value float64) {
			if text[len(text)-1] == '}' {
				text = append(text, ',')
			}
			text = strconv.AppendFloat(append(text, metric...), at, 'f', 3, 64)
			text = append(strconv.AppendFloat(append(text, `,"`...), value, 'f', 0, 64), `"]}`...)
		}
		for host := range fleetHosts {
			switch r.Form.Get("query") {
			case "up":
				add(`{"metric":{"__name__":"up",`+targets[host], 1)
			case "timestamp(up)":
				add(`{"metric":{`+targets[host], math.Floor(at))
			default:
				for i, sample := range samples[host] {
					value := 1000 * math.Floor(at)
					if i%2 == 0 { // another rate at each scrape; the counter never falls
						value += 400 * math.Sin(math.Floor(at)+float64(host))
					}
					if strings.Contains(sample, `_up","device"`) {
						value = 1
					}
					add(sample, value)
				}
			}
		}
		_, _ = w.Write(append(text, "]}}"...))
		if query := r.Form.Get("query"); query != "up" && query != "timestamp(up)" {
			looks.Add(1)
		}
	}))
	t.Cleanup(server.Close)
	c := startTerminal(t, 120, 40, "", "--source", "prometheus:"+server.URL, "--interval", "1s")
	c.waitText(fmt.Sprintf("Total (%d hosts)", fleetHosts))
	await := func(target int64) { // until the limit of the test: a busy machine takes its time
		for looks.Load() < target {
			select {
			case <-c.done:
				t.Fatalf("the program ended: %v\n%s", c.err, c.text())
			case <-time.After(50 * time.Millisecond):
			}
		}
	}
	await(73)
	t.Logf("VmHWM on Overview: %d kB", peakMemory(t, c.cmd.Process.Pid))
	c.press("2")
	c.waitText("go back")
	await(looks.Load() + 10)
	if peak := peakMemory(t, c.cmd.Process.Pid); peak > fleetMemory {
		t.Errorf("VmHWM is %d kB, more than %d kB", peak, fleetMemory)
	} else {
		t.Logf("VmHWM on Counters: %d kB", peak)
	}
}

// exporter is a kind of host: its series begin with the name of the metric, a quote and the labels of the series.
type exporter struct {
	job    string
	port   int
	series []string
}

// ownSeries are the series of two ports as cxdeck serve names them.
func ownSeries(t *testing.T) []exporter {
	t.Helper()
	out, err := exec.Command(binary, "counters", "--format", "prometheus", "-n", "1", `\*(*)\*`).Output()
	if err != nil {
		t.Fatal(err)
	}
	list := exporter{job: "cxdeck", port: 9756}
	for _, match := range regexp.MustCompile(`(?m)^([a-z0-9_]+_total)\{host="[^"]*",device="Ethernet 5"(,priority="\d")?\}`).FindAllStringSubmatch(string(out), -1) {
		if len(list.series) < fleetSeries-2 {
			priority := strings.Replace(match[2], "priority=", `"priority":`, 1)
			list.series = append(list.series, match[1]+`","device":"ens0"`+priority, match[1]+`","device":"ens1"`+priority)
		}
	}
	if list.series = append(list.series, `cxdeck_port_up","device":"ens0"`, `cxdeck_port_up","device":"ens1"`); len(list.series) != fleetSeries {
		t.Fatalf("%d series of cxdeck serve", len(list.series))
	}
	return []exporter{list}
}

// nodeSeries are the series of two ports as the netdev, netclass and ethtool collectors of node_exporter name them.
func nodeSeries() []exporter {
	names := []string{"node_network_up"}
	for _, way := range []string{"receive", "transmit"} {
		for _, what := range []string{"bytes", "packets", "drop", "errs"} {
			names = append(names, "node_network_"+way+"_"+what+"_total")
		}
	}
	for _, way := range []string{"received", "transmitted"} {
		for priority := range 8 {
			for _, what := range []string{"bytes", "packets", "pause"} {
				names = append(names, fmt.Sprintf("node_ethtool_%s_prio%d_%s", way, priority, what))
			}
		}
	}
	list := exporter{job: "node", port: 9100}
	for _, name := range names[:fleetSeries/2] {
		list.series = append(list.series, name+`","device":"ens0"`, name+`","device":"ens1"`)
	}
	return []exporter{list}
}

// peakMemory returns the largest resident memory that a process has had, in kB.
func peakMemory(t *testing.T, process int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
	if err != nil {
		t.Skip(err)
	}
	match := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(text)
	if match == nil {
		t.Skip("this system does not report VmHWM")
	}
	peak, _ := strconv.Atoi(string(match[1]))
	return peak
}
