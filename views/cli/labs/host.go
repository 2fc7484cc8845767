package labs

import (
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
	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/store"
	"cxdeck/store/fault"
	"cxdeck/views/cli/saving"
)

// Restored is the source of a lab with a resumed or new host.
type Restored struct {
	Source *lab.Source
	// Notice is a message for the operator, or empty.
	Notice string
}

// Restore returns the source of a lab. Its host is the saved one of this description and seed, or a new one if there is none
// or no history. Counters continue without a gap. The clock is set to the machine's, as on a computer that wakes up, but never
// back. A host that can't be read is set aside before a new one replaces it.
func (l *Lab) Restore(ctx context.Context, lab Layout, db *store.DB) (Restored, error) {
	var saved store.HostState
	var found bool
	var unread error
	if db != nil { // read the host while the lab is built
		hash, err := lab.Hash()
		if err != nil {
			return Restored{}, err
		}
		saved, found, unread = db.Host(ctx, hash, l.Seed)
	}
	plant, err := lab.Plant()
	if err != nil {
		return Restored{}, err
	}
	now := time.Now().Truncate(time.Second)
	if db == nil {
		return l.New(plant, now)
	}
	if saved.Time.After(now) {
		now = saved.Time
	}
	var notice string
	switch err = unread; {
	case err == nil && !found:
		notice = l.otherHost(ctx, plant, db)
	case err == nil:
		made, problem := l.resumeHost(ctx, plant, db, &saved, now)
		if problem == nil {
			return made, nil
		}
		err = problem
		fallthrough
	default:
		if notice, err = l.keepHost(ctx, db, plant, saved.Saved, err); err != nil {
			return Restored{}, err
		}
	}
	made, err := l.New(plant, now)
	if err == nil { // the first change of a host may have been interrupted before the host was saved
		made.Notice = join(notice, saving.ReportBegun(ctx, db, made.Source.Info(), made.Source.Host()))
	}
	return made, err
}

// join joins sentences with semicolons, without empty ones.
func join(sentences ...string) string {
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), "; ")
}

// resumeHost returns the source of the saved host.
func (l *Lab) resumeHost(
	ctx context.Context, plant *device.Plant, db *store.DB, saved *store.HostState, now time.Time,
) (Restored, error) {
	plant.Description().Epoch = now.Add(-saved.Elapsed)
	host, err := driver.RestoreOn(plant, saved.Data)
	var made Restored
	var form *setup.FormError
	switch {
	case err == nil:
		made, err = l.sourceOf(host, true)
	case errors.As(err, &form):
		made, err = l.renewLab(plant, saved, now)
		if err == nil {
			made.Notice = join(made.Notice, l.copyHost(ctx, db, plant))
		}
	}
	if err != nil {
		return Restored{}, err
	}
	info, host := made.Source.Info(), made.Source.Host()
	made.Notice = join(made.Notice, reportUnread(ctx, db, info, host), saving.ReportBegun(ctx, db, info, host))
	return made, nil
}

// keepHost sets an unreadable host aside, and returns a sentence with its number. A read-only history is not changed.
func (l *Lab) keepHost(
	ctx context.Context, db *store.DB, plant *device.Plant, saved time.Time, problem error,
) (string, error) {
	subject := "the saved host"
	if !saved.IsZero() {
		subject += " of " + wording.Stamp(saved)
	}
	id, _, err := db.KeepHost(ctx, plant.Hash(), l.Seed, problem.Error())
	switch {
	case errors.Is(err, fault.ErrReadOnly):
		return fmt.Sprintf("%s can't be read, and a new host is shown; the saved one stays in the history unchanged: %v",
			subject, problem), nil
	case err != nil:
		return "", fmt.Errorf("%s can't be read, and can't be set aside either; nothing was changed: choose another "+
			"history with --db, or none with --ephemeral: %w", subject, errors.Join(problem, err))
	}
	return fmt.Sprintf("%s can't be read, and a new host was created; the saved one is kept as host %d in %s: cxdeck host list shows it, "+
		"and cxdeck host restore %d restores it when a cxdeck can read it: %v", subject, id, db.Path(), id, problem), nil
}

