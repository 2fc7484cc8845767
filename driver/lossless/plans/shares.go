package plans

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/qos"
)

// Shares divides the line among the ETS classes of the host.
type Shares struct {
	// Classes are the shares by class. The default class has what the others leave; where it is given, all must add up to 100.
	Classes []Share
	// New are classes that are made; their Bandwidth is their share.
	New []qos.Class
}

// Share is the percentage of a class.
type Share struct {
	Class   string
	Percent int
}

const whole = 100

// Plan implements Setup. Shares that shrink come first, so that they never add up to more than the line.
func (s Shares) Plan(h *driver.Host) (AnnotatedPlan, error) {
	b := newBuilder(h, "Divide the line among the traffic classes")
	view := h.QoS()
	if err := s.check(&view); err != nil {
		return AnnotatedPlan{}, err
	}
	for _, grows := range []bool{false, true} {
		for _, c := range view.Classes[1:] {
			at := slices.IndexFunc(s.Classes, func(share Share) bool { return strings.EqualFold(share.Class, c.Name) })
			if at < 0 || s.Classes[at].Percent == c.Bandwidth || s.Classes[at].Percent > c.Bandwidth != grows {
				continue
			}
			c.Bandwidth = s.Classes[at].Percent
			if err := b.add(qos.SetClass{Class: c.Class}); err != nil {
				return AnnotatedPlan{}, err
			}
		}
	}
	for _, c := range s.New {
		if exists(&view, &c) {
			continue
		}
		if err := b.add(qos.AddClass{Class: c}); err != nil {
			return AnnotatedPlan{}, err
		}
	}
	acts := slices.ContainsFunc(view.Ports, func(p qos.PortView) bool { return p.Acts })
	if len(b.Operations) > 0 && !acts {
		b.note("no adapter applies traffic classes: QoS is off on all adapters")
	}
	for i := range view.Ports {
		if p := &view.Ports[i]; p.DCBX.HostAccepts && p.DCBX.Neighbour.Classes != nil {
			b.note("%s uses the classes of its switch port, received by DCBX", p.Connection)
		}
	}
	return b.made()
}

// exists reports whether the host has such a class already.
func exists(view *qos.View, c *qos.Class) bool {
	return slices.ContainsFunc(view.Classes, func(now qos.ClassView) bool { return now.Class == *c })
}

// check returns why the shares can't be.
func (s Shares) check(view *qos.View) error {
	if len(s.Classes)+len(s.New) == 0 {
		return errors.New("a share is required")
	}
	sum, rest := 0, -1
	seen := map[string]bool{}
	for _, share := range s.Classes {
		at := slices.IndexFunc(view.Classes, func(c qos.ClassView) bool { return strings.EqualFold(c.Name, share.Class) })
		low := 1
		switch {
		case at < 0:
			return &qos.UnknownClassError{Name: share.Class}
		case view.Classes[at].Algorithm == qos.Strict:
			return fmt.Errorf("the traffic class %s is strict: it is sent before all others and has no share", share.Class)
		case seen[view.Classes[at].Name]:
			return fmt.Errorf("the traffic class %s has two shares", share.Class)
		case view.Classes[at].Default:
			low, rest = 0, share.Percent
		}
		seen[view.Classes[at].Name] = true
		if err := within("the share of "+share.Class, share.Percent, low, whole); err != nil {
			return err
		}
		if !view.Classes[at].Default {
			sum += share.Percent
		}
	}
	for _, c := range view.Classes[1:] {
		if !seen[c.Name] {
			sum += c.Bandwidth
		}
	}
	for i := range s.New {
		if !exists(view, &s.New[i]) {
			sum += s.New[i].Bandwidth
		}
	}
	switch {
	case sum > whole || rest >= 0 && sum+rest > whole:
		return fmt.Errorf("the shares add up to %d%%, and there are only 100%%", sum+max(rest, 0))
	case rest >= 0 && sum+rest < whole:
		return fmt.Errorf("the shares add up to %d%%, not 100%%: give the default class %d%% more", sum+rest, whole-sum-rest)
	}
	return nil
}

// Check implements Setup.
func (s Shares) Check(h *driver.Host) (list []Finding) {
	view := h.QoS()
	want := slices.Clone(s.Classes)
	for _, c := range s.New {
		want = append(want, Share{c.Name, c.Bandwidth})
	}
	for _, share := range want {
		found := Finding{Title: fmt.Sprintf("%s has %d%%", share.Class, share.Percent), Text: "there is no such class"}
		for _, c := range view.Classes {
			if strings.EqualFold(c.Name, share.Class) {
				found.Text, found.OK = fmt.Sprintf("%d%%", c.Bandwidth), c.Bandwidth == share.Percent
			}
		}
		list = append(list, found)
	}
	return list
}
