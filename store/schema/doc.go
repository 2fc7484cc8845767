// Package schema defines the schema of a history: the tables of each version, and the migrations between versions. It reads the
// contents of tables only where a migration needs them.
package schema
