package intake

import (
	"errors"
	"strings"
	"unicode/utf8"

	"cxdeck/store/salvage"
)

// Schema lists the tables of a database of one version.
type Schema struct {
	Objects []salvage.Object
	Tables  []*salvage.Table
}

// Check fails with an Error unless the database has exactly the tables and indexes of the schema, with the same SQL.
func (f *File) Check(schema Schema) error {
	found, err := f.pages.Objects()
	if err != nil {
		return f.Damaged("its list of tables can't be read")
	}
	missing := map[string]salvage.Object{}
	for _, object := range schema.Objects {
		missing[object.Kind+" "+object.Name] = object
	}
	roots := map[int64]string{}
	for _, object := range found {
		if err := f.checkRoot(object, roots); err != nil {
			return err
		}
		want, ok := missing[object.Kind+" "+object.Name]
		delete(missing, object.Kind+" "+object.Name)
		switch {
		case ok && want.Table == object.Table && sameSQL(want.SQL, object.SQL):
		case ok:
			return f.Altered("its %s %.60q differs from the one that cxdeck creates", object.Kind, object.Name)
		case object.Kind == "table" && strings.HasPrefix(object.Name, "sqlite_stat"): // statistics of SQLite; they are not read
		case object.Kind == "table" && strings.HasPrefix(strings.ToUpper(object.SQL), "CREATE VIRTUAL"):
			return f.Altered("it has the virtual table %.60q, which no history has", object.Name)
		default:
			return f.Altered("it has the %.20s %.60q, which no history has", object.Kind, object.Name)
		}
	}
	for _, object := range schema.Objects {
		if _, ok := missing[object.Kind+" "+object.Name]; ok {
			return f.Altered("it lacks the %s %q", object.Kind, object.Name)
		}
	}
	return nil
}

// checkRoot rejects a tree whose first page is outside the file or belongs to another tree.
func (f *File) checkRoot(object salvage.Object, roots map[int64]string) error {
	if object.Kind != "table" && object.Kind != "index" || object.Root == 0 {
		return nil
	}
	if object.Root < 2 || object.Root > int64(f.pages.Count) {
		return f.Damaged("the %s %.60q is on page %d of %d", object.Kind, object.Name, object.Root, f.pages.Count)
	}
	if other, ok := roots[object.Root]; ok {
		return f.Altered("%.60q and %.60q are on the same page", other, object.Name)
	}
	roots[object.Root] = object.Name
	return nil
}

// sameSQL compares two statements without regard to comments and spaces.
func sameSQL(a, b string) bool { return a == b || stripComments(a) == stripComments(b) }

// stripComments returns a statement without comments, and with single spaces.
func stripComments(sql string) string {
	lines := strings.Split(sql, "\n")
	for i, line := range lines {
		lines[i], _, _ = strings.Cut(line, "--")
	}
	return strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
}

// Rows passes on all rows of some tables, each table in the order of its keys. It fails with an Error for an unreadable part, a
// value of a wrong type, a text that is not UTF-8, and more data than the file has room for; errors of row pass unchanged.
func (f *File) Rows(tables []*salvage.Table, row func(table *salvage.Table, key int64, values []any) error, progress func(done, all int)) error {
	var lost string
	room := f.files[0].Size()
	if f.files[1] != nil {
		room += f.files[1].Size()
	}
	h := &salvage.Harvest{Pages: f.pages, Tables: tables, Strict: true, Progress: progress,
		Lost: func(table *salvage.Table, _, _ int64) {
			if lost == "" && table != nil {
				lost = table.Name
			}
		},
		Row: func(table *salvage.Table, key int64, values []any) error {
			if lost != "" {
				return errLost
			}
			for _, value := range values {
				text, isText := value.(string)
				if isText && !utf8.ValidString(text) {
					return f.Altered("a text in its table %q is not UTF-8", table.Name)
				}
				blob, _ := value.([]byte)
				room -= int64(len(text) + len(blob))
			}
			if room < 0 { // some rows share pages
				return f.Altered("its rows have more data than the file has room for")
			}
			return row(table, key, values)
		},
	}
	err := h.Run()
	if lost != "" {
		return f.Damaged("a part of its table %q can't be read, or is invalid", lost)
	}
	return err
}

// errLost ends the reading at the first row that is lost.
var errLost = errors.New("a row was lost")
