// Package sqlite opens SQLite databases: pools of connections with the same pragmas, which can be moved to another file while they
// are in use, and the small statements that every database needs. It has no tables of its own.
package sqlite
