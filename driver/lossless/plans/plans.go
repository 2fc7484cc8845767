// Package plans makes the plans of the QoS wizards: each Setup is an operator's request, from a form or a command line, and
// makes the plan that a host needs for it. Afterwards it checks whether the host is as asked. It draws nothing and keeps
// nothing.
package plans

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/request"
)

// Setup is the request of a wizard.
type Setup interface {
	// Plan returns the Operations that the host lacks, none when it is as asked. The error says why it can't be, in one sentence.
	Plan(h *driver.Host) (AnnotatedPlan, error)
	// Check says whether the host is as asked. It watches traffic on a copy of the host.
	Check(h *driver.Host) []Finding
}

// Make returns the plan of a setup for a host whose adapters have all started: what restarts now is let end on a copy before.
func Make(h *driver.Host, s Setup) (AnnotatedPlan, error) {
	view := h.View()
	for i := range view.Adapters {
		for j := range view.Adapters[i].Ports {
			if view.Adapters[i].Ports[j].State == driver.Restarting {
				h = h.Clone()
				h.Advance(settle)
				return s.Plan(h)
			}
		}
	}
	return s.Plan(h)
}

// AnnotatedPlan is a plan with what an operator should know of it.
type AnnotatedPlan struct {
	driver.Plan
	// Notes are sentences without their ends.
	Notes []string
}

// Finding is the result of a check.
type Finding struct {
	// Title is the condition that is checked, Text the finding.
	Title, Text string
	OK          bool
}

// settle is the time in which a restarted adapter works again, on the copy on which a plan is made or checked.
const settle = 10 * time.Second

// builder makes a plan. Each Operation is applied to its copy of the host, so that later ones are about what is left.
type builder struct {
	AnnotatedPlan
	host *driver.Host
	// stale are the connections whose keys wait for a restart, reloads the ones whose keys wait for a reload of their driver.
	stale, reloads []string
}

func newBuilder(h *driver.Host, title string) *builder {
	return &builder{AnnotatedPlan: AnnotatedPlan{Plan: driver.Plan{Title: title}}, host: h.Clone()}
}

// note adds a note.
func (b *builder) note(format string, values ...any) {
	b.Notes = append(b.Notes, fmt.Sprintf(format, values...))
}

// add adds the Operations that change the host.
func (b *builder) add(list ...driver.Operation) error {
	for _, o := range list {
		needed, _ := b.host.Needed(driver.Plan{Title: o.Describe(), Operations: []driver.Operation{o}})
		if len(needed.Operations) == 0 {
			continue
		}
		if _, err := b.host.Apply(needed); err != nil {
			return cause(err)
		}
		b.Operations = append(b.Operations, o)
	}
	return nil
}

// key stores a value of a connection's key, unless it is in use. The restart comes with the others.
func (b *builder) key(connection, name string, value int) error {
	k, err := b.host.Key(connection, name)
	if err != nil {
		return err
	}
	text := strconv.Itoa(value)
	if !k.Pending && k.Effective.Exists() && k.Effective.String() == text {
		return nil
	}
	if err := b.add(edit.SetValue{Connection: connection, Key: name, Value: text}); err != nil {
		return err
	}
	k, err = b.host.Key(connection, name)
	switch {
	case err != nil:
		return err
	case k.Pending && k.TakesEffect == registry.AtReload:
		b.reloads = append(b.reloads, connection)
	case k.Pending:
		b.restart(connection)
	}
	return nil
}

// restart has a connection restart at the end of the present part of the plan.
func (b *builder) restart(connection string) {
	for _, name := range b.stale {
		if name == connection {
			return
		}
	}
	b.stale = append(b.stale, connection)
}

// restarts adds the restarts that keys wait for, and lets them end on the copy. Adapters that don't run read their keys when they
// start.
func (b *builder) restarts() error {
	for _, connection := range b.stale {
		if !running(b.host, connection) {
			b.note("%s does not run: its keys take effect when it starts", connection)
			continue
		}
		if err := b.add(adapters.RestartAdapter{Connection: connection}); err != nil {
			return err
		}
	}
	for _, connection := range b.reloads {
		at, _, err := port(b.host, connection)
		if err == nil {
			err = b.add(adapters.ReloadDriver{Driver: b.host.Lab().Family(at).Driver()})
		}
		if err != nil {
			return err
		}
	}
	if len(b.stale)+len(b.reloads) > 0 {
		b.stale, b.reloads = nil, nil
		b.host.Advance(settle)
	}
	return nil
}

// made returns the plan after the restarts.
func (b *builder) made() (AnnotatedPlan, error) {
	if err := b.restarts(); err != nil {
		return AnnotatedPlan{}, err
	}
	return b.AnnotatedPlan, nil
}

// cause is why an Operation of a plan on the copy failed: the operator did not type the Operation.
func cause(err error) error {
	if refused := (*driver.OperationError)(nil); errors.As(err, &refused) {
		return refused.Err
	}
	return err
}

// port finds a connection.
func port(h *driver.Host, connection string) (int, *description.Port, error) {
	for port := range h.Lab().Ports() {
		if d, _, _ := h.Lab().Port(port); d.Connection == connection {
			return port, d, nil
		}
	}
	return 0, nil, &request.UnknownConnectionError{Connection: connection}
}

// ethernet finds an Ethernet port.
func ethernet(h *driver.Host, connection string) (int, *description.Port, error) {
	at, d, err := port(h, connection)
	if err == nil && d.Link != description.Ethernet {
		err = fmt.Errorf("%s is an InfiniBand port: it has service levels and credits in place of priorities and pauses", connection)
	}
	return at, d, err
}

// winOF2 finds an Ethernet port with the WinOF-2 driver; lacks names the feature that WinOF does not have.
func winOF2(h *driver.Host, connection, lacks string) (int, *description.Port, error) {
	at, d, err := ethernet(h, connection)
	if err == nil && h.Lab().Family(at) != description.WinOF2 {
		err = fmt.Errorf("%s is a WinOF adapter, which has no %s", connection, lacks)
	}
	return at, d, err
}

func running(h *driver.Host, connection string) bool {
	at, _, err := port(h, connection)
	if err != nil {
		return false
	}
	v := h.View()
	for i := range v.Adapters {
		for j := range v.Adapters[i].Ports {
			if p := &v.Adapters[i].Ports[j]; p.Port == at {
				return p.State == driver.Running || p.State == driver.Restarting
			}
		}
	}
	return false
}

func checkPriority(priority int) error {
	_, err := qos.SetOf(priority)
	return err
}

// within returns an error for a number outside its range.
func within(what string, n, low, high int) error {
	if n < low || n > high {
		return fmt.Errorf("%s must be %d to %d, not %d", what, low, high, n)
	}
	return nil
}
