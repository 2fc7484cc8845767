package lab

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
	"cxdeck/perf"
)

// keyState is a key whose effect is a state or an event, and the test that proves it.
type keyState struct {
	family description.Family
	key    string
	effect string
	// file is the file of the test or of its table, relative to the root of the project.
	file, test string
}

// keyStates returns keys with another effect than the change of a counter.
func keyStates() []keyState {
	return []keyState{
		{description.WinOF2, "*JumboPacket", "an event says that the value was too large", "driver/values_test.go", "TestStartEventsOfTheDriver"},
		{description.WinOF2, "*RSS", "an event says that the adapter runs without RSS", "driver/values_test.go", "TestStartEventsOfTheDriver"},
		{description.WinOF, "*RSS", "an event says that the ports of the card differ", "driver/values_test.go", "TestStartEventsOfTheDriver"},
		{description.WinOF2, "*FlowControl", "an event says that RoCE has no flow control", "driver/values_test.go", "TestStartEventsOfTheDriver"},
		{description.WinOF2, "EnableRSS", "the adapter does not start (Code 10)", "driver/values_test.go", "TestStartEventsOfTheDriver"},
		{description.WinOF2, "NetworkAddress", "an address of a group stops the start (Code 10)", "driver/values_test.go", "TestStartEventsOfTheDriver"},
		{description.WinOF, "DscpForGlobalFlowControl", "the QoS screen and `qos path` show the DSCP of RDMA under global pause", "driver/marking_test.go", "TestTheDSCPOfRDMA"},
		{description.WinOF, "roce_mode", "an event says that the ports of the card don't go together", "driver/values_test.go", "TestStartEventsOfTheDriver"},
		{description.WinOF, "CheckFwVersion", "the adapter starts with old firmware, too", "driver/values_test.go", "TestOldFirmwareStopsTheStart"},
		{description.WinOF, "DumpMeNowTotalCount", "the folders of Dump Me Now that are kept", "driver/dump_test.go", "TestDumpMeNowHasSlots"},
		{description.WinOF, "DumpMeNowPreservedCountMin", "the folders of Dump Me Now that no later one replaces", "driver/dump_test.go", "TestDumpMeNowHasSlots"},
		{description.WinOF, "DmnIovMode", "the objects of virtual functions in a folder of Dump Me Now", "driver/dump_test.go", "TestDmnIovModeSelectsTheObjects"},
		{description.WinOF, "DumpModeFlags", "the changes of a link for which a state dump is written", "driver/dump_test.go", "TestWinOFDumpsItsState"},
		{description.WinOF, "DumpEventsNum", "the number of state dumps for each event", "driver/dump_test.go", "TestWinOFDumpsItsState"},
		{description.WinOF2, "DumpEventsNum", "the number of state dumps for each event", "driver/dump_test.go", "TestWinOF2DumpsItsState"},
		{description.WinOF2, "MstDumpMode", "state dumps are written, or not", "driver/dump_test.go", "TestWinOF2DumpsItsState"},
		{description.WinOF2, "EnableDumpOnPortDown", "a state dump is written when a link goes down", "driver/dump_test.go", "TestWinOF2DumpsItsState"},
		{description.WinOF2, "EnableDumpOnUnknownLink", "a state dump is written when the driver stops a port", "driver/dump_test.go", "TestWinOF2DumpsItsState"},
		{description.WinOF2, "DisableDumpOnEqStuck", "a stuck event queue writes a state dump, or not", "driver/dump_test.go", "TestStuckQueuesAreDumped"},
		{description.WinOF2, "DisableDumpOnRxCqStuck", "a stuck receive queue writes a state dump, or not", "driver/dump_test.go", "TestStuckQueuesAreDumped"},
		{description.WinOF2, "DisableDumpOnTxCqStuck", "a stuck send queue writes a state dump, or not", "driver/dump_test.go", "TestWinOF2DumpsItsState"},
		{description.WinOF, "SHMPResetActiveSensorsMask", "a sensor that reports restarts the adapter or doesn't", "driver/health/healing/host_test.go", "TestOutcomes"},
		{description.WinOF, "SHCheckForHangTimeInSeconds", "a stuck queue is found sooner or later", "driver/health/healing/host_test.go", "TestTimelines"},
		{description.WinOF, "CheckForHangCQMaxNoProgress", "a stuck queue is found sooner or later", "driver/health/healing/host_test.go", "TestTimelines"},
		{description.WinOF, "SHSensorsDumpMask", "a sensor that reports writes a folder of Dump Me Now", "driver/dump_test.go", "TestSensorsDump"},
		{description.WinOF, "DumpMeNowDirectory", "the folders of Dump Me Now are in this one", "driver/dump_test.go", "TestSensorsDump"},
		{description.WinOF, "AllowResetOnError", "a software reset is refused or done", "driver/health/healing/host_test.go", "TestSoftwareReset"},
		{description.WinOF, "roce_mode", "an event says the mode when the driver is loaded", "driver/virtualization_test.go", "TestLoadedDriverLogsItsModes"},
		{description.WinOF, "PermitSriov", "the ports have virtual functions or none", "driver/virtualization_test.go", "TestKeysOpenVirtualFunctions"},
		{description.WinOF, "SriovPortMode", "one port has the virtual functions of both", "driver/virtualization_test.go", "TestKeysOpenVirtualFunctions"},
		{description.WinOF, "MaxVFPort1", "the port has as many virtual functions", "driver/virtualization_test.go", "TestKeysOpenVirtualFunctions"},
		{description.WinOF, "MaxVFPort2", "the port has as many virtual functions", "driver/virtualization_test.go", "TestKeysOpenVirtualFunctions"},
		{description.WinOF, "SRIOV_EN", "the ports have virtual functions or none", "driver/firmware_test.go", "TestFirmwareShows"},
		{description.WinOF, "NUM_OF_VFS", "the ports have as many virtual functions", "driver/firmware_test.go", "TestFirmwareShows"},
		{description.WinOF, "total_vfs", "the ports have as many virtual functions", "driver/firmware_test.go", "TestFirmwareShows"},
		{description.WinOF, "sriov_en", "the ports have virtual functions or none", "driver/firmware_test.go", "TestFirmwareShows"},
		{description.WinOF, "LINK_TYPE_P1", "the driver does not start when it is not what the port is plugged into", "driver/firmware_test.go", "TestFirmwareShows"},
		{description.WinOF, "LINK_TYPE_P2", "the driver does not start when it is not what the port is plugged into", "driver/firmware_test.go", "TestFirmwareShows"},
		{description.WinOF2, "SRIOV_EN", "the ports have virtual functions or none", "driver/firmware_test.go", "TestFirmwareShows"},
		{description.WinOF2, "NUM_OF_VFS", "the ports have as many virtual functions", "driver/firmware_test.go", "TestFirmwareShows"},
		{description.WinOF2, "LINK_TYPE_P1", "the driver does not start when it is not what the port is plugged into", "driver/firmware_test.go", "TestFirmwareShows"},
		{description.WinOF2, "LINK_TYPE_P2", "the driver does not start when it is not what the port is plugged into", "driver/firmware_test.go", "TestFirmwareShows"},
		{description.WinOF2, "*SRIOV", "the port has virtual functions or none", "driver/virtualization_test.go", "TestKeysOpenVirtualFunctions"},
		{description.WinOF, "MaxVFPort1", "the card's copy counts until there is one for all cards", "driver/virtualization_test.go", "TestCardCountsUntilAllCardsAreTold"},
		{description.WinOF, "*VMQ", "machines have queues of their own, or share one", "driver/queue_keys_test.go", "TestKeysGiveQueues"},
		{description.WinOF, "MaxNumVmqs", "as many machines have queues of their own", "driver/queue_keys_test.go", "TestKeysGiveQueues"},
		{description.WinOF, "*RssOnHostVPorts", "a machine has several queues, or one", "driver/queue_keys_test.go", "TestKeysGiveQueues"},
		{description.WinOF2, "DcbxMode", "the adapter and its switch port exchange settings by DCBX, or don't", "driver/dcbx_test.go", "TestSettingsAreExchangedByDCBX"},
		{description.WinOF2, "LLDP_NB_RX_MODE_P1", "the adapter and its switch port exchange settings by DCBX, or don't", "driver/dcbx_test.go", "TestSettingsAreExchangedByDCBX"},
		{description.WinOF2, "LLDP_NB_RX_MODE_P2", "the adapter and its switch port exchange settings by DCBX, or don't", "driver/dcbx_test.go", "TestSettingsAreExchangedByDCBX"},
		{description.WinOF2, "LLDP_NB_TX_MODE_P1", "the adapter and its switch port exchange settings by DCBX, or don't", "driver/dcbx_test.go", "TestSettingsAreExchangedByDCBX"},
		{description.WinOF2, "LLDP_NB_TX_MODE_P2", "the adapter and its switch port exchange settings by DCBX, or don't", "driver/dcbx_test.go", "TestSettingsAreExchangedByDCBX"},
		{description.WinOF2, "LLDP_NB_DCBX_P1", "the adapter and its switch port exchange settings by DCBX, or don't", "driver/dcbx_test.go", "TestSettingsAreExchangedByDCBX"},
		{description.WinOF2, "LLDP_NB_DCBX_P2", "the adapter and its switch port exchange settings by DCBX, or don't", "driver/dcbx_test.go", "TestSettingsAreExchangedByDCBX"},
		{description.WinOF2, "*VMQ", "machines have queues of their own, or share one", "driver/queue_keys_test.go", "TestKeysGiveQueues"},
		{description.WinOF2, "*RssOnHostVPorts", "a machine has several queues, or one", "driver/queue_keys_test.go", "TestKeysGiveQueues"},
		{description.WinOF2, "RedirectVfDHCPToPF", "the physical function sends the DHCP traffic of a machine", "driver/machine_rules_test.go", "TestDHCPGoesToThePhysicalFunction"},
		{description.WinOF2, "MaxFWPagesUsagePerVF", "it waits for new virtual machines", "driver/virtualization_test.go", "TestLimitOfMemoryCountsForNewMachines"},
		{description.WinOF2, "VfCpuMonEnable", "an event says which virtual function costs the firmware too much", "driver/vfwatch_test.go", "TestVirtualFunctionsAreWatched"},
		{description.WinOF2, "VfCpuMonBatchPeriodSec", "the event comes after so many seconds", "driver/vfwatch_test.go", "TestVirtualFunctionsAreWatched"},
		{description.WinOF2, "VfCpuMonFwCpuUsageMax", "the event comes when more of the firmware is used", "driver/vfwatch_test.go", "TestVirtualFunctionsAreWatched"},
		{description.WinOF2, "VfCpuMonErrors2FwMax", "the event comes when more commands fail", "driver/vfwatch_test.go", "TestVirtualFunctionsAreWatched"},
		{description.WinOF, "*RscIPv4", "received segments over IPv4 are joined, or not", "driver/windows_keys_test.go", "TestKeysOfWindowsAct"},
		{description.WinOF, "*RscIPv6", "received segments over IPv6 are joined, or not", "driver/windows_keys_test.go", "TestKeysOfWindowsAct"},
		{description.WinOF, "*EncapOverhead", "the port takes longer frames", "driver/windows_keys_test.go", "TestKeysOfWindowsAct"},
		{description.WinOF2, "*RscIPv4", "received segments over IPv4 are joined, or not", "driver/windows_keys_test.go", "TestKeysOfWindowsAct"},
		{description.WinOF2, "*RscIPv6", "received segments over IPv6 are joined, or not", "driver/windows_keys_test.go", "TestKeysOfWindowsAct"},
		{description.WinOF2, "*EncapOverhead", "the port takes longer frames", "driver/windows_keys_test.go", "TestKeysOfWindowsAct"},
		{description.WinOF, "PortType", "the driver does not start when it is not what the port is plugged into", "driver/resource_keys_test.go", "TestKeysOfResourcesAct"},
		{description.WinOF, "*SpeedDuplex", "another value can be stored, and the port keeps its speed", "driver/resource_keys_test.go", "TestKeysOfResourcesAct"},
		{description.WinOF, "TxRingNum", "a driver before 4.40 sends on as many rings", "driver/resource_keys_test.go", "TestKeysOfResourcesAct"},
		{description.WinOF, "GUIDMask", "the port has another MAC address", "driver/resource_keys_test.go", "TestKeysOfResourcesAct"},
		{description.WinOF, "MaxNumMacAddrFilters", "as many machines have queues of their own", "driver/resource_keys_test.go", "TestKeysOfResourcesAct"},
		{description.WinOF, "MaxNumVlanFilters", "machines of as many VLANs have queues of their own", "driver/resource_keys_test.go", "TestKeysOfResourcesAct"},
		{description.WinOF, "SaTimeout", "a port that waits for its subnet manager comes up sooner or later", "driver/resource_keys_test.go", "TestSilenceOfTheSubnetAdministrator"},
		{description.WinOF, "SaRetries", "a port that waits for its subnet manager comes up, or has given up", "driver/resource_keys_test.go", "TestSilenceOfTheSubnetAdministrator"},
		{description.WinOF, "EnableQPR", "traffic stops while the subnet manager is down, or goes on", "driver/resource_keys_test.go", "TestSilenceOfTheSubnetAdministrator"},
		{description.WinOF, "LogNumQP", "an event says that no queue pairs are left for a virtual function", "driver/machine_rules_test.go", "TestFaultsOfFunctionsHaveTheirEvents"},
		{description.WinOF2, "*SpeedDuplex", "another value can be stored, and the port keeps its speed", "driver/resource_keys_test.go", "TestKeysOfResourcesAct"},
		{description.WinOF, "UpdateGIDTimerFrequency", "the GIDs of RoCE follow a changed IP address sooner or later", "driver/gid_test.go", "TestGIDsFollowAddresses"},
		{description.WinOF, "DelayDropTimeout", "dropless mode begins, and ends with its event: Dropless Mode Entries, Dropless Mode Exits", "perf/lab/causes_faults_test.go", "labFaultCauses"},
		{description.WinOF, "BOOT_OPTION_ROM_EN_P1", "the boot over the network ends at the option ROM", "driver/boot_settings_test.go", "TestSettingsOfTheBootAct"},
		{description.WinOF, "BOOT_OPTION_ROM_EN_P2", "the boot over the network ends at the option ROM", "driver/boot_settings_test.go", "TestSettingsOfTheBootAct"},
		{description.WinOF, "BOOT_VLAN_EN_P1", "the client asks in its VLAN, and gets no answer in another one", "driver/boot_settings_test.go", "TestSettingsOfTheBootAct"},
		{description.WinOF, "BOOT_VLAN_EN_P2", "the client asks in its VLAN, and gets no answer in another one", "driver/boot_settings_test.go", "TestSettingsOfTheBootAct"},
		{description.WinOF, "BOOT_VLAN_P1", "the client asks in its VLAN, and gets no answer in another one", "driver/boot_settings_test.go", "TestSettingsOfTheBootAct"},
		{description.WinOF, "BOOT_VLAN_P2", "the client asks in its VLAN, and gets no answer in another one", "driver/boot_settings_test.go", "TestSettingsOfTheBootAct"},
		{description.WinOF, "LEGACY_BOOT_PROTOCOL_P1", "the option ROM starts, and does not boot without a protocol", "driver/boot_settings_test.go", "TestSettingsOfTheBootAct"},
		{description.WinOF, "LEGACY_BOOT_PROTOCOL_P2", "the option ROM starts, and does not boot without a protocol", "driver/boot_settings_test.go", "TestSettingsOfTheBootAct"},
		{description.WinOF2, "DelayDropTimeout", "dropless mode begins, and ends with its event: Dropless Mode Entries, Dropless Mode Exits", "perf/lab/causes_faults_test.go", "labFaultCauses"},
	}
}

