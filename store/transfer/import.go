package transfer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-sqlite3"

	"cxdeck/store/codec"
	"cxdeck/store/fault"
	"cxdeck/store/intake"
	"cxdeck/store/lock"
	"cxdeck/store/parts"
	"cxdeck/store/salvage"
	"cxdeck/store/schema"
	"cxdeck/store/sessions"
	"cxdeck/store/sqlite"
)

// History is what is needed of the history that sessions are carried into or out of.
type History struct {
	// Path is where it is now.
	Path string
	// Reader reads it, and write runs one change of it in a transaction of its own; it is nil where only reading is needed.
	Reader *sql.DB
	Write  func(ctx context.Context, change func(tx *sql.Tx) error) error
	// Explain makes a sentence for the operator of an error of the file.
	Explain func(error) error
	// Now is the machine's clock.
	Now func() time.Time
}

// Options are the choices for an import.
type Options struct {
	// Sessions are the numbers in the file of the sessions to import; none means all.
	Sessions []int64
	// Progress begins a part of the work, and returns the function that is called as it continues; it may be nil.
	Progress func(title string) func(done, all int)
}

// Imported is the result of importing one session.
type Imported struct {
	// Original is its number in the file, ID its number in the history.
	Original, ID int64
	// Known reports that the history had the session before; it was not imported again.
	Known bool
}

// ImportedTag is the tag of imported sessions.
const ImportedTag = "imported"

