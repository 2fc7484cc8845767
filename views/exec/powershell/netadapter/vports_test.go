package netadapter

import "testing"

func TestRanges(t *testing.T) {
	t.Parallel()
	for want, numbers := range map[string][]int{
		"": nil, "4": {4}, "0-1": {0, 1}, "0-3,8": {0, 1, 2, 3, 8}, "0,2,4-5": {0, 2, 4, 5},
	} {
		if got := ranges(numbers); got != want {
			t.Errorf("%v are %q, not %q", numbers, got, want)
		}
	}
}
