// Package exec implements the core of the command line of the host: the runner of lines and scripts, the table of commands with
// their descriptions, help and completion, and the answers that several families of commands give, as text for people and
// JSON for programs. The commands are in one package a family, which import this one and never each other; package
// catalog puts them together. It knows nothing of flags of the process, of files or of the terminal; the console and the
// command line give it a Host and take what it prints.
package exec
