package regfile

import (
	"errors"
	"testing"
)

// TestTheLargestFileIsRead holds that a file of exactly the limit is looked into: the bytes that it begins with are what it is
// refused for. TestLimits holds that one of a byte more is not.
func TestTheLargestFileIsRead(t *testing.T) {
	t.Parallel()
	data := make([]byte, maxFileSize)
	copy(data, markUTF16Big)
	var syntax *SyntaxError
	if _, err := Parse(data); !errors.As(err, &syntax) {
		t.Errorf("%v", err)
	}
}
