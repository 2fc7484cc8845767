package setup

import (
	"fmt"
	"strings"
)

// Trust is the header field that gives the priority of a frame at a switch port: the tag or the DSCP. Frames other than IP
// always have the priority of their tag.
type Trust bool

// The fields.
const (
	TrustPCP  Trust = false
	TrustDSCP Trust = true
)

// String returns "pcp" or "dscp".
func (t Trust) String() string {
	if t == TrustDSCP {
		return "dscp"
	}
	return "pcp"
}

// MarshalText returns "pcp" or "dscp".
func (t Trust) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads what MarshalText writes, in any case.
func (t *Trust) UnmarshalText(text []byte) error {
	for _, field := range []Trust{TrustPCP, TrustDSCP} {
		if strings.EqualFold(field.String(), string(text)) {
			*t = field
			return nil
		}
	}
	return fmt.Errorf("the trusted field must be pcp or dscp, not %q", text)
}
