// Package sqlite opens SQLite databases: pools of connections with the same pragmas, which can be moved to another file while
// they are in use, and short statements for any database. It does not depend on any tables.
package sqlite
