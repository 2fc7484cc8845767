package exec

import (
	"fmt"
	"strconv"
	"strings"
)

// FormatNumber writes a number with as few digits as identify it.
func FormatNumber(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// ParseInteger reads the integer of a setting.
func ParseInteger(into **int, text string) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		return fmt.Errorf("must be an integer, not %q", text)
	}
	*into = &n
	return nil
}

// JoinNumbers lists numbers with commas, and none for an empty list.
func JoinNumbers(numbers []int) string {
	if len(numbers) == 0 {
		return "none"
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ","), "[]")
}
