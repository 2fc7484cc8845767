package linuxhost

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vishvananda/netlink/nl"
)

// devlinkWords reads the lines of recorded words of devlink, without their indents.
func devlinkWords(t *testing.T, name string) (lines []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "devlink", name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

func textAttribute(kind uint16, text string) []byte { return attribute(kind, append([]byte(text), 0)) }

// handleAttributes encodes "pci/0000:08:00.0/32768".
func handleAttributes(handle string) []byte {
	parts := strings.Split(handle, "/")
	b := slices.Concat(textAttribute(nl.DEVLINK_ATTR_BUS_NAME, parts[0]), textAttribute(nl.DEVLINK_ATTR_DEV_NAME, parts[1]))
	if len(parts) > 2 {
		port, _ := strconv.ParseUint(parts[2], 10, 32)
		b = append(b, attribute(nl.DEVLINK_ATTR_PORT_INDEX, binary.NativeEndian.AppendUint32(nil, uint32(port)))...)
	}
	return b
}

// infoAnswers makes the message about each device of recorded versions.
func infoAnswers(t *testing.T, name string) map[string][]byte {
	t.Helper()
	kinds := map[string]uint16{"fixed:": nl.DEVLINK_ATTR_INFO_VERSION_FIXED, "running:": nl.DEVLINK_ATTR_INFO_VERSION_RUNNING, "stored:": nl.DEVLINK_ATTR_INFO_VERSION_STORED}
	answers := map[string][]byte{}
	handle, kind := "", uint16(0)
	for _, line := range devlinkWords(t, name) {
		word, value, _ := strings.Cut(line, " ")
		switch {
		case kinds[line] != 0:
			kind = kinds[line]
		case strings.Contains(word, "/"):
			handle, kind = strings.TrimSuffix(line, ":"), 0
			answers[handle] = handleAttributes(handle)
		case word == "driver":
			answers[handle] = append(answers[handle], textAttribute(nl.DEVLINK_ATTR_INFO_DRIVER_NAME, value)...)
		case kind != 0:
			version := slices.Concat(textAttribute(nl.DEVLINK_ATTR_INFO_VERSION_NAME, word), textAttribute(nl.DEVLINK_ATTR_INFO_VERSION_VALUE, value))
			answers[handle] = append(answers[handle], attribute(kind, version)...)
		}
	}
	return answers
}

// TestRecordedInfo: the board and the firmware of recorded adapters; an unreadable pending firmware version is left out.
func TestRecordedInfo(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]Adapter{
		"connectx-5-info.txt":    {Address: "0000:00:06.0", Board: "MT_0000000009", Firmware: "16.26.0100"},
		"connectx-6-dx-info.txt": {Address: "0000:00:06.0", Board: "MT_0000000436", Firmware: "22.41.0188"},
		"connectx-7-info.txt":    {Address: "0000:08:00.1", Board: "MT_0000000894", Firmware: "28.41.1000"},
	} {
		answer, ok := infoAnswers(t, name)["pci/"+want.Address]
		if !ok {
			t.Fatalf("%s has no %s", name, want.Address)
		}
		got := Adapter{Address: want.Address}
		got.readInfo([][]byte{answer})
		if got.Board != want.Board || got.Firmware != want.Firmware || got.Stored != "" {
			t.Errorf("%s: board %q, firmware %q, stored %q", name, got.Board, got.Firmware, got.Stored)
		}
		// The same card with another firmware in its flash; ethtool has read the running one.
		changed := []byte(strings.Replace(string(answer), want.Firmware, "14.99.0001", 1))
		got = Adapter{Firmware: "of ethtool"}
		got.readInfo([][]byte{changed, nil, {1}})
		if stored := got.Stored; got.Firmware != "of ethtool" || name != "connectx-6-dx-info.txt" && stored != want.Firmware {
			t.Errorf("%s: firmware %q, stored %q", name, got.Firmware, stored)
		}
		for n := range answer { // a cut message is no fault
			new(Adapter).readInfo([][]byte{answer[:n]})
		}
	}
}

