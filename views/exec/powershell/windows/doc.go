// Package windows has the cmdlets for Windows itself: services, features, the event log, registry values, the execution policy,
// SMB and IP addresses; and netsh for the TCP stack.
package windows
