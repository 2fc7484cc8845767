package host

import (
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/views/exec"
)

func slotSet(c *exec.Call, in *struct{ Card *driver.AdapterView }) (exec.Answer, error) {
	generation, err := strconv.Atoi(c.Arguments[1])
	if err != nil || generation < 1 || generation > 4 {
		return exec.Answer{}, exec.Mistake("invalid PCI Express generation %q: it must be 1 to 4", c.Arguments[1])
	}
	lanes, err := strconv.Atoi(strings.TrimPrefix(c.Arguments[2], "x"))
	if err != nil || !slices.Contains([]int{1, 2, 4, 8, 16}, lanes) {
		return exec.Answer{}, exec.Mistake("invalid number of lanes %q: it must be 1, 2, 4, 8 or 16", c.Arguments[2])
	}
	return c.ApplyOne(hardware.SetSlot{Adapter: in.Card.Description.Name, Generation: generation, Lanes: lanes})
}

func processorsSet(c *exec.Call, in *struct {
	Name  string `is:"connection"`
	Speed string
}) (exec.Answer, error) {
	percent, err := strconv.ParseFloat(strings.TrimSuffix(in.Speed, "%"), 64)
	if err != nil || !(percent >= 1 && percent <= 100) {
		return exec.Answer{}, exec.Mistake("invalid speed %q: it must be 1%% to 100%%", in.Speed)
	}
	return c.ApplyOne(hardware.SetProcessorSpeed{Connection: in.Name, Speed: percent / 100})
}
