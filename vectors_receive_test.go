package main

import (
	"fmt"
	"net/netip"
	"time"

	"cxdeck/device/moderation"
	"cxdeck/device/polling"
	"cxdeck/device/rss"
)

// receiveVectors are the topics of received packets: their rings, and when the processor is interrupted.
var receiveVectors = map[string]vectorRunner{
	"rss-toeplitz": vector(toeplitzInput{}, toeplitz),
	"rss-steering": vectorOps(map[string]vectorRunner{
		"queue_count": vector(queueCountInput{}, queueCount),
		"steer":       vector(steerInput{TableSize: rss.TableSize}, steer),
		"classify":    vector(classifyInput{RSS: 1, UDP: 1, RawIP: 1}, classify),
	}),
	"interrupt-moderation": vectorOps(map[string]vectorRunner{
		"interrupts":    vector(interruptsInput{On: 1, Count: 5, Time: 10}, interrupts),
		"traffic_class": vector(trafficClassInput{Low: 150_000, High: 170_000}, trafficClass),
	}),
	"adaptive-polling": vector(pollingInput{
		AverageFactor: 16, AveragePollThreshold: 10, ThisPollThreshold: 100, ThreadPoll: 10_000,
	}, pollingDecisions),
}

type toeplitzInput struct {
	Key             string     `json:"key"`
	Source          netip.Addr `json:"src_ip"`
	Destination     netip.Addr `json:"dst_ip"`
	SourcePort      uint16     `json:"src_port"`
	DestinationPort uint16     `json:"dst_port"`
	HashType        string     `json:"hash_type"`
}

type toeplitzOutput struct {
	Hash string `json:"hash"`
}

func toeplitz(in toeplitzInput) (toeplitzOutput, error) {
	h, err := rss.NewHasher(in.Key)
	if err != nil {
		return toeplitzOutput{}, err
	}
	for kind := rss.NoHash + 1; kind <= rss.HashUDPIPv6; kind++ {
		if kind.String() != in.HashType {
			continue
		}
		hash := h.Hash(kind, rss.Tuple{
			Source: in.Source, Destination: in.Destination, SourcePort: in.SourcePort, DestinationPort: in.DestinationPort,
		})
		return toeplitzOutput{Hash: fmt.Sprintf("0x%08x", hash)}, nil
	}
	return toeplitzOutput{}, fmt.Errorf("no hash type is called %q", in.HashType)
}

type queueCountInput struct {
	Driver        string `json:"driver"`
	Medium        string `json:"medium"`
	RSS           int    `json:"*RSS"`
	Queues        int    `json:"*NumRSSQueues"`
	MaxProcessors int    `json:"*MaxRSSProcessors"`
	MaxCPUs       int    `json:"MaxNumRssCpus"`
	Available     int    `json:"processors_available"`
}

type queueCountOutput struct {
	Queues int `json:"queues"`
}

func queueCount(in queueCountInput) (queueCountOutput, error) {
	driverMax, ok := map[string]int{"winof-5.50": rss.MaxQueuesWinOF, "winof2-1.21": rss.MaxQueuesWinOF2}[in.Driver]
	if !ok {
		return queueCountOutput{}, fmt.Errorf("no limit is known for driver %q", in.Driver)
	}
	return queueCountOutput{Queues: rss.QueueSettings{
		On: in.RSS == 1, Queues: in.Queues, MaxProcessors: in.MaxProcessors, MaxCPUs: in.MaxCPUs, DriverMax: driverMax,
		Available: in.Available, AnyNumber: in.Medium == "ipoib",
	}.Count()}, nil
}

type steerInput struct {
	Hash      string `json:"hash"`
	Queues    int    `json:"queues"`
	TableSize int    `json:"table_size"`
	Base      int    `json:"*RssBaseProcNumber"`
}

type steerOutput struct {
	Slot      int `json:"slot"`
	Queue     int `json:"queue"`
	Processor int `json:"processor"`
}

func steer(in steerInput) (steerOutput, error) {
	var hash uint32
	if _, err := fmt.Sscanf(in.Hash, "0x%08x", &hash); err != nil {
		return steerOutput{}, fmt.Errorf("hash %q: %w", in.Hash, err)
	}
	var all []rss.Processor
	for number := range in.Base + in.Queues {
		all = append(all, rss.Processor{Number: number})
	}
	table, processors := rss.NewTable(in.TableSize, in.Queues), rss.AppendProcessors(nil, all, 0, in.Base, rss.AnyNode)
	queue := table.Queue(hash)
	return steerOutput{Slot: table.Slot(hash), Queue: queue, Processor: processors[queue].Number}, nil
}

