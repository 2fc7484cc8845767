// Package packet builds the frames that a capture on the cable of a port sees: their headers with sequence numbers and checksums, for
// the frames that the lab counts. Payloads are zeros, behind the header of a protocol above TCP or UDP where a port number calls for one.
package packet
