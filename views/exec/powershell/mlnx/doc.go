// Package mlnx has the cmdlets of the WinOF driver's provider for PowerShell: SR-IOV settings of cards, the identity of their
// firmware, and settings of the driver's core.
package mlnx
