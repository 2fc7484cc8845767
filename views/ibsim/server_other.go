//go:build !linux

package ibsim

import (
	"context"
	"errors"
	"log/slog"
)

// DefaultName is the usual beginning of the sockets' names.
const DefaultName = "sim"

// Server accepts programs; only Linux has the sockets of the protocol.
type Server struct{}

// Listen fails.
func Listen(string, Subnet, *slog.Logger) (*Server, error) {
	return nil, errors.New("serve subnet needs Linux: the real programs connect over its abstract sockets")
}

// Run returns at once.
func (*Server) Run(context.Context) error { return nil }

// Close does nothing.
func (*Server) Close() {}
