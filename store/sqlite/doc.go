// Package sqlite opens SQLite databases: pools of connections with the same pragmas, which can be moved to another file while
// they are in use, and small statements for any database. It knows no tables.
package sqlite
