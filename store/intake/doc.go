// Package intake reads databases that come from other machines, and trusts nothing in them: the file is read page by page
// without SQLite, so that no trigger, view, expression or extension in it ever runs, and a file with a table that this program
// does not write is rejected with a sentence. It knows the format of a database, not the meaning of its tables, and writes
// nothing.
package intake
