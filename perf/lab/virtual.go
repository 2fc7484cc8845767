package lab

import (
	"fmt"

	"cxdeck/device"
	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/perf"
)

// virtualKey identifies a virtual miniport, case-folded. A miniport that is recreated under its old name continues its
// series.
type virtualKey struct{ team, connection, vlan, partition string }

func keyOf(m *driver.VirtualMiniport) virtualKey {
	return virtualKey{perf.FoldPath(m.Team), perf.FoldPath(m.Connection), perf.FoldPath(m.VLAN), perf.FoldPath(m.Partition)}
}

// virtualNames has the virtual miniports with series.
type virtualNames struct {
	// numbers are kept permanently: gates refer to them.
	numbers map[virtualKey]int
	// instances are their names in the sets, by number; the name in the console's own set comes first.
	instances [][]string
}

// virtualPlace is the current place of a virtual miniport. The zero value is a removed miniport.
type virtualPlace struct {
	exists bool
	slot   int
	rate   int64 // bits per second
}

// lacksSeries reports whether a virtual miniport of a host lacks its series.
func (v *virtualNames) lacksSeries(list []driver.VirtualMiniport) bool {
	for i := range list {
		if _, known := v.numbers[keyOf(&list[i])]; !known {
			return true
		}
	}
	return false
}

// places appends the place of each virtual miniport with series, by number.
func (v *virtualNames) places(list []driver.VirtualMiniport, places []virtualPlace) []virtualPlace {
	for range v.instances {
		places = append(places, virtualPlace{})
	}
	for i := range list {
		if number, known := v.numbers[keyOf(&list[i])]; known {
			places[number] = virtualPlace{exists: true, slot: list[i].Slot, rate: int64(list[i].Rate)}
		}
	}
	return places
}

// instancesOf returns the instances of a virtual miniport, which it finds by names only; nil for a miniport without series.
func (v *virtualNames) instancesOf(m driver.VirtualMiniport) []string {
	if number, known := v.numbers[keyOf(&m)]; known {
		return v.instances[number]
	}
	return nil
}

// virtualParts registers the virtual miniports of a list that have no series, and returns their instances in the sets.
func (b *Builder) virtualParts(list []driver.VirtualMiniport) (parts []setPart, err error) {
	var fresh []*driver.VirtualMiniport
	for i := range list {
		if _, known := b.virtuals.numbers[keyOf(&list[i])]; !known {
			if b.virtuals.numbers == nil {
				b.virtuals.numbers = map[virtualKey]int{}
			}
			b.virtuals.numbers[keyOf(&list[i])] = len(b.virtuals.instances)
			b.virtuals.instances = append(b.virtuals.instances, nil)
			fresh = append(fresh, &list[i])
		}
	}
	if fresh == nil {
		return nil, nil
	}
	for _, set := range virtualSets() {
		counters, err := describedCounters(&set)
		if err != nil {
			return nil, err
		}
		part := setPart{set: &set, counters: counters}
		for _, m := range fresh {
			name := b.takeName(set.name, set.virtual(m))
			number := b.virtuals.numbers[keyOf(m)]
			b.virtuals.instances[number] = append(b.virtuals.instances[number], name)
			part.instances = append(part.instances, instance{
				name: name, sum: summaryOf(m), gate: gate{kind: virtualGate, at: number}, places: []place{{}},
			})
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// takeName reserves a name for an instance of a set and returns it. Like Windows, it appends a number if the name is taken.
func (b *Builder) takeName(set, name string) string {
	free := name
	for n := 2; b.taken[[2]string{set, perf.FoldPath(free)}]; n++ {
		free = fmt.Sprintf("%s #%d", name, n)
	}
	b.taken[[2]string{set, perf.FoldPath(free)}] = true
	return free
}

// counters returns the counters of a virtual miniport's place. A miniport without a place carries no traffic.
func (v virtualPlace) counters(lab *device.Lab, all []uint64) []uint64 {
	if v.slot == setup.NoSlot {
		return make([]uint64, virtualCounters(lab))
	}
	return all[lab.VirtualCell(v.slot, 0):lab.VirtualCell(v.slot+1, 0)]
}

// virtualCounters returns the number of counters of a virtual miniport.
func virtualCounters(lab *device.Lab) int { return lab.VirtualCell(1, 0) - lab.VirtualCell(0, 0) }
