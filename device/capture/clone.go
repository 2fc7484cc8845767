package capture

// CloneAll returns independent copies of the buffers; nil stays nil.
func CloneAll(list []*Buffer) []*Buffer {
	copied := make([]*Buffer, len(list))
	for i, b := range list {
		copied[i] = b.Clone()
	}
	return copied
}
