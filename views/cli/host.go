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
)

// restored is the source of a lab whose host goes on where it was left, or begins.
type restored struct {
	source *lab.Source
	// notice says what the operator should know about it, or is empty.
	notice string
}

// restoreLab makes the source of a lab. Its host is the one that the history holds for this description and seed;
// without one, or without a history, a new one. Numbers go on as if nothing had been between; the clock is set to the
// machine's, like that of a computer that wakes up, but never back. A host that can't be read is set aside before a new
// one takes its place.
func (s *session) restoreLab(ctx context.Context, layOut layout, db *store.DB) (restored, error) {
	plant, err := layOut()
	if err != nil {
		return restored{}, err
	}
	now := time.Now().Truncate(time.Second)
	if db == nil {
		return s.newLab(plant, now)
	}
	left, found, err := db.Host(ctx, plant.Hash(), s.options.seed)
	var notice string
	switch {
	case err == nil && !found:
		notice = s.otherHost(ctx, plant, db)
	case err == nil:
		if left.Time.After(now) {
			now = left.Time
		}
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
		made.notice = join(notice, tellBegun(ctx, db, made.source.Info(), made.source.Host()))
	}
	return made, err
}

// join is some sentences as one; empty ones are left out.
func join(sentences ...string) string {
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), "; ")
}

// resumeHost makes the source of the host that was left.
func (s *session) resumeHost(
	ctx context.Context, plant *device.Plant, db *store.DB, left *store.HostState, now time.Time,
) (restored, error) {
	plant.Description().Epoch = now.Add(-left.Elapsed)
	host, err := driver.RestoreOn(plant, left.Data)
	var made restored
	var form *device.FormError
	switch {
	case err == nil:
		made, err = s.sourceOf(host, true)
	case errors.As(err, &form):
		made, err = s.renewLab(plant, left, now)
		if err == nil {
			made.notice = join(made.notice, s.copyHost(ctx, db, plant))
		}
	}
	if err != nil {
		return restored{}, err
	}
	info, host := made.source.Info(), made.source.Host()
	made.notice = join(made.notice, tellUnread(ctx, db, info, host), tellBegun(ctx, db, info, host))
	return made, nil
}

// keepHost sets the host that can't be read aside, and says where it is. Where nothing may be written it stays where it
// is, as nothing overwrites it there either.
func (s *session) keepHost(
	ctx context.Context, db *store.DB, plant *device.Plant, saved time.Time, problem error,
) (string, error) {
	left := "the host that was left"
	if !saved.IsZero() {
		left += " on " + stamp(saved)
	}
	id, _, err := db.KeepHost(ctx, plant.Hash(), s.options.seed, problem.Error())
	switch {
	case errors.Is(err, store.ErrReadOnly):
		return fmt.Sprintf("%s can't be read, and a new one is shown; the other stays in the history as it is: %v",
			left, problem), nil
	case err != nil:
		return "", fmt.Errorf("%s can't be read, and can't be set aside either, so that nothing was changed; choose another "+
			"history with --db, or none with --ephemeral: %w", left, errors.Join(problem, err))
	}
	return fmt.Sprintf("%s can't be read, and a new one begins; it is kept as host %d in %s, which cxdeck host list shows, and "+
		"cxdeck host restore %d brings back when a cxdeck can read it: %v", left, id, db.Path(), id, problem), nil
}

// copyHost keeps a copy of a host before it goes on in another form, and says so.
func (s *session) copyHost(ctx context.Context, db *store.DB, plant *device.Plant) string {
	id, ok, err := db.CopyHost(ctx, plant.Hash(), s.options.seed, "it went on in the form of cxdeck "+s.version)
	switch {
	case errors.Is(err, store.ErrReadOnly), err == nil && !ok:
		return ""
	case err != nil:
		return fmt.Sprintf("no copy of it could be kept: %v", err)
	}
	return fmt.Sprintf("it is kept as it was as host %d, see cxdeck host list", id)
}

// namedUnread bounds how many changes a sentence names that can't be read.
const namedUnread = 3

// tellUnread says which changes of a host's journal can't be read, once; it is empty when there are none.
func tellUnread(ctx context.Context, db *store.DB, info perf.SourceInfo, host *driver.Host) string {
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
	if told, _, err := db.Setting(ctx, key); err == nil && told == value {
		return ""
	}
	_ = db.SaveSetting(ctx, key, value) // without it the sentence comes again
	more := ""
	if unread > namedUnread {
		more = fmt.Sprintf(" and %d more", unread-namedUnread)
	}
	return fmt.Sprintf("the journal can't be read whole: %s%s; these are kept as they are, exec journal lists them, and the "+
		"host goes on", strings.Join(named, "; "), more)
}

// renewLab makes the source of a host that another version of the program left: what Windows had stored goes on, on new
// hardware.
func (s *session) renewLab(plant *device.Plant, left *store.HostState, now time.Time) (restored, error) {
	plant.Description().Epoch = now
	host, err := driver.RenewHost(plant.New(s.options.seed), left.Data)
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
func (s *session) newLab(plant *device.Plant, now time.Time) (restored, error) {
	plant.Description().Epoch = now
	return s.sourceOf(driver.NewHost(plant.New(s.options.seed)), false)
}

// sourceOf makes the source of a host, whose changes this run makes from now on. The events of one that was left belong
// to the sessions that saw them.
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

// actor is this run as its changes name it: the command, where it has one, or the console.
func (s *session) actor() driver.Actor {
	return driver.Actor{By: cmp.Or(s.command.name, "console"), Run: s.run}
}

// newRun identifies a run of the program: when it began, and a few random characters, so that no two are the same.
func newRun(now time.Time) string {
	return now.UTC().Format("20060102T150405Z-") + strings.ToLower(rand.Text()[:8])
}

// otherHost says how the host that was left last differs from the new one; it is empty when none was left.
func (s *session) otherHost(ctx context.Context, plant *device.Plant, db *store.DB) string {
	newest, found, err := db.NewestHost(ctx)
	switch {
	case err != nil || !found:
		return ""
	case newest.LabHash != plant.Hash():
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

// hostState is a host as it is kept, with what it is read back on.
type hostState struct {
	store.HostState
	plant *device.Plant
}

// stateOf is a host as it is kept.
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

// write writes a host in the place of the one that was saved before, once it has been read back. One that can't be read
// back is not written.
func (h *hostState) write(ctx context.Context, db *store.DB) error {
	if _, err := driver.RestoreOn(h.plant, h.Data); err != nil {
		return fmt.Errorf("the host is not saved, as it could not be read back, and the history has it as it was before: %w",
			err)
	}
	return db.SaveHost(ctx, h.HostState)
}
