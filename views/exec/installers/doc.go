// Package installers implements the setup programs of the driver packages, with their options and return codes, and the programs that put
// drivers into images of Windows.
package installers
