package linuxhost

import (
	"strconv"
	"strings"
	"time"
)

// Message is a message of the kernel log about an adapter.
type Message struct {
	// Level is the kernel's: 0 emergency to 7 debug.
	Level int
	// Since is the time since the boot.
	Since time.Duration
	// Driver and Adapter are its beginning, "mlx5_core" and "0000:04:00.0"; Adapter may be empty.
	Driver, Adapter string
	Text            string
}

// ParseMessage reads a record of /dev/kmsg, with the level and the meaning that messageMeanings gives it. It returns false for records that are not about mlx4 and mlx5 drivers.
func ParseMessage(record string) (m Message, ok bool) {
	head, text, found := strings.Cut(record, ";")
	fields := strings.SplitN(head, ",", 4)
	if !found || len(fields) < 3 {
		return m, false
	}
	text, _, _ = strings.Cut(text, "\n") // the lines below are the record's dictionary
	priority, err := strconv.ParseUint(fields[0], 10, 16)
	micro, err2 := strconv.ParseInt(fields[2], 10, 64)
	const month = 1 << 42 // microseconds; 50 days and more, to keep durations from overflowing
	if err != nil || err2 != nil || micro < 0 || micro > month*1000 {
		return m, false
	}
	text = unescape(text)
	driver, rest, _ := strings.Cut(text, " ")
	driver = strings.TrimSuffix(driver, ":")
	if !strings.HasPrefix(driver, "mlx4") && !strings.HasPrefix(driver, "mlx5") {
		return m, false
	}
	m = Message{Level: int(priority & 7), Since: time.Duration(micro) * time.Microsecond, Driver: clean(driver), Text: clean(rest)}
	if address, rest, found := strings.Cut(m.Text, ": "); found && isAddress(address) {
		m.Adapter, m.Text = address, rest
	} else if address, rest, found := strings.Cut(m.Text, " "); found && isAddress(address) { // "0000:04:00.0 ens1f0np0: Link up"
		m.Adapter, m.Text = address, rest
	}
	if m.Text == "" {
		return m, false
	}
	m.explain()
	return m, true
}

// unescape replaces the kernel's \x1b of unprintable bytes.
func unescape(text string) string {
	for {
		at := strings.Index(text, `\x`)
		if at < 0 || at+4 > len(text) {
			return text
		}
		text = text[:at] + "?" + text[at+4:]
	}
}

// isAddress reports whether a text is the address of a PCI function.
func isAddress(text string) bool {
	if len(text) < len("0000:04:00.0") || len(text) > len("00000000:04:00.0") || text[len(text)-2] != '.' || text[len(text)-5] != ':' || text[len(text)-8] != ':' {
		return false
	}
	return strings.Trim(text, "0123456789abcdef:.") == ""
}