// update rewrites the documents of this package.
var update = flag.Bool("update", false, "rewrite the documents")

// TestKeysPage checks that docs/registry-keys.md lists the keys that the tests prove, and no others. With -update it writes the
// page.
func TestKeysPage(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "docs", "registry-keys.md")
	page := []byte(keysPage(t))
	if *update {
		if err := os.WriteFile(path, page, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), page) {
		t.Errorf("%s differs from the tests: run task docs and check the difference", path)
	}
}

// TestKeyStatesAreProven checks that the test named for each state exists and sets the key.
func TestKeyStatesAreProven(t *testing.T) {
	t.Parallel()
	for _, s := range keyStates() {
		source, err := os.ReadFile(filepath.Join("..", "..", s.file))
		if err != nil {
			t.Fatal(err)
		}
		_, body, found := strings.Cut(string(source), "\nfunc "+s.test+"(")
		if body, _, _ = strings.Cut(body, "\nfunc "); !found || !strings.Contains(body, s.key+`"`) {
			t.Errorf("%s of %s is not one that sets %s", s.test, s.file, s.key)
		}
	}
}

// keysPage returns the page on the effects of keys in the lab.
func keysPage(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`# Keys with an effect in the lab

What registry keys do to the lab that comes with cxdeck, as tests prove it. The page is made from the tables of these tests. What each
key is for, with its range and all that speaks for or against a value, is on the [Registry screen](registry.md).

## Counters

Each row is a case of ` + "`TestEveryKeyMovesItsCounters`" + ` in ` + "`perf/lab`" + `: two labs run side by side, the port restarts in both, and in one of them
the key has the value.

| Key | Port | Value | Counter | It |
| --- | --- | --- | --- | --- |
`)
	family, proven := portFamilies(), map[string]bool{}
	rows := labKeys()
	slices.SortStableFunc(rows, func(a, b labKey) int { return strings.Compare(registryOrder(a.key), registryOrder(b.key)) })
	for _, k := range rows {
		set, _, counter, ok := perf.SplitPath(k.counter)
		if !ok {
			t.Fatalf("%s is not a path", k.counter)
		}
		proven[familyName(family[k.port])+"\\"+anyPriority(k.key)] = true
		value := k.value
		if k.lab != "" {
			value += "; in a lab " + k.lab
		}
		for _, o := range k.around {
			value += "; in both: " + o.Describe()
		}
		fmt.Fprintf(&b, "| `%s` | %s, %s | %s | %s, %s | %s |\n", k.key, k.port, familyName(family[k.port]), value, set, counter, k.way)
	}
	b.WriteString("\n## States and events\n\n| Key | Driver | Effect | Test or its table |\n| --- | --- | --- | --- |\n")
	for _, s := range keyStates() {
		proven[familyName(s.family)+"\\"+anyPriority(s.key)] = true
		fmt.Fprintf(&b, "| `%s` | %s | %s | `%s` in `%s` |\n", s.key, familyName(s.family), s.effect, s.test, s.file)
	}
	b.WriteString(`
## Keys that don't show

What a card would do with these keys has no effect in the lab: the console keeps their values, checks them and exports them for the real host.
N is any number.

| Key | Driver | Why not |
| --- | --- | --- |
`)
	for _, row := range silentKeys(t, proven) {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", row[0], row[1], row[2])
	}
	return b.String()
}

