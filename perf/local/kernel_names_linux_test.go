package local

import (
	"os"
	"strings"
	"testing"

	"cxdeck/perf"
)

// TestKernelNames: each statistic that the kernel documents for mlx5, and each of representors, has a meaning, for a queue and as the sum of all. ConnectX-5 and
// ConnectX-7, of which there are no whole records, have statistics of the same driver.
func TestKernelNames(t *testing.T) {
	t.Parallel()
	var names []string
	for _, file := range []string{"mlx5-kernel-names.txt", "mlx5-driver-names.txt"} {
		text, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, strings.Fields(string(text))...)
	}
	for _, name := range names {
		for _, index := range []string{"", "7"} {
			if statistic := strings.ReplaceAll(name, "[i]", index); !known(statistic) {
				t.Errorf("%s is unknown", statistic)
			}
		}
	}
	t.Logf("%d names", len(names))
}

func known(statistic string) bool {
	_, _, ok := perf.Statistics().Find("mlx5", statistic)
	return ok
}
