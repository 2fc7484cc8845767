// Package salvage reads the rows of a damaged SQLite database page by page, without SQLite, which stops at the first page that
// it can't read. It knows the format of the file, not the meaning of its tables, and writes nothing.
package salvage
