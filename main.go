// Command cxdeck is a terminal console for ConnectX network adapters: live counters, changes that can be reviewed and undone,
// and a history of both.
package main

import (
	"context"
	"os"

	"cxdeck/views/cli"
)

// version is printed by --version; a release build sets it through the linker.
var version = "0.1.0-dev"

func main() {
	os.Exit(cli.Main(context.Background(), version, os.Args[1:], cli.Process()))
}
