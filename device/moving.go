package device

import "cxdeck/device/dcqcn"

// savedMoving is the moving state without the counters, as data of fixed size.
type savedMoving struct {
	Links      []linkState
	Schedules  []scheduleState
	Windows    []float64
	Streams    []amount
	Lanes      []laneRest
	Rings      []ringRest
	Pauses     []pauseRest
	Pairs      []dcqcn.Snapshot
	Controls   []controlRest
	Queues     []float64
	CardRests  []cardRest
	LastFrames [][2]uint64
	Delivered  []uint64
	FlowBytes  []uint64
	FarEnds    []farEnd
}

// parts are the lists in the order in which they are written.
func (m *savedMoving) parts() []any {
	return []any{
		m.Links, m.Schedules, m.Windows, m.Streams, m.Lanes, m.Rings, m.Pauses, m.Pairs, m.Controls, m.Queues,
		m.CardRests, m.LastFrames, m.Delivered, m.FlowBytes, m.FarEnds,
	}
}

// savedMoving copies the moving state of a lab.
func (l *Lab) savedMoving() *savedMoving {
	m := &savedMoving{
		Links: make([]linkState, len(l.links)), Schedules: make([]scheduleState, len(l.schedules)),
		Windows: make([]float64, len(l.rhythms)), Streams: append([]amount(nil), l.streams...),
		Lanes: append([]laneRest(nil), l.lanes...), Rings: make([]ringRest, len(l.rings)),
		Pauses: append([]pauseRest(nil), l.pauses...), Pairs: make([]dcqcn.Snapshot, len(l.controls)),
		Controls: make([]controlRest, len(l.controls)), Queues: append([]float64(nil), l.queues...),
		CardRests:  append([]cardRest(nil), l.cardRests...),
		LastFrames: append([][2]uint64(nil), l.lastFrames...),
		Delivered:  append([]uint64(nil), l.delivered...), FlowBytes: append([]uint64(nil), l.flowBytes...),
		FarEnds: append([]farEnd(nil), l.farEnds...),
	}
	for i := range l.links {
		m.Links[i] = l.links[i].linkState
	}
	for i := range l.schedules {
		m.Schedules[i] = l.schedules[i].scheduleState
	}
	for i := range l.rhythms {
		m.Windows[i] = l.rhythms[i].window
	}
	for i := range l.rings {
		m.Rings[i] = l.rings[i].ringRest
	}
	for i := range l.controls {
		m.Pairs[i], m.Controls[i] = l.controls[i].pair.Snapshot(), l.controls[i].controlRest
	}
	return m
}

// adopt puts it into a lab with the same setup.
func (l *Lab) adopt(m *savedMoving) {
	for i := range l.links {
		l.links[i].linkState = m.Links[i]
	}
	for i := range l.schedules {
		l.schedules[i].scheduleState = m.Schedules[i]
	}
	for i := range l.rhythms {
		l.rhythms[i].window = m.Windows[i]
	}
	for i := range l.rings {
		l.rings[i].ringRest = m.Rings[i]
	}
	for i := range l.controls {
		l.controls[i].pair, l.controls[i].controlRest = m.Pairs[i].Flow(), m.Controls[i]
	}
	l.streams, l.lanes, l.pauses, l.queues = m.Streams, m.Lanes, m.Pauses, m.Queues
	l.cardRests, l.lastFrames, l.delivered, l.flowBytes = m.CardRests, m.LastFrames, m.Delivered, m.FlowBytes
	l.farEnds = m.FarEnds
	l.filled = -1
}

// floats are all remainders and levels, none of which can be negative or without bounds.
func (m *savedMoving) floats() (list []float64) {
	list = append(list, m.Windows...)
	list = append(list, m.Queues...)
	for _, a := range m.Streams {
		list = append(list, a.Want, a.Held, a.Lost, a.LostRest, a.HeadOfLine)
	}
	for _, r := range m.Lanes {
		list = append(list, r.Moved, r.TooLong, r.WrongSize, r.Damaged, r.Discarded, r.Starved, r.Full, r.Aborted, r.Joined)
	}
	for _, r := range m.Rings {
		list = append(list, r.PerInterrupt, r.PerPass, r.SendPerInterrupt,
			r.Interrupts, r.SendInterrupts, r.Indicates, r.Low, r.LowIndicates, r.Limits)
	}
	for _, p := range m.Pauses {
		list = append(list, p.Sent, p.FarEnd, p.Received, p.Self)
	}
	for _, c := range m.Controls {
		list = append(list, c.Owed, c.Marks, c.Notices, c.Timeouts, c.Requests, c.Gaps)
		list = append(list, c.Errors[:]...)
	}
	for _, s := range m.Links {
		list = append(list, s.Waiting)
	}
	for i := range m.FarEnds {
		f := &m.FarEnds[i]
		list = append(list, f.Damaged, f.Full, f.Barred, f.LostPauses, f.LostAnswers, f.LostNotifications)
	}
	for _, c := range m.CardRests {
		list = append(list, c.Used, c.Doorbells, c.SendMisses, c.ReceiveMisses, c.BlueFlames)
	}
	return list
}
