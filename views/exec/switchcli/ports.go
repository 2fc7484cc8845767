package switchcli

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cxdeck/device/description"
	"cxdeck/driver"
)

// portWords are the words before the number of a port; an abbreviation of one does, down to one letter.
var portWords = []string{"ethernet", "infiniband", "ib"}

// splitPort separates the word and the number of a port: "et10", "Eth1/10", "1/10". ok is false when it is not a port.
func splitPort(text string) (word, number string, ok bool) {
	at := strings.IndexAny(text, "0123456789")
	if at < 0 {
		return "", "", false
	}
	word = strings.ToLower(text[:at])
	known := slices.ContainsFunc(portWords, func(w string) bool { return strings.HasPrefix(w, word) })
	return word, text[at:], known
}

// takePort returns how many words name a port: two for "ethernet 1/7", one for "et7".
func takePort(words []string) int {
	if len(words) > 1 && words[0] != "" && words[1] != "" && words[1][0] >= '0' && words[1][0] <= '9' {
		typed := strings.ToLower(words[0])
		if slices.ContainsFunc(portWords, func(w string) bool { return strings.HasPrefix(w, typed) }) {
			return 2
		}
	}
	if _, _, ok := splitPort(words[0]); ok {
		return 1
	}
	return 0
}

// portNumber matches the number of a port at the end of its name: "1/7" of "Eth1/7".
var portNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:(\d+)/)?(\d+)$`) })

// numberOf returns the module and the number of a switch port; module 0 is none.
func numberOf(name string) (module, number int, ok bool) {
	m := portNumber().FindStringSubmatch(name)
	if m == nil {
		return 0, 0, false
	}
	module, _ = strconv.Atoi(m[1]) // empty is 0
	number, err := strconv.Atoi(m[2])
	return module, number, err == nil
}

// maxRange is the maximum number of ports in a range.
const maxRange = 256

// findPorts returns the ports of the lab that a text names: "ethernet 1/7", "et7,et9", "et1-4", "ethernet 1/1-1/4". Among switch
// ports of the same name it takes the one of the console.
func findPorts(h *driver.Host, home int, text string) (ports []int, err error) {
	first, rest, _ := strings.Cut(text, " ")
	word, number, ok := splitPort(first)
	if rest != "" {
		word, number, ok = strings.ToLower(first), rest, true
	}
	if !ok {
		return nil, unknownPort(h, text)
	}
	infiniBand := strings.HasPrefix(word, "i")
	for _, part := range strings.Split(number, ",") {
		if w, n, found := splitPort(part); found && w != "" {
			infiniBand, part = strings.HasPrefix(w, "i"), n
		}
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		if _, n, found := splitPort(to); found {
			to = n
		}
		module, low, ok1 := plainNumber(from)
		lastModule, high, ok2 := plainNumber(to)
		if lastModule == 0 {
			lastModule = module
		}
		if !ok1 || !ok2 || high < low || lastModule != module || high-low >= maxRange {
			return nil, unknownPort(h, text)
		}
		for n := low; n <= high; n++ {
			port, found := findPort(h, home, infiniBand, module, n)
			if !found {
				return nil, unknownPort(h, text)
			}
			if !slices.Contains(ports, port) {
				ports = append(ports, port)
			}
		}
	}
	return ports, nil
}

// plainNumber reads "1/7" or "7".
func plainNumber(text string) (module, number int, ok bool) {
	if portNumber().FindString(text) != text {
		return 0, 0, false
	}
	return numberOf(text)
}

// findPort finds a port by the number of its switch port; module 0 is any.
func findPort(h *driver.Host, home int, infiniBand bool, module, number int) (port int, found bool) {
	matches := func(port int) bool {
		d, _, _ := h.Lab().Port(port)
		m, n, ok := numberOf(d.Switch.Name)
		return ok && n == number && (module == 0 || m == module) && (d.Link == description.InfiniBand) == infiniBand
	}
	if matches(home) {
		return home, true
	}
	for port := range h.Lab().Ports() {
		if matches(port) {
			return port, true
		}
	}
	return 0, false
}

func unknownPort(h *driver.Host, text string) error {
	names := make([]string, h.Lab().Ports())
	for port := range names {
		d, _, _ := h.Lab().Port(port)
		names[port] = d.Switch.Name
	}
	const maxNames = 12
	if len(names) > maxNames {
		names = append(names[:maxNames], "...")
	}
	return &lineError{fmt.Sprintf("%% There is no port %q on this switch; it has %s", text, strings.Join(names, ", "))}
}
