package host

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
	"cxdeck/views/exec/machines"
)

// guestPath returns the path of an adapter's traffic, with the number of its virtual function.
func guestPath(r *machines.GuestRow) string {
	if r.Function != nil {
		return fmt.Sprintf("%s (VF %d)", r.Path, *r.Function)
	}
	return r.Path
}

func vmList(c *exec.Call, view *driver.View) (exec.Answer, error) {
	rows := []machines.Row{}
	for i := range view.VMs {
		rows = append(rows, machines.RowOf(&view.VMs[i]))
	}
	return machines.Rows(rows, func(w io.Writer) error {
		t := exec.NewTextTable(w, "VM", "STATE", "GUEST DRIVER", "ADAPTER", "SWITCH", "PATH", "MAC", "VLAN", "WHY")
		for i := range rows {
			m := &rows[i]
			if len(m.Adapters) == 0 {
				t.Row(m.Name, m.State, wording.OrDash(m.GuestDriver), "-")
			}
			for j := range m.Adapters {
				a := &m.Adapters[j]
				t.Row(m.Name, m.State, wording.OrDash(m.GuestDriver), a.Name, wording.OrDash(a.Switch), guestPath(a), a.MAC, strconv.Itoa(a.VLAN), a.Why)
			}
		}
		return t.Flush()
	}), nil
}

func vmShow(c *exec.Call, in *struct{ VM *virtualization.VMView }) (exec.Answer, error) {
	row := machines.RowOf(in.VM)
	return exec.Answer{
		Result: struct {
			Machine machines.Row `json:"vm"`
		}{row},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w)
			t.Row("Virtual machine", row.Name)
			t.Row("State", row.State)
			t.Row("Guest driver", wording.OrDash(row.GuestDriver))
			t.Row("System", wording.OrDash(row.System))
			t.Row("Memory", fmt.Sprintf("%d MB", row.Memory))
			for i := range row.Adapters {
				t.Row()
				writeGuest(&row.Adapters[i], t)
			}
			return t.Flush()
		},
	}, nil
}

// writeGuest adds the rows of a network adapter to a table.
func writeGuest(r *machines.GuestRow, t exec.TextTable) {
	static := map[bool]string{true: ", static", false: ", dynamic"}[r.Static]
	t.Row("Adapter", r.Name)
	t.Row("Switch", wording.OrDash(r.Switch))
	t.Row("MAC address", r.MAC+static)
	t.Row("VLAN", strconv.Itoa(r.VLAN))
	t.Row("Path", guestPath(r))
	if r.Device != "" {
		t.Row("Guest sees", guestDevice(r))
	}
	if r.Why != "" {
		t.Row("Why", r.Why)
	}
	for _, limit := range r.Limits {
		if limit != r.Why {
			t.Row("Limit", limit)
		}
	}
	if r.Quarantine != "" {
		t.Row("Quarantine", r.Quarantine)
	}
	t.Row("IovWeight", fmt.Sprintf("%d, %d queue pairs requested, %d granted", r.IovWeight, r.IovQueuePairs, r.IovGranted))
	queues := "queues " + exec.JoinNumbers(r.Queues)
	if r.DefaultQueue {
		queues = "the default queue"
	}
	t.Row("VmqWeight", fmt.Sprintf("%d, %s", r.VmqWeight, queues))
	t.Row("VMMQ", fmt.Sprintf("%s, %d queue pairs requested, %d granted", wording.OnOff(r.VmmqEnabled), r.VmmqQueuePairs,
		r.VmmqGranted))
	t.Row("RdmaWeight", strconv.Itoa(r.RdmaWeight))
	t.Row("Virtual subnet", overlayText(r))
}

// guestDevice returns the name of the virtual function's device in the guest, and says if no driver runs it.
func guestDevice(r *machines.GuestRow) string {
	if r.Function == nil {
		return r.Device + ", without a driver"
	}
	return r.Device
}

// overlayText returns the virtual subnet of an adapter, with the NVGRE encapsulation or the reason why there is none.
func overlayText(r *machines.GuestRow) string {
	switch {
	case r.Remote != "":
		return fmt.Sprintf("%d, encapsulated to %s, packets of up to %d bytes", r.Subnet, r.Remote, r.Packet)
	case r.PlainWhy != "":
		return fmt.Sprintf("%d, not encapsulated: %s", r.Subnet, r.PlainWhy)
	}
	return strconv.Itoa(int(r.Subnet))
}

// vmState returns a command that changes the state of virtual machines, as one plan.
func vmState(state virtualization.VMState) func(*exec.Call) (exec.Answer, error) {
	return exec.OnView(func(c *exec.Call, view *driver.View) (exec.Answer, error) {
		return machines.SetState(c, view, c.Arguments, state)
	})
}

// vmCreate creates a virtual machine with one network adapter.
func vmCreate(c *exec.Call, in *struct {
	Name   string
	Memory exec.Memory                `flag:"memory"`
	Driver string                     `flag:"guest-driver"`
	System string                     `flag:"guest-system"`
	Switch *virtualization.SwitchView `flag:"switch"`
	VF     bool                       `flag:"vf"`
	Start  bool                       `flag:"start"`
}) (exec.Answer, error) {
	record := virtualization.VMRecord{Name: in.Name, GuestDriver: in.Driver, System: in.System, Memory: int(in.Memory)}
	switchName := ""
	if in.Switch != nil {
		switchName = in.Switch.Name
	}
	adapter := virtualization.NewVMAdapter(machines.NetworkAdapter, switchName)
	if in.VF {
		adapter.IovWeight = 100
	}
	record.Adapters = []virtualization.VMAdapterRecord{adapter}
	if in.Start {
		record.State = virtualization.VMRunning
	}
	return c.ApplyOne(virtualization.CreateVM{VM: record})
}

func vmRemove(c *exec.Call, in *struct{ VM *virtualization.VMView }) (exec.Answer, error) {
	return c.ApplyOne(virtualization.RemoveVM{VM: in.VM.Name})
}

// vmDriver installs the adapter's driver in a guest, or removes it.
func vmDriver(c *exec.Call, in *struct {
	VM      *virtualization.VMView
	Version string
}) (exec.Answer, error) {
	version := in.Version
	switch {
	case version == "":
		return exec.Answer{}, exec.Mistake("vm driver requires a version, or none, which removes the driver")
	case strings.EqualFold(version, "none"):
		version = ""
	}
	return c.ApplyOne(virtualization.SetGuestDriver{VM: in.VM.Name, Version: version})
}
