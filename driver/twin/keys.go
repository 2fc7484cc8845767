package twin

import (
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
)

// takeKeys sets what a description has from registry values, so that both agree.
func (b *build) takeKeys(a *description.Adapter, port *description.Port, roce string) {
	key := networkClass + `\` + port.Class
	value := func(name string) (int, bool) {
		if n, ok := b.number(key, name); ok {
			return n, true
		}
		for _, r := range b.properties {
			if r.text("name") == port.Connection && strings.EqualFold(r.text("registrykeyword"), name) {
				list := r.list("registryvalue")
				if len(list) > 0 {
					n, err := strconv.Atoi(list[0])
					return n, err == nil
				}
			}
		}
		return 0, false
	}
	port.MaxFrame = 1514
	if port.Link == description.InfiniBand {
		port.MaxFrame = 4092
	}
	if n, ok := value("*JumboPacket"); ok && n >= 614 && n <= 9614 {
		port.MaxFrame = n
	} else {
		b.assume(port.Connection, "its largest frame has %d bytes", port.MaxFrame)
	}
	switch n, ok := value("*FlowControl"); {
	case !ok:
		b.assume(port.Connection, "its flow control is off")
	case n > 0:
		port.FlowControl = description.GlobalPause
	}
	if n, ok := value("*RssBaseProcNumber"); ok && n > 0 && n <= 255 {
		port.BaseProcessor = n
	}
	mode, ok := value("roce_mode")
	if !ok && a.Family == description.WinOF {
		mode, ok = b.number(services+`\mlx4_bus\Parameters\Roce`, "roce_mode")
	}
	if port.Link != description.Ethernet {
		return
	}
	switch { // what the driver uses says more than the key, which a card may not support
	case strings.HasPrefix(roce, "v2"):
		port.RoCE = description.RoCEv2
	case strings.HasPrefix(roce, "v1"), roce == "" && a.DeviceID == connectX3:
		port.RoCE = description.RoCEv1
	case ok && mode == registry.NoRoCE:
		port.RoCE = description.NoRoCE
	case ok && mode == registry.RoCEv1:
		port.RoCE = description.RoCEv1
	case !ok && a.Family == description.WinOF:
		b.assume(port.Connection, "its RDMA is RoCE v2")
	}
}

// connectX3 is the device id of the only card without RoCE v2.
const connectX3 = 0x1003

// takeSettings takes the firmware settings of mlxconfig and the number of virtual functions of a card.
func (b *build) takeSettings(a *description.Adapter) {
	card := len(b.d.Adapters) - 1
	settings := b.settings[b.d.DeviceName(card)]
	if settings == nil {
		settings = b.settings[description.PCIAddress{Bus: a.PCI.Bus, Device: a.PCI.Device}.String()]
	}
	if settings == nil {
		b.assume(a.Name, "its firmware settings are as delivered")
	}
	for name, n := range settings {
		if a.Flash == nil {
			a.Flash = map[string]int{}
		}
		a.Flash[name] = n
	}
	for _, r := range b.sriov {
		fact, ok := instanceFact(r.text("instanceid"))
		if !ok || a.Family != description.WinOF || fact.nodeGUID != uint64(a.NodeGUID) {
			continue
		}
		first, _ := r.number("sriovport1numvfs")
		second, _ := r.number("sriovport2numvfs")
		if total := first + second; total > 0 && total <= 127 && len(a.Flash) == 0 {
			a.FirmwareVFs = int(total)
		}
		if n, ok := r.number("sriovportmode"); ok && n >= 0 && n <= 2 {
			mode := int(n)
			a.SriovPortMode = &mode
		}
	}
}
