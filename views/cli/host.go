package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/store"
	"cxdeck/store/fault"
)

// restored is the source of a lab whose host is resumed or new.
type restored struct {
	source *lab.Source
	// notice is a message for the operator, or empty.
	notice string
}

// restoreLab makes the source of a lab. Its host is the one that the history holds for this description and seed;
// without one, or without a history, a new one. Counters continue as if there had been no pause; the clock is set to
// the machine's, as on a computer that wakes up, but never back. A host that can't be read is set aside before a new
// one takes its place.
func (s *session) restoreLab(ctx context.Context, lab layout, db *store.DB) (restored, error) {
	var left leftHost
	if db != nil { // it is read while the lab is laid out
		hash, err := lab.hash()
		if err != nil {
			return restored{}, err
		}
		left = s.readHost(ctx, db, hash)
	}
	plant, err := lab.plant()
	if err != nil {
		return restored{}, err
	}
	now := time.Now().Truncate(time.Second)
	if db == nil {
		return s.newLab(plant, now)
	}
	if left.Time.After(now) {
		now = left.Time
	}
	var notice string
	switch err = left.err; {
	case err == nil && !left.found:
		notice = s.otherHost(ctx, plant, db)
	case err == nil:
		made, problem := s.resumeHost(ctx, plant, db, &left, now)
		if problem == nil {
			return made, nil
		}
		err = problem
		fallthrough
	default:
		if notice, err = s.keepHost(ctx, db, plant, left.Saved, err); err != nil {
			return restored{}, err
		}
	}
	made, err := s.newLab(plant, now)
	if err == nil { // of the first change of a host, too, may be nothing but its beginning
		made.notice = join(notice, reportBegun(ctx, db, made.source.Info(), made.source.Host()))
	}
	return made, err
}

// leftHost is the host that a history holds, read as far as that goes without its lab.
type leftHost struct {
	store.HostState
	state *driver.Saved
	found bool
	err   error
}

// readHost reads the host of a lab from the history.
func (s *session) readHost(ctx context.Context, db *store.DB, labHash string) (left leftHost) {
	if left.HostState, left.found, left.err = db.Host(ctx, labHash, s.options.seed); left.found && left.err == nil {
		left.state, left.err = driver.ReadSaved(left.Data)
	}
	return left
}

// join joins sentences; it leaves empty ones out.
func join(sentences ...string) string {
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), "; ")
}

// resumeHost makes the source of the saved host.
func (s *session) resumeHost(
	ctx context.Context, plant *device.Plant, db *store.DB, left *leftHost, now time.Time,
) (restored, error) {
	plant.Description().Epoch = now.Add(-left.Elapsed)
	host, err := left.state.RestoreOn(plant)
	var made restored
	var form *device.FormError
	switch {
	case err == nil:
		made, err = s.sourceOf(host, true)
	case errors.As(err, &form):
		made, err = s.renewLab(plant, &left.HostState, now)
		if err == nil {
			made.notice = join(made.notice, s.copyHost(ctx, db, plant))
		}
	}
	if err != nil {
		return restored{}, err
	}
	info, host := made.source.Info(), made.source.Host()
	made.notice = join(made.notice, reportUnread(ctx, db, info, host), reportBegun(ctx, db, info, host))
	return made, nil
}

// keepHost sets an unreadable host aside, and reports its number. A read-only history keeps it in place, as nothing
// overwrites it.
func (s *session) keepHost(
	ctx context.Context, db *store.DB, plant *device.Plant, saved time.Time, problem error,
) (string, error) {
	left := "the saved host"
	if !saved.IsZero() {
		left += " of " + stamp(saved)
	}
	id, _, err := db.KeepHost(ctx, plant.Hash(), s.options.seed, problem.Error())
	switch {
	case errors.Is(err, fault.ErrReadOnly):
		return fmt.Sprintf("%s can't be read, and a new host is shown; the saved one stays in the history unchanged: %v",
			left, problem), nil
	case err != nil:
		return "", fmt.Errorf("%s can't be read, and can't be set aside either; nothing was changed: choose another "+
			"history with --db, or none with --ephemeral: %w", left, errors.Join(problem, err))
	}
	return fmt.Sprintf("%s can't be read, and a new host was created; the saved one is kept as host %d in %s: cxdeck host list shows it, "+
		"and cxdeck host restore %d restores it when a cxdeck can read it: %v", left, id, db.Path(), id, problem), nil
}

// copyHost keeps a copy of a host before it continues in another form, and reports it.
func (s *session) copyHost(ctx context.Context, db *store.DB, plant *device.Plant) string {
	id, ok, err := db.CopyHost(ctx, plant.Hash(), s.options.seed, "it was converted to the format of cxdeck "+s.version)
	switch {
	case errors.Is(err, fault.ErrReadOnly), err == nil && !ok:
		return ""
	case err != nil:
		return fmt.Sprintf("no copy of it could be kept: %v", err)
	}
	return fmt.Sprintf("it is kept as it was as host %d, see cxdeck host list", id)
}

// namedUnread limits how many unreadable changes a sentence names.
const namedUnread = 3

