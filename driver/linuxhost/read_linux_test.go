package linuxhost

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// recorded lays out a recorded machine: "path = text" and "path -> target" below a folder.
func recorded(t *testing.T, name string) *Machine {
	t.Helper()
	root := t.TempDir()
	file, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if path, text, ok := strings.Cut(lines.Text(), " = "); ok {
			path = filepath.Join(root, path)
			text = strings.ReplaceAll(text, `\n`, "\n")
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text+"\n"), 0o600)); err != nil {
				t.Fatal(err)
			}
		} else if path, target, ok := strings.Cut(lines.Text(), " -> "); ok {
			path = filepath.Join(root, path)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.Symlink(target, path)); err != nil {
				t.Fatal(err)
			}
		}
	}
	r := Recorded(root)
	defer r.Close()
	return r.Machine()
}

// TestRecordedMachine reads a recorded tree: PCI functions, errors, sensors, virtual functions, a bond, a VLAN and RDMA ports.
func TestRecordedMachine(t *testing.T) {
	t.Parallel()
	m := recorded(t, "host.txt")
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "host.golden")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, append(text, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(text) + "\n"; got != string(want) {
		t.Errorf("the machine is %s", got)
	}
}

// TestHostileTree: folders in place of files, endless links and text with control characters neither fail nor get through.
func TestHostileTree(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	net := filepath.Join(root, "sys", "class", "net")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(net, "eth0", "mtu"), 0o700), os.MkdirAll(filepath.Join(net, "eth1", "bonding"), 0o700),
		os.WriteFile(filepath.Join(net, "eth0", "ifindex"), []byte("2\n"), 0o600), os.WriteFile(filepath.Join(net, "eth1", "ifindex"), []byte("3"), 0o600),
		os.WriteFile(filepath.Join(net, "eth1", "bonding", "mode"), []byte("\x1b[31mred 1\x00"), 0o600),
		os.WriteFile(filepath.Join(net, "eth1", "address"), []byte(strings.Repeat("x", 1<<20)), 0o600),
		os.Symlink("eth0", filepath.Join(net, "eth0", "device")), os.Symlink("loop", filepath.Join(net, "loop")),
		os.MkdirAll(filepath.Join(root, "sys", "class", "infiniband", "mlx5_0", "ports", "x"), 0o700),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	m := Recorded(root).Machine()
	if len(m.Interfaces) != 2 {
		t.Fatalf("%d interfaces", len(m.Interfaces))
	}
	bond, _ := m.Interface("eth1")
	if mode, ok := bond.Setting("bond.mode"); !ok || mode.Value != "[31mred" || len(bond.Address) != textLimit {
		t.Errorf("%+v, %d", mode, len(bond.Address))
	}
}

// TestThisMachine reads the machine that runs the test, whatever it is.
func TestThisMachine(t *testing.T) {
	t.Parallel()
	r := Open()
	defer r.Close()
	m := r.Machine()
	lo, ok := m.Interface("lo")
	if !ok {
		t.Skip("this machine has no loopback")
	}
	if mtu, ok := lo.Setting("mtu"); !ok || mtu.Value == "0" {
		t.Errorf("loopback is %+v", lo)
	}
	t.Logf("%d interfaces, %d adapters, not read: %q", len(m.Interfaces), len(m.Adapters), m.Unread)
}

func TestKernelMessages(t *testing.T) {
	t.Parallel()
	for record, want := range map[string]Message{
		"6,812,10643316,-;mlx5_core 0004:01:00.0: firmware version: 16.27.2048\n SUBSYSTEM=pci\n": {6, 10643316000, "mlx5_core", "0004:01:00.0", "firmware version: 16.27.2048"},
		"4,900,11097374,-;mlx5_core 0004:01:00.0 ens1f0np0: Link down":                            {4, 11097374000, "mlx5_core", "0004:01:00.0", "ens1f0np0: Link down"},
		"3,1,5,-;mlx4_en: eth2: Failed \\x1b[31m":                                                 {3, 5000, "mlx4_en", "", "eth2: Failed ?[31m"},
	} {
		if got, ok := ParseMessage(record); !ok || got != want {
			t.Errorf("%q: %+v, %v", record, got, ok)
		}
	}
	for _, record := range []string{"", ";", "6,1,2", "6,1,2,-;usb 1-1: new device", "x,1,2,-;mlx5_core a", "6,1,-5,-;mlx5_core a", "6,1,9999999999999999999,-;mlx5_core a", "6,1,2,-;mlx5_core"} {
		if m, ok := ParseMessage(record); ok {
			t.Errorf("%q is a message: %+v", record, m)
		}
	}
}

