package find

import (
	"os"
	"testing"

	"cxdeck/store"
)

// BenchmarkCondition searches a session of thirty days for conditions: the file that BenchmarkMonth in store leaves at
// CXDECK_MONTH.
func BenchmarkCondition(b *testing.B) {
	path := os.Getenv("CXDECK_MONTH")
	if path == "" {
		b.Skip("CXDECK_MONTH names no file")
	}
	db, err := store.Open(b.Context(), path, store.Options{ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	for name, text := range map[string]string{
		"OnePort":  "drops on Ethernet 7 > 1k/s for 10s",
		"AllPorts": "drops > 1/s",
		"Often":    `\Network Interface(*)\Bytes Received/sec > 1 Gb/s for 10s`,
	} {
		b.Run(name, func(b *testing.B) {
			found := 0
			for b.Loop() {
				list, _, err := Search(b.Context(), db, text, Options{Limit: 1000})
				if err != nil {
					b.Fatal(err)
				}
				found = len(list)
			}
			b.ReportMetric(float64(found), "found")
		})
	}
}
