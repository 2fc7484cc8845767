package cli

import (
	"encoding/json"
	"fmt"
	"runtime/debug"

	"cxdeck/views/cli/build"
)

// Build identifies the program.
type Build = build.Build

func runVersion(s *session) error {
	if err := s.noArguments(); err != nil {
		return err
	}
	if s.options.json {
		info, _ := debug.ReadBuildInfo()
		encoder := json.NewEncoder(s.streams.Out)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(s.build.Describe(info))
	}
	_, err := fmt.Fprintln(s.streams.Out, "cxdeck "+s.version)
	return err
}
