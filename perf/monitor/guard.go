package monitor

import (
	"fmt"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
)

// Unconfirmed returns the change that waits for its confirmation; ok is false when none does.
func (m *Monitor) Unconfirmed() (change driver.Guard, ok bool) {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.unconfirmed, m.unconfirmed.Sequence != 0
}

// publishEntry publishes the journal entry and the events of a change. A plan that was not applied has no entry.
func (o *owner) publishEntry(entry driver.Entry) {
	o.mutex.Lock()
	o.unconfirmed, _ = o.host.Unconfirmed()
	if entry.Sequence > 0 {
		o.journal = append(o.journal, entry)
	}
	o.mutex.Unlock()
	if entry.Sequence > 0 && o.sink != nil {
		o.sink.Journal(entry)
	}
	o.renew()
	o.labDue = true
	o.renewLab()
	o.updateDue = true
}

// revertLeftover reverts the change that an earlier run left unconfirmed, because the host may have been unreachable since.
func (o *owner) revertLeftover() {
	if guard, waits := o.Unconfirmed(); waits {
		o.revertUnconfirmed(guard.Deadline, "cxdeck ended before it was confirmed")
	}
}

// revertExpired reverts a change that was not confirmed in time.
func (o *owner) revertExpired() {
	if _, waits := o.Unconfirmed(); waits {
		o.revertUnconfirmed(time.Now(), "it was not confirmed in time")
	}
}

func (o *owner) revertUnconfirmed(now time.Time, why string) {
	guard, lapsed, err := o.keeper.RevertExpired(now)
	if !lapsed {
		return
	}
	event := eventlog.Event{
		Time: o.Status().Now, Source: "cxdeck", Severity: eventlog.Warning,
		Message: fmt.Sprintf("Change %d (%s) was reverted: %s.", guard.Sequence, guard.Title, why),
	}
	if err != nil {
		event.Severity = eventlog.Error
		event.Message = fmt.Sprintf("Change %d (%s) could not be reverted, although %s: %v.", guard.Sequence, guard.Title, why, err)
	}
	o.note(event)
}
