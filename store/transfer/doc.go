// Package transfer carries sessions between histories: it exports them into a new file, and imports them from a file of another
// machine. That file is not trusted: package intake reads it, and it is staged beside the history and examined before anything
// is copied. Hosts, drafts, layouts and settings are never carried.
package transfer