// reportUnread reports once which changes of a host's journal can't be read; it is empty when there are none.
func reportUnread(ctx context.Context, db *store.DB, info perf.SourceInfo, host *driver.Host) string {
	var named []string
	unread, hash := 0, sha256.New()
	for _, e := range host.Journal() {
		if e.Unread == "" {
			continue
		}
		_, _ = fmt.Fprintln(hash, e.Sequence, e.Plan.Title, e.Unread)
		if unread++; unread <= namedUnread {
			named = append(named, fmt.Sprintf("change %d, %.60q, as %.200s", e.Sequence, e.Plan.Title, e.Unread))
		}
	}
	if unread == 0 {
		return ""
	}
	key := fmt.Sprintf("unread changes of %s with seed %d", info.LabHash, info.Seed)
	value := hex.EncodeToString(hash.Sum(nil))
	if previous, _, err := db.Setting(ctx, key); err == nil && previous == value {
		return ""
	}
	_ = db.SaveSetting(ctx, key, value) // without it the notice appears again
	more := ""
	if unread > namedUnread {
		more = fmt.Sprintf(" and %d more", unread-namedUnread)
	}
	return fmt.Sprintf("the journal can't be read completely: %s%s; these changes are kept, exec journal lists them, and the "+
		"host continues", strings.Join(named, "; "), more)
}

// renewLab makes the source of a host that another version of the program saved: the stored state of Windows continues
// on new hardware.
func (s *session) renewLab(plant *device.Plant, left *store.HostState, now time.Time) (restored, error) {
	plant.Description().Epoch = now
	host, err := driver.RenewHost(plant.New(s.options.seed), left.Data)
	if err != nil {
		return restored{}, err
	}
	made, err := s.sourceOf(host, true)
	made.notice = fmt.Sprintf("the host of %s was saved by cxdeck %s in another format: its registry, teams, journal and "+
		"events continue, but its counters begin at 0, and its cables, faults, workloads and switch ports are as described",
		stamp(left.Saved), left.Version)
	return made, err
}

// newLab makes the source of a new host, whose time begins now.
func (s *session) newLab(plant *device.Plant, now time.Time) (restored, error) {
	plant.Description().Epoch = now
	return s.sourceOf(driver.NewHost(plant.New(s.options.seed)), false)
}

// sourceOf makes the source of a host, and sets this run as the actor of its changes. The events of a resumed host
// belong to the sessions that recorded them.
func (s *session) sourceOf(host *driver.Host, left bool) (restored, error) {
	host.SetActor(s.actor())
	if s.hostReady != nil {
		s.hostReady(lab.InfoOf(host))
	}
	source, err := lab.New(host)
	if err == nil && left {
		source.Events()
	}
	return restored{source: source}, err
}

// actor returns the name of this run in its changes: the command, or the console.
func (s *session) actor() driver.Actor {
	return driver.Actor{By: cmp.Or(s.command.name, "console"), Run: s.run}
}

// newRun identifies a run of the program: when it began, and a few random characters, so that no two are the same.
func newRun(now time.Time) string {
	return now.UTC().Format("20060102T150405Z-") + strings.ToLower(rand.Text()[:8])
}

// otherHost returns how the last saved host differs from the new one; it is empty without a saved host.
func (s *session) otherHost(ctx context.Context, plant *device.Plant, db *store.DB) string {
	newest, found, err := db.NewestHost(ctx)
	switch {
	case err != nil || !found:
		return ""
	case newest.LabHash != plant.Hash():
		notice := fmt.Sprintf("a new host was created: the last saved host, %s, has another lab description; start with its --lab to "+
			"resume it", newest.Name)
		if newest.Version != s.version {
			notice += fmt.Sprintf("; exec lab export of cxdeck %s prints it", newest.Version)
		}
		return notice
	default:
		return fmt.Sprintf("a new host was created: the last saved host has the seed %d, and this one %d; --seed %d resumes it",
			newest.Seed, s.options.seed, newest.Seed)
	}
}

// hostState is an encoded host, with the plant on which it is read back.
type hostState struct {
	store.HostState
	plant *device.Plant
}

// stateOf returns a host as it is kept.
func stateOf(host *driver.Host) (hostState, error) {
	data, err := host.Save()
	if err != nil {
		return hostState{}, fmt.Errorf("the host can't be saved: %w", err)
	}
	lab := host.Lab()
	return hostState{store.HostState{
		LabHash: lab.Plant().Hash(), Seed: lab.Seed(), Name: lab.Description().Host.Name,
		Elapsed: lab.Elapsed(), Time: host.Now(), Data: data,
	}, lab.Plant()}, nil
}

// write replaces the saved host, after reading the new state back. A state that can't be read back is not written.
func (h *hostState) write(ctx context.Context, db *store.DB) error {
	if _, err := driver.RestoreOn(h.plant, h.Data); err != nil {
		return fmt.Errorf("the host is not saved, as it could not be read back; the history has its previous state: %w",
			err)
	}
	return db.SaveHost(ctx, h.HostState)
}
