// Package firmware implements the tools for the firmware of cards: mst, mlxconfig, mlxfwreset and flint. Their syntax and
// output follow the transcripts of the manuals. The settings and their rules are in driver/virtualization.
package firmware
