// Package programs runs the programs of a host: it composes the services of Windows with OpenSM, which they run, and the files of
// the Linux host beside this one. It gets facts about the
// host through Host.
package programs
