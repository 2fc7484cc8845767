package driver

import (
	"testing"

	"cxdeck/driver/adapters"
)

func TestNamesAreQuotedForPowerShell(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Ethernet 7":          `Restart-NetAdapter -Name "Ethernet 7"`,
		"it's $(Remove-Item)": `Restart-NetAdapter -Name 'it''s $(Remove-Item)'`,
		"a`b\"c":              "Restart-NetAdapter -Name ([WildcardPattern]::Escape('a`b\"c'))",
		"’; Stop-Computer; ‘": `Restart-NetAdapter -Name '’’; Stop-Computer; ‘‘'`,
		"two\nlines":          `Restart-NetAdapter -Name ('two' + [char]10 + 'lines')`,
	} {
		if got := (adapters.RestartAdapter{Connection: name}).Commands()[0]; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := (adapters.DisableAdapter{Connection: "Ethernet 7"}).Commands()[0]; got != `Disable-NetAdapter -Name "Ethernet 7" -Confirm:$false` {
		t.Errorf("got %s", got)
	}
}
