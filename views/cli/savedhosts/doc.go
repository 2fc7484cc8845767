// Package savedhosts implements cxdeck host: the hosts that the history keeps, and files that carry a host with its lab to another
// machine.
package savedhosts
