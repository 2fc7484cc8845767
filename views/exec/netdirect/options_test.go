package netdirect

import (
	"slices"
	"strings"
	"testing"

	"cxdeck/device/measurement"
)

// FuzzOptions: any options are a sentence, or a test that the lab can run.
func FuzzOptions(f *testing.F) {
	for _, line := range []string{"-C 10.7.0.21 -a -D 2", "-S fd00::1 -s 4096 -n 7 -p 445", "-C 1.2.3.4 -D 1e300 -e", "-s -s", "-v -c -a 10.1.1.1 -S 65535 -C 3 -V -d", "-s -P -a ::1", "-S"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words := strings.Fields(line)
		for _, tool := range tests() {
			o, err := tool.readOptions(words)
			switch {
			case err != nil:
				if text := err.Error(); text == "" || strings.Contains(text, "\n") && !strings.Contains(line, "\n") {
					t.Errorf("%q: %q", line, text)
				}
			case o.server.IsValid() == o.client.IsValid(), len(o.sizes) == 0, slices.Min(o.sizes) < 1, slices.Max(o.sizes) > measurement.MaxSize,
				o.seconds == 0 && o.iterations < 2, !(o.seconds >= 0 && o.seconds <= maxSeconds):
				t.Errorf("%q is taken as %+v", line, o)
			}
		}
		for _, tool := range pings() {
			if o, err := tool.readOptions(words); err == nil && (o.size < 1 || o.size > maxPingSize || o.count < 1 || o.serves == o.client || !o.address.IsValid()) {
				t.Errorf("%q is taken as %+v", line, o)
			}
		}
	})
}
