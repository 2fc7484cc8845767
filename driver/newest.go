package driver

// Newest returns the newest change of the journal; it has sequence 0 when there is none.
func (h *Host) Newest() Entry {
	if len(h.journal) == 0 {
		return Entry{}
	}
	return h.journal[len(h.journal)-1]
}