// Import copies sessions of a file from another machine into the history, all or none of them: a session that was cut out, or
// the history of another cxdeck. They get numbers of their own and the tag ImportedTag, and their note says where they come
// from. A session that the history has already is not imported again.
//
// The file is not trusted: it is read without SQLite (see package intake) into a history of its own beside this one, which is
// brought to the newest schema there, and each session is checked before it is copied. What is wrong with the file is an
// *intake.Error.
func (h *History) Import(ctx context.Context, path string, o Options) (list []Imported, err error) {
	if o.Progress == nil {
		o.Progress = func(string) func(int, int) { return nil }
	}
	file, err := h.openImport(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // nothing was written
	directory, remove, err := h.MakeStage()
	if err != nil {
		return nil, err
	}
	defer remove()
	s := &stage{ctx: ctx, file: file, options: o, path: filepath.Join(directory, "stage.db")}
	if err := s.fill(); err != nil {
		return nil, h.ExplainStage(interruption(ctx, err))
	}
	staged, err := s.open()
	if err != nil {
		return nil, h.ExplainStage(err)
	}
	defer func() { err = errors.Join(err, h.ExplainStage(staged.Close())) }()
	chosen, err := s.check(staged)
	if err != nil {
		return nil, h.ExplainStage(interruption(ctx, err))
	}
	list, err = h.TakeIn(ctx, staged, chosen, o.Progress("Importing"))
	return list, interruption(ctx, err)
}

// interruption returns why a context ended in place of what a transaction says that was rolled back because of it.
func interruption(ctx context.Context, err error) error {
	if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// neverRecording reports that no session of a staged history is being recorded.
func neverRecording(int64) bool { return false }

// MakeStage makes a directory beside the history for files that are not part of it yet.
func (h *History) MakeStage() (directory string, remove func(), err error) {
	RemoveStages(h.Path)
	directory, err = os.MkdirTemp(filepath.Dir(h.Path), filepath.Base(h.Path)+stageInfix+"*") // mode 0700
	if err != nil {
		return "", nil, h.Explain(err)
	}
	return directory, func() { _ = os.RemoveAll(directory) }, nil // the next import removes what is left
}

// openImport opens a file to import, unless it is in use or this very history.
func (h *History) openImport(path string) (*intake.File, error) {
	if lock.Held(path) && !h.isOwn(path) {
		return nil, &intake.Error{Path: path, Problem: "a running cxdeck records into it",
			Advice: "import it when that has ended, or extract the session with cxdeck sessions export"}
	}
	if h.isOwn(path) {
		return nil, &intake.Error{Path: path, Problem: "it is the history that it would be imported into"}
	}
	return intake.Open(path, intake.Format{Application: schema.ApplicationID, Newest: schema.Newest})
}

// isOwn reports whether a path leads to the open history.
func (h *History) isOwn(path string) bool {
	own, err := os.Stat(h.Path)
	if err != nil {
		return false
	}
	other, err := os.Stat(path)
	return err == nil && os.SameFile(own, other)
}

// ExplainStage explains errors of the copy beside the history: it is on the same disk.
func (h *History) ExplainStage(err error) error {
	var refused *intake.Error
	if errors.As(err, &refused) {
		return err
	}
	return fault.Explain(h.Path, err)
}

// stageInfix is between the history's name and a number in the name of an import's directory.
const stageInfix = ".import-"

// RemoveStages removes what imports that were killed have left beside a history. The caller owns the history, so that no
// import is running.
func RemoveStages(path string) {
	beside, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return // an import says so
	}
	for _, entry := range beside {
		number, ok := strings.CutPrefix(entry.Name(), filepath.Base(path)+stageInfix)
		if ok && number != "" && strings.Trim(number, "0123456789") == "" && entry.IsDir() {
			_ = os.RemoveAll(filepath.Join(filepath.Dir(path), entry.Name())) // the next one tries again
		}
	}
}

// stage is a history that has what an imported file has, and nothing else of it: the rows of tables that are about sessions.
type stage struct {
	ctx     context.Context
	file    *intake.File
	options Options
	path    string

	tx         *sql.Tx
	statements map[string]*sql.Stmt
	// sessions are the chosen ones, nil for all, and rows are the numbers of their rows in numbered tables.
	sessions map[int64]bool
	rows     map[string]map[int64]bool
}

// fill makes the history of the rows of the file, in the schema that the file has.
func (s *stage) fill() (err error) {
	form, err := schema.At(s.ctx, s.file.Version())
	if err != nil {
		return err
	}
	if err := s.file.Check(form); err != nil {
		return err
	}
	if err := sqlite.CreateEmpty(s.path); err != nil {
		return err
	}
	pool := sqlite.Connect(s.path, sqlite.Writing)
	defer func() { err = errors.Join(err, pool.Close()) }()
	// It is thrown away after the import: it needs no journal, and is never synced.
	if _, err := pool.ExecContext(s.ctx, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF"); err != nil {
		return err
	}
	if err := schema.Migrate(s.ctx, pool, s.file.Version()); err != nil {
		return err
	}
	tx, err := pool.BeginTx(s.ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	s.tx, s.statements = tx, map[string]*sql.Stmt{}
	if err := s.read(form); err != nil {
		return err
	}
	if err := s.file.CheckUnchanged(); err != nil {
		return err
	}
	return tx.Commit()
}

// read stages the rows of the file: where only some sessions are wanted, it looks first which rows are theirs.
func (s *stage) read(form intake.Schema) error {
	tables := slices.DeleteFunc(slices.Clone(form.Tables), func(t *salvage.Table) bool { return schema.OfNoSession[t.Name] })
	if len(s.options.Sessions) > 0 {
		s.sessions, s.rows = map[int64]bool{}, map[string]map[int64]bool{}
		for _, id := range s.options.Sessions {
			s.sessions[id] = true
		}
		for i := range schema.SessionTables {
			if schema.SessionTables[i].Numbered {
				s.rows[schema.SessionTables[i].Name] = map[int64]bool{}
			}
		}
		numbered := slices.DeleteFunc(slices.Clone(tables), func(t *salvage.Table) bool { return s.rows[t.Name] == nil })
		if err := s.file.Rows(numbered, s.note, nil); err != nil {
			return err
		}
	}
	return s.file.Rows(tables, s.row, s.options.Progress("Reading the file"))
}

// note keeps the number of a row of a chosen session.
func (s *stage) note(table *salvage.Table, key int64, values []any) error {
	if s.isChosen(table, values) {
		s.rows[table.Name][key] = true
	}
	return s.ctx.Err()
}

// wanted reports whether a row is about a chosen session.
func (s *stage) wanted(table *salvage.Table, key int64, values []any) bool {
	if s.sessions == nil {
		return true
	}
	if table.Name == "session" {
		return s.sessions[key]
	}
	for i := range schema.SessionTables {
		if of := schema.SessionTables[i].Of; schema.SessionTables[i].Name == table.Name && of != "" {
			return s.rows[of][key>>parts.GroupBits]
		}
	}
	return table.Column("session") < 0 || s.isChosen(table, values)
}

// isChosen reports whether the column session of a row, which may be shorter than its table, has a chosen one.
func (s *stage) isChosen(table *salvage.Table, values []any) bool {
	at := table.Column("session")
	if at < 0 || at >= len(values) {
		return false
	}
	session, _ := values[at].(int64)
	return s.sessions[session]
}

// row stores a row.
func (s *stage) row(table *salvage.Table, key int64, values []any) error {
	if !s.wanted(table, key, values) {
		return s.ctx.Err()
	}
	if table.Alias >= 0 {
		values[table.Alias] = key
	}
	for _, value := range values {
		if text, ok := value.(string); ok && strings.ContainsFunc(text, isControl) {
			return s.file.Altered("its table %q has a text with control characters", table.Name)
		}
	}
	text := table.Insertion(len(values))
	statement := s.statements[text]
	if statement == nil {
		var err error
		if statement, err = s.tx.PrepareContext(s.ctx, text); err != nil {
			return err
		}
		s.statements[text] = statement
	}
	n, err := sqlite.Affected(statement.ExecContext(s.ctx, values...))
	var failure sqlite3.Error
	if errors.As(err, &failure) && failure.Code == sqlite3.ErrConstraint || err == nil && n == 0 {
		return s.file.Altered("its table %q has a duplicate or invalid row", table.Name)
	}
	return err
}

// open brings the staged history to the newest schema, ends its sessions, and opens it for reading.
func (s *stage) open() (*sql.DB, error) {
	pool := sqlite.Connect(s.path, sqlite.Writing)
	err := func() error {
		if _, err := pool.ExecContext(s.ctx, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF"); err != nil {
			return err
		}
		if err := schema.Migrate(s.ctx, pool, schema.Newest); err != nil {
			return err
		}
		running, err := sqlite.Integers(s.ctx, pool, "SELECT id FROM session WHERE state = ?", sessions.Recording)
		if err != nil {
			return err
		}
		for _, id := range running {
			if err := s.end(pool, id); err != nil {
				return err
			}
		}
		return nil
	}()
	if err := errors.Join(err, pool.Close()); err != nil {
		return nil, err
	}
	return sqlite.Connect(s.path, sqlite.Reading), nil
}

// end ends a session of a cxdeck that was killed.
func (s *stage) end(pool *sql.DB, id int64) error {
	tx, err := pool.BeginTx(s.ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	frames, err := parts.Frames(s.ctx, tx, id)
	if err != nil {
		return err
	}
	count, err := sqlite.Integers(s.ctx, tx, "SELECT count(*) FROM frame WHERE session = ?", id)
	if err != nil {
		return err
	}
	if codec.CountSound(frames) != len(frames) || sqlite.First(count) != int64(len(frames)) {
		return s.file.Altered("the last samples of session %d can't be read", id)
	}
	if err := parts.End(s.ctx, tx, id); err != nil {
		return err
	}
	return tx.Commit()
}

// check returns the staged sessions after each was checked.
func (s *stage) check(staged *sql.DB) ([]sessions.Session, error) {
	found, err := sessions.List(s.ctx, staged, neverRecording)
	if err != nil {
		return nil, err
	}
	slices.Reverse(found) // oldest first
	for _, id := range s.options.Sessions {
		if !slices.ContainsFunc(found, func(one sessions.Session) bool { return one.ID == id }) {
			return nil, &intake.Error{Path: s.file.Path(), Problem: fmt.Sprintf("it has no session %d", id),
				Advice: "cxdeck sessions list --db FILE prints its sessions"}
		}
	}
	if len(found) == 0 {
		return nil, &intake.Error{Path: s.file.Path(), Problem: "it has no sessions"}
	}
	move := s.options.Progress("Checking the sessions")
	for i := range found {
		if move != nil {
			move(i, len(found))
		}
		e := &examiner{ctx: s.ctx, staged: staged, file: s.file, session: &found[i]}
		if err := e.run(); err != nil {
			return nil, err
		}
	}
	if move != nil {
		move(len(found), len(found))
	}
	return found, nil
}
