package exec

import (
	"fmt"
	"strconv"
	"strings"

	"cxdeck/driver/request"
)

// FormatNumber writes a number with as few digits as identify it.
func FormatNumber(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// ParseInteger reads the integer of a setting.
func ParseInteger(into **int, text string) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		return request.Errorf("must be an integer, not %q", text)
	}
	*into = &n
	return nil
}

// Integer reads an integer from low to high; what names it in the error, which is a usage error.
func Integer(text, what string, low, high int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		return 0, Mistake("%s must be an integer from %d to %d, not %q", what, low, high, text)
	}
	return n, nil
}

// parseWithin reads an integer within the range of a tag, "low high".
func parseWithin(into any, text, what, bounds string) (err error) {
	var low, high int
	if _, err := fmt.Sscan(bounds, &low, &high); err != nil {
		panic("invalid range " + bounds)
	}
	switch into := into.(type) {
	case *int:
		*into, err = Integer(text, what, low, high)
	case **int:
		*into = new(int)
		**into, err = Integer(text, what, low, high)
	default:
		panic(fmt.Sprintf("%T has no range", into))
	}
	return err
}

// JoinNumbers lists numbers with commas, and none for an empty list.
func JoinNumbers(numbers []int) string {
	if len(numbers) == 0 {
		return "none"
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ","), "[]")
}
