// Package dump writes what the drivers record of an adapter for the vendor's support: the folders of Dump Me Now, the files of state
// dumps, and the traces of the driver; with their rules, their switches in the registry, and the Operations that request them
// (WinOF manual, "Dump Me Now", "State Dumping" and "Extracting WPP Traces"; WinOF-2 manual, "State Dumping").
package dump
