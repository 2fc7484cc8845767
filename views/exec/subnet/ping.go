package subnet

import (
	"slices"
	"strings"
	"time"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
)

var (
	pingOptions = []option{
		{"count", 'c', "<num>", "stop after this many packets (5 without it)"},
		{"flood", 'f', "", "send without a pause, and write only the sums"},
		{"oui", 'o', "<val>", "vendor of the class of datagrams"},
		{"Server", 'S', "", "answer: a host does that always"},
	}
	sysstatOptions = pingOptions[2:]
)

// pings without an option: the real program sends until it is interrupted.
const (
	usualPings = 5
	maxPings   = 10000
)

// roundTrip is the time of an answer: what the two hosts take, and what each link takes, both ways.
func (s *session) roundTrip(to infiniband.Place, lid uint16) time.Duration {
	const hosts, link = 24 * time.Microsecond, 600 * time.Nanosecond
	links := 0
	if to != s.at {
		links = 1
		at, _ := s.Far(s.at)
		for ; at.Node != to.Node && links < mad.MaxHops; links++ {
			out := int(s.Of(at).Routes[lid])
			at, _ = s.Far(infiniband.Place{Node: at.Node, Port: out})
		}
	}
	return hosts + 2*time.Duration(links)*link
}

// host is the name of the computer of an adapter: the first word of its description.
func (s *session) host(at infiniband.Place) string {
	name, _, _ := strings.Cut(clean(s.Of(at).Name), " ")
	return name
}

// answers returns the host at a LID, if it answers datagrams of vendors: a switch does not.
func (s *session) answers(r mad.Route) (infiniband.Place, bool) {
	at, ok := s.Arrive(s.at, r)
	return at, ok && s.Of(at).Kind == infiniband.Adapter
}

func runPing(s *session) error {
	words := s.given.operands
	if len(words) == 0 && s.has("Server") == 0 {
		return errUsage
	}
	if s.has("Server") > 0 {
		s.complain("%s: the driver of this host answers already\n", s.name)
		return nil
	}
	r, err := s.resolve(words[0])
	if err != nil {
		return err
	}
	count, flood := usualPings, s.has("flood") > 0
	if s.has("count") > 0 {
		count = int(min(number(s.value("count")), maxPings))
	}
	at, ok := s.answers(r)
	rtt, host, replied := time.Duration(0), "", 0
	for range count {
		if !ok {
			s.warn("mad_rpc_rmpp", "_do_madrpc failed; dport (%s)", r)
			continue
		}
		replied++
		rtt, host = s.roundTrip(at, r.LID), s.host(at)
		if !flood {
			s.printf("Pong from %s (%s): time %d.%03d ms\n", host, r, rtt.Microseconds()/1000, rtt.Microseconds()%1000)
		}
	}
	total := time.Duration(count) * (time.Second + rtt)
	if flood {
		total = time.Duration(count) * rtt
	}
	loss := 0
	if count > 0 {
		loss = (count - replied) * 100 / count
	}
	s.printf("\n--- %s (%s) ibping statistics ---\n%d packets transmitted, %d received, %d%% packet loss, time %d ms\n", host, r, count, replied, loss, total.Milliseconds())
	ms, us := rtt.Microseconds()/1000, rtt.Microseconds()%1000
	s.printf("rtt min/avg/max = %d.%03d/%d.%03d/%d.%03d ms\n", ms, us, ms, us, ms, us)
	return nil
}

func runSysstat(s *session) error {
	words := s.given.operands
	if len(words) == 0 && s.has("Server") == 0 {
		return errUsage
	}
	if s.has("Server") > 0 {
		s.complain("%s: this host answers already\n", s.name)
		return nil
	}
	operation := "ping"
	if len(words) > 1 {
		operation = words[1]
	}
	if !slices.Contains([]string{"ping", "host", "cpu"}, operation) {
		return errUsage
	}
	r, err := s.resolve(words[0])
	if err != nil {
		return err
	}
	at, ok := s.answers(r)
	if !ok {
		return failed("ibsystat to %s: Connection timed out", r)
	}
	switch operation {
	case "ping":
		s.printf("sysstat ping succeeded\n")
	case "host":
		s.printf("%s\n", s.host(at))
	default:
		for cpu := range 2 {
			s.printf("cpu %d: model  Intel(R) Xeon(R) CPU E5-2650 v2 @ 2.60GHz MHZ  2600.000\n", cpu)
		}
		s.printf("\n")
	}
	return nil
}
