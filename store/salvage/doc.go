// Package salvage reads the rows of a SQLite database that is damaged, page by page and without SQLite, which gives up at the
// first page that it can't read. It knows the form of the file, not what its tables are about, and writes nothing.
package salvage
