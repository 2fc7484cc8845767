package health

// The defaults of DumpMeNowTotalCount and DumpMeNowPreservedCountMin.
const (
	DefaultDumps     = 128
	DefaultPreserved = 8
)

// DumpSlot returns the slot of a dump: the first total dumps, counted from 0, take one slot each, and later ones overwrite
// the slots after the first preserved ones in turn. It reports false if no slot may be overwritten.
func DumpSlot(total, preserved, incident int) (slot int, ok bool) {
	switch {
	case total <= 0 || incident < 0:
		return 0, false
	case incident < total:
		return incident, true
	case preserved < 0 || preserved >= total:
		return 0, false
	}
	return preserved + (incident-total)%(total-preserved), true
}
