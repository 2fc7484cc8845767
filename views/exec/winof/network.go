package winof

import (
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
	"cxdeck/views/exec/registrykey"
)

// filterRow is the packet filter of a connection as JSON.
type filterRow struct {
	Connection string   `json:"connection"`
	Mask       uint32   `json:"mask"`
	Filters    []string `json:"filters"`
	Groups     int      `json:"multicast_groups"`
}

// The bits of a packet filter of NDIS.
const (
	filterDirected    = 0x1
	filterMulticast   = 0x2
	filterBroadcast   = 0x8
	filterPromiscuous = 0x20
)

// showPacketFilter implements mlxtool show packet-filter: what the network stack asks a port to deliver. The manual does not show
// its output.
func showPacketFilter(c *exec.Call) (exec.Answer, error) {
	list, err := registrykey.ToolTargets(c, description.WinOF, "mlxtool show packet-filter", strings.Join(c.Arguments, " "), false)
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []filterRow{}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for i := range list {
			port, err := h.Stack().Port(list[i].Connection)
			if err != nil {
				return err
			}
			r := filterRow{list[i].Connection, filterDirected | filterBroadcast, []string{"Directed", "Broadcast"}, 0}
			flows := h.Lab().Description().Flows
			for n, state := range h.Lab().Flows() {
				if state.Port == port && flows[n].Multicast && !flows[n].Virtual && flows[n].ReceiveGbps > 0 && state.Scale > 0 {
					r.Groups += state.Tuples
				}
			}
			if r.Groups > 0 {
				r.Mask, r.Filters = r.Mask|filterMulticast, append(r.Filters, "Multicast")
			}
			if h.Lab().Settings(port).Promiscuous {
				r.Mask, r.Filters = r.Mask|filterPromiscuous, append(r.Filters, "Promiscuous")
			}
			rows = append(rows, r)
		}
		return nil
	})
	return exec.Answer{
		Result: struct {
			Filters []filterRow `json:"packet_filters"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "CONNECTION", "MASK", "FILTERS", "MULTICAST GROUPS")
			for i := range rows {
				r := &rows[i]
				t.Row(r.Connection, fmt.Sprintf("0x%08x", r.Mask), strings.Join(r.Filters, ", "), strconv.Itoa(r.Groups))
			}
			return t.Flush()
		},
	}, err
}

// ndOptions are the options of mlxtool show nd connections (WinOF manual, "show nd").
type ndOptions struct {
	address netip.Addr
	pid     int
	errors  bool
	count   int
	every   time.Duration
}

// The largest number of endpoints that are fetched at once, and the usual one.
const (
	maxFetched   = 10_000
	usualFetched = 1_000
)

func readNDOptions(words []string) (o ndOptions, err error) {
	o.pid, o.count = -1, usualFetched
	for i := 0; i < len(words); i++ {
		option := strings.ToLower(words[i])
		if option == "-e" || option == "--error" {
			o.errors = true
			continue
		}
		if !slices.Contains([]string{"-a", "--address", "-p", "--pid", "-n", "--count", "-t", "--time"}, option) {
			return o, exec.Mistake("mlxtool show nd connections takes -a ADDRESS, -p PROCESS, -e, -n COUNT and -t SECONDS, not %q", words[i])
		}
		if i++; i == len(words) {
			return o, exec.Mistake("%s of mlxtool show nd connections requires a value", option)
		}
		switch number, bad := strconv.Atoi(words[i]); option {
		case "-a", "--address":
			if o.address, err = netip.ParseAddr(words[i]); err != nil {
				return o, exec.Mistake("%s must be an IP address, not %q", option, words[i])
			}
		case "-p", "--pid":
			if o.pid = number; bad != nil || number < 0 {
				return o, exec.Mistake("%s must be the number of a process, not %q", option, words[i])
			}
		case "-n", "--count":
			if o.count = number; bad != nil || number < 1 || number > maxFetched {
				return o, exec.Mistake("%s must be 1 to %d, not %q", option, maxFetched, words[i])
			}
		default:
			if o.every = time.Duration(number) * time.Second; bad != nil || number < 1 {
				return o, exec.Mistake("%s must be a number of seconds, not %q", option, words[i])
			}
		}
	}
	if o.every > 0 && !o.errors {
		return o, exec.Mistake("-t of mlxtool show nd connections requires -e")
	}
	return o, nil
}

// pairRow has the queue pairs of a connection that are in the error state, as JSON.
type pairRow struct {
	Connection string `json:"connection"`
	Pairs      uint64 `json:"queue_pairs"`
}

// showNDConnections implements mlxtool show nd connections. The manual does not show its output. -t has no effect on one fetch.
func showNDConnections(c *exec.Call) (exec.Answer, error) {
	o, err := readNDOptions(c.Arguments)
	if err != nil {
		return exec.Answer{}, err
	}
	if o.errors {
		return brokenPairs(c, &o)
	}
	list, err := c.NetDirect()
	if err != nil {
		return exec.Answer{}, err
	}
	list = slices.DeleteFunc(exec.OnlyConnections(list), func(n exec.NetDirect) bool {
		return o.address.IsValid() && n.Local.Addr() != o.address || o.pid >= 0 && n.PID != o.pid
	})
	all := len(list)
	list = list[:min(all, o.count)]
	return exec.Answer{
		Result: struct {
			Connections []exec.NetDirect `json:"connections"`
		}{list},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "ADAPTER", "MODE", "LOCAL", "REMOTE", "PID", "STATE")
			for i := range list {
				n := &list[i]
				mode := "User"
				if n.Kernel {
					mode = "Kernel"
				}
				t.Row(n.Connection, mode, n.Local.String(), n.Foreign.String(), strconv.Itoa(n.PID), "Connected")
			}
			err := t.Flush()
			if err == nil {
				_, err = fmt.Fprintf(w, "%d of %s\n", len(list), wording.Count(all, "connection"))
			}
			return err
		},
	}, nil
}

// brokenPairs lists the queue pairs in the error state by connection.
func brokenPairs(c *exec.Call, o *ndOptions) (exec.Answer, error) {
	rows := []pairRow{}
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for port := range h.Lab().Ports() {
			name := h.Lab().Connection(port)
			has := slices.ContainsFunc(h.Stack().IP(name).Addresses, func(p netip.Prefix) bool { return p.Addr() == o.address })
			if n := exec.BrokenPairs(h.Lab(), port); n > 0 && (has || !o.address.IsValid()) {
				rows = append(rows, pairRow{name, min(n, uint64(o.count))})
			}
		}
		return nil
	})
	return exec.Answer{
		Result: struct {
			Pairs []pairRow `json:"error_queue_pairs"`
		}{rows},
		Text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "No queue pair is in the error state.")
				return err
			}
			t := exec.NewTextTable(w, "ADAPTER", "QPS IN ERROR")
			for _, r := range rows {
				t.Row(r.Connection, strconv.FormatUint(r.Pairs, 10))
			}
			return t.Flush()
		},
	}, err
}
