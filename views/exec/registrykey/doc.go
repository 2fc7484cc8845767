// Package registrykey finds registry keys by the names that operators type, and has the answers about keys that several families
// of commands share.
package registrykey
