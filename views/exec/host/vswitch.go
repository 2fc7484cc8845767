package host

import (
	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
	"cxdeck/views/exec/machines"
)

func vswitchList(c *exec.Call, view *driver.View) (exec.Answer, error) {
	return machines.SwitchRows(view, "")
}

func vswitchCreate(c *exec.Call, view *driver.View) (exec.Answer, error) {
	record := virtualization.SwitchRecord{
		Name: c.Arguments[0], IOV: c.Flags["iov"] != "", PacketDirect: c.Flags["packet-direct"] != "",
		ManagementOS: c.Flags["no-host"] == "",
	}
	if err := machines.SwitchOn(view, &record, c.Arguments[1]); err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(virtualization.CreateSwitch{Switch: record})
}

func vswitchRemove(c *exec.Call, in *struct{ Switch *virtualization.SwitchView }) (exec.Answer, error) {
	return c.ApplyOne(virtualization.RemoveSwitch{Switch: in.Switch.Name})
}
