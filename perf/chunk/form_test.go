package chunk_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cxdeck/perf/chunk"
)

// smallBlocks returns edge cases of the choice between the forms.
func smallBlocks() map[string][]int64 {
	still := make([]int64, 40)
	once, late := slices.Clone(still), make([]int64, 200)
	once[20], late[199] = 1000, -70
	return map[string][]int64{
		"nothing": {}, "one": {-3}, "still": still, "once": once, "late": late, "steady": {5, 15, 25, 35}, "falling": {9, 6, 3, 0},
		"up and down": {0, 1, 0, 1, 0}, "two moves": {0, 0, 64, 64, 64, 0, 0, 0, 0, 0, 0, 0}, "wide": {0, math.MaxInt64, math.MinInt64, -1},
		"a full word": {0, 0x7fffffff, 0, 0x7fffffff, 0}, "a tie": {0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, "at the start": {0, 1, 1, 1, 1, 1},
	}
}

// TestTheFormOfBlocks checks the bytes of small blocks and the digest of many: existing databases contain them, so the form
// must not change.
func TestTheFormOfBlocks(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"a full word":  "050020fdffffff0ffeffffff00000000feffffff00000000",
		"a tie":        "0a00410802",
		"at the start": "0600010001",
		"falling":      "04120005",
		"late":         "c8010041c6018b01",
		"nothing":      "00",
		"once":         "28004113d00f00cf0f",
		"one":          "0105",
		"steady":       "040a0014",
		"still":        "280041",
		"two moves":    "0c0041018001027f",
		"up and down":  "0500020122",
		"wide":         "04004100feffffffffffffffff01000200feffffffffffffffff01",
	}
	for name, values := range smallBlocks() {
		if got := hex.EncodeToString(chunk.Append(nil, values)); got != want[name] {
			t.Errorf("%s: %q: %q,", name, name, got)
		}
	}
	digest, size := sha256.New(), 0
	random := rand.New(rand.NewPCG(5, 6))
	for length := range 130 {
		all := shapes(random, length)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			block := chunk.Append(nil, all[name])
			_, _ = digest.Write(block) // a hash never returns an error
			size += len(block)
		}
	}
	const wantDigest, wantSize = "4aac2451c12a88fd05fc5dc563beefa90829c7668d3d66b34c9218ecc31ecd00", 225916
	if got := fmt.Sprintf("%x", digest.Sum(nil)); got != wantDigest || size != wantSize {
		t.Errorf("many blocks: %s in %d bytes, want %s in %d", got, size, wantDigest, wantSize)
	}
}
