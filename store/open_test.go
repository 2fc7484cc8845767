package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/store/fault"
	"cxdeck/store/lock"
	"cxdeck/store/sqlite"
)

// openFails opens a file that can't be used, and returns the error, which must have the given reason and be one sentence.
func openFails(t *testing.T, path string, options Options, reason error) *fault.FileError {
	t.Helper()
	db, err := Open(t.Context(), path, options)
	if err == nil {
		db.Close()
		t.Fatalf("%s was opened; want %v", path, reason)
	}
	var file *fault.FileError
	if !errors.As(err, &file) || !errors.Is(err, reason) {
		t.Fatalf("error %v; want %v", err, reason)
	}
	if text := err.Error(); !strings.Contains(text, path) || strings.ContainsAny(text, "\n") {
		t.Errorf("not one sentence with the file's name: %q", text)
	}
	return file
}

// run executes SQL on any database file.
func run(t *testing.T, path string, statements ...string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	file.Close()
	pool := sqlite.Connect(path, sqlite.Writing)
	defer pool.Close()
	for _, statement := range statements {
		if _, err := pool.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

func TestFileThatIsNotADatabase(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"short.txt": "minutes of monday",
		"long.txt":  strings.Repeat("minutes of monday\n", 1000),
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o640); err != nil {
			t.Fatal(err)
		}
		openFails(t, path, Options{}, fault.ErrNotDatabase)
		openFails(t, path, Options{ReadOnly: true}, fault.ErrNotDatabase)
		checkUntouched(t, path, []byte(content))
		if status, err := os.Stat(path); err != nil || status.Mode().Perm() != 0o640 {
			t.Errorf("mode of %s: %v, %v", path, status.Mode(), err)
		}
	}
}

func TestDatabaseOfAnotherProgram(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "music.db")
	run(t, path, "CREATE TABLE song (title TEXT)", "PRAGMA user_version = 1")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	openFails(t, path, Options{}, fault.ErrForeign)
	openFails(t, path, Options{ReadOnly: true}, fault.ErrForeign)
	checkUntouched(t, path, before)
}

// checkUntouched checks that a file is unchanged and has no other files beside it.
func checkUntouched(t *testing.T, path string, content []byte) {
	t.Helper()
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(after, content) {
		t.Errorf("%s was changed (%v)", path, err)
	}
	beside, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(beside) != 1 {
		t.Errorf("beside %s: %v, %v", path, beside, err)
	}
}

func TestFileFromANewerVersion(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cxdeck.db")
	if err := openAt(t, path, Options{}).Close(); err != nil {
		t.Fatal(err)
	}
	run(t, path, "PRAGMA user_version = 99")
	for _, readOnly := range []bool{false, true} {
		if err := openFails(t, path, Options{ReadOnly: readOnly}, fault.ErrNewer); err.Version != 99 || !strings.Contains(err.Error(), "update cxdeck") {
			t.Errorf("error: %v", err)
		}
	}
}

func TestFileInUseCanStillBeRead(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	recorder := begin(t, db)
	err := openFails(t, db.Path(), Options{}, fault.ErrInUse)
	if err.PID != os.Getpid() || time.Since(err.Since) > time.Minute || !strings.Contains(err.Error(), fmt.Sprint(os.Getpid())) {
		t.Errorf("owner %d since %v: %v", err.PID, err.Since, err)
	}
	second := openAt(t, db.Path(), Options{ReadOnly: true})
	sessions, problem := second.Sessions(t.Context())
	if problem != nil || len(sessions) != 1 || !sessions[0].Running {
		t.Errorf("sessions: %+v, %v", sessions, problem)
	}
	if _, err := second.Begin(t.Context(), perf.SourceInfo{}, time.Second); !errors.Is(err, fault.ErrReadOnly) {
		t.Errorf("recording in the second: %v", err)
	}
	closeRecorder(t, recorder)
	if sessions, _ := second.Sessions(t.Context()); len(sessions) != 1 || sessions[0].Running {
		t.Errorf("sessions after the end: %+v", sessions)
	}
}

func TestNoFileToRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "none", "cxdeck.db")
	openFails(t, path, Options{ReadOnly: true}, fault.ErrNoFile)
	if _, err := os.Stat(filepath.Dir(path)); !os.IsNotExist(err) {
		t.Error("opening for reading created a directory")
	}
	openFails(t, t.TempDir(), Options{}, fault.ErrNotFile)
}