// attribute encodes a netlink attribute.
func attribute(kind uint16, value []byte) []byte {
	b := binary.NativeEndian.AppendUint16(nil, uint16(4+len(value)))
	b = append(binary.NativeEndian.AppendUint16(b, kind), value...)
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

// TestLinkCause: the reason for a link without a signal is a word, and a reason of a newer kernel is none.
func TestLinkCause(t *testing.T) {
	t.Parallel()
	for value, want := range map[byte]string{0: "autonegotiation failed", 4: "no cable", 10: "the module does not work", 11: "", 255: ""} {
		answer := append(attribute(2, []byte{0}), attribute(ethtoolLinkCause, []byte{value})...)
		if got := parseLinkCause([][]byte{answer}); got != want {
			t.Errorf("%d is %q", value, got)
		}
	}
	if got := parseLinkCause([][]byte{attribute(2, []byte{1}), {5}}); got != "" {
		t.Errorf("a link that is up is down: %s", got)
	}
}

func TestParseDCB(t *testing.T) {
	t.Parallel()
	pfc := make([]byte, 8+128)
	pfc[0], pfc[1] = 8, 1<<3|1
	binary.NativeEndian.PutUint64(pfc[8+8*3:], 7)
	binary.NativeEndian.PutUint64(pfc[8+64+8*3:], 9)
	ets := make([]byte, 3+7*8)
	ets[0], ets[3], ets[4] = 1, 60, 40
	ets[3+16], ets[3+17] = 2, 0
	ets[3+24+3] = 1
	buffer := make([]byte, 8+32+4)
	buffer[3] = 1
	binary.NativeEndian.PutUint32(buffer[8+4:], 156096)
	binary.NativeEndian.PutUint32(buffer[40:], 262016)
	nested := slices.Concat(attribute(DCBPFC, pfc), attribute(DCBETS, ets), attribute(dcbApps, attribute(dcbApp, []byte{5, 3, 26, 0})), attribute(dcbBuffer, buffer))
	answer := append([]byte{0, DCBGet, 0, 0}, slices.Concat(attribute(DCBInterface, []byte("eth0\x00")), attribute(DCBIEEE, nested))...)
	d := parseDCB(answer)
	if d == nil || !slices.Equal(d.PFC, []int{0, 3}) || d.Requests[3] != 7 || d.Indicated[3] != 9 || !d.Willing || d.Share[1] != 40 ||
		d.Kind[0] != "ets" || d.Kind[1] != "strict" || d.Class[3] != 1 || d.Buffer[3] != 1 || d.Sizes[1] != 156096 || d.Total != 262016 {
		t.Fatalf("%+v", d)
	}
	if want := (App{"dscp", 26, 3}); len(d.Apps) != 1 || d.Apps[0] != want {
		t.Errorf("%+v", d.Apps)
	}
	for n := range answer { // a cut answer is no fault
		parseDCB(answer[:n])
	}
}

func FuzzDCB(f *testing.F) {
	f.Add([]byte{0, 21, 0, 0, 8, 0, 13, 0, 1, 2, 3, 4})
	f.Fuzz(func(_ *testing.T, answer []byte) { parseDCB(answer) })
}

// TestParseReporters: of several devices, only the reporters of the named device are read.
func TestParseReporters(t *testing.T) {
	t.Parallel()
	number := func(n uint64) []byte { return binary.NativeEndian.AppendUint64(nil, n) }
	answer := func(device string, state byte) []byte {
		nested := slices.Concat(attribute(devlinkHealthName, []byte("tx\x00")), attribute(devlinkHealthState, []byte{state}), attribute(devlinkHealthErrors, number(4)),
			attribute(devlinkHealthRecover, number(3)), attribute(devlinkHealthGrace, number(500)), attribute(devlinkHealthAuto, []byte{1}))
		return slices.Concat(attribute(1, []byte("pci\x00")), attribute(2, []byte(device+"\x00")), attribute(devlinkHealth, nested))
	}
	got := parseReporters([][]byte{answer("0000:04:00.0", 1), answer("0000:04:00.1", 0), nil, {1}}, "pci", "0000:04:00.0")
	if want := []Reporter{{Name: "tx", Handle: "pci/0000:04:00.0", Errors: 4, Recoveries: 3, Grace: 500 * time.Millisecond, AutoRecover: true}}; !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestModuleFacts(t *testing.T) {
	t.Parallel()
	qsfp := make([]byte, 256)
	qsfp[0], qsfp[22], qsfp[23] = 0x11, 41, 0x80
	copy(qsfp[148:], "Mellanox        ")
	copy(qsfp[168:], "MCP1600-C001    ")
	if got := moduleFacts(qsfp); !slices.Contains(got, Fact{"module temperature", "41.5 °C"}) || !slices.Contains(got, Fact{"module part", "MCP1600-C001"}) {
		t.Errorf("%+v", got)
	}
	sfp := make([]byte, 512)
	sfp[0], sfp[92], sfp[256+96] = 3, 0x68, 0xf6
	if got := moduleFacts(sfp); !slices.Contains(got, Fact{"module temperature", "-10.0 °C"}) {
		t.Errorf("%+v", got)
	}
	for _, memory := range [][]byte{nil, make([]byte, 127), make([]byte, 256)} {
		if got := moduleFacts(memory); got != nil {
			t.Errorf("%+v", got)
		}
	}
}
