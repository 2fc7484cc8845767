// Package programs is the table of the InfiniBand diagnostic programs: it runs them by name.
package programs
