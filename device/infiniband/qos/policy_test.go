package qos

import "testing"

// TestPolicy: a path has the level of the first rule that matches it, as OpenSM reads the file.
func TestPolicy(t *testing.T) {
	t.Parallel()
	p, err := ParsePolicy(`
# levels by protocol
qos-ulps
    default                       : 1
    any, service-id 0x6234,0x6240-0x6250 : 2
    any, pkey 0x0ABC              : 6
    ipoib, pkey 0x8001            : 4
    any, target-port-guid 0x2c90300b10021 : 7
    rds                           : 8
    sdp, port-num 10000-20000     : 9
    ipoib                         : 3
end-qos-ulps
`)
	if err != nil || !p.Valid() {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path Path
		want uint8
	}{
		{Path{Service: 0x6234}, 2}, {Path{Service: 0x6241, Key: 0xffff}, 2}, {Path{Service: 0x6251}, 1}, {Path{Key: 0x8abc}, 6}, {Path{Key: 1}, 4},
		{Path{Key: 2, Target: 0x2c90300b10021}, 7}, {Path{Service: ConnectionService + 18634, Key: 2}, 8}, {Path{Service: 0x10000 + 15000, Key: 5}, 9},
		{Path{Service: ConnectionService + 445, Key: 0xffff}, 3}, {Path{Key: 0xffff}, 3}, {Path{Key: 0x9}, 1},
	} {
		if got := p.LevelOf(c.path); got != c.want {
			t.Errorf("%+v has level %d, expected %d", c.path, got, c.want)
		}
	}
	if (*Policy)(nil).LevelOf(Path{Key: 5}) != 0 {
		t.Error("without a policy paths have level 0")
	}
	for _, text := range []string{
		"qos-levels\nend-qos-levels", "qos-ulps\ndefault : 16\nend-qos-ulps", "qos-ulps\ndefault : 0", "qos-ulps\nany : 1\nend-qos-ulps",
		"qos-ulps\nany, service-id x : 1\nend-qos-ulps", "qos-ulps\nany, service-id 5-4 : 1\nend-qos-ulps", "qos-ulps\nipoib, service-id 5 : 1\nend-qos-ulps",
		"qos-ulps\nsdp, port-num 70000 : 1\nend-qos-ulps", "qos-ulps\nipoib\nend-qos-ulps",
	} {
		if _, err := ParsePolicy(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
	if p, err := ParsePolicy("\n"); p != nil || err != nil {
		t.Errorf("an empty file: %v, %v", p, err)
	}
}

func FuzzPolicy(f *testing.F) {
	f.Add("qos-ulps\nany, pkey 0x1 : 3\ndefault : 0\nend-qos-ulps")
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := ParsePolicy(text); err == nil && p != nil && (!p.Valid() || p.LevelOf(Path{Key: 1}) >= Levels) {
			t.Errorf("%+v", p)
		}
	})
}
