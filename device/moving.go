package device

import (
	"cxdeck/device/capture"
	"cxdeck/device/card"
	"cxdeck/device/completion"
	"cxdeck/device/congestion"
	"cxdeck/device/counter"
	"cxdeck/device/dcqcn"
	"cxdeck/device/farend"
	"cxdeck/device/moving"
	"cxdeck/device/traffic"
)

// movingState is the state that a step leaves for the next one. All of it except counters and captures is in movingLists.
type movingState struct {
	counters       []uint64
	links          []link
	schedules      []traffic.Schedule
	rhythms        []traffic.Rhythm
	streams        []amount
	lanes          []laneRemainders
	rings          []ringState
	pauses         []pauseRemainders
	controls       []congestion.Control
	queues         []float64 // of the switches, in bytes: to each port, and from it
	cardRemainders []card.Remainders
	// lastFrames counts the frames that each port had received and sent at the end of the last step.
	lastFrames [][2]uint64
	// delivered counts the data frames of each flow that were delivered in the last step, by direction: the other side
	// acknowledges them in this step. flowBytes counts their bytes.
	delivered, flowBytes []uint64
	farEnds              []farEnd
	remotes              []farend.State
	// silence counts the steps for which the subnet administrator of each port has not answered its driver; 0 on Ethernet.
	silence []int64
	// captures are the buffers of ports that capture packets, nil for the others.
	captures []*capture.Buffer
}

// movingLists returns the lists of the moving state in the order in which they are saved. Counters have a saved form of their
// own, and captures and silence are in the header.
func (l *Lab) movingLists() []moving.List {
	ports, flows := len(l.plan.ports), len(l.plant.traffic)
	return []moving.List{
		moving.Partial(&l.links, ports, func(s *link) *linkState { return &s.linkState }),
		moving.Partial(&l.schedules, len(l.plant.schedules), func(s *traffic.Schedule) *traffic.ScheduleState { return &s.ScheduleState }),
		moving.Partial(&l.rhythms, flows, func(r *traffic.Rhythm) *float64 { return &r.Window }),
		moving.Partial(&l.streams, len(l.plan.streams), func(a *amount) *streamRemainders { return &a.streamRemainders }),
		moving.Entire(&l.lanes, len(l.plan.lanes)),
		moving.Partial(&l.rings, l.AllRings(), func(r *ringState) *completion.RingState { return &r.RingState }),
		moving.Entire(&l.pauses, ports*counter.Priorities),
		moving.Converted(&l.controls, 2*flows, // the queue pairs of all controls, before their other state
			func(c *congestion.Control) dcqcn.Snapshot { return c.Pair.Snapshot() },
			func(c *congestion.Control, pair dcqcn.Snapshot) { c.Pair = pair.Flow() },
		),
		moving.Partial(&l.controls, 2*flows, func(c *congestion.Control) *congestion.State { return &c.State }),
		moving.Entire(&l.queues, 2*ports),
		moving.Entire(&l.cardRemainders, len(l.plan.cards)),
		moving.Entire(&l.lastFrames, ports),
		moving.Entire(&l.delivered, 2*flows),
		moving.Entire(&l.flowBytes, 2*flows),
		moving.Entire(&l.farEnds, ports),
		moving.Entire(&l.remotes, ports),
	}
}

// requiredLists is the number of lists that every saved lab has: earlier versions did not save the others, which begin empty.
const requiredLists = 15

// allocate makes the moving state of a new lab.
func (l *Lab) allocate() {
	l.counters, l.captures = make([]uint64, l.Cells()), make([]*capture.Buffer, len(l.plan.ports))
	l.silence = make([]int64, len(l.plan.ports))
	for _, list := range l.movingLists() {
		list.Allocate()
	}
}
