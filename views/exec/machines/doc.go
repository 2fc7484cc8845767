// Package machines has the answers about virtual machines and virtual switches that several families of commands share.
package machines
