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

	"cxdeck/store/codec"
	"cxdeck/store/engine"
	"cxdeck/store/fault"
	"cxdeck/store/intake"
	"cxdeck/store/lock"
	"cxdeck/store/parts"
	"cxdeck/store/salvage"
	"cxdeck/store/schema"
	"cxdeck/store/sessions"
	"cxdeck/store/sqlite"
)

// History is the history that sessions are imported into or exported from.
type History struct {
	// Path is its current path.
	Path string
	// Reader reads it; Write runs one change of it in a transaction of its own, and is nil if only reading is needed.
	Reader *sql.DB
	Write  func(ctx context.Context, change func(tx *sql.Tx) error) error
	// Explain turns an error of the file into a sentence for the operator.
	Explain func(error) error
	// Now is the machine's clock.
	Now func() time.Time
}

// Options say which sessions an import copies, and report its progress.
type Options struct {
	// Sessions are the numbers in the file of the sessions to import; none means all.
	Sessions []int64
	// Progress is called at the start of each part of the work, and returns the function to report its progress; both may be
	// nil.
	Progress func(title string) func(done, all int)
}

// Imported is the result of importing one session.
type Imported struct {
	// Original is its number in the file, ID its number in the history.
	Original, ID int64
	// Known reports that the history had the session already; it was not imported again.
	Known bool
}

// ImportedTag is the tag of imported sessions.
const ImportedTag = "imported"

// Import copies sessions of a file from another machine into the history, all or none of them: an exported session, or the
// history of another cxdeck. They get new numbers and the tag ImportedTag, and a note with their origin. A session that the
// history has already is not imported again.
//
// The file is not trusted: it is read without SQLite (see package intake) into a temporary history, which is upgraded to the
// newest schema, and each session is checked before it is copied into this history. Import fails with an *intake.Error for an
// invalid file.
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
	list, err = h.CopySessions(ctx, staged, chosen, o.Progress("Importing"))
	return list, interruption(ctx, err)
}

// interruption replaces the error of a transaction that was rolled back because its context ended with the cause.
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
	return directory, func() { _ = os.RemoveAll(directory) }, nil // the next import removes remains
}

// openImport opens a file to import. It fails if the file is in use or is this history.
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

// ExplainStage explains errors of the staged copy as errors of the history, which is on the same disk.
func (h *History) ExplainStage(err error) error {
	var refused *intake.Error
	if errors.As(err, &refused) {
		return err
	}
	return fault.Explain(h.Path, err)
}

// stageInfix is between the history's name and a number in the name of an import's directory.
const stageInfix = ".import-"

// RemoveStages removes the directories that killed imports have left beside a history. The caller must own the history, so that
// no import is running.
func RemoveStages(path string) {
	beside, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return // MakeStage fails too, and reports it
	}
	for _, entry := range beside {
		number, ok := strings.CutPrefix(entry.Name(), filepath.Base(path)+stageInfix)
		if ok && number != "" && strings.Trim(number, "0123456789") == "" && entry.IsDir() {
			_ = os.RemoveAll(filepath.Join(filepath.Dir(path), entry.Name())) // the next one tries again
		}
	}
}

// stage is a temporary history with the sessions of an imported file, and nothing else of it.
type stage struct {
	ctx     context.Context
	file    *intake.File
	options Options
	path    string

	tx         *sql.Tx
	statements map[string]*sql.Stmt
	// sessions are the chosen sessions, nil for all; rows are the numbers of their rows in numbered tables.
	sessions map[int64]bool
	rows     map[string]map[int64]bool
}

// fill copies the rows of the file into the stage, in the schema version of the file.
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

// read stages the rows of the file. For a choice of sessions, it first finds the numbers of their rows.
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

// note stores the number of a row of a chosen session.
func (s *stage) note(table *salvage.Table, key int64, values []any) error {
	if s.isChosen(table, values) {
		s.rows[table.Name][key] = true
	}
	return s.ctx.Err()
}

// includes reports whether a row is about a chosen session.
func (s *stage) includes(table *salvage.Table, key int64, values []any) bool {
	if s.sessions == nil {
		return true
	}
	if table.Name == "session" {
		return s.sessions[key]
	}
	for i := range schema.SessionTables {
		if owner := schema.SessionTables[i].Of; schema.SessionTables[i].Name == table.Name && owner != "" {
			return s.rows[owner][key>>parts.GroupBits]
		}
	}
	return table.Column("session") < 0 || s.isChosen(table, values)
}

// isChosen reports whether a row belongs to a chosen session. The row may have fewer columns than its table.
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
	if !s.includes(table, key, values) {
		return s.ctx.Err()
	}
	if table.RowIDAlias >= 0 {
		values[table.RowIDAlias] = key
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
	if code, _, ok := engine.CodeOf(err); ok && code == engine.Constraint || err == nil && n == 0 {
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

// end ends the session of a killed cxdeck.
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
	if codec.CountReadable(frames) != len(frames) || sqlite.First(count) != int64(len(frames)) {
		return s.file.Altered("the last samples of session %d can't be read", id)
	}
	if err := parts.End(s.ctx, tx, id); err != nil {
		return err
	}
	return tx.Commit()
}

// check examines the staged sessions, and returns them oldest first.
func (s *stage) check(staged *sql.DB) ([]sessions.Session, error) {
	found, err := sessions.List(s.ctx, staged, neverRecording)
	if err != nil {
		return nil, err
	}
	slices.Reverse(found) // oldest first
	for _, id := range s.options.Sessions {
		if !slices.ContainsFunc(found, func(session sessions.Session) bool { return session.ID == id }) {
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
