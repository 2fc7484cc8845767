package shell

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// numberPattern matches a number with its suffix.
var numberPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i)(0x[0-9a-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(kb|mb|gb|tb|pb)?$`)
})

// addressPattern matches the digits of a MAC address, which the manuals compare without quotes.
var addressPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?i)[0-9a-f]{12}$`) })

// readNumber parses a number such as 4, 0x10, 1.5 or 2GB.
func readNumber(word string) (Value, bool) {
	m := numberPattern().FindStringSubmatch(word)
	if m == nil {
		return nil, false
	}
	var n float64
	if hex, ok := strings.CutPrefix(strings.ToLower(m[1]), "0x"); ok {
		i, err := strconv.ParseUint(hex, 16, 53)
		if err != nil {
			return nil, false
		}
		n = float64(i)
	} else {
		var err error
		if n, err = strconv.ParseFloat(m[1], 64); err != nil {
			return nil, false
		}
	}
	if m[2] != "" {
		n *= math.Pow(1024, float64(1+strings.Index("kmgtp", strings.ToLower(m[2][:1]))))
	}
	return whole(n), true
}
