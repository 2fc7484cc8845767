package hyperv

import "fmt"

// The GID table of an InfiniBand port (IOV-7).
const (
	GIDTable    = 128
	physicalIDs = 16
	minGIDs     = 2
)

// GIDs distributes the GID table of an InfiniBand port to the physical function and the virtual functions. It fails when there
// is no room for two GIDs for each virtual function.
func GIDs(table, functions int) (physical int, virtual []int, err error) {
	rest := table - physicalIDs - minGIDs*functions
	if functions < 0 || rest < 0 {
		return 0, nil, fmt.Errorf("a table of %d GIDs has no room for %d virtual functions; the maximum is %d",
			table, functions, max(0, (table-physicalIDs)/minGIDs))
	}
	if functions == 0 {
		return physicalIDs, nil, nil
	}
	virtual = make([]int, functions)
	for i := range virtual {
		virtual[i] = minGIDs + rest/functions
		if i < rest%functions {
			virtual[i]++
		}
	}
	return physicalIDs, virtual, nil
}
