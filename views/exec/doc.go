// Package exec is the command line of the host: commands that watch and change it without a screen, one at a time or
// many from a script, with text for people and JSON for programs. It knows nothing of flags of the process, of files or
// of the terminal; the console and the command line give it a Host and take what it says.
package exec