type classifyInput struct {
	Packet struct {
		Network      string `json:"l3"`
		Transport    string `json:"l4"`
		Fragment     bool   `json:"fragment"`
		Encapsulated bool   `json:"encapsulated"`
	} `json:"packet"`
	RSS   int `json:"*RSS"`
	UDP   int `json:"UseRSSForUDP"`
	RawIP int `json:"UseRSSForRawIP"`
}

type classifyOutput struct {
	Counter string `json:"counter"`
}

func classify(in classifyInput) (classifyOutput, error) {
	settings := rss.Settings{On: in.RSS == 1, UDP: in.UDP == 1, RawIP: in.RawIP == 1}
	packet := rss.Packet{
		Network:   map[string]rss.Network{"ipv4": rss.IPv4, "ipv6": rss.IPv6}[in.Packet.Network],
		Transport: map[string]rss.Transport{"tcp": rss.TCP, "udp": rss.UDP}[in.Packet.Transport],
		Fragment:  in.Packet.Fragment, Encapsulated: in.Packet.Encapsulated,
	}
	return classifyOutput{Counter: settings.CounterOf(packet).String()}, nil
}

type interruptsInput struct {
	On       int       `json:"*InterruptModeration"`
	Count    int       `json:"packet_count"`
	Time     float64   `json:"packet_time_us"`
	Arrivals []float64 `json:"arrivals_us"`
}

type interruptsOutput struct {
	Interrupts []interruptOutput `json:"interrupts"`
}

type interruptOutput struct {
	At      float64 `json:"t_us"`
	Packets int     `json:"packets"`
}

func interrupts(in interruptsInput) (interruptsOutput, error) {
	inNanoseconds := func(us float64) time.Duration { return time.Duration(us * float64(time.Microsecond)) }
	var setting moderation.Setting
	if in.On == 1 {
		setting = moderation.Setting{Packets: in.Count, Time: inNanoseconds(in.Time)}
	}
	var arrivals []time.Duration
	for _, us := range in.Arrivals {
		arrivals = append(arrivals, inNanoseconds(us))
	}
	out := interruptsOutput{Interrupts: []interruptOutput{}}
	for _, interrupt := range setting.AppendInterrupts(nil, arrivals) {
		out.Interrupts = append(out.Interrupts, interruptOutput{
			At: float64(interrupt.At) / float64(time.Microsecond), Packets: interrupt.Packets,
		})
	}
	return out, nil
}

type trafficClassInput struct {
	Low   float64   `json:"pkt_rate_low"`
	High  float64   `json:"pkt_rate_high"`
	Start string    `json:"start"`
	Rates []float64 `json:"packets_per_second"`
}

type trafficClassOutput struct {
	Class []string `json:"class"`
}

func trafficClass(in trafficClassInput) (trafficClassOutput, error) {
	class := moderation.Latency
	if in.Start == moderation.Bandwidth.String() {
		class = moderation.Bandwidth
	}
	var out trafficClassOutput
	for _, rate := range in.Rates {
		class = moderation.Rates{Low: in.Low, High: in.High}.Next(class, rate)
		out.Class = append(out.Class, class.String())
	}
	return out, nil
}

type pollingInput struct {
	AverageFactor        float64
	AveragePollThreshold float64
	ThisPollThreshold    int
	ThreadPoll           int
	StartAverage         float64 `json:"start_average"`
	Passes               []struct {
		Packets int `json:"packets"`
		Idle    int `json:"idle_cycles"` // instead of packets
	} `json:"passes"`
}

type pollingOutput struct {
	Decisions []pollingDecision `json:"decisions"`
}

type pollingDecision struct {
	Continue bool    `json:"continue"`
	Average  float64 `json:"average"`
}

// pollingDecisions ends with the decision to stop: later decisions belong to another poll.
func pollingDecisions(in pollingInput) (pollingOutput, error) {
	settings := polling.Settings{
		AverageFactor: in.AverageFactor, AverageThreshold: in.AveragePollThreshold,
		PassThreshold: in.ThisPollThreshold, IdleCycles: in.ThreadPoll,
	}
	var out pollingOutput
	average := in.StartAverage
	for _, pass := range in.Passes {
		again := settings.Idle(pass.Idle)
		if pass.Idle <= 0 {
			average, again = settings.Pass(average, pass.Packets)
		}
		out.Decisions = append(out.Decisions, pollingDecision{Continue: again, Average: average})
		if !again {
			break
		}
	}
	return out, nil
}
