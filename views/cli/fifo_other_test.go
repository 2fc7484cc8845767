//go:build !unix

package cli

import "errors"

// makeFIFO can't make one on this system.
func makeFIFO(string) error { return errors.ErrUnsupported }
