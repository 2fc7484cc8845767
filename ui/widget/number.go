package widget

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// WholeNumber parses an integer from low to high; the error describes an invalid text. The limits of int mean no limits.
func WholeNumber(text string, low, high int) (int, error) {
	wanted := "an integer"
	if low != math.MinInt || high != math.MaxInt {
		wanted = fmt.Sprintf("an integer from %d to %d", low, high)
	}
	text = strings.TrimSpace(text)
	n, err := strconv.Atoi(text)
	switch {
	case text == "":
		return 0, fmt.Errorf("%s is required", wanted)
	case errors.Is(err, strconv.ErrRange), err == nil && (n < low || n > high):
		return 0, fmt.Errorf("%s is out of range: it must be %s", text, wanted)
	case err != nil:
		return 0, fmt.Errorf("must be %s, not %q", wanted, text)
	}
	return n, nil
}
