package powershell

import (
	"net/netip"
	"strings"
	"testing"

	"cxdeck/device/description"
)

// TestBind binds parameters to fields of every type, and checks defaults and the errors of missing and invalid values.
func TestBind(t *testing.T) {
	t.Parallel()
	type fields struct {
		Name    string `need:"a name"`
		Number  int    `default:"7"`
		Count   *int
		Subnet  uint32
		On      bool `default:"true"`
		Switch  *bool
		Address netip.Addr
		Prefix  netip.Prefix
		MAC     *description.MAC
		Mode    string `one:"Active,Standby"`
	}
	bind := func(values map[string][]string) (in fields, err error) {
		return in, (&Invocation{Command: "Set-X", Values: values}).Bind(&in)
	}
	in, err := bind(map[string][]string{"Name": {"a"}})
	if err != nil || in.Number != 7 || !in.On || in.Count != nil || in.Switch != nil || in.MAC != nil || in.Mode != "Active" {
		t.Errorf("the defaults are %+v, %v", in, err)
	}
	in, err = bind(map[string][]string{"Name": {"a"}, "Number": {"1"}, "Count": {"2"}, "Subnet": {"3"}, "On": {"$false"}, "Switch": {"1"},
		"Address": {"10.0.0.1"}, "Prefix": {"10.0.0.0/8"}, "MAC": {"00155D720100"}, "Mode": {"standby"}})
	if err != nil || in.Number != 1 || *in.Count != 2 || in.Subnet != 3 || in.On || !*in.Switch || in.Address.String() != "10.0.0.1" ||
		in.Prefix.Bits() != 8 || in.MAC[0] != 0 || in.MAC[1] != 0x15 || in.Mode != "Standby" {
		t.Errorf("all parameters are bound to %+v, %v", in, err)
	}
	for wrong, values := range map[string]map[string][]string{
		"Set-X requires -Name with a name":                          {},
		`-Number of Set-X must be an integer, not "x"`:              {"Number": {"x"}},
		`-Count of Set-X must be an integer, not "1.5"`:             {"Count": {"1.5"}},
		`-Subnet of Set-X must be an integer, not "-1"`:             {"Subnet": {"-1"}},
		`-Switch of Set-X must be $true or $false, not "maybe"`:     {"Switch": {"maybe"}},
		`-Address of Set-X must be an IP address, not "fe80::1%x"`:  {"Address": {"fe80::1%x"}},
		`-Prefix of Set-X must be a network such as 172.16.0.0/16,`: {"Prefix": {"10.0.0.1"}},
		`invalid MAC address "x"`:                                   {"MAC": {"x"}},
		`invalid value "Stand" for -Mode of Set-X`:                  {"Mode": {"Stand"}},
	} {
		if values["Name"] == nil && len(values) > 0 {
			values["Name"] = []string{"a"}
		}
		if _, err := bind(values); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%v is read with %v, want %q", values, err, wrong)
		}
	}
}
