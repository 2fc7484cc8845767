// Package hosts has the hosts that commands work on: a lab of this run, whose time passes by command, and the host of a running console.
package hosts
