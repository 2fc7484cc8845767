// Package regfile reads and writes the files that regedit imports and exports (.reg): keys with values, and keys and values to
// delete. It does not interpret them.
package regfile
