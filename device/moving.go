package device

import (
	"encoding/binary"
	"io"
	"math"
	"reflect"
	"slices"

	"cxdeck/device/capture"
	"cxdeck/device/completion"
	"cxdeck/device/counter"
	"cxdeck/device/dcqcn"
	"cxdeck/device/traffic"
)

// moving is the state that a step leaves for the next one. All of it except counters and captures is in movingLists.
type moving struct {
	counters  []uint64
	links     []link
	schedules []traffic.Schedule
	rhythms   []traffic.Rhythm
	streams   []amount
	lanes     []laneRest
	rings     []ringState
	pauses    []pauseRest
	controls  []control
	queues    []float64 // of the switches, in bytes: to each port, and from it
	cardRests []cardRest
	// lastFrames counts the frames that each port had received and sent at the end of the last step.
	lastFrames [][2]uint64
	// delivered counts the data frames of each flow that were delivered in the last step, by direction: the other side
	// acknowledges them in this step. flowBytes counts their bytes.
	delivered, flowBytes []uint64
	farEnds              []farEnd
	// captures are the buffers of ports that capture packets, nil for the others.
	captures []*capture.Buffer
}

// movingList is a list of the moving state with elements of any type.
type movingList interface {
	allocate()
	clone()
	append(out []byte) ([]byte, error)
	read(in io.Reader) error
	same(other movingList) bool
}

// movingLists returns the lists of the moving state in the order in which they are saved. Counters have a saved form of their
// own, and captures are in the header.
func (l *Lab) movingLists() []movingList {
	ports, flows := len(l.plan.ports), len(l.plant.traffic)
	return []movingList{
		partial(&l.links, ports, func(s *link) *linkState { return &s.linkState }),
		partial(&l.schedules, len(l.plant.schedules), func(s *traffic.Schedule) *traffic.ScheduleState { return &s.ScheduleState }),
		partial(&l.rhythms, flows, func(r *traffic.Rhythm) *float64 { return &r.Window }),
		entire(&l.streams, len(l.plan.streams)),
		entire(&l.lanes, len(l.plan.lanes)),
		partial(&l.rings, l.AllRings(), func(r *ringState) *completion.Rest { return &r.Rest }),
		entire(&l.pauses, ports*counter.Priorities),
		list[control, dcqcn.Snapshot]{ // the queue pairs of all controls, before their other state
			&l.controls, 2 * flows,
			func(c *control) dcqcn.Snapshot { return c.pair.Snapshot() },
			func(c *control, pair dcqcn.Snapshot) { c.pair = pair.Flow() },
		},
		partial(&l.controls, 2*flows, func(c *control) *controlRest { return &c.controlRest }),
		entire(&l.queues, 2*ports),
		entire(&l.cardRests, len(l.plan.cards)),
		entire(&l.lastFrames, ports),
		entire(&l.delivered, 2*flows),
		entire(&l.flowBytes, 2*flows),
		entire(&l.farEnds, ports),
	}
}

// allocate makes the moving state of a new lab.
func (l *Lab) allocate() {
	l.counters, l.captures = make([]uint64, l.Cells()), make([]*capture.Buffer, len(l.plan.ports))
	for _, list := range l.movingLists() {
		list.allocate()
	}
}

// list is a movingList whose elements T are saved as S, data of fixed size.
type list[T any, S comparable] struct {
	items   *[]T
	length  int
	save    func(*T) S
	restore func(*T, S)
}

// entire returns a list whose elements are saved unchanged.
func entire[T comparable](items *[]T, length int) movingList {
	return partial(items, length, func(item *T) *T { return item })
}

// partial returns a list of which a part of each element is saved: the rest belongs to one step, or is derived from the seed.
func partial[T any, S comparable](items *[]T, length int, of func(*T) *S) movingList {
	return list[T, S]{items, length, func(item *T) S { return *of(item) }, func(item *T, saved S) { *of(item) = saved }}
}

func (p list[T, S]) allocate() { *p.items = make([]T, p.length) }

func (p list[T, S]) clone() { *p.items = slices.Clone(*p.items) }

func (p list[T, S]) saved() []S {
	saved := make([]S, len(*p.items))
	for i := range saved {
		saved[i] = p.save(&(*p.items)[i])
	}
	return saved
}

func (p list[T, S]) append(out []byte) ([]byte, error) {
	return binary.Append(out, binary.LittleEndian, p.saved())
}

// read reads a list of the present length, and checks its remainders and levels.
func (p list[T, S]) read(in io.Reader) error {
	saved := make([]S, len(*p.items))
	if err := binary.Read(in, binary.LittleEndian, saved); err != nil {
		return errDamaged
	}
	for i := range saved {
		if !possible(reflect.ValueOf(&saved[i]).Elem()) {
			return errDamaged
		}
		p.restore(&(*p.items)[i], saved[i])
	}
	return nil
}

func (p list[T, S]) same(other movingList) bool {
	q, ok := other.(list[T, S])
	return ok && slices.Equal(p.saved(), q.saved())
}

// possible reports whether all remainders and levels in a value are in the range of a running lab: neither negative nor
// unbounded.
func possible(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Float64:
		return v.Float() >= 0 && v.Float() <= math.MaxUint32*1e6
	case reflect.Struct:
		for i := range v.NumField() {
			if !possible(v.Field(i)) {
				return false
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			if !possible(v.Index(i)) {
				return false
			}
		}
	default: // integers and booleans are checked elsewhere
	}
	return true
}
