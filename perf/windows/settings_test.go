package windows

import (
	"bytes"
	"strings"
	"testing"

	"cxdeck/driver/linuxhost"
	"cxdeck/driver/registry/regfile"
)

// wholeRegistry is HKEY_LOCAL_MACHINE of the fake machine, with services.
func wholeRegistry() fakeKey {
	all := map[string][]regfile.Value{}
	for path, values := range machineRegistry().values {
		all[`SYSTEM\CurrentControlSet\Control\`+path] = values
	}
	all[`SYSTEM\CurrentControlSet\Services\mlx5\Parameters`] = []regfile.Value{regfile.NumberValue("CrashDump", 1), {Name: "Blob", Type: regfile.Binary, Data: []byte{1}}}
	all[`SYSTEM\CurrentControlSet\Services\mlx5\Parameters\Roce`] = []regfile.Value{regfile.NumberValue("Surprise", 3)}
	all[`SYSTEM\CurrentControlSet\Services\tcpip\Parameters`] = []regfile.Value{regfile.NumberValue("Foreign", 1)}
	return fakeKey{values: all}
}

func readMachine(t *testing.T) *linuxhost.Machine {
	t.Helper()
	m, err := ReadMachine(wholeRegistry())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestSettingsOfTheRegistry(t *testing.T) {
	t.Parallel()
	m := readMachine(t)
	var names []string
	for _, i := range m.Interfaces {
		names = append(names, i.Name)
	}
	if got := strings.Join(names, ", "); got != "Intel(R) I350, Ethernet (RDMA), mlx5" {
		t.Fatalf("the interfaces are %s", got)
	}
	if n := len(m.Interfaces[0].Settings); n != 0 {
		t.Errorf("an adapter of another vendor has %d settings", n)
	}
	port, _ := m.Interface("Ethernet (RDMA)")
	jumbo, ok := port.Setting("*jumbopacket")
	if !ok || jumbo.Value != "1514" || jumbo.Type != "REG_SZ" || jumbo.Meaning == "" || !strings.Contains(jumbo.Effect, "Restart-NetAdapter -Name 'Ethernet (RDMA)'") {
		t.Errorf("%+v", jumbo)
	}
	if unknown, _ := port.Setting("NumVFs"); unknown.Meaning != Unknown || unknown.Value != "8" || unknown.Type != "REG_DWORD" {
		t.Errorf("%+v", unknown)
	}
	if absent, ok := port.Setting("*RSS"); !ok || absent.Value != linuxhost.NoValue {
		t.Errorf("%+v", absent)
	}
	for _, s := range port.Settings {
		if strings.ContainsAny(s.Name+s.Value, "\x1b") {
			t.Errorf("%q has control characters", s.Name)
		}
	}
	service, _ := m.Interface("mlx5")
	if surprise, ok := service.Setting(`Parameters\Roce\Surprise`); !ok || surprise.Registry != `SYSTEM\CurrentControlSet\Services\mlx5\Parameters\Roce` || surprise.Meaning != Unknown {
		t.Errorf("%+v", surprise)
	}
	if blob, _ := service.Setting(`Parameters\Blob`); blob.Fixed == "" {
		t.Errorf("%+v", blob)
	}
	sheets := Sheets(m)
	if len(sheets) != 3 || len(sheets[0].Rows) != 2 || !strings.HasPrefix(sheets[1].Title, "Registry of Ethernet") {
		t.Errorf("%+v", sheets)
	}
}

func TestValuesOfTheRegistryAreChecked(t *testing.T) {
	t.Parallel()
	m := readMachine(t)
	for assignment, want := range map[string]string{
		"*JumboPacket=0x2336": "9014", "*JumboPacket=1": "must be", "*JumboPacket=big": "must be", "*JumboPacket=4000000000": "must be",
		"NumVFs=0x10": "16", "NumVFs=many": "must be an integer", "DriverDesc=x": "can't be changed", "*RSS=0": "0", "*RSS=7": "must be", "Nothing=1": "has no setting",
		"*JumboPacket=absent": "absent", "NumVFs=8": "",
	} {
		plan, err := linuxhost.NewPlan(m, "Ethernet (RDMA)", []string{assignment})
		switch {
		case err != nil && (want == "" || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v", assignment, err)
		case err == nil && want == "" && len(plan) > 0, err == nil && want != "" && (len(plan) != 1 || plan[0].New != want):
			t.Errorf("%s: %+v", assignment, plan)
		}
	}
}

func TestPlanOfTheRegistry(t *testing.T) {
	t.Parallel()
	m := readMachine(t)
	plan, err := linuxhost.NewPlan(m, "Ethernet (RDMA)", []string{"*JumboPacket=9014", "NumVFs=16", "*RSS=1"})
	if err != nil || len(plan) != 3 {
		t.Fatalf("%v: %+v", err, plan)
	}
	const key = `HKLM:\SYSTEM\CurrentControlSet\Control\Class\{4D36E972-E325-11CE-BFC1-08002BE10318}\0005`
	if got, want := plan[1].Command(), `Set-ItemProperty -LiteralPath '`+key+`' -Name 'NumVFs' -Type DWord -Value '16'`; got != want {
		t.Errorf("%s", got)
	}
	if got, want := plan.Inverse()[0].Command(), `Remove-ItemProperty -LiteralPath '`+key+`' -Name '*RSS'`; got != want {
		t.Errorf("%s", got)
	}
	data, err := EncodePlan(plan)
	if err != nil {
		t.Fatal(err)
	}
	file, err := regfile.Parse(data)
	if err != nil || len(file.Keys) != 1 || len(file.Keys[0].Values) != 3 {
		t.Fatalf("%v: %+v", err, file)
	}
	if n, _ := file.Keys[0].Values[1].Number(); n != 16 {
		t.Errorf("%+v", file.Keys[0].Values)
	}
	if data, err = EncodeBackup(wholeRegistry(), plan); err != nil {
		t.Fatal(err)
	}
	file, err = regfile.Parse(data)
	if err != nil || len(file.Keys) != 1 {
		t.Fatalf("%v: %+v", err, file)
	}
	deleted := 0
	for _, v := range file.Keys[0].Values {
		if v.Delete && v.Name == "*RSS" {
			deleted++
		}
		if text, _ := v.Text(); v.Name == "*JumboPacket" && text != "1514" {
			t.Errorf("the backup has %q", text)
		}
	}
	if deleted != 1 || bytes.Contains(data, []byte("\x1b")) {
		t.Errorf("the backup deletes %d values: %+v", deleted, file.Keys[0].Values)
	}
}
