package catalog

import (
	"strings"
	"testing"

	"cxdeck/views/exec"
	"cxdeck/views/exec/firmware"
	"cxdeck/views/exec/host"
	"cxdeck/views/exec/powershell/cmdlets"
	"cxdeck/views/exec/winof"
	"cxdeck/views/exec/winof2"
)

// BenchmarkFind looks up a line of each family.
func BenchmarkFind(b *testing.B) {
	table := Commands()
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

// BenchmarkTable builds the table.
func BenchmarkTable(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		exec.NewTable(host.Family(), winof.Family(), winof2.Family(), firmware.Family(), cmdlets.Family())
	}
}

// BenchmarkDescriptions decodes the texts of all commands.
func BenchmarkDescriptions(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		for _, c := range exec.NewTable(host.Family(), winof.Family(), winof2.Family(), firmware.Family(), cmdlets.Family()).Commands() {
			if c.Describe().Help == "" {
				b.Fatal("there is no help")
			}
		}
	}
}

func TestFindAllocatesNothing(t *testing.T) {
	table := Commands()
	words := []string{"reg", "profile", "apply", "storage"}
	if n := testing.AllocsPerRun(100, func() { table.Find(words) }); n > 0 {
		t.Errorf("a look-up allocates %v times", n)
	}
}

// TestEveryNameFindsItsCommand: a name that begins with the name of another command, such as "events export", stands before it in the
// table.
func TestEveryNameFindsItsCommand(t *testing.T) {
	t.Parallel()
	table := Commands()
	for _, c := range table.Commands() {
		if found, ok := table.Find(strings.Fields(c.Name)); !ok || found.Name != c.Name {
			t.Errorf("%s finds %+v", c.Name, found)
		}
	}
}
