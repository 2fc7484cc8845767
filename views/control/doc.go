// Package control carries commands of cxdeck exec to the process that owns the host, over a local socket that belongs
// to one user. It knows frames, deadlines and peers; what a command does belongs to views/exec.
//
// A connection in steps: both sides say hello; the client sends a request; the owner accepts it, and only then runs it;
// while it runs the owner sends what it prints, and asks the client for answers, files and folders; the exit ends the
// request, and another may follow. A request that was not accepted has not been run, so that it may be sent again.
package control
