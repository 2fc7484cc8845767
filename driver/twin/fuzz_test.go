package twin

import (
	"testing"
	"time"
)

// FuzzExport: no file makes more than an error of one sentence, and a twin that is made can be loaded.
func FuzzExport(f *testing.F) {
	f.Add([]byte(`[{"Name":"Ethernet","InterfaceDescription":"Mellanox ConnectX-5 Adapter","MacAddress":"24-8A-07-00-00-02","Speed":25000000000}]`))
	f.Add([]byte("Windows Registry Editor Version 5.00\r\n\r\n[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e972-e325-11ce-bfc1-08002be10318}\\0001]\r\n\"DriverDesc\"=\"Mellanox ConnectX-5 Adapter\"\r\n"))
	f.Add([]byte("hca_idx=0\nvendor_part_id=4099\nport=1\ninterface=x\n"))
	f.Add([]byte("Device type: ConnectX5\nPCI device: mt4119_pciconf0\nConfigurations: Current\n SRIOV_EN True(1)\n"))
	f.Add([]byte("System snapshot of H\nProcessors: 16 in 2 NUMA nodes\nAdapter PCI Firmware PSID Driver Version State Node GUID\nx\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		facts := &Facts{}
		_ = facts.addRowsOf(t, `[{"Name":"Ethernet 2","InterfaceDescription":"Mellanox ConnectX-4 Adapter","MacAddress":"24-8A-07-00-00-04"}]`)
		if _, err := facts.Add("file", data); err != nil {
			return
		}
		d, err := New(facts, "twin", time.Unix(1_700_000_000, 0))
		if err == nil {
			err = Check(d)
		}
		if err != nil && len(err.Error()) > 2000 {
			t.Errorf("%d bytes: %.200v", len(err.Error()), err)
		}
	})
}

func (f *Facts) addRowsOf(t *testing.T, text string) error {
	t.Helper()
	_, err := f.Add("adapters", []byte(text))
	return err
}
