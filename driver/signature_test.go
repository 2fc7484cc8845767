package driver

import (
	"testing"
	"time"

	"cxdeck/driver/adapters"
	"cxdeck/driver/registry"
	"cxdeck/driver/stack"
)

// TestSignatureIsOneValue: the registry and Get-SmbServerConfiguration have one value of RequireSecuritySignature. The cmdlet writes it
// with effect at once, an editor with effect at the next boot, and undo restores what the registry had.
func TestSignatureIsOneValue(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	is := func(when, stored string, signs bool) {
		t.Helper()
		k := mustKey(t, h, "Ethernet 7", "RequireSecuritySignature")
		text := ""
		if k.Stored.Exists() {
			text = k.Stored.String()
		}
		if used := k.Effective.Exists() && k.Effective.Number() != 0; text != stored || h.Stack().Server.Sign != signs || used != signs {
			t.Errorf("%s: stored %q, used %v, the server signs: %t; expected %q and %t", when, text, k.Effective, h.Stack().Server.Sign, stored, signs)
		}
	}
	sign := func(on bool) stack.SetSMB { return stack.SetSMB{Side: stack.ServerSide, Sign: new(on)} }
	undo := func() {
		t.Helper()
		if _, err := h.Undo(); err != nil {
			t.Fatal(err)
		}
	}
	is("at first", "", false)
	mustApply(t, h, sign(true))
	is("after the cmdlet", "1", true)
	undo()
	is("after its undo", "", false)
	mustApply(t, h, set("Ethernet 7", "RequireSecuritySignature", "1"))
	is("before the boot", "1", false)
	mustApply(t, h, sign(false))
	is("after the cmdlet over a waiting value", "0", false)
	undo()
	is("after this undo", "1", false)
	mustApply(t, h, adapters.Reboot{Host: h.lab.Description().Host.Name})
	h.Advance(3 * time.Minute)
	is("after the boot", "1", true)
	mustApply(t, h, sign(false))
	h.Advance(time.Second)
	is("after the cmdlet again", "0", false)

	// Hosts of earlier versions kept two values.
	h.stack.Server.Sign = true
	back, err := RestoreHost(h.lab.Description(), mustSave(t, h))
	if err != nil {
		t.Fatal(err)
	}
	h = back
	is("of an old session", "1", true)
	if _, found := h.InUse(0, registry.System, "RequireSecuritySignature"); !found {
		t.Error("no such key")
	}
	for _, wrong := range []stack.SetSMB{
		{Side: stack.ServerSide, Sign: new(true), Stored: "many"}, {Side: stack.ClientSide, Sign: new(true), Stored: "1"}, {Side: stack.ServerSide, Encrypt: new(true), Stored: "1"},
	} {
		if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{wrong}}); err == nil {
			t.Errorf("%+v is accepted", wrong)
		}
	}
}
