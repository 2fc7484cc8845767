package twin

import (
	"strings"
	"testing"
	"time"

	"cxdeck/device/description"
)

// onePort is the output of Get-NetAdapter with which the fuzzed exports make a twin.
const onePort = `[{"Name":"Ethernet 2","InterfaceDescription":"Mellanox ConnectX-4 Adapter","MacAddress":"24-8A-07-00-00-04"}]`

// tryExport makes a twin of a port and an export: an error is a sentence, and a twin that is made can be loaded and has only clean text.
func tryExport(t *testing.T, data []byte) {
	t.Helper()
	facts := &Facts{}
	if _, err := facts.Add("adapters", []byte(onePort)); err != nil {
		t.Fatal(err)
	}
	if _, err := facts.Add("file", data); err != nil {
		checkSentence(t, err)
		return
	}
	d, err := New(facts, "twin", time.Unix(1_700_000_000, 0))
	if err != nil {
		checkSentence(t, err)
		return
	}
	if err := Check(d); err != nil {
		t.Errorf("the twin can't be loaded: %v", err)
	}
	for _, line := range append(append([]string{d.Host.Name, d.Host.System}, d.Twin.Assumed...), d.Twin.Unknown...) {
		if strings.ContainsAny(line, "\x1b\x07\r\n\x00") || len(line) > 400 {
			t.Errorf("%d bytes: %.400q", len(line), line)
		}
	}
}

func checkSentence(t *testing.T, err error) {
	t.Helper()
	if text := err.Error(); len(text) > 2000 || strings.ContainsAny(text, "\x1b\x07\x00") {
		t.Errorf("%d bytes: %.400q", len(text), text)
	}
}

// FuzzExport: no file makes more than an error of one sentence, and a twin that is made can be loaded.
func FuzzExport(f *testing.F) {
	f.Add([]byte(`[{"Name":"Ethernet","InterfaceDescription":"Mellanox ConnectX-5 Adapter","MacAddress":"24-8A-07-00-00-02","Speed":25000000000}]`))
	f.Add([]byte("\xff\xfe[\x00]\x00"))
	f.Fuzz(tryExport)
}

// FuzzRows reads the JSON of cmdlets.
func FuzzRows(f *testing.F) {
	for _, object := range []string{
		`{"Name":"T","TeamingMode":0,"LoadBalancingAlgorithm":5,"Members":["Ethernet 2"]}`, `{"Team":"T","VlanId":42,"Name":"v"}`, `{"Team":"T","AdministrativeMode":0,"Name":"Ethernet 2"}`,
		`{"Name":"S","SwitchType":"External","NetAdapterInterfaceDescription":"Mellanox ConnectX-4 Adapter","IovEnabled":true}`, `{"Name":"vm","State":2,"MemoryStartup":4294967296}`,
		`{"VMName":"vm","SwitchName":"S","IsManagementOs":false,"VlanSetting":{"AccessVlanId":7},"IovWeight":100}`, `{"Name":"tc3","Algorithm":"ETS","Priority":["3"],"Bandwidth(%)":50}`,
		`{"Priority":3,"Enabled":true}`, `{"Name":"p","Precedence":127,"NetDirectPort":445,"PriorityValue":3}`, `{"Willing":false}`, `{"IPAddress":"10.0.0.1","PrefixLength":24,"InterfaceAlias":"Ethernet 2"}`,
		`{"Name":"Ethernet 2","RegistryKeyword":"*JumboPacket","RegistryValue":["9014"]}`, `{"Name":"Ethernet 2","NumaNode":0,"Bus":4,"Device":0,"Function":0,"PcieLinkSpeed":"8.0 GT/s","PcieLinkWidth":16}`,
		`{"SriovPort1NumVFs":4,"InstanceId":"PCI\\VEN_15B3&DEV_1003"}`, `{"NumberOfLogicalProcessors":32,"Name":"H"}`, `{"Caption":"Microsoft Windows","CSName":"H"}`,
	} {
		f.Add(object)
	}
	f.Fuzz(func(t *testing.T, object string) { tryExport(t, []byte("["+object+"]")) })
}

