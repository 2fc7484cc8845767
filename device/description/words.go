package description

import (
	"fmt"
	"strings"
)

// enumeration is a type whose values are words, in the order of its constants.
type enumeration interface{ words() []string }

// readWord reads a word of an enumeration.
func readWord[E interface {
	~uint8
	enumeration
}](text []byte, into *E) error {
	words := (*into).words()
	*into = 0
	for i, w := range words {
		if string(text) == w {
			*into = E(i)
			return nil
		}
	}
	return fmt.Errorf("invalid value %q; choose from %s", text, strings.Join(words, ", "))
}

// writeWord writes a value of an enumeration as readWord reads it.
func writeWord[E interface {
	~uint8
	enumeration
}](value E) ([]byte, error) {
	words := value.words()
	if int(value) >= len(words) {
		return nil, fmt.Errorf("invalid value %d; choose from %s", uint8(value), strings.Join(words, ", "))
	}
	return []byte(words[value]), nil
}

// The words of each enumeration.
func (Family) words() []string      { return []string{"winof", "winof-2"} }
func (LinkType) words() []string    { return []string{"ethernet", "infiniband"} }
func (FlowControl) words() []string { return []string{"off", "global", "pfc"} }
func (RoCEMode) words() []string    { return []string{"off", "v1", "v2"} }
func (Protocol) words() []string    { return []string{"tcp", "udp", "rdma", "ipoib", "ip", "other"} }
func (RhythmKind) words() []string  { return []string{"steady", "wave", "burst", "trace"} }
func (Application) words() []string {
	return []string{"smb-direct", "ndspi", "verbs", "storage-spaces-direct"}
}
func (Transport) words() []string     { return []string{"rc", "uc", "ud"} }
func (SubnetManager) words() []string { return []string{"up", "down", "absent"} }
func (DCBXMode) words() []string      { return []string{"off", "ieee", "cee"} }
func (FaultKind) words() []string     { return faultWords[:] }

var faultWords = [FaultCount]string{
	"link-flap", "far-end-pause", "bad-cable", "congestion",
	"long-frames", "stall", "debugger", "few-receives", "wrong-key", "bad-request", "remote-failure",
	"application-exit", "send-hang", "many-queue-pairs", "vf-wrong-address", "vf-barred-type", "vf-firmware-load",
	"vf-storm",
	"capture", "missing-update", "wrong-sizes",
}

func (f *Family) UnmarshalText(text []byte) error        { return readWord(text, f) }
func (t *LinkType) UnmarshalText(text []byte) error      { return readWord(text, t) }
func (c *FlowControl) UnmarshalText(text []byte) error   { return readWord(text, c) }
func (m *RoCEMode) UnmarshalText(text []byte) error      { return readWord(text, m) }
func (p *Protocol) UnmarshalText(text []byte) error      { return readWord(text, p) }
func (k *RhythmKind) UnmarshalText(text []byte) error    { return readWord(text, k) }
func (a *Application) UnmarshalText(text []byte) error   { return readWord(text, a) }
func (t *Transport) UnmarshalText(text []byte) error     { return readWord(text, t) }
func (m *SubnetManager) UnmarshalText(text []byte) error { return readWord(text, m) }
func (m *DCBXMode) UnmarshalText(text []byte) error      { return readWord(text, m) }
func (k *FaultKind) UnmarshalText(text []byte) error     { return readWord(text, k) }

func (f Family) MarshalText() ([]byte, error)        { return writeWord(f) }
func (t LinkType) MarshalText() ([]byte, error)      { return writeWord(t) }
func (c FlowControl) MarshalText() ([]byte, error)   { return writeWord(c) }
func (m RoCEMode) MarshalText() ([]byte, error)      { return writeWord(m) }
func (p Protocol) MarshalText() ([]byte, error)      { return writeWord(p) }
func (k RhythmKind) MarshalText() ([]byte, error)    { return writeWord(k) }
func (a Application) MarshalText() ([]byte, error)   { return writeWord(a) }
func (t Transport) MarshalText() ([]byte, error)     { return writeWord(t) }
func (m SubnetManager) MarshalText() ([]byte, error) { return writeWord(m) }
func (m DCBXMode) MarshalText() ([]byte, error)      { return writeWord(m) }
func (k FaultKind) MarshalText() ([]byte, error)     { return writeWord(k) }

// Known reports whether it is one of the kinds of flow control.
func (c FlowControl) Known() bool { return int(c) < len(c.words()) }
