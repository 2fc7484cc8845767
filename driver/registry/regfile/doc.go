// Package regfile reads and writes the files that regedit imports and exports (.reg). It knows what stands in them, and
// nothing of what it means: a file is keys with values, and what is to be deleted.
package regfile
