package stack

import "cxdeck/driver/registry"

// signatureKey is the value of the registry that the SMB server reads when Windows boots, and that Set-SmbServerConfiguration writes.
const signatureKey = "RequireSecuritySignature"

// Signature returns the value RequireSecuritySignature of the SMB server in the registry, nil for none.
func (s Set) Signature() *uint32 {
	value, found := s.Stored(0, signatureKey, registry.System)
	if !found || !value.Exists() {
		return nil
	}
	return new(value.Number())
}

// SetSignature stores the value; signs is what the server and the drivers go by at once.
func (s Set) SetSignature(value *uint32, signs bool) {
	stored := registry.Value{}
	if value != nil {
		stored = registry.NumberValue(*value)
	}
	s.StoreAt(0, registry.System, signatureKey, stored)
	used := stored
	if signs != (stored.Exists() && stored.Number() != 0) { // the stored value waits for a boot
		used = registry.NumberValue(map[bool]uint32{true: 1}[signs])
	}
	s.Use(signatureKey, used)
}

// Align makes one of the two values that hosts of earlier versions kept: the server requires signatures if either says so. While a boot
// has not completed there is nothing to do: the server has read the registry, and the drivers will.
func (s Set) Align(running bool) {
	switch used, _ := s.InUse(0, registry.System, signatureKey); {
	case !running:
	case s.Server.Sign && used.Number() == 0:
		s.SetSignature(new(uint32(1)), true)
	case used.Number() != 0:
		s.Server.Sign = true
	}
}
