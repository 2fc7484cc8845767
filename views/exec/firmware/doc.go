// Package firmware implements the tools for the firmware of cards: mst, mlxconfig, mlxfwreset and flint. They take and print
// what the manuals' transcripts show. The settings themselves and their rules are in driver/virtualization.
package firmware
