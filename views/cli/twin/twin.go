// Package twin implements the commands of cxdeck twin: it stores the twins of real hosts in the state directory, lists and removes them,
// and prints what a later export has of the changes that were made on one. Package driver/twin makes them.
package twin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pelletier/go-toml/v2"

	"cxdeck/device/description"
	"cxdeck/driver/script"
	"cxdeck/driver/twin"
	"cxdeck/perf/fit"
	"cxdeck/perf/regular"
	"cxdeck/views/deck"
	"cxdeck/views/exec"
)

// Limits of the stored twins.
const (
	maxTwinBytes = 4 << 20 // as a lab description
	maxFiles     = 64
	maxLog       = 256 << 20
)

var twinName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`) })

// Store has the twins in a folder that only its owner can read.
type Store struct{ Folder string }

// StoreIn returns the store of twins beside a history file.
func StoreIn(history string) Store { return Store{filepath.Join(filepath.Dir(history), "twins")} }

// Stores returns the twins beside a history, and the twins beside the default history if that is another one.
func Stores(history, usual string) []Store {
	return slices.Compact([]Store{StoreIn(history), StoreIn(usual)})
}

func (s Store) path(name string) string { return filepath.Join(s.Folder, name+".toml") }

// CheckName returns why a twin can't have a name.
func CheckName(name string) error {
	switch {
	case !twinName().MatchString(name):
		return exec.Mistake("invalid name %q of a twin: it must have letters, digits, dots, hyphens and underscores, at most 64", cut(name))
	case slices.ContainsFunc(description.NamedLabs(), func(l description.NamedLab) bool { return strings.EqualFold(l.Name, name) }):
		return exec.Mistake("%s is the name of an embedded lab; choose another one for the twin", name)
	}
	return nil
}

func cut(text string) string { return text[:min(len(text), 80)] }

// Text returns the description of a twin; ok is false if there is none with this name.
func (s Store) Text(name string) (text []byte, ok bool, err error) {
	if !twinName().MatchString(name) {
		return nil, false, nil
	}
	text, err = regular.Read(s.path(name), maxTwinBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return text, err == nil, err
}

// Names returns the names of the twins, in alphabetical order.
func (s Store) Names() (names []string, err error) {
	entries, err := os.ReadDir(s.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, entry := range entries {
		name, ok := strings.CutSuffix(entry.Name(), ".toml")
		if ok && twinName().MatchString(name) && entry.Type().IsRegular() {
			names = append(names, name)
		}
	}
	return names, err
}

// Load returns the description of a twin.
func (s Store) Load(name string) (*description.Description, error) {
	text, ok, err := s.Text(name)
	if err != nil {
		return nil, fmt.Errorf("the twin %s can't be read: %w", name, exec.FailureReason(err))
	}
	if !ok {
		return nil, s.missing(name)
	}
	d, err := description.ParseText(text)
	if err == nil {
		err = twin.Check(d)
	}
	if err == nil && d.Twin == nil {
		err = errors.New("it is a lab and no twin")
	}
	if err != nil {
		return nil, fmt.Errorf("the twin %s is damaged: %w", name, err)
	}
	return d, nil
}

func (s Store) missing(name string) error {
	names, err := s.Names()
	if err != nil || len(names) == 0 {
		return exec.Mistake("there is no twin %q; cxdeck twin make makes one", cut(name))
	}
	return exec.Mistake("there is no twin %q%s", cut(name), exec.Suggest(name, names, "; cxdeck twin list prints the twins"))
}

// Save stores a twin with mode 0600. Without replace it fails if there is one with this name.
func (s Store) Save(name string, d *description.Description, replace bool) error {
	plain, err := toml.Marshal(d)
	if err != nil {
		return fmt.Errorf("the twin can't be written: %w", err)
	}
	text := append([]byte("# The twin of a real host, made by cxdeck twin make. A lab description: cxdeck --lab "+name+" opens it.\n"), plain...)
	if len(text) > maxTwinBytes {
		return fmt.Errorf("the twin would have %d MB, more than %d; leave out registry keys that are not of the adapters", len(text)>>20, maxTwinBytes>>20)
	}
	read, err := description.ParseText(text)
	if err == nil {
		var again []byte
		if again, err = toml.Marshal(read); err == nil && !bytes.Equal(again, plain) {
			err = errNotSame
		}
	}
	if err != nil {
		return fmt.Errorf("the twin can't be read back: %w", err)
	}
	if err := os.MkdirAll(s.Folder, 0o700); err != nil {
		return fmt.Errorf("the folder of the twins can't be made: %w", exec.FailureReason(err))
	}
	err = deck.WriteFiles([]script.File{{Path: s.path(name), Data: text}}, replace)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("there is a twin %s already; --force replaces it", name)
	case err != nil:
		return fmt.Errorf("the twin can't be written: %w", exec.FailureReason(err))
	}
	return nil
}

var errNotSame = errors.New("it differs from what was written")

// Remove removes a twin. Its host stays in the history.
func (s Store) Remove(name string) error {
	if _, ok, err := s.Text(name); err != nil || !ok {
		if err == nil {
			return s.missing(name)
		}
		return fmt.Errorf("the twin %s can't be read: %w", name, exec.FailureReason(err))
	}
	if err := os.Remove(s.path(name)); err != nil {
		return fmt.Errorf("the twin %s can't be removed: %w", name, exec.FailureReason(err))
	}
	return nil
}

// Read reads exports: files, or the files of folders. Logs of counters are not read.
func Read(paths []string) (*twin.Facts, error) {
	facts, _, err := read(paths)
	return facts, err
}

// read reads exports, and lists the logs of counters, which are read where they are. The samples of a bundle come last: a log is longer.
func read(paths []string) (facts *twin.Facts, logs []log, err error) {
	files, err := expand(paths)
	if err != nil {
		return nil, nil, err
	}
	facts = &twin.Facts{}
	var bundles []log
	for _, path := range files {
		head, err := peek(path)
		if err != nil {
			return nil, nil, fmt.Errorf("%s can't be read: %w", exec.Clean(path), exec.FailureReason(err))
		}
		if twin.IsLog(head) || isDatabase(head) {
			logs = append(logs, log{path: path})
			continue
		}
		data, err := regular.Read(path, 64<<20)
		if err != nil {
			return nil, nil, fmt.Errorf("%s can't be read: %w", exec.Clean(path), exec.FailureReason(err))
		}
		if _, err := facts.Add(filepath.Base(path), data); err != nil {
			return nil, nil, err
		}
		if samples := facts.Samples(); samples != nil && len(bundles) == 0 {
			bundles = append(bundles, log{path, samples})
		}
	}
	return facts, append(logs, bundles...), nil
}

// expand replaces folders by their files.
func expand(paths []string) (files []string, err error) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("%s can't be read: %w", exec.Clean(path), exec.FailureReason(err))
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, fmt.Errorf("%s can't be read: %w", exec.Clean(path), exec.FailureReason(err))
		}
		for _, entry := range entries {
			if entry.Type().IsRegular() && !strings.HasPrefix(entry.Name(), ".") && !isBeside(entry.Name()) {
				files = append(files, filepath.Join(path, entry.Name()))
			}
		}
	}
	if len(files) > maxFiles {
		return nil, exec.Mistake("%d files are more than %d; name the exports of one host", len(files), maxFiles)
	}
	if len(files) == 0 {
		return nil, exec.Mistake("no exports were given: name the files, or the folder with them")
	}
	return files, nil
}

// isBeside reports whether a file of a folder is no export: the collector, or a companion of a history file.
func isBeside(name string) bool {
	return slices.ContainsFunc([]string{".ps1", ".lock", "-wal", "-shm"}, func(end string) bool { return strings.HasSuffix(name, end) })
}

// peek returns the first bytes of a file.
func peek(path string) ([]byte, error) {
	file, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // nothing was written
	head := make([]byte, 256)
	n, err := io.ReadFull(file, head)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return head[:n], err
}

// Make makes a twin of exports and stores it. The result says how its workloads follow a log; it is nil without one.
func (s Store) Make(ctx context.Context, name string, paths []string, now time.Time, replace bool) (*description.Description, *fit.Result, error) {
	if err := CheckName(name); err != nil {
		return nil, nil, err
	}
	facts, logs, err := read(paths)
	if err != nil {
		return nil, nil, err
	}
	d, err := twin.New(facts, name, now)
	if err != nil {
		return nil, nil, err
	}
	r, err := fitLogs(ctx, d, logs)
	if err != nil {
		return nil, nil, err
	}
	return d, r, s.Save(name, d, replace)
}
