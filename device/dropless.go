package device

import (
	"errors"
	"fmt"
	"time"

	"cxdeck/device/completion"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/dropless"
)

// Dropless reports whether packets of a port that find no receive descriptor wait for one.
func (l *Lab) Dropless(port int) bool { return l.links[port].Dropless }

// SetDropless enters or leaves dropless mode, as the driver does on request (OID_MLX_DROPLESS_MODE; WinOF manual, "Lossless
// TCP", WinOF-2 manual, "Dropless Mode"). Every start of the driver leaves it.
func (l *Lab) SetDropless(port int, on bool) error {
	s, err := l.link(port)
	if err != nil {
		return err
	}
	if s.Dropless == on {
		return nil
	}
	if on {
		if err := l.allowsDropless(port); err != nil {
			return err
		}
		l.counters[counter.Cell(port, counter.DroplessEntries)]++
	}
	l.setDropless(port, on)
	return nil
}

func (l *Lab) allowsDropless(port int) error {
	site := &l.plant.ports[port]
	if l.setup.Ports[port].DropTimeout == 0 {
		return errors.New("it has no time limit for waiting packets; set DelayDropTimeout and restart it")
	}
	if site.family == description.WinOF {
		for i := range l.plant.ports {
			if l.plant.ports[i].adapter == site.adapter && l.plant.ports[i].description.Link == description.InfiniBand {
				return fmt.Errorf("a port of its card, %s, is InfiniBand; dropless mode needs two Ethernet ports",
					l.plant.ports[i].description.Connection)
			}
		}
	}
	return nil
}

func (l *Lab) setDropless(port int, on bool) {
	s := &l.links[port]
	if s.Dropless && !on {
		l.counters[counter.Cell(port, counter.DroplessExits)]++
	}
	s.Dropless, s.Waiting = on, 0
}

// holdPackets keeps packets without a descriptor in the receive buffer of a port in dropless mode, and pauses the far end. A
// packet waits until a pass of the processor returns descriptors; when that exceeds the timer, the mode ends, and packets are
// lost again.
func (l *Lab) holdPackets(port int) {
	s := &l.links[port]
	if !s.Dropless || !s.Up {
		return
	}
	p, offered, lost, longest := &l.plan.ports[port], 0.0, 0.0, 0.0
	for i := range p.rings {
		r := &l.rings[p.firstRing+i]
		offered += r.offered
		lost += r.offered * r.lost
		if r.load > 1 { // otherwise only dense bursts wait
			longest = max(longest, completion.PassLimit*stepMicroseconds/(r.offered*(1-r.lost)))
		}
	}
	s.Waiting = 0
	if lost == 0 {
		return
	}
	s.Waiting = lost / offered
	if (dropless.Timer{Units: l.setup.Ports[port].DropTimeout}).Expires(longest) {
		l.setDropless(port, false)
		l.changes = append(l.changes, LinkChange{Port: port, Expired: true, Elapsed: l.stepTime()})
		return
	}
	for i := range p.rings {
		r := &l.rings[p.firstRing+i]
		r.lost, r.load = 0, min(r.load, 1)
	}
}

// stepTime returns the end of the current step.
func (l *Lab) stepTime() time.Duration { return time.Duration(l.steps) * Step }
