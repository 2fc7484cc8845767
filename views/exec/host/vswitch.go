package host

import (
	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
)

func vswitchList(c *exec.Call, view *driver.View) (exec.Answer, error) {
	return exec.SwitchRows(view, "")
}

func vswitchCreate(c *exec.Call, view *driver.View) (exec.Answer, error) {
	record := virtualization.SwitchRecord{
		Name: c.Arguments[0], IOV: c.Flags["iov"] != "", PacketDirect: c.Flags["packet-direct"] != "",
		ManagementOS: c.Flags["no-host"] == "",
	}
	if err := exec.SwitchOn(view, &record, c.Arguments[1]); err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(virtualization.CreateSwitch{Switch: record})
}

func vswitchRemove(c *exec.Call, in *struct{ Switch *virtualization.SwitchView }) (exec.Answer, error) {
	return c.ApplyOne(virtualization.RemoveSwitch{Switch: in.Switch.Name})
}