// copyHost keeps a copy of a host that is converted to this version's format, and returns a sentence about it.
func (l *Lab) copyHost(ctx context.Context, db *store.DB, plant *device.Plant) string {
	id, ok, err := db.CopyHost(ctx, plant.Hash(), l.Seed, "it was converted to the format of cxdeck "+l.Version)
	switch {
	case errors.Is(err, fault.ErrReadOnly), err == nil && !ok:
		return ""
	case err != nil:
		return fmt.Sprintf("no copy of it could be kept: %v", err)
	}
	return fmt.Sprintf("it is kept as it was as host %d, see cxdeck host list", id)
}

// maxNamedUnread is the maximum number of unreadable changes in a sentence.
const maxNamedUnread = 3

// reportUnread returns a sentence about the unreadable changes in a host's journal. It is empty if there are none, or if the same
// ones were reported before.
func reportUnread(ctx context.Context, db *store.DB, info perf.SourceInfo, host *driver.Host) string {
	var named []string
	unread, hash := 0, sha256.New()
	for _, e := range host.Journal() {
		if e.Unread == "" {
			continue
		}
		_, _ = fmt.Fprintln(hash, e.Sequence, e.Plan.Title, e.Unread)
		if unread++; unread <= maxNamedUnread {
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
	_ = db.SaveSetting(ctx, key, value) // if it fails, the notice appears again
	more := ""
	if unread > maxNamedUnread {
		more = fmt.Sprintf(" and %d more", unread-maxNamedUnread)
	}
	return fmt.Sprintf("the journal can't be read completely: %s%s; these changes are kept, exec journal lists them, and the "+
		"host continues", strings.Join(named, "; "), more)
}

// renewLab returns the source of a host in the format of another version: the stored state of Windows continues on new hardware.
func (l *Lab) renewLab(plant *device.Plant, saved *store.HostState, now time.Time) (Restored, error) {
	plant.Description().Epoch = now
	host, err := driver.RenewHost(plant.New(l.Seed), saved.Data)
	if err != nil {
		return Restored{}, err
	}
	made, err := l.sourceOf(host, true)
	made.Notice = fmt.Sprintf("the host of %s was saved by cxdeck %s in another format: its registry, teams, journal and "+
		"events continue, but its counters begin at 0, and its cables, faults, workloads and switch ports are as described",
		wording.Stamp(saved.Saved), saved.Version)
	return made, err
}

// New returns the source of a new host, whose time begins now.
func (l *Lab) New(plant *device.Plant, now time.Time) (Restored, error) {
	plant.Description().Epoch = now
	return l.sourceOf(driver.NewHost(plant.New(l.Seed)), false)
}

// sourceOf returns the source of a host, and makes this run the actor of its changes. The old events of a resumed host are
// skipped: they belong to earlier sessions.
func (l *Lab) sourceOf(host *driver.Host, resumed bool) (Restored, error) {
	host.SetActor(l.Actor)
	if l.Ready != nil {
		l.Ready(lab.InfoOf(host))
	}
	source, err := lab.New(host)
	if err == nil && resumed {
		source.Events()
	}
	return Restored{Source: source}, err
}

// NewRun returns a unique id of a run: its start time and random characters.
func NewRun(now time.Time) string {
	return now.UTC().Format("20060102T150405Z-") + strings.ToLower(rand.Text()[:8])
}

// otherHost says why a new host was created although there is a saved one: another lab description or seed. It is empty without
// a saved host.
func (l *Lab) otherHost(ctx context.Context, plant *device.Plant, db *store.DB) string {
	newest, found, err := db.NewestHost(ctx)
	switch {
	case err != nil || !found:
		return ""
	case newest.LabHash != plant.Hash():
		notice := fmt.Sprintf("a new host was created: the last saved host, %s, has another lab description; start with its --lab to "+
			"resume it", newest.Name)
		if newest.Version != l.Version {
			notice += fmt.Sprintf("; exec lab export of cxdeck %s prints it", newest.Version)
		}
		return notice
	default:
		return fmt.Sprintf("a new host was created: the last saved host has the seed %d, and this one %d; --seed %d resumes it",
			newest.Seed, l.Seed, newest.Seed)
	}
}