// silentKeys returns the keys without a proof: name, driver and reason. Each key has either a proof or a reason.
func silentKeys(t *testing.T, proven map[string]bool) (rows [][3]string) {
	t.Helper()
	told := map[[3]string]bool{}
	for _, f := range []description.Family{description.WinOF, description.WinOF2} {
		for i := range registry.Keys(f).Rows {
			r := &registry.Keys(f).Rows[i]
			why, name := r.Inert, anyPriority(r.Name)
			if why == "" {
				why = r.Detail().Lab
			}
			switch shown := proven[familyName(f)+"\\"+name]; {
			case shown && why != "":
				t.Errorf("%s of %s has an effect in the lab, and a reason why it has none: %s", r.Name, familyName(f), why)
			case !shown && why == "":
				t.Errorf("%s of %s has neither a proof of its effect in the lab nor a reason why it has none", r.Name, familyName(f))
			}
			if row := [3]string{name, familyName(f), why}; why != "" && !told[row] {
				told[row] = true
				rows = append(rows, row)
			}
		}
	}
	return rows
}

func familyName(f description.Family) string {
	if f == description.WinOF {
		return "WinOF"
	}
	return "WinOF-2"
}

// anyPriority returns the name of a key with N in place of its priority, port or entry.
func anyPriority(key string) string {
	name := strings.TrimRight(key, "01234567")
	for _, end := range []string{"Prio", "Table_", "Control_", "_P", "VFAllowedTxEtherType"} {
		if name != key && strings.HasSuffix(name, end) {
			return name + "N"
		}
	}
	return key
}

// registryOrder returns the sort key of a registry key: without its asterisk, in lower case.
func registryOrder(key string) string { return strings.ToLower(strings.TrimPrefix(key, "*")) }

// portFamilies returns the drivers of the default lab's ports.
func portFamilies() map[string]description.Family {
	families := map[string]description.Family{}
	for _, a := range defaultLab().Adapters {
		for i := range a.Ports {
			families[a.Ports[i].Connection] = a.Family
		}
	}
	return families
}
