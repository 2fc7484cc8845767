// Package subnet has what the InfiniBand diagnostic programs of the manuals share: their options, their requests over the network,
// and the run of a program. A program is a function of a network, the port that it attaches to and its options; it writes the text of
// the real program. What a program changes, it changes in the network that it was given, and it lists the changes.
package subnet
