package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// outsideTime are the calls that read or wait for the wall clock, and the imports of random numbers without a seed of the caller.
var outsideTime = regexp.MustCompile(`\btime\.(Now|Since|Until|After|AfterFunc|NewTimer|NewTicker|Tick|Sleep)\(|"math/rand"|"crypto/rand"|` +
	`\brand\.(Int\w*|Uint\w*|Float\w+|Perm|Shuffle|NormFloat64|ExpFloat64|N)\(`)

// TestTimeAndSeedsComeFromOutside: device and driver read no clock and no global random numbers, so that the same seed gives the same host.
func TestTimeAndSeedsComeFromOutside(t *testing.T) {
	t.Parallel()
	for line, wrong := range map[string]bool{
		"began := time.Now()": true, "case <-time.After(d):": true, "n := rand.IntN(3)": true, `import "math/rand"`: true,
		"now := h.Now()": false, "n := l.random.IntN(3)": false, `import "math/rand/v2"`: false, "r := rand.New(rand.NewPCG(seed, 0))": false,
	} {
		if outsideTime.MatchString(line) != wrong {
			t.Errorf("%s reads the clock or global random numbers: want %v", line, wrong)
		}
	}
	for _, room := range []string{"device", "driver"} {
		err := filepath.WalkDir(room, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			if strings.HasSuffix(filepath.Dir(path), "test") { // helpers of tests wait for real programs
				return nil
			}
			text, err := os.ReadFile(path)
			if found := outsideTime.Find(text); found != nil {
				t.Errorf("%s reads the clock or global random numbers: %s", path, found)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
