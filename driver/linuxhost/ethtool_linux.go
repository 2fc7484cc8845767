package linuxhost

import (
	"slices"
	"strconv"
)

// ethtool reads the settings of an interface's driver.
func (r *Reader) ethtool(i *Interface) {
	if r.tool == nil {
		return
	}
	number := func(n uint32) string { return strconv.FormatUint(uint64(n), 10) }
	limited := func(name string, value, limit uint32) {
		if limit > 0 {
			i.set(name, number(value), number(limit))
		}
	}
	if ring, err := r.tool.GetRing(i.Name); err == nil {
		limited("ring.rx", ring.RxPending, ring.RxMaxPending)
		limited("ring.tx", ring.TxPending, ring.TxMaxPending)
	} else {
		r.miss("rings of "+i.Name, err)
	}
	if channels, err := r.tool.GetChannels(i.Name); err == nil {
		limited("channels.combined", channels.CombinedCount, channels.MaxCombined)
		limited("channels.rx", channels.RxCount, channels.MaxRx)
		limited("channels.tx", channels.TxCount, channels.MaxTx)
	} else {
		r.miss("channels of "+i.Name, err)
	}
	if c, err := r.tool.GetCoalesce(i.Name); err == nil {
		i.set("coalesce.adaptive-rx", onOff(c.UseAdaptiveRxCoalesce != 0), "")
		i.set("coalesce.adaptive-tx", onOff(c.UseAdaptiveTxCoalesce != 0), "")
		i.set("coalesce.rx-usecs", number(c.RxCoalesceUsecs), "")
		i.set("coalesce.rx-frames", number(c.RxMaxCoalescedFrames), "")
		i.set("coalesce.tx-usecs", number(c.TxCoalesceUsecs), "")
		i.set("coalesce.tx-frames", number(c.TxMaxCoalescedFrames), "")
	} else {
		r.miss("coalescing of "+i.Name, err)
	}
	if pause, err := r.tool.GetPause(i.Name); err == nil {
		i.set("pause.autoneg", onOff(pause.Autoneg != 0), "")
		i.set("pause.rx", onOff(pause.RxPause != 0), "")
		i.set("pause.tx", onOff(pause.TxPause != 0), "")
	} else {
		r.miss("pause of "+i.Name, err)
	}
	r.features(i)
	if r.generic != nil {
		if modes := r.generic.fec(i.Name); modes != "" {
			i.Facts = append(i.Facts, Fact{"FEC", modes})
		}
		if cause := r.generic.linkCause(i.Name); cause != "" {
			i.Facts = append(i.Facts, Fact{"link down", cause})
		}
	}
	if i.Adapter != "" {
		if memory, err := r.tool.ModuleEeprom(i.Name); err == nil {
			i.Facts = append(i.Facts, moduleFacts(memory)...)
		} else {
			r.miss("module of "+i.Name, err)
		}
	}
}

// features reads the offloads of an interface that can be changed.
func (r *Reader) features(i *Interface) {
	states, err := r.tool.FeaturesWithState(i.Name)
	if err != nil {
		r.miss("offloads of "+i.Name, err)
		return
	}
	var names []string
	for name, state := range states {
		if state.Available && !state.NeverChanged && name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		i.set("offload."+clean(name), onOff(states[name].Active), "")
	}
}
