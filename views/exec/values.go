package exec

import (
	"strconv"
	"strings"

	"cxdeck/device/description"
)

// BooleanWords returns the spellings of a boolean, in lower case.
func BooleanWords() map[string]bool {
	return map[string]bool{
		"$true": true, "true": true, "1": true, "on": true, "yes": true,
		"$false": false, "false": false, "0": false, "off": false, "no": false,
	}
}

// ReadMAC parses a MAC address of 12 hexadecimal digits, without separators, as Hyper-V writes it, or with colons, hyphens or
// dots.
func ReadMAC(text string) (mac description.MAC, err error) {
	digits := strings.NewReplacer(":", "", "-", "", ".", "").Replace(text)
	if len(digits) == 2*len(mac) {
		var b strings.Builder
		for i := range mac {
			if i > 0 {
				b.WriteByte(':')
			}
			b.WriteString(digits[2*i : 2*i+2])
		}
		err = mac.UnmarshalText([]byte(b.String()))
	}
	if err != nil || len(digits) != 2*len(mac) {
		return mac, Mistake("invalid MAC address %q: write an adapter's address, such as 00155D720100", text)
	}
	return mac, nil
}

// Memory is the memory of a virtual machine in MB, as an argument.
type Memory int

// Read parses a size; see ReadMemory.
func (m *Memory) Read(_ *Call, text, _ string) error {
	size, err := ReadMemory(text)
	*m = Memory(size)
	return err
}

// ReadMemory parses a size in bytes, or with the unit KB, MB, GB or TB, and returns it in MB.
func ReadMemory(text string) (int, error) {
	digits, unit := strings.ToUpper(strings.TrimSpace(text)), 1.0
	for _, suffix := range []struct {
		name  string
		bytes float64
	}{{"KB", 1 << 10}, {"MB", 1 << 20}, {"GB", 1 << 30}, {"TB", 1 << 40}} {
		if rest, ok := strings.CutSuffix(digits, suffix.name); ok {
			digits, unit = strings.TrimSpace(rest), suffix.bytes
			break
		}
	}
	n, err := strconv.ParseFloat(digits, 64)
	const mega = 1 << 20
	size := n * unit / mega
	if err != nil || !(size >= 1 && size <= description.MaxMemoryMB) {
		return 0, Mistake("the memory of a virtual machine must be a size such as 4096MB or 8GB, not %q", text)
	}
	return int(size), nil
}
