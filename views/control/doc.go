// Package control carries commands of cxdeck exec to the process that owns the host, over a local socket that belongs
// to one user. It handles frames, deadlines and peers; views/exec implements the commands.
//
// A connection in steps: both sides say hello; the client sends a request; the owner accepts it, and only then runs it;
// while it runs the owner sends what it prints, and asks the client for answers, files and folders; the exit ends the
// request, and another may follow. A request that was not accepted has not run, and may be sent again.
package control
