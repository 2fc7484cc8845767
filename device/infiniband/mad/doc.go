// Package mad holds the attributes of management datagrams: the fields in their bytes with the names and values that the diagnostic
// programs print, and the agents of a fabric's nodes, which answer requests for them.
package mad
