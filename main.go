// Command cxdeck is a terminal console for ConnectX network adapters: live counters, changes that can be reviewed and undone,
// and a history of both.
package main

import (
	"context"
	"os"

	"cxdeck/views/cli"
	"cxdeck/views/cli/process"
	"cxdeck/views/machine"
)

// The linker sets these in a release build. Without commit and date, version --json prints what the Go command recorded.
var (
	version      = "0.1.0-dev"
	commit, date string
)

func main() {
	if machine.IsGuard(os.Args) {
		os.Exit(machine.RunGuard())
	}
	os.Exit(cli.Main(context.Background(), cli.Build{Version: version, Commit: commit, Date: date}, os.Args[1:], process.OwnStreams()))
}
