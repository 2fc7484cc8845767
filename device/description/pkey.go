package description

import (
	"fmt"
	"strconv"
)

// PKey is the key of a partition of an InfiniBand subnet. Its top bit marks a full member, which may talk to all members;
// partial members talk only to full members. Two keys belong to the same partition when the other bits are equal.
type PKey uint16

// DefaultPKey is the key of the partition that every subnet has, with full membership.
const DefaultPKey PKey = 0xffff

// fullMember is the bit of a key that marks full membership.
const fullMember PKey = 0x8000

// Valid reports whether the key belongs to a partition; 0 does not.
func (k PKey) Valid() bool { return k&^fullMember != 0 }

// Full returns the key of the same partition with full membership.
func (k PKey) Full() PKey { return k | fullMember }

// UnmarshalText reads four hexadecimal digits; 0 is not a partition.
func (k *PKey) UnmarshalText(text []byte) error {
	v, err := strconv.ParseUint(string(text), 16, 16)
	if err != nil || len(text) != 4 || !PKey(v).Valid() {
		return fmt.Errorf("invalid PKey %q: it must be four hexadecimal digits such as F123, and not 0000 or 8000", text)
	}
	*k = PKey(v)
	return nil
}

// MarshalText writes the form that UnmarshalText reads.
func (k PKey) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// String returns the form "F123".
func (k PKey) String() string { return fmt.Sprintf("%04X", uint16(k)) }