// damagedFile creates a damaged history with one session.
func damagedFile(t *testing.T, ended bool, damage func(content []byte)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cxdeck.db")
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	recorder := begin(t, db)
	recorder.Schema(schemaOf(t, 1, 300), &perf.Inventory{})
	traffic := newTraffic(1, 300)
	for n := range 1000 {
		traffic.step()
		recorder.Column(column(n, traffic.cells...))
	}
	closeRecorder(t, recorder)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if !ended {
		run(t, path, "UPDATE session SET state = 1", "PRAGMA wal_checkpoint(TRUNCATE)")
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damage(content)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A start that is interrupted while it salvages a damaged file leaves the file in place, and no other files beside it.
func TestInterruptedSalvage(t *testing.T) {
	t.Parallel()
	path := damagedFile(t, true, func(content []byte) { clear(content[100:1024]) })
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	db, err := Open(ctx, path, Options{Progress: func(int, int) { cancel() }})
	if err == nil {
		db.Close()
		t.Fatal("the file was opened")
	}
	if err := os.Remove(path + lock.Suffix); err != nil {
		t.Error(err)
	}
	checkUntouched(t, path, before)
}

func TestDamagedFileIsReplaced(t *testing.T) {
	t.Parallel()
	scramble := func(content []byte) {
		for i := range content {
			content[i] ^= 0x5a
		}
	}
	for name, path := range map[string]string{
		"list of tables":          damagedFile(t, true, func(content []byte) { scramble(content[100:1024]) }),
		"pages of a dead session": damagedFile(t, false, func(content []byte) { scramble(content[len(content)/2:]) }),
	} {
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		read := openAt(t, path, Options{ReadOnly: true})
		if sessions, err := read.Sessions(t.Context()); err != nil || len(sessions) != 1 || !strings.Contains(read.Notice(), "is damaged: ") {
			t.Errorf("%s: reading: %v, %v; notice %q", name, sessions, err, read.Notice())
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s: reading changed the file: %v", name, err)
		}
		progress := 0
		db := openAt(t, path, Options{Progress: func(done, all int) {
			if progress++; done < 1 || done > all {
				t.Errorf("%d of %d pages", done, all)
			}
		}})
		if progress == 0 {
			t.Errorf("%s: no progress was reported", name)
		}
		moved, err := filepath.Glob(path + ".damaged-*")
		if err != nil || len(moved) != 1 || !strings.Contains(db.Notice(), moved[0]) {
			t.Fatalf("%s: moved to %v, %v; notice %q", name, moved, err, db.Notice())
		}
		if after, err := os.ReadFile(moved[0]); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s: the damaged file was changed: %v", name, err)
		}
		closeRecorder(t, begin(t, db))
		if sessions, err := db.Sessions(t.Context()); err != nil || len(sessions) != 2 || name == "list of tables" && sessions[1].Samples != 1000 {
			t.Errorf("%s: the new file: %v, %v", name, sessions, err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		if moved, err := filepath.Glob(path + ".damaged-*"); err != nil || len(moved) != 1 {
			t.Errorf("%s: at the end there are %v, %v", name, moved, err)
		}
	}
}

func TestCloseEndsTheSession(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cxdeck.db")
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	recorder := begin(t, db)
	if _, err := db.Begin(t.Context(), perf.SourceInfo{}, time.Second); !errors.Is(err, ErrRecording) {
		t.Errorf("a second session: %v", err)
	}
	recorder.Schema(schemaOf(t, 1, 1), &perf.Inventory{})
	recorder.Column(column(0, 5))
	if err := errors.Join(db.Close(), db.Close()); err != nil {
		t.Fatal(err)
	}
	recorder.Column(column(1, 6)) // after the end: it is ignored
	if _, err := os.Stat(path + "-wal"); !os.IsNotExist(err) {
		t.Errorf("the log is still there: %v", err)
	}
	again := openAt(t, path, Options{})
	if s, err := again.Session(context.Background(), 1); err != nil || s.Samples != 1 || s.Running {
		t.Errorf("session %+v, %v", s, err)
	}
}

// TestOpenAfterAnInterruptedCreation opens a database without tables and without an application id.
func TestOpenAfterAnInterruptedCreation(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cxdeck.db")
	if err := os.WriteFile(path, nil, sqlite.FileMode); err != nil {
		t.Fatal(err)
	}
	half := sqlite.Connect(path, sqlite.Writing)
	if _, err := half.ExecContext(t.Context(), "PRAGMA auto_vacuum = INCREMENTAL"); err != nil {
		t.Fatal(err)
	}
	if err := half.Close(); err != nil {
		t.Fatal(err)
	}
	if status, err := os.Stat(path); err != nil || status.Size() == 0 {
		t.Fatalf("the file is %v, %v; the test proves nothing", status, err)
	}
	if _, err := Open(t.Context(), path, Options{ReadOnly: true}); !errors.Is(err, fault.ErrNoFile) {
		t.Errorf("reading: %v", err)
	}
	closeRecorder(t, begin(t, openAt(t, path, Options{})))
}

// TestDamagedFileWithoutRowsIsRejected checks that opening a file without a readable row fails, instead of showing an empty
// history.
func TestDamagedFileWithoutRowsIsRejected(t *testing.T) {
	t.Parallel()
	path := damagedFile(t, true, func([]byte) {})
	if err := os.Truncate(path, 3000); err != nil {
		t.Fatal(err)
	}
	db, err := Open(t.Context(), path, Options{ReadOnly: true})
	if err == nil {
		db.Close()
	}
	if !errors.Is(err, fault.ErrDamaged) || !strings.Contains(err.Error(), "nothing in it can be read") {
		t.Errorf("reading: %v", err)
	}
	begun := openAt(t, path, Options{})
	if sessions, err := begun.Sessions(t.Context()); err != nil || len(sessions) != 0 || !strings.Contains(begun.Notice(), "nothing in it can be read") {
		t.Errorf("recording: %v, %v; notice %q", sessions, err, begun.Notice())
	}
}
