// Package recovery saves the readable part of a damaged history in a new file, and reports which sessions are complete and
// which are not. Package salvage reads the pages of the damaged file; package store decides when a file is replaced.
package recovery