// TestRecordedHealth: reporters of representors keep their port, so that equal names differ.
func TestRecordedHealth(t *testing.T) {
	t.Parallel()
	var answers [][]byte
	handle, name := "", ""
	for _, line := range devlinkWords(t, "mlx5-health.txt") {
		switch words := strings.Fields(line); words[0] {
		case "reporter":
			name = words[1]
		case "state":
			nested := slices.Concat(textAttribute(devlinkHealthName, name), attribute(devlinkHealthState, []byte{0}))
			if i := slices.Index(words, "grace_period"); i > 0 {
				grace, _ := strconv.ParseUint(words[i+1], 10, 64)
				nested = append(nested, attribute(devlinkHealthGrace, binary.NativeEndian.AppendUint64(nil, grace))...)
			}
			if slices.Contains(words, "auto_recover") {
				nested = append(nested, attribute(devlinkHealthAuto, []byte{1})...)
			}
			answers = append(answers, append(handleAttributes(handle), attribute(devlinkHealth, nested)...))
		default:
			handle = strings.TrimSuffix(line, ":")
		}
	}
	want := []Reporter{
		{Name: "fw", Handle: "pci/0000:08:00.1", Healthy: true},
		{Name: "fw_fatal", Handle: "pci/0000:08:00.1", Healthy: true, Grace: time.Minute, AutoRecover: true},
		{Name: "vnic", Handle: "pci/0000:08:00.1", Healthy: true},
		{Name: "vnic", Handle: "pci/0000:08:00.1/98304", Healthy: true},
		{Name: "vnic", Handle: "pci/0000:08:00.1/98305", Healthy: true},
		{Name: "vnic", Handle: "pci/0000:08:00.1/98306", Healthy: true},
	}
	if got := parseReporters(answers, "pci", "0000:08:00.1"); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if got := parseReporters(answers, "auxiliary", "0000:08:00.1"); got != nil {
		t.Errorf("of another bus: %+v", got)
	}
}

// TestRecordedParameters: the parameters of mlx5 with their types and the time at which they take effect.
func TestRecordedParameters(t *testing.T) {
	t.Parallel()
	var answers [][]byte
	handle, name := "", ""
	for _, line := range devlinkWords(t, "mlx5-parameters.txt") {
		words := strings.Fields(line)
		switch words[0] {
		case "values:":
		case "cmode":
			mode := map[string]byte{"runtime": 0, "driverinit": 1}[words[1]]
			kind, data := byte(nl.DEVLINK_PARAM_TYPE_STRING), textAttribute(nl.DEVLINK_ATTR_PARAM_VALUE_DATA, words[3])
			if n, err := strconv.ParseUint(words[3], 10, 32); err == nil {
				kind, data = nl.DEVLINK_PARAM_TYPE_U32, attribute(nl.DEVLINK_ATTR_PARAM_VALUE_DATA, binary.NativeEndian.AppendUint32(nil, uint32(n)))
			} else if words[3] == "true" {
				kind, data = nl.DEVLINK_PARAM_TYPE_BOOL, attribute(nl.DEVLINK_ATTR_PARAM_VALUE_DATA, nil)
			}
			value := attribute(nl.DEVLINK_ATTR_PARAM_VALUE, append(data, attribute(nl.DEVLINK_ATTR_PARAM_VALUE_CMODE, []byte{mode})...))
			nested := slices.Concat(textAttribute(nl.DEVLINK_ATTR_PARAM_NAME, name), attribute(nl.DEVLINK_ATTR_PARAM_TYPE, []byte{kind}),
				attribute(nl.DEVLINK_ATTR_PARAM_VALUES_LIST, value))
			answers = append(answers, append(handleAttributes(handle), attribute(nl.DEVLINK_ATTR_PARAM, nested)...))
		default:
			handle, name = strings.TrimSuffix(words[0], ":"), words[2]
		}
	}
	want := []parameter{
		{"enable_roce", "true", "driverinit", ""}, {"fdb_large_groups", "15", "driverinit", "4294967295"}, {"flow_steering_mode", "dmfs", "runtime", ""},
		{"esw_port_metadata", "true", "runtime", ""}, {"enable_remote_dev_reset", "true", "runtime", ""},
	}
	if got := parseParameters(answers, "pci", "0000:00:09.0"); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}

// TestFirmwareOfRDMA: the functions of a ConnectX-7 that refuse their versions have them in sysfs.
func TestFirmwareOfRDMA(t *testing.T) {
	t.Parallel()
	m := recorded(t, "hgx-b300.txt")
	if len(m.Adapters) != 1 || m.Adapters[0].Firmware != "28.48.1132" || m.Adapters[0].Board != "NVD0000000079" || m.Adapters[0].Device != "1021" {
		t.Errorf("%+v", m.Adapters)
	}
}
