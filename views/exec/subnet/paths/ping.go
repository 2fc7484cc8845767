package paths

import (
	"slices"
	"strings"
	"time"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/views/exec/subnet"
)

var (
	pingOptions = []subnet.Option{
		subnet.NewOption("count", 'c', "<num>", "stop after this many packets (5 without it)"),
		subnet.NewOption("flood", 'f', "", "send without a pause, and write only the sums"),
		subnet.NewOption("oui", 'o', "<val>", "vendor of the class of datagrams"),
		subnet.NewOption("Server", 'S', "", "answer: a host does that always"),
	}
	sysstatOptions = pingOptions[2:]
)

// pings without an option: the real program sends until it is interrupted.
const (
	usualPings = 5
	maxPings   = 10000
)

// roundTrip is the time of an answer: what the two hosts take, and what each link takes, both ways.
func roundTrip(s *subnet.Session, to infiniband.Place, lid uint16) time.Duration {
	const hosts, link = 24 * time.Microsecond, 600 * time.Nanosecond
	links := 0
	if to != s.From {
		links = 1
		at, _ := s.Far(s.From)
		for ; at.Node != to.Node && links < mad.MaxHops; links++ {
			out := int(s.Of(at).Routes[lid])
			at, _ = s.Far(infiniband.Place{Node: at.Node, Port: out})
		}
	}
	return hosts + 2*time.Duration(links)*link
}

// answeringHost is the name of the computer of an adapter: the first word of its description.
func answeringHost(s *subnet.Session, at infiniband.Place) string {
	name, _, _ := strings.Cut(subnet.Clean(s.Of(at).Name), " ")
	return name
}

// answersOf returns the host at a LID, if it answers datagrams of vendors: a switch does not.
func answersOf(s *subnet.Session, r mad.Route) (infiniband.Place, bool) {
	at, ok := s.Arrive(s.From, r)
	return at, ok && s.Of(at).Kind == infiniband.Adapter
}

func runPing(s *subnet.Session) error {
	words := s.Given.Operands
	if len(words) == 0 && s.Has("Server") == 0 {
		return subnet.ErrUsage
	}
	if s.Has("Server") > 0 {
		s.Complain("%s: the driver of this host answers already\n", s.Name)
		return nil
	}
	r, err := s.Resolve(words[0])
	if err != nil {
		return err
	}
	count, flood := usualPings, s.Has("flood") > 0
	if s.Has("count") > 0 {
		count = int(min(subnet.Number(s.Value("count")), maxPings))
	}
	at, ok := answersOf(s, r)
	rtt, host, replied := time.Duration(0), "", 0
	for range count {
		if !ok {
			s.Warn("mad_rpc_rmpp", "_do_madrpc failed; dport (%s)", r)
			continue
		}
		replied++
		rtt, host = roundTrip(s, at, r.LID), answeringHost(s, at)
		if !flood {
			s.Printf("Pong from %s (%s): time %d.%03d ms\n", host, r, rtt.Microseconds()/1000, rtt.Microseconds()%1000)
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
	s.Printf("\n--- %s (%s) ibping statistics ---\n%d packets transmitted, %d received, %d%% packet loss, time %d ms\n", host, r, count, replied, loss, total.Milliseconds())
	ms, us := rtt.Microseconds()/1000, rtt.Microseconds()%1000
	s.Printf("rtt min/avg/max = %d.%03d/%d.%03d/%d.%03d ms\n", ms, us, ms, us, ms, us)
	return nil
}

func runSysstat(s *subnet.Session) error {
	words := s.Given.Operands
	if len(words) == 0 && s.Has("Server") == 0 {
		return subnet.ErrUsage
	}
	if s.Has("Server") > 0 {
		s.Complain("%s: this host answers already\n", s.Name)
		return nil
	}
	operation := "ping"
	if len(words) > 1 {
		operation = words[1]
	}
	if !slices.Contains([]string{"ping", "host", "cpu"}, operation) {
		return subnet.ErrUsage
	}
	r, err := s.Resolve(words[0])
	if err != nil {
		return err
	}
	at, ok := answersOf(s, r)
	if !ok {
		return subnet.Failed("ibsystat to %s: Connection timed out", r)
	}
	switch operation {
	case "ping":
		s.Printf("sysstat ping succeeded\n")
	case "host":
		s.Printf("%s\n", answeringHost(s, at))
	default:
		for cpu := range 2 {
			s.Printf("cpu %d: model  Intel(R) Xeon(R) CPU E5-2650 v2 @ 2.60GHz MHZ  2600.000\n", cpu)
		}
		s.Printf("\n")
	}
	return nil
}
