// Package exec implements the core of cxdeck exec: it runs lines and scripts, holds the table of commands with their
// descriptions and help, and has the answers that most families of commands share, as text for people and as JSON for
// programs. Each family of commands has a package of its own, which imports this one and no other family; package catalog
// combines them. This package depends on no process flags, no files and no terminal: the console and the command line pass it
// a Host and a writer.
package exec
