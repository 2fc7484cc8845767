// Package fabric shows the InfiniBand subnet of the lab in a dialog: its nodes and ports as a tree with rates and errors, or drawn as a
// topology. It is read again every second.
package fabric
