package twin

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestHostileExports: control characters, numbers of megabytes, deep documents and duplicated names make a twin or a sentence, in short time.
func TestHostileExports(t *testing.T) {
	t.Parallel()
	digits := strings.Repeat("9", 8<<20)
	for name, text := range map[string]string{
		"control characters":   `[{"Name":"\u001b[31m\u0000Ethernet","InterfaceDescription":"Mellanox ConnectX-5\u0007 Adapter","MacAddress":"24-8A-07-00-00-02"}]`,
		"a number of 8 MB":     `[{"Name":"Ethernet 2","NumaNode":` + digits + `,"Bus":` + digits + `}]`,
		"an exponent":          `[{"Name":"vm","State":2,"MemoryStartup":1e999999999}]`,
		"a team of a number":   `[{"Name":1e400,"TeamingMode":` + digits[:400] + `,"LoadBalancingAlgorithm":-1}]`,
		"a deep document":      strings.Repeat(`[{"a":`, 1<<20),
		"braces in a text":     `[{"Name":"` + strings.Repeat("[{", 1<<20) + `","Team":"x","VlanId":1}]`,
		"duplicated names":     `[{"Name":"a","Name":"b","name":"c","NAME":"d","TeamingMode":0,"Teaming Mode":1,"LoadBalancingAlgorithm":0}]`,
		"a setting of 8 MB":    "Device type: X\nPCI device: mt4115_pciconf0\nConfigurations: Current\n SRIOV_EN " + digits + "\n NUM_OF_VFS 0x" + digits + "\n",
		"many settings":        "Device type: X\nPCI device: mt4115_pciconf0\nConfigurations: Current\n" + manyLines(" S%06d 1\n", 200_000),
		"many cards":           manyLines("hca_idx=%d\nvendor_part_id=99999999999999999999\n", 100_000),
		"processors":           "System snapshot of \x1b[31mH\nProcessors: 99999999999999999999 in -5 NUMA nodes\n",
		"a bundle of numbers":  `{"cxdeck_bundle":1,"machine":{"interfaces":[{"index":` + digits[:100] + `}]}}`,
		"a registry of digits": "Windows Registry Editor Version 5.00\r\n\r\n[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\mlx5]\r\n\"x\"=dword:" + digits[:1<<20] + "\r\n",
	} {
		begun := time.Now()
		tryExport(t, []byte(text))
		if took := time.Since(begun); took > 10*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

func manyLines(format string, count int) string {
	var b strings.Builder
	for i := range count {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// TestManyObjects: the maximum number of objects is read in short time, and more cards than a lab can have are refused.
func TestManyObjects(t *testing.T) {
	t.Parallel()
	begun := time.Now()
	facts := &Facts{}
	for name, object := range map[string]string{
		"adapters": `{"Name":"Ethernet %d","InterfaceDescription":"Mellanox ConnectX-5 Adapter #%[1]d","MacAddress":"24-8A-07-00-00-02"},`,
		"hardware": `{"Name":"Ethernet %d","NumaNode":0,"Bus":1,"Device":0,"Function":0},`, "machines": `{"Name":"vm%d","State":2,"MemoryStartup":1},`,
		"machineadapters": `{"VMName":"vm%d","SwitchName":"S","IsManagementOs":false},`,
	} {
		text := manyLines(object, maxRows)
		if _, err := facts.Add(name, []byte("["+strings.TrimSuffix(text, ",")+"]")); err != nil {
			t.Fatal(err)
		}
		if _, err := facts.Add(name, []byte("["+text+strings.TrimSuffix(text, ",")+"]")); err == nil || !strings.Contains(err.Error(), "more than 20000") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := facts.Make("x", time.Unix(1_700_000_000, 0)); err == nil || !strings.Contains(err.Error(), "more than 32 cards") {
		t.Errorf("%v", err)
	}
	facts.adapters = facts.adapters[:1]
	d, err := facts.Make("x", time.Unix(1_700_000_000, 0))
	if err != nil || len(d.Machines) != maxMachines {
		t.Errorf("%v", err)
	}
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

// TestSettingsOfTheFirmware: mlxconfig prints one value or, with -e, the default, the current and the next one; devices are named by mst, by a
// function of the card or by its PCI address.
func TestSettingsOfTheFirmware(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"the current values":  "Device #1:\n----------\n\nDevice type:    ConnectX4\nName:           MCX416A\nDevice:         mt4115_pciconf0\n\nConfigurations:              Next Boot\n         NUM_OF_VFS          8\n         SRIOV_EN            True(1)\n         LINK_TYPE_P1        ETH(2)\n         HOST_CHAIN          Array[0..7]\n",
		"three columns":       "Device type: ConnectX4\nPCI device: /dev/mst/mt4115_pciconf0\nConfigurations:        Default      Current      Next Boot\n*        NUM_OF_VFS    0            8            16\n*        SRIOV_EN      False(0)     True(1)      True(1)\n         LINK_TYPE_P1  ETH(2)       ETH(2)       ETH(2)\n",
		"the second function": "Device type: ConnectX4\nDevice: mt4115_pciconf0.1\nConfigurations: Current\n NUM_OF_VFS 0x8\n SRIOV_EN 1\n LINK_TYPE_P1 2\n",
		"a PCI address":       "Device type: ConnectX4\nDevice: 0000:04:00.1\nConfigurations: Current\n NUM_OF_VFS 8\n SRIOV_EN 1\n LINK_TYPE_P1 2\n",
	} {
		facts := &Facts{}
		for _, export := range []string{onePort, `[{"Name":"Ethernet 2","NumaNode":0,"Bus":4,"Device":0,"Function":0}]`, strings.ReplaceAll(text, "\n", "\r\n")} {
			if _, err := facts.Add("file", []byte(export)); err != nil {
				t.Fatal(err)
			}
		}
		d, err := facts.Make("x", time.Unix(1_700_000_000, 0))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := d.Adapters[0].Flash, map[string]int{"NUM_OF_VFS": 8, "SRIOV_EN": 1, "LINK_TYPE_P1": 2}; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// TestSameFileSameTwin: names that fold to the same one have one meaning, in each run.
func TestSameFileSameTwin(t *testing.T) {
	t.Parallel()
	for range 20 {
		rows, err := parseRows(`[{"Bandwidth":"20","Bandwidth(%)":"30","bandwidth":"40","Band width":"","Name":"x","Name":"y"}]`)
		if err != nil || rows[0].text("bandwidth") != "20" || rows[0].text("name") != "y" {
			t.Fatalf("%v, %v", rows, err)
		}
	}
}
