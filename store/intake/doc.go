// Package intake reads databases that come from other machines, and trusts nothing in them: the file is read page by page
// without SQLite, so that no trigger, view, expression or extension in it ever runs, and a file that is not in every table
// what this program writes is refused with a sentence. It knows the form of a database, not what its tables are about, and
// writes nothing.
package intake
