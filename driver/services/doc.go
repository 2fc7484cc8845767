// Package services models the services of Windows that the operator creates, and lists the ones that the host has of its own. It starts
// and ends programs through Ports and knows none of them.
package services
