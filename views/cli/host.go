package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/store"
)

// restored is the source of a lab whose host goes on where it was left, or begins.
type restored struct {
	source *perf.Lab
	// notice says what the operator should know about it, or is empty.
	notice string
}

// restoreLab makes the source of a lab. Its host is the one that the history holds for this description and seed;
// without one, or without a history, a new one. Numbers go on as if nothing had been between; the clock is set to the
// machine's, like that of a computer that wakes up, but never back.
func (s *session) restoreLab(ctx context.Context, description *device.Description, db *store.DB) (restored, error) {
	now := time.Now().Truncate(time.Second)
	notice := ""
	if db != nil {
		left, found, err := db.Host(ctx, description.Hash(), s.options.seed)
		switch {
		case err != nil:
			notice = fmt.Sprintf("the host that was left can't be read, and a new one begins: %v", err)
		case !found:
			notice = s.otherHost(ctx, description, db)
		default:
			if left.Time.After(now) {
				now = left.Time
			}
			description.Epoch = now.Add(-left.Elapsed)
			host, err := driver.RestoreHost(description, left.Data)
			if err == nil {
				made, err := s.sourceOf(host, true)
				if err == nil {
					made.notice = tellBegun(ctx, db, made.source.Info(), host)
				}
				return made, err
			}
			var form *device.FormError
			if errors.As(err, &form) {
				made, renewErr := s.renewLab(description, &left)
				if renewErr == nil {
					made.notice = strings.TrimSuffix(made.notice+"; "+tellBegun(ctx, db, made.source.Info(), made.source.Host()), "; ")
					return made, nil
				}
				err = renewErr
			}
			notice = fmt.Sprintf("the host that was left on %s can't be gone on with, and a new one begins: %v", stamp(left.Saved), err)
		}
	}
	made, err := s.newLab(description, now)
	if err == nil && db != nil { // of the first change of a host, too, may be nothing but its beginning
		if told := tellBegun(ctx, db, made.source.Info(), made.source.Host()); told != "" {
			notice = strings.TrimPrefix(notice+"; "+told, "; ")
		}
	}
	made.notice = notice
	return made, err
}

// renewLab makes the source of a host that another version of the program left: what Windows had stored goes on, on new
// hardware.
func (s *session) renewLab(description *device.Description, left *store.HostState) (restored, error) {
	now := time.Now().Truncate(time.Second)
	if left.Time.After(now) {
		now = left.Time
	}
	description.Epoch = now
	lab, err := device.New(description, s.options.seed)
	if err != nil {
		return restored{}, fmt.Errorf("can't build the lab: %w", err)
	}
	host, err := driver.RenewHost(lab, left.Data)
	if err != nil {
		return restored{}, err
	}
	made, err := s.sourceOf(host, true)
	made.notice = fmt.Sprintf("the host that was left on %s was saved by cxdeck %s in another form: its registry, teams, journal and "+
		"events go on, but its counters begin at 0, and its cables, faults, workloads and switch ports are as described",
		stamp(left.Saved), left.Version)
	return made, err
}

// newLab makes the source of a new host, whose time begins now.
func (s *session) newLab(description *device.Description, now time.Time) (restored, error) {
	description.Epoch = now
	lab, err := device.New(description, s.options.seed)
	if err != nil {
		return restored{}, fmt.Errorf("can't build the lab: %w", err)
	}
	return s.sourceOf(driver.NewHost(lab), false)
}

// sourceOf makes the source of a host, whose changes this run makes from now on. The events of one that was left belong
// to the sessions that saw them.
func (s *session) sourceOf(host *driver.Host, left bool) (restored, error) {
	host.SetActor(s.actor())
	source, err := perf.NewLabSource(host)
	if err == nil && left {
		source.Events()
	}
	return restored{source: source}, err
}

// actor is this run as its changes name it: the command, where it has one, or the console.
func (s *session) actor() driver.Actor {
	return driver.Actor{By: cmp.Or(s.command.name, "console"), Run: s.run}
}

// newRun identifies a run of the program: when it began, and a few random characters, so that no two are the same.
func newRun(now time.Time) string {
	return now.UTC().Format("20060102T150405Z-") + strings.ToLower(rand.Text()[:8])
}

// otherHost says how the host that was left last differs from the new one; it is empty when none was left.
func (s *session) otherHost(ctx context.Context, description *device.Description, db *store.DB) string {
	newest, found, err := db.NewestHost(ctx)
	switch {
	case err != nil || !found:
		return ""
	case newest.LabHash != description.Hash():
		notice := fmt.Sprintf("a new host begins: the one that was left last, %s, is of another lab description, and --lab with that "+
			"one goes on with it", newest.Name)
		if newest.Version != s.version {
			notice += fmt.Sprintf("; exec lab export of cxdeck %s prints it", newest.Version)
		}
		return notice
	default:
		return fmt.Sprintf("a new host begins: the one that was left last has the seed %d, and this one %d; --seed %d goes on with it",
			newest.Seed, s.options.seed, newest.Seed)
	}
}

// stateOf is a host as it is kept.
func stateOf(host *driver.Host) (store.HostState, error) {
	data, err := host.Save()
	if err != nil {
		return store.HostState{}, fmt.Errorf("the host can't be saved: %w", err)
	}
	lab := host.Lab()
	return store.HostState{
		LabHash: lab.Description().Hash(), Seed: lab.Seed(), Name: lab.Description().Host.Name,
		Elapsed: lab.Elapsed(), Time: host.Now(), Data: data,
	}, nil
}
