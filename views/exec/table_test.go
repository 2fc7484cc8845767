package exec

import "testing"

// BenchmarkFind looks up a line of each family.
func BenchmarkFind(b *testing.B) {
	table := Standard()
	for _, words := range [][]string{
		{"adapter", "list"}, {"reg", "profile", "apply", "storage"}, {"Get-NetAdapterVPort", "-Name", "Ethernet 7"},
		{"mlxconfig", "-d", "mt4121_pciconf0", "q"}, {"VLAN_CONFIG.EXE", "showlist"},
	} {
		b.Run(words[0]+" "+words[1], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, ok := table.Find(words); !ok {
					b.Fatal("there is no such command")
				}
			}
		})
	}
}

// BenchmarkTable makes the table.
func BenchmarkTable(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		NewTable(hostFamily(), winofFamily(), winof2Family(), firmwareFamily(), powershellFamily())
	}
}

// BenchmarkDescriptions decodes the texts of all commands.
func BenchmarkDescriptions(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		for _, family := range []*Family{hostFamily(), winofFamily(), winof2Family(), firmwareFamily(), powershellFamily()} {
			if _, err := describe(family); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func TestFindAllocatesNothing(t *testing.T) {
	table := Standard()
	words := []string{"reg", "profile", "apply", "storage"}
	if n := testing.AllocsPerRun(100, func() { table.Find(words) }); n > 0 {
		t.Errorf("a look-up allocates %v times", n)
	}
}