// FuzzRegistry reads a registry file with keys of the network class.
func FuzzRegistry(f *testing.F) {
	f.Add("\"DriverDesc\"=\"Mellanox ConnectX-5 Adapter\"\r\n\"*JumboPacket\"=\"9014\"\r\n\"Odd\"=hex(7):41,00,00,00\r\n")
	f.Fuzz(func(t *testing.T, values string) {
		tryExport(t, []byte("Windows Registry Editor Version 5.00\r\n\r\n[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e972-e325-11ce-bfc1-08002be10318}\\0001]\r\n"+values))
	})
}

// FuzzSettings reads the output of mlxconfig.
func FuzzSettings(f *testing.F) {
	f.Add("PCI device: mt4115_pciconf0\nConfigurations: Default Current Next Boot\n* SRIOV_EN False(0) True(1) True(1)\n NUM_OF_VFS 0 8 8\n X Array[0..7]\n")
	f.Fuzz(func(t *testing.T, text string) {
		tryExport(t, []byte("Device type: ConnectX4\nConfigurations:\n"+text))
	})
}

// FuzzVstat reads the output of vstat.
func FuzzVstat(f *testing.F) {
	f.Add("vendor_part_id=4115\nfw_ver=12.1.0\nPSID=MT_1\nnode_guid=248a:0703:00a4:e1d0\nport=1\ninterface=Mellanox ConnectX-4 Adapter\nport_guid=248a:0703:00a4:e1d0\ntransport=RoCE v2.0\n")
	f.Fuzz(func(t *testing.T, text string) { tryExport(t, []byte("hca_idx=0\n"+text)) })
}

// FuzzStat reads the output of mlx5cmd -stat.
func FuzzStat(f *testing.F) {
	f.Add("Ethernet 2: Mellanox ConnectX-4 Adapter\n  PCI Address: 04:00.0\n  Device Id: 4115\n  PSID: MT_1\n  Firmware Version: 12.1\n  Node GUID: 248a:0703:00a4:e1d0\n  RoCE Mode: v2\n  Link Type: ETH\n")
	f.Fuzz(func(t *testing.T, text string) { tryExport(t, []byte("PCI Address: \nDriver Version: \n"+text)) })
}

// FuzzSnapshot reads the system snapshot.
func FuzzSnapshot(f *testing.F) {
	f.Add("Name: H\nSystem: Windows\nProcessors: 16 in 2 NUMA nodes\nAdapter  PCI      Firmware  PSID  Driver  Version  State  Node GUID\nX        04:00.0  1.2.3     MT_1  mlx5    24.4     up     248a0703001c2b3c\n")
	f.Fuzz(func(t *testing.T, text string) { tryExport(t, []byte("System snapshot of H\n"+text)) })
}

// FuzzBundle reads the bundle of a Linux machine.
func FuzzBundle(f *testing.F) {
	f.Add(`{"name":"n","adapters":[{"address":"0000:04:00.0","vendor":"15b3","device":"1017","driver":"mlx5_core"}],"interfaces":[{"name":"e","index":1,"mac":"24:8a:07:11:22:1c","adapter":"0000:04:00.0","up":true,` +
		`"settings":[{"name":"mtu","value":"9000"},{"name":"vfs","value":"4"}],"dcb":{"pfc":[3],"priority_class":[0,0,0,1,0,0,0,0],"class_bandwidth":[50,50],"class_selection":["ets","ets"]}},{"name":"b","kind":"bond","settings":[{"name":"bond.mode","value":"802.3ad"}],"members":[{"name":"e"}]}]}`)
	f.Fuzz(func(t *testing.T, machine string) { tryExport(t, []byte(`{"cxdeck_bundle":1,"machine":`+machine+"}")) })
}

// FuzzTwin loads the registry and the settings of a stored twin.
func FuzzTwin(f *testing.F) {
	f.Add(`[HKEY_LOCAL_MACHINE\SYSTEM\X]`, `{"kind":"set-dcbx","willing":true}`)
	f.Fuzz(func(t *testing.T, line, setup string) {
		if err := Check(&description.Description{Twin: &description.Twin{Registry: []string{line}, Setup: []string{setup}}}); err != nil {
			checkSentence(t, err)
		}
	})
}
