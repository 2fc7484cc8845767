package exec

import (
	"fmt"

	"cxdeck/driver"
	"cxdeck/driver/packages"
)

// CheckProduct returns why a command of a driver package can't run: the package was uninstalled, or installed without the WMI provider that
// its cmdlets need. It is nil for a command of no package.
func (c *Call) CheckProduct(product packages.Product, command string, wmi bool) error {
	if product == "" {
		return nil
	}
	return c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		set := h.Packages()
		i, changed := set.Changed(product)
		switch {
		case !changed:
			return nil
		case i.Version == "":
			return fmt.Errorf("%s belongs to %s, which is not installed; setup packages lists its setup programs", command, product.Title())
		case wmi && i.NoWMI:
			return fmt.Errorf("%s needs the WMI provider of %s, which was installed with MT_WMI=0", command, product.Title())
		}
		return nil
	})
}
