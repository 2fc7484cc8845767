// Package sqlite opens SQLite databases: pools of connections with the same pragmas, which can be led to another file while they
// are used, and the small statements that every database needs. It knows no table.
package sqlite
