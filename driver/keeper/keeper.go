// Package keeper owns a running host: it applies and undoes plans, reverts a change that is not confirmed in time, and saves
// the host after each change. The console's monitor and the host of cxdeck exec, with the local socket between them, change a
// host only through it. It reads no clock and writes no file: its options provide both.
package keeper

import (
	"context"
	"errors"
	"time"

	"cxdeck/driver"
)

// Saver stores a host permanently.
type Saver interface {
	// Begin records that a change begins, with the newest entry of the journal at that time. end records its completion, and is
	// called when the change is saved or was refused. Both run on the goroutine of the requester, and may block.
	Begin(ctx context.Context, plan driver.Plan, newest uint64) (end func() error, err error)
	// Save writes the host, which it must not keep. Only the host's owner calls it.
	Save(host *driver.Host) error
}

// Options are the dependencies of a Keeper.
type Options struct {
	// Own runs work while nothing else uses the host: on the goroutine of its owner, or under its lock.
	Own func(ctx context.Context, work func() error) error
	// Now returns the time of the machine's clock, which measures the time to confirm.
	Now func() time.Time
	// Report is called by the owner with the entry of each attempted change; the Sequence is 0 when the journal has no entry.
	// It may be nil.
	Report func(entry driver.Entry)
}

// Keeper owns a host. Its methods belong to the host's owner; everyone else changes the host with a Changer.
type Keeper struct {
	Options
	host  *driver.Host
	saver Saver
	// unsaved reports that the host differs from its saved state.
	unsaved bool
}

// New returns the keeper of a host; the saver may be nil.
func New(host *driver.Host, saver Saver, options Options) *Keeper {
	return &Keeper{Options: options, host: host, saver: saver}
}

// Changer returns a Changer for any goroutine, with the host's actor as author.
func (k *Keeper) Changer() Changer { return Changer{keeper: k} }

// Replace replaces the host, and saves the new one.
func (k *Keeper) Replace(host *driver.Host, saver Saver) error {
	k.host, k.saver = host, saver
	return k.save()
}

// MarkChanged marks the host as changed: time has passed on it, or it keeps more counters.
func (k *Keeper) MarkChanged() { k.unsaved = true }

// Flush saves a host that differs from its saved state.
func (k *Keeper) Flush() error {
	if !k.unsaved {
		return nil
	}
	return k.save()
}

func (k *Keeper) save() error {
	k.unsaved = true
	if k.saver == nil {
		return nil
	}
	err := k.saver.Save(k.host)
	k.unsaved = err != nil
	return err
}

// RevertExpired reverts the change that was not confirmed before a time, and saves the host. No change is unconfirmed then,
// even if the revert failed. expired is false when no confirmation is overdue.
func (k *Keeper) RevertExpired(now time.Time) (guard driver.Guard, expired bool, err error) {
	guard, waits := k.host.Unconfirmed()
	if !waits || now.Before(guard.Deadline) {
		return guard, false, nil
	}
	entry, err := k.host.Revert()
	return guard, true, errors.Join(err, k.saveChange(entry))
}

// saveChange saves the host after a change, and reports the change.
func (k *Keeper) saveChange(entry driver.Entry) error {
	err := k.save()
	k.report(entry)
	return err
}

func (k *Keeper) report(entry driver.Entry) {
	if k.Report != nil {
		k.Report(entry)
	}
}
