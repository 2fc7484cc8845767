package catalog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/script"
	"cxdeck/perf/lab"
	"cxdeck/views/exec"
	"cxdeck/views/exec/hosts"
)

// bench is a runner with its output.
type bench struct {
	exec.Runner
	host      exec.Host
	out, errs bytes.Buffer
}

// memoryFiles are files in memory.
type memoryFiles map[string][]byte

func (m memoryFiles) Read(path string, most int64) ([]byte, error) {
	data, ok := m[path]
	switch {
	case !ok:
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	case int64(len(data)) > most:
		return nil, errors.New("it is too large")
	}
	return data, nil
}

func (m memoryFiles) Write(files []script.File, replace bool) error {
	for _, f := range files {
		if _, there := m[f.Path]; there && !replace {
			return &fs.PathError{Op: "open", Path: f.Path, Err: fs.ErrExist}
		}
	}
	for _, f := range files {
		m[f.Path] = f.Data
	}
	return nil
}

func (m memoryFiles) Stream(path string, replace bool, write func(io.Writer) error) error {
	var whole bytes.Buffer
	if err := write(&whole); err != nil {
		return err
	}
	return m.Write([]script.File{{Path: path, Data: whole.Bytes()}}, replace)
}

func (m memoryFiles) Folder(name string) (string, error) {
	if m == nil {
		return "", &fs.PathError{Op: "mkdir", Path: name, Err: fs.ErrPermission}
	}
	path := fmt.Sprintf("%s-%d", name, len(m))
	m[path] = nil
	return path, nil
}

// regFile is a registry file with a known value, two unknown ones, and one with an invalid name.
const regFile = "Windows Registry Editor Version " +
	"5.00\r\n\r\n" +
	"[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e972-e325-11ce-bfc1-08002be10318}\\0009]\r\n" +
	"\"*RSS\"=\"0\"\r\n\"*JumboPacket\"=dword:00002336\r\n\"Odd \\\"name\\\"\"=dword:00000001\r\n" +
	"[HKEY_LOCAL_MACHINE\\SOFTWARE\\Vendor]\r\n\"Blob\"=hex:01,02,\\\r\n  03\r\n"

// vendorFile is a registry file with a value that no driver reads.
const vendorFile = "Windows Registry Editor Version 5.00\r\n\r\n[HKEY_LOCAL_MACHINE\\SOFTWARE\\Vendor]\r\n\"Number\"=dword:00000007\r\n"

// scopedProfile is a profile with a key without a scope, one with its scope, one to delete, and one of another scope.
const scopedProfile = `{"Name": "Scoped", "About": "by hand", "Values": [{"key": "jumbopacket", "value": "4088"},
	{"key": "miniport/RSS", "value": "0"}, {"key": "miniport/TxUntagPriorityTag", "delete": true}, {"key": "bus-driver/RSS", "value": "1"},
	{"key": "*ReceiveBuffers", "value": "many"}]}`

// newBench returns a runner on a new lab; change modifies its description, and may be nil.
func newBench(t testing.TB, change func(*description.Description)) *bench {
	t.Helper()
	description := description.Default()
	description.Epoch = epoch
	if change != nil {
		change(description)
	}
	reset := func(context.Context) (*lab.Source, hosts.Recorder, error) {
		model, err := device.New(description, 7)
		if err != nil {
			return nil, nil, err
		}
		source, err := lab.New(driver.NewHost(model))
		return source, nil, err
	}
	source, _, err := reset(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{host: hosts.OnLab(source, nil, reset)}
	b.Runner = exec.Runner{
		Table: Commands(),
		Open:  func(context.Context) (exec.Host, error) { return b.host, nil }, LabText: []byte("name = \"Lab\"\n"), Out: &b.out,
		Err: &b.errs,
		Files: memoryFiles{
			"in.reg": []byte(regFile), "broken.reg": []byte("REGEDIT4\n[HKEY_LOCAL_MACHINE\\A]\n\"x\"=dword:zz\n"),
			"text.txt": []byte("text"), "qos.ps1": []byte(startupLines), "vendor.reg": []byte(vendorFile), "scoped.json": []byte(scopedProfile),
		},
	}
	return b
}

// labOf returns a change for newBench to the lab that the first line of a script names ("# lab: manual-winof"), or nil for the
// default lab. "# lab: programs" is the default lab with a Network Direct program on a WinOF port.
func labOf(t testing.TB, script string) func(*description.Description) {
	t.Helper()
	line, _, _ := strings.Cut(script, "\n")
	name, named := strings.CutPrefix(strings.TrimSpace(line), "# lab: ")
	if !named {
		return nil
	}
	if name == "programs" {
		return func(d *description.Description) {
			for i := range d.Flows {
				if d.Flows[i].Name == "Weather model over NDSPI" {
					d.Flows[i].Port = "Ethernet 3"
				}
			}
		}
	}
	name, client := strings.CutSuffix(name, " on Windows 10 1809")
	for _, l := range description.NamedLabs() {
		if l.Name != name {
			continue
		}
		parsed, err := description.ParseText(l.Text())
		if err != nil {
			t.Fatal(err)
		}
		return func(d *description.Description) {
			*d = *parsed
			if client {
				d.Host.System = "Windows 10 1809"
			}
			d.Epoch = epoch
		}
	}
	t.Fatalf("there is no lab %q", name)
	return nil
}

// script runs lines.
func (b *bench) script(lines ...string) exec.Status {
	return b.Script(context.Background(), strings.NewReader(strings.Join(lines, "\n")))
}

// startupLines is a startup script with a line that fails at boot.
const startupLines = `# QoS at boot
New-NetQosPolicy "TCP at boot" -Policystore Activestore -IPProtocolMatchCondition TCP -PriorityValue8021Action 1

Enable-NetAdapterQos -InterfaceAlias "port1"
`
